"""Findings with one cause are one, and its sentence is what people read first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from giftsim.workbench.explore.circumstances import MOST, circumstances, only_if
from giftsim.workbench.explore.exploration_report import summary_lines
from giftsim.workbench.explore.explorer import Finding, one_for_each_cause
from giftsim.workbench.explore.failures import RunResult, make_failure
from giftsim.workbench.explore.plan import AppAct, OrderRequest, Outage, Plan, Wait, WebhookFault

NO_LINE = dict.fromkeys(("pytest", "vitest", "curl", "scenario"))
REFUSED = "The app answered team_order.claimed of order 1001 with 500 in all 9 attempts"


def verdict(kind: str = "refused_by_app", sentence: str = REFUSED) -> dict[str, Any]:
    """A verdict as a trace has it."""
    return {"kind": kind, "sentence": sentence, "marks": [], "mend": NO_LINE, "why_not": "It is the app."}


def finding(folder: Path, reason: str, seeds: tuple[int, ...], *verdicts: dict[str, Any], orders: int = 1) -> Finding:
    """A finding with its files, whose plan has so many orders."""
    path, trace = folder / f"{reason}.yaml", folder / f"{reason}.html"
    path.touch()
    trace.touch()
    plan = Plan("address", False, tuple(map(OrderRequest, range(1, orders + 1))))
    return Finding(reason, seeds, plan, 3, path, True, trace, verdicts=verdicts)


def test_two_reasons_with_one_cause_are_one_finding_with_the_seeds_of_both(tmp_path: Path) -> None:
    long = finding(tmp_path, "claimed was never accepted", (3, 1), verdict(), orders=2)
    short = finding(tmp_path, "the claim is missing", (2, 3), verdict(sentence=REFUSED.replace("1001", "1007")))
    other = finding(tmp_path, "the parcel is missing", (9,), verdict("not_subscribed", "Nobody subscribed."))
    first, second = one_for_each_cause([long, other, short])
    assert (first.reason, first.seeds) == ("the claim is missing", (1, 2, 3))
    assert second == other
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        path.name for each in (short, other) for path in (each.path, each.path.with_suffix(".html"))
    )


@pytest.mark.parametrize("verdicts", [(), (verdict("unknown", "No cause was found."),)])
def test_without_a_cause_findings_with_one_reason_are_one(tmp_path: Path, verdicts: tuple[Any, ...]) -> None:
    findings = [finding(tmp_path, reason, (n,), *verdicts) for n, reason in enumerate(("order-1 is late", "no mail"))]
    assert one_for_each_cause(findings) == findings


@pytest.mark.parametrize(
    ("found", "shown"),
    [(verdict(), [f"1. {REFUSED}", "   no mail"]), (verdict("unknown", "No cause was found."), ["1. no mail"])],
)
def test_a_cause_is_what_people_read_first(found: dict[str, Any], shown: list[str]) -> None:
    each = {"reason": "no mail", "verdicts": [found], "seeds": [1], "story": [], "file": "a.yaml", "steps": 3}
    more = {"trace": None, "wrong_after": None, "repeats": True, "again": "giftsim play a.yaml"}
    report = {"findings": [each | more], "plays": 1, "seeds": 1, "stopped": None, "report": "index.html"}
    lines = [line.removeprefix("\x1b[1m").removesuffix("\x1b[0m") for line in summary_lines(report)]
    assert lines[2 : 2 + len(shown)] == shown


LATE = WebhookFault("reorder", 1)
PLAN = Plan("link", True, (LATE, OrderRequest(1), Wait(3), OrderRequest(1), AppAct("cancel", 1)), "month end")
TRACE = {
    "entries": [
        {"n": 1, "kind": "world", "title": "the world"},
        {"n": 2, "kind": "control", "title": "set up"},
        {"n": 3, "kind": "fault", "title": "Inject a fault"},
        {"n": 4, "kind": "attempt", "title": "team_order.shipped", "causes": [{"n": 3, "how": "fault"}]},
    ]
}


def wrong_if(*needed: Any) -> Any:
    """An app that is wrong only in a plan that has all of these actions and settings."""

    def run(plan: Plan) -> RunResult:
        has = (*plan.actions, plan.destination, plan.start, plan.fast)
        return RunResult((make_failure("wrong"),) if all(each in has for each in needed) else ())

    return run


def test_everything_but_the_first_request_for_an_intent_is_a_circumstance() -> None:
    found = [each.text for each in circumstances(PLAN)]
    assert found[:2] == ["the next webhook arrives after the one that follows it", "3 hours pass"]
    assert found[2:4] == ["order-1 is requested again", "order-1 is canceled"]
    assert len(found) == len(PLAN.actions) - 1 + len((PLAN.destination, PLAN.start, PLAN.fast))


def test_that_two_instances_are_asked_at_the_same_moment_is_a_circumstance() -> None:
    both = OrderRequest(1, both=True)
    [found] = circumstances(Plan("address", False, (both,)))
    assert "at both instances of the app" in found.text
    assert found.without.actions == (OrderRequest(1),)


def test_what_the_failure_needs_is_told_with_the_entries_that_show_it() -> None:
    verdict = only_if(PLAN, wrong_if(LATE, "month end"), TRACE, [1, 2])
    assert verdict is not None
    late, month = "the next webhook arrives after the one that follows it", "it is the last evening of a month"
    assert verdict.sentence.startswith(f"the app is wrong only if {late} and {month}")
    assert verdict.sentence.endswith("; without either it is right")
    assert [mark.entry for mark in verdict.marks] == [3, 4, 1]
    assert verdict.marks[1].what == "it acted on team_order.shipped"


def test_an_app_that_is_wrong_in_any_case_needs_nothing_and_a_long_plan_is_not_asked_about() -> None:
    assert only_if(PLAN, wrong_if(), TRACE, [1]) is None
    long = Plan("address", False, (OrderRequest(1), *(Outage(hours) for hours in range(1, MOST + 2))))
    assert only_if(long, wrong_if(Outage(1)), TRACE, [1]) is None
