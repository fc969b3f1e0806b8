"""The reference: routes, errors, events, settings and magic values, with what each rests on."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.build import CONTRACTS
from giftsim.control.reference import ERRORS, EVENTS, MAGIC, ROUTES, SETTINGS
from giftsim.gateway.contract import Contract
from tests.support.worlds import World

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
