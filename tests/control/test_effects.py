"""What one call changed, as it was right after it, and what caused an event."""

from __future__ import annotations

from typing import Any

from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO
from tests.support.worlds import World


def effects_of(world: World, seq: int) -> dict[str, Any]:
    return dict(world.call_control("GET", f"/calls/{seq}/effects"))


def changed(effects: dict[str, Any], kind: str) -> Any:
    """The members of the one record of a kind that a call changed."""
    (row,) = [row for row in effects["changes"] if row["record"]["kind"] == kind]
    return row["members"]


def test_a_call_tells_what_it_changed_in_records_and_money_also_long_after(
    world: World, partner: PartnerClient
) -> None:
    order = partner.create_order(idempotency_key="first").json()["team_order"]["id"]
    expected = effects_of(world, 1)
    partner.create_order(idempotency_key="second")
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance("10d")
    assert effects_of(world, 1) == expected
    assert changed(expected, "account")["cash_cents"] == [500_000, 497_400]
    assert changed(expected, "order")["status"] == "collecting_addresses"
    assert changed(expected, "recipient")["order"] == f"order {order}"
    assert expected["ledger"][0]["postings"] == [["wallet 501", -2600], [f"order {order}", 2600]]
    assert [row["because"] for row in expected["set"]] == ["the claim link expires"]
    assert [(row["to"], row["seq"]) for row in expected["mail"]] == [("bo@example.com", 1)]


def test_what_the_clock_did_after_a_call_is_not_the_calls(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Bo", "address": RENO}])
    world.advance("10d")
    assert changed(effects_of(world, 1), "parcel")["status"] == "submitted"


def test_a_call_that_reads_changes_nothing(world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders")
    effects = effects_of(world, 1)
    assert effects.pop("known") is True
    assert not any(effects.values())


def test_an_event_names_the_call_the_verb_or_the_timer_that_caused_it(world: World, partner: PartnerClient) -> None:
    order = partner.create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance("10d")
    causes = {}
    for row in world.call_control("GET", "/events")["events"]:
        cause = world.call_control("GET", f"/events/{row['id']}")["cause"]
        causes[row["type"]] = cause["kind"], cause["text"]
    assert causes["team_order.claimed"] == ("verb", "POST simulate/claim")
    assert causes["team_order.shipped"] == ("clock", "the parcel is handed to the carrier")
