"""The reference: routes, errors, events, settings and magic values, with what each rests on."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim import Simulator
from giftsim.build import CONTRACTS, MACHINES
from giftsim.engine.control.reference import ERRORS, EVENTS, MAGIC, ROUTES, SETTINGS
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.contract_file import document
from giftsim.services.statements.decision import BASES, FAMILIES, load_decisions
from giftsim.services.statements.statement import KINDS
from tests.support.worlds import World


def test_all_statements_and_decisions_come_in_pages(simulator: Simulator) -> None:
    first = simulator.client.call("GET", "/_sim/v1/statements?limit=600").json()
    rest = simulator.client.call("GET", f"/_sim/v1/statements?limit=600&after={first['next']}").json()
    ids = [row["id"] for row in [*first["statements"], *rest["statements"]]]
    assert (first["next"], rest["next"]) == (600, None)
    assert len(set(ids)) == len(ids) == 539 + len(load_decisions())
    assert first["summary"]["statements"] == rest["summary"]["statements"] == 539


def test_a_statement_has_its_tests_and_a_decision_its_settings(simulator: Simulator) -> None:
    [statement] = simulator.client.call("GET", "/_sim/v1/statements?id=P-6.16").json()["statements"]
    assert statement["kind"] == "delivery"
    assert "tests/interfaces/partner/test_ladder.py::test_a_redirect_is_not_followed" in [
        row["test"] for row in statement["tests"]
    ]
    [decision] = simulator.client.call("GET", "/_sim/v1/statements?id=C7").json()["statements"]
    assert (decision["basis"], decision["outcome"]) == ("guess", None)
    assert decision["settings"] == [{"name": "museum.strict_dates", "default": False}]


def test_parameters_narrow_the_list_down(simulator: Simulator) -> None:
    def ids(query: str) -> list[str]:
        rows = simulator.client.call("GET", f"/_sim/v1/statements?limit=1000&{query}").json()["statements"]
        return [row["id"] for row in rows]

    assert ids("basis=guess&about=museum")[:3] == ["G118", "C7", "C8"]
    assert len(ids("decided=true")) == len(load_decisions())
    assert len(ids("decided=false")) == 539
    assert ids("without_test=true") == []
    assert ids("kind=versioning&about=museum") == ["M-9.1", "M-9.2"]
    assert ids("text=gaps%20or%20offsets") == ["B44"]


def test_the_former_path_answers_with_the_former_names_too(simulator: Simulator) -> None:
    listed = simulator.client.call("GET", "/_sim/v1/statements?id=P-6").json()
    former = simulator.client.call("GET", "/_sim/v1/claims?id=P-6").json()
    assert former.pop("claims") == listed["statements"]
    assert former["summary"].pop("claims") == listed["summary"]["statements"] > 10
    assert former == listed


def test_an_unknown_value_is_refused_with_those_that_there_are(simulator: Simulator) -> None:
    response = simulator.client.call("GET", "/_sim/v1/statements?kind=hope")
    assert response.status == 400
    assert "kind is one of auth, delivery" in response.json()["error"]["message"]


def test_the_contract_has_the_words_of_the_package() -> None:
    row = document(CONTRACTS["control"])["components"]["schemas"]["Statement"]["properties"]
    assert row["kind"]["enum"] == [*KINDS, "decision"]
    assert row["basis"]["enum"] == list(BASES)
    assert row["family"]["enum"] == list(FAMILIES)


def machines() -> dict[str, Any]:
    listed = Simulator(fixture="bare").client.call("GET", "/_sim/v1/machines").json()["machines"]
    return {machine["name"]: machine for machine in listed}


def test_the_listed_transitions_are_those_of_the_tables() -> None:
    listed = {
        name: [(row["from"], row["trigger"], row["to"], row["by_itself"]) for row in machine["transitions"]]
        for name, machine in machines().items()
    }
    assert listed == {
        machine.name: [(row.state, row.trigger, row.target, row.after is not None) for row in machine.rows]
        for machine in MACHINES
    }


def test_states_say_whether_records_begin_or_end_there() -> None:
    states = {row["state"]: row for row in machines()["shipment"]["states"]}
    assert states["awaiting"] == {"state": "awaiting", "initial": True, "final": False}
    assert states["delivered"] == {"state": "delivered", "initial": False, "final": True}


def test_a_transition_says_what_it_does_when_and_how_sure_that_is() -> None:
    produce, delayed = (
        row for row in machines()["shipment"]["transitions"] if row["by_itself"] and row["trigger"] == "produce"
    )
    assert (delayed["because"], delayed["settings"]) == ("the delay is over", ["partner.delay"])
    assert (produce["because"], produce["settings"]) == ("production starts", ["partner.lead_times.production"])
    assert produce["does"].startswith("Production starts.")
    bases = {source["id"]: source["basis"] for source in produce["sources"]}
    assert bases["P-1.2"] == "documented"
    assert bases["B25"] != "documented"


INTERFACES = ["team", "partner", "museum", "control"]


def rows(world: World, name: str, query: str = "") -> list[Any]:
    """All rows of a list of the reference."""
    answer = world.client.call("GET", f"/_sim/v1/reference/{name}?limit=1000{query}")
    assert answer.status == 200, answer.text
    assert answer.json()["next"] is None
    found: list[Any] = answer.json()[name]
    return found


def test_every_operation_of_every_interface_is_a_route(world: World) -> None:
    found = rows(world, ROUTES)
    expected = [(name, each) for name in CONTRACTS for each in Contract.load(CONTRACTS[name]).operations]
    assert [(row["interface"], row["operation"]) for row in found] == expected
    by_id = {row["operation"]: row for row in found if row["interface"] == "team"}
    gift = by_id["sendGift"]
    assert (gift["method"], gift["path"], gift["scopes"]) == ("POST", "/api/teams/v1/gifts", ["gifts:send"])
    assert (gift["idempotency"], 409 in gift["statuses"], gift["decided"]) == ("required", True, False)
    assert not any(row["decided"] for row in found if row["interface"] == "control")


def test_an_error_says_how_to_cause_it_and_which_operations_have_it(world: World) -> None:
    found = {(row["interface"], row["code"], row["status"]): row for row in rows(world, ERRORS)}
    row = found["partner", "card_charge_failed", 402]
    assert {"createTeamOrder"} <= set(row["operations"])
    assert row["cause"]
    assert row["sources"][0] == {"id": "P-7.15", "basis": "documented"}
    assert not row["decided"]
    assert found["partner", "not_found", 404]["decided"]


def test_every_event_has_a_summary(world: World) -> None:
    found = rows(world, EVENTS)
    assert {row["interface"] for row in found} == {"team", "partner"}
    assert "team_order.shipped" in [row["type"] for row in found]
    assert all(row["summary"] and row["sources"] for row in found)


def test_settings_are_those_of_a_world_with_the_decisions_that_they_change(world: World) -> None:
    found = {row["name"]: row for row in rows(world, SETTINGS)}
    assert set(found) == set(world.call_control("GET", "/settings"))
    expiry = found["partner.claim_expiry_days"]
    assert (expiry["default"], expiry["takes"]) == (30, "a whole number")
    assert {"B19"} <= {each["id"] for each in expiry["decisions"]}


def test_magic_values_are_listed_as_they_are_written(world: World) -> None:
    found = {value: row for row in rows(world, MAGIC) for value in row["values"]}
    assert found["card-declined@magic.giftsim.example"]["means"] == "402: the card is declined"
    assert found["Magic Card Declined"]["decisions"] == [{"id": "P-7.15", "basis": "documented"}]
    assert not [value for value in found if "`" in value]


def test_rows_are_found_by_interface_and_text(world: World) -> None:
    assert {row["interface"] for row in rows(world, ROUTES, "&interface=museum")} == {"museum"}
    assert [row["operation"] for row in rows(world, ROUTES, "&q=SENDGIFT")] == ["sendGift"]
    assert rows(world, ERRORS, "&interface=control") == []
    assert [row["name"] for row in rows(world, SETTINGS, "&q=museum.open")] == ["museum.open"]
    assert rows(world, MAGIC, "&q=<script>") == []


@pytest.mark.parametrize("name", [ROUTES, ERRORS, EVENTS, SETTINGS, MAGIC])
def test_the_reference_comes_in_pages_and_changes_nothing(world: World, name: str) -> None:
    with world.assert_unchanged():
        first = world.client.call("GET", f"/_sim/v1/reference/{name}?limit=2").json()
        second = world.client.call("GET", f"/_sim/v1/reference/{name}?limit=2&after={first['next']}").json()
        assert first[name] + second[name] == rows(world, name)[:4]
    assert world.client.call("GET", f"/_sim/v1/reference/{name}?interface=nothing").status == 400
