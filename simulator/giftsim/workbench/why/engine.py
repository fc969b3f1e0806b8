"""The one engine of verdicts: rules over the facts of a trace, of which all that hold are told, in a fixed order.

A rule says a sentence only if its marks prove it, so several may hold. The first verdict names the last step that made
what was expected impossible, because mending an earlier one would change nothing:

1. The question itself: nothing of another world can be seen from here. And an event that an app took twice, since
   whatever sent it again was free to do so.
2. Faults, which act from outside, before what they led to: an answer that was held or changed comes before the refusal
   that it is, and a rate limit before what was not done because of it.
3. How the app called: twice for one intent, or with a key that was used before.
4. Ends, from which nothing goes on: `expired` comes before `not_claimed`, since nobody can claim any more. Then
   `gone_past`: what was asked for went on from the status that was expected.
5. What still waits for somebody, and then what waits only for time. Where the app's own clock stood still, no time
   passed for it.
6. The event happened, and was not heard: another account subscribed (before another type, before nobody).
7. The event was heard, and the question counts something else, or it was not sent yet, or not received as the app
   should.
8. What the service itself says of a call that it refused.
9. What is only odd: a fault that nothing met.

`unknown` is said if nothing else holds. It tells what is due next and what happened last, and that neither is a cause.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.garbage_collection import without_garbage_collection
from giftsim.engine.kernel.state import State
from giftsim.workbench.why.about import About
from giftsim.workbench.why.facts import Facts
from giftsim.workbench.why.index import Index
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.rules import (
    amount_rules,
    app_rules,
    clock_rules,
    fault_rules,
    life_rules,
    money_rules,
    naming_rules,
    no_rule_holds,
    reason_rules,
    replay_and_limit_rules,
    view_rules,
    webhook_rules,
)
from giftsim.workbench.why.verdict import Verdict

# fmt: off
ORDER: Final = (
    "other_world", "page_moved", "answered_early", "accepted_twice",
    "held_by_fault", "changed_by_fault", "rate_limited",
    "charged_twice", "key_forgotten", "replayed",
    "superseded", "expired", "canceled", "rejected", "delayed", "gone_past",
    "proof_unsigned", "not_paid", "not_approved", "mail_bounced", "not_claimed", "not_due",
    "clock_frozen",
    "taken_back", "other_account", "other_type", "subscribed_late", "not_subscribed",
    "other_count", "not_sourced",
    "captured", "no_answer_from_app", "refused_by_app", "arrived_out_of_order", "dropped_as_duplicate",
    "not_read_again", "other_amount", "refused",
    "fault_unused",
)
# fmt: on


def verdicts(
    data: Mapping[str, Any],
    about: About | None,
    state: State,
    test: Mapping[str, Any] | None = None,
    index: Index | None = None,
) -> list[dict[str, Any]]:
    """The verdicts on a question about a trace, or on a failed test, as JSON."""
    with without_garbage_collection():  # a trace is many objects, and none of them is garbage
        found: list[dict[str, Any]] = msgspec.to_builtins(explain(Facts(data, about, state, test, index)))
    return found


def explain(facts: Facts) -> tuple[Verdict, ...]:
    """All verdicts that hold, the one that matters most first. There is always one: at least `unknown`."""
    found = tuple(verdict for rule in rules() if (verdict := rule.find(facts)) is not None)
    return found or (no_rule_holds.describe_last_and_next(facts),)


@cache
def rules() -> Sequence[Rule]:
    """All rules in the order in which their verdicts are told; those of one kind in the order of their module."""
    families = (
        webhook_rules,
        view_rules,
        app_rules,
        life_rules,
        reason_rules,
        money_rules,
        amount_rules,
        naming_rules,
        replay_and_limit_rules,
        fault_rules,
        clock_rules,
    )
    found = [rule for family in families for rule in family.RULES]
    return sorted(found, key=lambda rule: ORDER.index(rule.kind))
