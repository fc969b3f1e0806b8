"""The mistakes that the example apps can be given: the first sentence about each names the mistake, not its symptom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from giftsim.workbench.explore.explorer import Explorer
from giftsim.workbench.explore.plan import (
    Action,
    AppAct,
    CallFault,
    DeclinedPayment,
    FailedAttempt,
    FurtherAction,
    LostConnection,
    NewSecret,
    OrderRequest,
    OtherEvents,
    Plan,
    PriceChange,
    Wait,
    WebhookFault,
)
from giftsim.workbench.explore.scenario_writer import plan_scenario
from giftsim.workbench.trace.file import read_trace_file
from tests.ecosystem.test_explored_apps import BUGS as EXPLORED
from tests.explore.sample_apps import BUGS as SHOP_BUGS
from tests.explore.sample_apps import exploring as exploring_url
from tests.explore.sample_apps import shop
from tools.explored_apps import BUGS, FLASK, exploring

LEAST_NAMED = 18


class Mistake(NamedTuple):
    """A plan that shows a mistake, and the kind and words of the sentence that names it; none if nothing can."""

    actions: Sequence[Action | FurtherAction]
    kind: str | None
    says: tuple[str, ...] = ()
    destination: str = "address"
    fast: bool = False


def explored(bug: str, kind: str | None, *says: str) -> tuple[str, Mistake]:
    """The mistake of an example app with the plan that another test has for it."""
    return bug, Mistake(EXPLORED[bug].actions, kind, says, EXPLORED[bug].destination)


LOST, ORDER = LostConnection("after", 1), OrderRequest(1)
TWICE, SWAPPED = WebhookFault("duplicate", 1), WebhookFault("reorder", 1)
BEHIND_TWO = ("was sent twice",)
OTHER_KEY = "was lost", "with another key"

# What can be known of the service names the mistakes; of these the service sees nothing: the app's own days and months.
SHOP = {
    "duplicates": Mistake((ORDER, TWICE), "accepted_twice", BEHIND_TWO),
    "order": Mistake((ORDER, SWAPPED), "arrived_out_of_order", ("team_order.shipped", "arrived after"), fast=True),
    "new-key": Mistake((LOST, ORDER), "charged_twice", OTHER_KEY),
}
EXAMPLES = {
    "charged-twice": Mistake((ORDER, ORDER), "charged_twice", ("with another idempotency key", "answered 201")),
    "new-key": Mistake((LOST, ORDER), "charged_twice", OTHER_KEY),
    "lost-is-failed": Mistake((LOST, ORDER), "changed_by_fault", ("was done", "was lost", "not sent again")),
    "stale-read": Mistake((ORDER,), "not_read_again", ("team_order.delivered", "read nothing", "submitted")),
    "late-event-revives": Mistake(
        (FailedAttempt("503", 1), ORDER, Wait(2), AppAct("cancel", 1)),
        "arrived_out_of_order", ("team_order.claimed", "before it became canceled", "tells what was"), "link",
    ),
    "counted-twice": Mistake((TWICE, ORDER), "accepted_twice", BEHIND_TWO),
    "one-secret": Mistake(
        (OtherEvents(), ORDER, NewSecret()), "refused_by_app", ("secret of the first", "accepted only"),
    ),
    "parsed-signature": Mistake((OrderRequest(1, 2),), "refused_by_app", ("letters outside ASCII",)),
    "declined-forever": Mistake(
        (DeclinedPayment("card_charge_failed", 1), ORDER, AppAct("pay", 1)),
        "changed_by_fault", ("402 card_charge_failed", "not sent again"),
    ),
    "no-back-off": Mistake(
        (CallFault("createTeamOrder", "429", 3), ORDER),
        "changed_by_fault", ("429", "sent again (entries", "at the same instant", "it was answered 429"),
    ),
    "float-cents": Mistake((PriceChange(1099), ORDER), "other_amount", ("1899", "1898", "one cent less")),
    "whole-refund": Mistake(
        (OrderRequest(1, 2), AppAct("cancel", 1, True)), "other_amount", ("a part", "5200, the whole"),
    ),
    "unknown-event": Mistake((OtherEvents(), ORDER), "refused_by_app", ("order.",)),
    **dict([
        explored("utc-month", None),
        explored("day-twice", None),
        explored("decided-twice", "arrived_out_of_order", "approval.decided", "before gift.sent", "arrived after"),
        explored("superseded-paid", "superseded", "2600 was superseded", "of 1899"),
        explored("page-missed", "page_moved", "page by page", "order 1001"),
        explored("expiry-early", None),
        explored("answered-early", "answered_early", "team_order.shipped", "after that", "not sent again"),
    ]),
}  # fmt: skip


@contextmanager
def exploring_shop(bug: str) -> Iterator[Explorer]:
    """An explorer of the sample shop with a mistake."""
    with shop(bug) as app, exploring_url(app) as explorer:
        explorer.check_app()
        yield explorer


def verdicts(explorer: Explorer, mistake: Mistake, start: str, trace: Path) -> list[Any]:
    """What is said of the run of a mistake's plan, which must fail."""
    plan = Plan(mistake.destination, mistake.fast, tuple(mistake.actions), start)
    result = explorer.runner.run_document(plan_scenario(plan, explorer.protocol, seed=1), plan, trace)
    assert result.failures
    return list(read_trace_file(trace.read_bytes())["verdicts"])


def check(mistake: Mistake, said: list[Any]) -> None:
    """The first sentence names the mistake, and has its proof; of a mistake that nothing can name none is claimed."""
    first = said[0]
    assert first["marks"]
    if mistake.kind is None:
        assert first["kind"] == "unknown", first
        return
    assert first["kind"] == mistake.kind, said
    assert [words for words in mistake.says if words not in first["sentence"]] == [], first["sentence"]


@pytest.mark.parametrize("bug", SHOP_BUGS)
def test_the_sentence_about_the_sample_shop_names_its_mistake(bug: str, tmp_path: Path) -> None:
    with exploring_shop(bug) as explorer:
        check(SHOP[bug], verdicts(explorer, SHOP[bug], "", tmp_path / "trace.html"))


@pytest.mark.parametrize("bug", EXAMPLES)
def test_the_sentence_about_an_example_app_names_its_mistake(bug: str, tmp_path: Path) -> None:
    start = EXPLORED[bug].start if bug in EXPLORED else ""
    with exploring(BUGS.get(bug, FLASK), bug, coverage=False) as explorer:
        check(EXAMPLES[bug], verdicts(explorer, EXAMPLES[bug], start, tmp_path / "trace.html"))


def test_nearly_all_mistakes_have_a_sentence_that_names_them() -> None:
    mistakes = [*SHOP.values(), *EXAMPLES.values()]
    assert len(mistakes) == 23
    assert sum(mistake.kind is not None for mistake in mistakes) >= LEAST_NAMED
