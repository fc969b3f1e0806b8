"""Calls that can charge are known from the contracts, and are never made in a scenario that is marked as free."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.compare.counterpart import can_charge
from giftsim.compare.library import marked_files
from giftsim.compare.place import Place, place_of
from giftsim.compare.plan import FREE, SPENDS
from giftsim.scenario import load
from giftsim.scenario.steps.call_steps import Call
from tests.compare.service import compare, run_service

TERMS = {"payment_method": "net_terms"}
ORDER = """
scenario: An order in a scenario that says it is free
sandbox: free
steps:
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body: {idempotency_key: k, gift_sender: Ada, items: [{sku_code: MUG-01}], recipients: [{name: Bo}]}
    expect: {status: 422}
  - call: GET /api/external/team-orders
    as: partner.prepaid
"""


@pytest.mark.parametrize(
    ("call", "credential", "body", "charges"),
    [
        ("POST /api/external/team-orders", "partner.prepaid", {}, True),
        ("POST /api/external/billing/settle", "partner.net_terms", {}, True),
        ("POST /api/external/team-orders/1/cancel", "partner.prepaid", {}, False),
        ("GET /api/external/team-orders", "partner.prepaid", None, False),
        ("POST /api/external/no-such-path", "partner.prepaid", {}, False),
        ("POST /api/teams/v1/team-orders", "team.live_approver", {}, False),
        ("POST /api/teams/v1/team-orders", "team.live_approver", TERMS, True),
        ("POST /api/teams/v1/team-orders", "team.live_approver", '{"payment_method": "net_terms"}', True),
        ("POST /api/teams/v1/team-orders", "team.test", TERMS, False),
        ("POST /api/teams/v1/team-orders", None, TERMS, True),
        ("POST /api/teams/v1/large-campaigns/1/process", "team.live_approver", {}, True),
        ("POST /api/teams/v1/funding", "team.live_approver", {"method": "bank_transfer"}, False),
        ("POST /api/teams/v1/funding", "team.live_approver", {"method": "net_terms"}, True),
        ("POST /v1.1/tickets", "museum", {}, False),
    ],
)
def test_what_can_charge(simulator: Simulator, call: str, credential: str | None, body: Any, charges: bool) -> None:
    assert can_charge(_place(simulator, call), credential, body) is charges


def test_the_library_has_marked_scenarios_for_every_interface_and_says_of_each_whether_it_charges(
    simulator: Simulator,
) -> None:
    marks: dict[tuple[str, str], set[str]] = {}
    for scenario in map(load, marked_files()):
        calls = [step for step in scenario.steps if isinstance(step, Call) and not step.path.startswith("${")]
        places = [(_place(simulator, f"{call.method} {call.path}"), call) for call in calls]
        charges = any(can_charge(place, call.credential, call.body) for place, call in places)
        assert scenario.sandbox == (SPENDS if charges else FREE), scenario.file
        for place, _ in places:
            marks.setdefault((place.interface, scenario.sandbox), set()).add(scenario.file)
    assert {each: len(files) for each, files in marks.items()} == {
        ("partner", FREE): 3, ("partner", SPENDS): 6, ("team", FREE): 3, ("museum", FREE): 2,
    }  # fmt: skip


def test_a_call_that_can_charge_is_not_made_in_a_free_scenario_not_even_with_spend(tmp_path: Path) -> None:
    file = tmp_path / "order.yaml"
    file.write_text(ORDER)
    with run_service() as service:
        result = compare(service.origin, "--spend", str(file))
    assert result.exit_code == 0, result.output
    assert service.calls == ["GET /api/external/team-orders"]
    assert f"  {file}:5: POST /api/external/team-orders as partner.prepaid: createTeamOrder can charge" in result.stdout


@pytest.mark.parametrize(("mark", "reason"), [
    ("", "it is not marked with `sandbox`; --unmarked plays it all the same"),
    ("sandbox: spends\n", "it charges the account, which needs --spend"),
])  # fmt: skip
def test_a_scenario_without_a_mark_and_one_that_charges_are_left_out_unless_a_flag_allows_them(
    tmp_path: Path, mark: str, reason: str
) -> None:
    file = tmp_path / "order.yaml"
    file.write_text(ORDER.replace("sandbox: free\n", mark))
    with run_service() as service:
        refused = compare(service.origin, str(file))
        calls = list(service.calls)
        allowed = compare(service.origin, "--spend" if mark else "--unmarked", str(file))
    assert (refused.exit_code, calls) == (2, [])
    assert refused.stderr == f"Error: there is nothing to compare\n  {file}: {reason}\n"
    assert allowed.exit_code == 0
    assert ("POST /api/external/team-orders" in service.calls) is bool(mark)


def _place(simulator: Simulator, call: str) -> Place:
    contracts = {each.name: each.contract for each in simulator.interfaces if each.simulated}
    method, _, path = call.partition(" ")
    place = place_of(contracts, method, path)
    assert place is not None, call
    return place
