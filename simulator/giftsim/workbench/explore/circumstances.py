"""What a failing plan needs: the circumstances without which the app is right, each shown by a run without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.workbench.explore.drawing import MADE
from giftsim.workbench.explore.failures import RunResult
from giftsim.workbench.explore.plan import APPROVERS, LINKS, STARTS, AppAct, OrderRequest, Plan, describe_action
from giftsim.workbench.why.verdict import Mark, Verdict

KIND: Final = "only_if"
MOST: Final = 8  # circumstances; a longer plan is not asked about
WHY_NOT: Final = "what explore lets happen, happens in production too: the app has to cope with it"
WITHOUT: Final = {1: "without that", 2: "without either", 0: "without any of these"}
BEFORE: Final = ("cancel", "pay")  # what an app is asked to do with what it was asked for before


class Circumstance(NamedTuple):
    """Something that happens in a plan, as a clause, and the plan without it; `action` is its place in the plan.

    What is set for the whole plan has no place.
    """

    text: str
    without: Plan
    action: int | None = None


def circumstances(plan: Plan) -> Iterator[Circumstance]:
    """Everything in a plan but the first request for each intent, of which only the moment counts."""
    asked = set[tuple[str, int]]()
    for place, action in enumerate(plan.actions):
        intent, text = _intent(action), describe_action(action)
        if intent is None or intent in asked:
            again = text if intent is None else text.replace("is requested", "is requested again")
            yield Circumstance(again, _with(plan, place), place)
        elif getattr(action, "both", False):
            yield Circumstance(text, _with(plan, place, msgspec.structs.replace(action, both=False)), place)
        asked |= {intent} if intent else set()
    if plan.fast:
        text = "every parcel is produced, shipped and delivered within an hour"
        yield Circumstance(text, msgspec.structs.replace(plan, fast=False))
    if plan.destination in LINKS:
        yield Circumstance(LINKS[plan.destination], msgspec.structs.replace(plan, destination="address"))
    if plan.start in STARTS:
        yield Circumstance(STARTS[plan.start], msgspec.structs.replace(plan, start=""))
    if plan.approver in APPROVERS:
        yield Circumstance(APPROVERS[plan.approver], msgspec.structs.replace(plan, approver="approve"))


def _with(plan: Plan, place: int, *instead: Any) -> Plan:
    """The plan with other actions, or none, in place of one."""
    return msgspec.structs.replace(plan, actions=(*plan.actions[:place], *instead, *plan.actions[place + 1 :]))


def _intent(action: object) -> tuple[str, int] | None:
    if isinstance(action, OrderRequest):
        return "order", action.number
    is_request = isinstance(action, AppAct) and action.action not in BEFORE
    return (action.action, action.number) if isinstance(action, AppAct) and is_request else None


def only_if(
    plan: Plan, run: Callable[[Plan], RunResult], trace: Mapping[str, Any], begun: Sequence[int]
) -> Verdict | None:
    """What the app is wrong about only if it happens; None if it is wrong in any case, or if that is not known.

    `begun` says for each action of the plan how many entries of the trace were made before it.
    """
    found = list(circumstances(plan))
    needed = [each for each in found if not run(each.without).failures] if len(found) <= MOST else []
    if not needed:
        return None
    texts = [each.text for each in needed]
    return Verdict(
        kind=KIND,
        sentence=f"the app is wrong only if {' and '.join(texts)}; {WITHOUT.get(len(texts), WITHOUT[0])} it is right",
        marks=tuple(mark for each in needed for mark in _mark_entries(each, trace, begun)),
        why_not=WHY_NOT,
    )


def of_the_app(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """A verdict on a plan: its mistake is the app's, so that no line of a test mends it, and its world is gone."""
    return {**verdict, "mend": dict.fromkeys(verdict["mend"]), "why_not": verdict["why_not"] or WHY_NOT}


def _mark_entries(circumstance: Circumstance, trace: Mapping[str, Any], begun: Sequence[int]) -> Iterator[Mark]:
    """The entry by which a circumstance came about, and what it acted on."""
    if circumstance.action is None:
        yield Mark(1, circumstance.text)
        return
    made = [entry for entry in trace["entries"] if entry["kind"] in MADE]
    if circumstance.action >= len(begun) or begun[circumstance.action] >= len(made):
        return
    first = made[begun[circumstance.action]]
    yield Mark(first["n"], circumstance.text)
    for entry in trace["entries"]:
        if {"n": first["n"], "how": "fault"} in entry.get("causes", ()):
            yield Mark(entry["n"], f"it acted on {entry['title']}")
