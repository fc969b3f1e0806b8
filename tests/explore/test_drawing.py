"""The drawing of what happened in the shortest plan of a failure."""

from __future__ import annotations

from pathlib import Path

from giftsim.workbench.exam.page.finding import Row
from giftsim.workbench.explore.drawing import MOST_ROWS, rows
from giftsim.workbench.explore.plan import AppAct, LostConnection, OrderRequest, Plan, Wait
from giftsim.workbench.explore.scenario_writer import action_begins, plan_scenario
from giftsim.workbench.trace.file import read_trace_file
from tests.explore.sample_apps import exploring, shop

SHIPS = [
    Row("service", "production starts", at="5 January 2027, 11:00 (+1 d 2 h)"),
    Row("service", "the parcel gets its label", at="6 January 2027, 11:00 (+2 d 2 h)"),
    Row("service", "the parcel is handed to the carrier", at="7 January 2027, 11:00 (+3 d 2 h)"),
    Row("webhook", "team_order.shipped", "200"),
    Row("service", "the parcel arrives", at="9 January 2027, 11:00 (+5 d 2 h)"),
    Row("webhook", "team_order.delivered", "200"),
]


def drawn(bug: str, plan: Plan, folder: Path) -> tuple[Row, ...]:
    """The drawing of a plan that a shop with a bug has run."""
    file = folder / "trace.html"
    with shop(bug) as app, exploring(app) as explorer:
        document = plan_scenario(plan, explorer.protocol, seed=1, checked=False)
        begun = explorer.runner.run_document(document, plan, file).begun
        return rows(
            read_trace_file(file.read_bytes()), plan, [begun[step] for step in action_begins(plan, explorer.protocol)]
        )


def of_kinds(found: tuple[Row, ...], *kinds: str) -> list[tuple[str, str]]:
    return [(row.text, row.outcome) for row in found if row.kind in kinds]


def test_each_action_stands_before_what_it_led_to(tmp_path: Path) -> None:
    found = drawn("new-key", Plan("link", False, (LostConnection("after", 1), OrderRequest(1), Wait(6))), tmp_path)
    begin = [
        Row("step", "1. the next order reaches the service, but the response is lost", at="4 January 2027, 09:00"),
        Row("step", "2. order-1 is requested"),
        Row("call", "createTeamOrder", "done, but the answer is lost", bad=True),
        Row("call", "createTeamOrder", "201"),
        Row("step", "3. 6 hours pass"),
        Row("person", "bo claims after 2h", at="4 January 2027, 11:00 (+2 h)"),
    ]
    assert list(found[: len(begin)]) == begin
    end = found[-1]
    assert (end.kind, end.text, end.bad) == ("wrong", "order-1 was placed 2 times", True)


def test_webhooks_go_to_the_app_and_what_the_service_does_stands_between(tmp_path: Path) -> None:
    found = drawn("order", Plan("link", False, (OrderRequest(1),)), tmp_path)
    at = found.index(SHIPS[0])
    assert list(found[at : at + len(SHIPS)]) == SHIPS
    assert Row("step", "Everything that is due happens, and the app is checked") in found


def test_a_long_drawing_leaves_out_its_end_but_not_what_is_wrong() -> None:
    call = {
        "kind": "call",
        "at": "2027-01-04T09:00:00Z",
        "title": "GET /",
        "call": {"response": {"status": 429, "body": BODY}},
    }
    wrong = {"kind": "failure", "at": "2027-01-04T09:00:00Z", "title": "too slow"}
    trace = {"start": {"timers": []}, "entries": [call] * 500 + [wrong]}
    found = rows(trace, Plan("address", False, (AppAct("ticket", 1),)), [0, 500])
    assert len(found) == MOST_ROWS
    assert found[1] == Row("call", "GET /", "429 rate_limited", bad=True)
    assert [row.text for row in found[-2:]] == ["304 rows are left out; the trace has all", "too slow"]


BODY = '{"error": {"code": "rate_limited"}}'
