"""A failed step says why it failed, in the words of `giftsim why`."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim import Simulator
from giftsim.workbench.scenario import check_scenario, load_scenario, play

HEAD = """
scenario: Too early
steps:
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      idempotency_key: a
      gift_sender: Ada
      items: [{sku_code: MUG-01}]
      recipients: [{name: Bo, email: bo@example.com}]
    save: {order: $.team_order.id}
  - simulate: claim
    with: {team_order_id: '${order}', recipient: 0}
"""


def played(simulator: Simulator, steps: str) -> Any:
    """The failed step of a scenario that begins with a claimed order, and the report's timeline."""
    scenario = load_scenario(f"{HEAD}{steps}")
    check_scenario(scenario, simulator.client)
    report = play(scenario, simulator.client)
    [failed] = [step for step in report.data["steps"] if step["outcome"] == "failed"]
    return failed, report.timeline


def test_a_failed_step_has_verdicts_and_its_detail_a_line(simulator: Simulator) -> None:
    failed, timeline = played(simulator, "  - {advance: 1d, expect: {events: [team_order.shipped]}}\n")
    [verdict] = failed["verdicts"]
    assert verdict["kind"] == "not_due"
    assert verdict["mend"]["scenario"] == "- advance: 2d"
    assert f"\n  why: {verdict['sentence']}" in failed["detail"]
    assert f"        why: {verdict['sentence']}\n" in timeline


def test_a_line_for_a_shell_is_told_only_if_the_world_stays(simulator: Simulator) -> None:
    scenario = load_scenario(f"{HEAD}  - {{advance: 1d, expect: {{events: [team_order.shipped]}}}}\n")
    check_scenario(scenario, simulator.client)
    reports = [play(scenario, simulator.client, keep=keep) for keep in (False, True)]
    [deleted], [kept] = ([step for step in each.data["steps"] if step["outcome"] == "failed"] for each in reports)
    assert deleted["verdicts"][0]["mend"]["curl"] is None
    assert f"/worlds/{reports[1].world}/clock/advance" in kept["verdicts"][0]["mend"]["curl"]


def test_the_mend_of_a_step_makes_it_pass(simulator: Simulator) -> None:
    steps = "  - {advance: 1d}\n  # mend\n  - {expect: {events: [team_order.shipped]}}\n"
    failed, _ = played(simulator, steps)
    mend = failed["verdicts"][0]["mend"]["scenario"].replace("\n", "\n  ")
    mended = load_scenario(HEAD + steps.replace("# mend", mend))
    check_scenario(mended, simulator.client)
    assert play(mended, simulator.client).outcome == "passed"


def test_a_step_in_a_fork_is_explained_by_its_own_world(simulator: Simulator) -> None:
    steps = """\
  - fork: later
  - {advance: 3d}
  - {advance: 2d, in: later, expect: {events: [team_order.shipped]}}
"""
    failed, _ = played(simulator, steps)
    assert "the clock is at 2027-01-06T09:00:00Z: advance 1d more" in failed["verdicts"][0]["sentence"]


@pytest.mark.parametrize(
    "expected",
    ["events_exactly: []", "mail: [{to: eve@example.com}]"],
)
def test_what_is_not_known_is_not_told_in_the_detail(simulator: Simulator, expected: str) -> None:
    failed, timeline = played(simulator, f"  - {{advance: 3d, expect: {{{expected}}}}}\n")
    assert [verdict["kind"] for verdict in failed["verdicts"]] == ["unknown"]
    assert "why:" not in timeline


def test_steps_that_pass_have_no_verdicts(simulator: Simulator) -> None:
    scenario = load_scenario(HEAD)
    check_scenario(scenario, simulator.client)
    assert all("verdicts" not in step for step in play(scenario, simulator.client).data["steps"])
