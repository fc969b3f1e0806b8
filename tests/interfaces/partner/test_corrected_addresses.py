"""Addresses that are corrected after the claim and before production (G457)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, address_recipients, email_recipients
from tests.support.partner.orders import manifest_rows, order_id, request_cancel
from tests.support.responses import created
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, claim, create_gift, create_order
from tests.support.worlds import World

DOOR = {**RENO, "address1": "3 Main St", "zip": "89502"}


def addressed_order(partner: PartnerClient, **members: Any) -> Any:
    """A paid order with an address."""
    return created(partner.create_order(recipients=address_recipients(), **members))


def correct(world: World, address: Any = DOOR, **names: Any) -> Any:
    """The response to a correction of the only recipient's address."""
    body = {**(names or {"team_order_id": 1001, "recipient": 0}), "address": address}
    return world.control.call("POST", f"/worlds/{world.id}/simulate/address", body)


def refused(world: World, status: int, code: str, address: Any = DOOR, **names: Any) -> str:
    """The message with which a correction is refused; nothing changes."""
    before = world.fingerprint()
    response = correct(world, address, **names)
    assert (response.status, response.json()["error"]["code"]) == (status, code), response.text
    assert world.fingerprint() == before
    return str(response.json()["error"]["message"])


def addresses(partner: PartnerClient, order: Any) -> list[Any]:
    """The addresses of an order."""
    return [row["address"] for row in partner.read_order(order_id(order))["recipients"]]


def test_a_corrected_address_is_on_every_answer_and_changes_neither_times_nor_money(
    world: World, partner: PartnerClient
) -> None:
    order = addressed_order(partner)
    world.advance("3h")
    before = world.rows("ledger"), world.rows("timers")
    assert correct(world).json()["status"] == "submitted"
    assert addresses(partner, order) == [DOOR]
    assert [row["zip"] for row in manifest_rows(partner, order)] == ["89502"]
    assert (world.rows("ledger"), world.rows("timers")) == before
    assert world.events() == []
    world.advance("20d")
    assert partner.read_order(1001)["team_order"]["status"] == "delivered"


def test_the_same_address_again_changes_nothing(world: World, partner: PartnerClient) -> None:
    addressed_order(partner)
    parcels = world.rows("parcels")
    correct(world, RENO)
    assert world.rows("parcels") == parcels


def test_who_claimed_may_be_corrected_too(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(2)))
    world.simulate("claim", team_order_id=1001, recipient=1)
    assert correct(world, team_order_id=1001, recipient=1).status == 200
    assert addresses(partner, order) == [None, DOOR]


def test_nobody_corrects_an_address_that_nobody_has_entered(world: World, partner: PartnerClient) -> None:
    partner.create_order(claim_expiry_days=1)
    assert refused(world, 409, "invalid_state") == (
        "shipment 500001 is awaiting: an address can be corrected until production starts; nobody has entered one:"
        " claim enters it"
    )
    world.advance("2d")
    assert refused(world, 409, "invalid_state").endswith("claim enters it, claim_link sends a new link")


@pytest.mark.parametrize(
    ("to", "hint"),
    [
        ("in_production", "it goes to the address that it was made for; place a new order for the right address"),
        ("labeled", "it goes to the address"),
        ("shipped", "it goes to the address"),
        ("delivered", "it goes to the address"),
        ("rejected", "cancel it, and place a new order for the right address"),
    ],
)
def test_a_later_correction_says_what_helps(world: World, partner: PartnerClient, to: str, hint: str) -> None:
    addressed_order(partner)
    world.simulate("shipment", team_order_id=1001, to=to)
    message = refused(world, 409, "invalid_state")
    assert message.startswith(f"shipment 500001 is {to}: an address can be corrected until production starts; {hint}")


def test_a_canceled_parcel_has_no_address_to_correct(world: World, partner: PartnerClient) -> None:
    order = addressed_order(partner)
    assert request_cancel(partner, order).status == 200
    assert refused(world, 409, "invalid_state").endswith("; place a new order for the right address")


def test_a_delayed_parcel_is_corrected_until_it_was_in_production(world: World, partner: PartnerClient) -> None:
    addressed_order(partner)
    world.simulate("shipment", team_order_id=1001, to="delayed")
    assert correct(world).status == 200
    world.simulate("shipment", team_order_id=1001, to="in_production")
    world.simulate("shipment", team_order_id=1001, to="delayed")
    assert "is delayed: an address can be corrected until production starts" in refused(world, 409, "invalid_state")


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"zip": "x"}, "address.zip"), ({"city": ""}, "address.city"), ({"country": "XX"}, "address.country"),
     ({"country": "CA", "state": "ON", "zip": "K1A 0B1"}, "address.country")],
)  # fmt: skip
def test_an_address_must_be_valid_and_of_the_same_country(
    world: World, partner: PartnerClient, changes: dict[str, str], field: str
) -> None:
    partner.create_order(recipients=address_recipients(), destination_countries=["US", "CA"])
    message = refused(world, 422, "invalid_claim", {**DOOR, **changes})
    [error] = correct(world, {**DOOR, **changes}).json()["error"]["details"]["errors"]
    assert (error["field"], error["message"]) == (field, message)


@pytest.mark.parametrize(
    ("names", "status", "code"),
    [
        ({"team_order_id": 1001}, 400, "invalid_body"),
        ({"recipient": 0}, 400, "invalid_body"),
        ({"team_order_id": 1009, "recipient": 0}, 404, "team_order_not_found"),
        ({"team_order_id": 1001, "recipient": 5}, 404, "recipient_not_found"),
    ],
)
def test_the_recipient_must_be_named(
    world: World, partner: PartnerClient, names: dict[str, int], status: int, code: str
) -> None:
    addressed_order(partner)
    refused(world, status, code, **names)


def test_an_address_is_corrected_before_the_money_comes(world: World) -> None:
    partner = world.partner("partner.no_funds")
    partner.create_order(recipients=address_recipients())
    assert correct(world).status == 200
    world.change_account("partner.no_funds", add_cents=10_000)
    order = created(partner.create_order(recipients=address_recipients()))
    assert addresses(partner, order) == [DOOR]
    world.advance("20d")
    assert partner.read_order(1001)["team_order"]["status"] == "delivered"


def test_a_magic_postcode_goes_with_the_address(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=address_recipients(address={**RENO, "zip": "00014"}))
    correct(world)
    world.advance("20d")
    assert partner.read_order(1001)["team_order"]["status"] == "delivered"
    partner.create_order(recipients=address_recipients(address={**RENO, "zip": "00013"}), idempotency_key="second")
    correct(world, team_order_id=1002, recipient=0)
    world.advance("20d")
    assert partner.read_order(1002)["team_order"]["status"] == "delivered"
    partner.create_order(recipients=address_recipients(), idempotency_key="third")
    correct(world, {**RENO, "zip": "00012"}, team_order_id=1003, recipient=0)
    world.advance("0s")
    assert partner.read_order(1003)["team_order"]["status"] == "delivered"


def test_another_magic_postcode_acts_at_its_own_time(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=address_recipients(address={**RENO, "zip": "00012"}))
    correct(world, {**RENO, "zip": "00014"})
    world.advance("1h")
    assert partner.read_order(1001)["recipients"][0]["status"] == "submitted"
    world.advance("23h")
    assert partner.read_order(1001)["recipients"][0]["status"] == "rejected"


def test_gifts_and_team_orders_are_corrected_alike(world: World) -> None:
    team = TeamClients(world)
    gift, order = create_gift(team.live), create_order(team.live)
    for record, names in ((gift, {"gift_id": gift["id"]}), (order, {"team_order_id": order["id"], "recipient": 0})):
        approve(world, record)
        claim(world, record)
        assert correct(world, **names).json()["status"] == "submitted"
    world.advance("20d")
    assert team.live.get_json(f"/gifts/{gift['id']}")["status"] == "delivered"
