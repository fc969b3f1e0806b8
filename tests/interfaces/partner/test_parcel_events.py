"""What happens to a partner's parcel after its handover: statuses, events, money and tracking (G430 to G433)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now, later
from tests.support.orders import address_recipients, email_recipients
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import ledger_balances, wallet_cents
from tests.support.partner.orders import (
    cancel_rows,
    manifest_rows,
    move_parcels,
    recipient_statuses,
    request_cancel,
)
from tests.support.responses import created, error_code
from tests.support.worlds import World, temporary_world

KINDS = ("team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention")
LOSSES = ("lost", "returned", "refused")
TRACKING = ("carrier", "tracking_number", "tracking_url", "shipped_at")


def order_shipped(world: World, partner: PartnerClient, count: int = 1, **members: Any) -> Any:
    """An order whose parcels are all in transit; its detail."""
    order = created(partner.create_order(recipients=address_recipients(count), **members))
    move_parcels(world, order, "shipped")
    return partner.read_order(order["team_order"]["id"])


def happen(world: World, event: str, **named: Any) -> Any:
    """Let something happen to the parcels of the first order; these parcels."""
    return world.simulate("parcel", **{"team_order_id": 1001, **named}, event=event)["parcels"]


def refusal(world: World, event: str, **named: Any) -> str:
    """The message with which an event is refused, which changes nothing."""
    with world.assert_unchanged():
        response = world.control.post(
            f"/worlds/{world.id}/simulate/parcel", {"team_order_id": 1001, **named, "event": event}
        )
    assert error_code(response, 409) == "invalid_state"
    return str(response.json()["error"]["message"])


def row(partner: PartnerClient, place: int = 0) -> Any:
    """A recipient of the first order as it is read now."""
    return partner.read_order(1001)["recipients"][place]


def told(world: World) -> list[tuple[str, str | None]]:
    """The type and the reason of each webhook, in the order in which they were sent."""
    bodies = [json.loads(delivery["request"]["body"]) for delivery in world.deliveries()]
    return [(body["type"].removeprefix("team_order."), body["data"].get("reason")) for body in bodies]


@shows("P-6.4")
def test_an_exception_delays_a_parcel_which_then_arrives_by_itself(world: World, partner: PartnerClient) -> None:
    partner.subscribe(*KINDS)
    order = order_shipped(world, partner)
    shipped = row(partner)["shipment"]
    world.advance("10h")
    happen(world, "exception")
    delayed = partner.read_order(1001)
    assert (delayed["team_order"]["status"], recipient_statuses(delayed)) == ("in_progress", ["delayed"])
    assert {name: row(partner)["shipment"][name] for name in TRACKING} == {name: shipped[name] for name in TRACKING}
    assert request_cancel(partner, order).json()["error"]["code"] == "nothing_to_cancel"
    assert request_cancel(partner, order).json()["skipped"][0]["reason"] == "already_shipped"
    world.advance(to=later(shipped["shipped_at"], "96h"))
    arrived = partner.read_order(1001)
    assert (arrived["team_order"]["status"], recipient_statuses(arrived)) == ("delivered", ["delivered"])
    assert arrived["recipients"][0]["shipment"]["delivered_at"] == later(shipped["shipped_at"], "96h")
    world.advance("1h")
    assert told(world) == [("shipped", None), ("needs_attention", "shipment_delayed"), ("delivered", None)]


def test_a_setting_says_how_long_an_exception_takes(world: World, partner: PartnerClient) -> None:
    world.change_settings(parcels__exception="0s")
    order_shipped(world, partner)
    happen(world, "exception")
    world.advance("48h")
    assert row(partner)["status"] == "delayed"
    world.advance("1s")
    assert row(partner)["status"] == "delivered"
    world.change_settings(parcels__exception=None)
    created(partner.create_order(idempotency_key="b", recipients=address_recipients(1)))
    happen(world, "tracking_missing", team_order_id=1002)
    happen(world, "exception", team_order_id=1002)
    world.advance("90d")
    assert partner.read_order(1002)["recipients"][0]["status"] == "delayed"
    happen(world, "found", team_order_id=1002)
    assert partner.read_order(1002)["team_order"]["status"] == "delivered"


@shows("P-6.5", "P-3.13")
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("is_delayed", [False, True])
def test_a_lost_parcel_is_rejected_keeps_its_tracking_and_is_refunded(
    world: World, partner: PartnerClient, loss: str, is_delayed: bool
) -> None:
    order = order_shipped(world, partner, 2)
    before = wallet_cents(world)
    shipped = row(partner)["shipment"]
    if is_delayed:
        happen(world, "exception", recipient=0)
    partner.subscribe(*KINDS)
    (lost,) = happen(world, loss, recipient=0)
    assert lost["status"] == "rejected"
    world.advance("3d")
    detail = partner.read_order(1001)
    assert (detail["team_order"]["status"], recipient_statuses(detail)) == ("delivered", ["rejected", "delivered"])
    assert detail["team_order"]["summary"] == {
        "total": 2, "awaiting_address": 0, "claimed": 1, "shipped": 0, "delivered": 1, "expired": 0, "canceled": 0,
    }  # fmt: skip
    assert {name: row(partner)["shipment"][name] for name in TRACKING} == {name: shipped[name] for name in TRACKING}
    cells = manifest_rows(partner, order)[0]
    assert (cells["order_status"], cells["tracking_number"], cells["shipped_at"], cells["delivered_at"]) == (
        "rejected", shipped["tracking_number"], shipped["shipped_at"], "",
    )  # fmt: skip
    assert told(world) == [("needs_attention", "shipment_rejected"), ("delivered", None)]
    assert cancel_rows(partner, order, [0])["refunded_cents"] == ROW_CENTS
    assert wallet_cents(world) == before + ROW_CENTS
    assert "is canceled" in refusal(world, "found", recipient=0)
    assert sum(ledger_balances(world).values()) == 0


@pytest.mark.parametrize("found_by", ["found", "delivered_elsewhere", "shipment"])
def test_a_lost_parcel_that_is_found_is_delivered(world: World, partner: PartnerClient, found_by: str) -> None:
    partner.subscribe(*KINDS)
    order_shipped(world, partner, event={"date": date_from_now(world, 10), "rush": False})
    happen(world, "lost")
    world.advance("30d")
    assert (row(partner)["status"], row(partner)["event"]["on_time"]) == ("rejected", False)
    if found_by == "shipment":
        world.simulate("shipment", team_order_id=1001, to="delivered")
    else:
        happen(world, found_by)
    detail = partner.read_order(1001)
    assert (detail["team_order"]["status"], recipient_statuses(detail)) == ("delivered", ["delivered"])
    assert detail["recipients"][0]["shipment"]["delivered_at"] == world.now
    world.advance("1h")
    assert told(world) == [("shipped", None), ("needs_attention", "shipment_rejected"), ("delivered", None)]
    assert "delivered" in refusal(world, "lost")


def test_another_reading_keeps_what_is_lost_delayed_until_it_is_found(world: World, partner: PartnerClient) -> None:
    world.change_settings(parcels__lost_is_delayed=True)
    partner.subscribe(*KINDS)
    order = order_shipped(world, partner, 2)
    happen(world, "exception", recipient=0)
    happen(world, "lost", recipient=0)
    happen(world, "returned", recipient=1)
    world.advance("90d")
    assert recipient_statuses(partner.read_order(1001)) == ["delayed", "delayed"]
    assert error_code(request_cancel(partner, order), 409) == "nothing_to_cancel"
    happen(world, "found")
    assert partner.read_order(1001)["team_order"]["status"] == "delivered"
    world.advance("1h")
    reasons = [reason for kind, reason in told(world) if kind == "needs_attention"]
    assert reasons == ["shipment_delayed"] * 2


def test_what_the_carrier_does_not_have_is_refused_and_the_refusal_says_what_works(
    world: World, partner: PartnerClient
) -> None:
    created(partner.create_order(recipients=email_recipients(1)))
    for event in ("exception", *LOSSES, "found", "delivered_elsewhere", "tracking_replaced", "tracking_late"):
        assert refusal(world, event) == (
            "shipment 500001 is awaiting: the carrier does not have it; shipment with to: shipped ships it"
        )
    world.simulate("shipment", team_order_id=1001, to="shipped")
    assert refusal(world, "found").endswith("found happens to a parcel that is delayed or rejected")
    assert refusal(world, "tracking_late").endswith("tracking_replaced replaces it")
    for event in ("tracking_missing", "scans_out_of_order"):
        assert "shipped" in refusal(world, event)
    happen(world, "lost")
    assert refusal(world, "exception").endswith("exception happens to a parcel that is shipped")
    created(partner.create_order(idempotency_key="b", recipients=email_recipients(2)))
    assert refusal(world, "lost", team_order_id=1002) == (
        "these 2 parcels are awaiting: lost cannot happen to any; name one to learn why"
    )


def test_of_several_parcels_it_happens_to_those_to_which_it_can(world: World, partner: PartnerClient) -> None:
    created(partner.create_order(recipients=email_recipients(3)))
    world.simulate("shipment", team_order_id=1001, recipient=1, to="shipped")
    assert [parcel["status"] for parcel in happen(world, "returned")] == ["rejected"]
    assert recipient_statuses(partner.read_order(1001)) == ["awaiting", "rejected", "awaiting"]


def test_a_number_is_replaced_and_later_events_have_the_new_one(world: World, partner: PartnerClient) -> None:
    partner.subscribe(*KINDS)
    order_shipped(world, partner)
    first = row(partner)["shipment"]
    world.advance("2h")
    happen(world, "tracking_replaced")
    second = row(partner)["shipment"]
    assert second["tracking_number"] != first["tracking_number"]
    assert (second["carrier"], second["shipped_at"]) == (first["carrier"], first["shipped_at"])
    assert second["tracking_url"].endswith(second["tracking_number"])
    world.advance("3d")
    numbers = [
        json.loads(each["request"]["body"])["data"]["shipment"]["tracking_number"] for each in world.deliveries()
    ]
    assert numbers == [first["tracking_number"], second["tracking_number"]]


def test_a_parcel_ships_without_a_number_which_comes_late(world: World, partner: PartnerClient) -> None:
    partner.subscribe(*KINDS)
    created(partner.create_order(recipients=address_recipients(1)))
    happen(world, "tracking_missing")
    shipment = row(partner)["shipment"]
    assert (shipment["status"], shipment["tracking_number"], shipment["tracking_url"]) == ("shipped", None, None)
    assert "no tracking number to replace" in refusal(world, "tracking_replaced")
    world.advance("3d")
    assert row(partner)["status"] == "delivered"
    happen(world, "tracking_late")
    assert row(partner)["shipment"]["tracking_number"] is not None
    bodies = [json.loads(delivery["request"]["body"]) for delivery in world.deliveries()]
    assert [(each["type"], each["data"]["shipment"]["tracking_number"]) for each in bodies] == [
        ("team_order.shipped", None), ("team_order.delivered", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("stands", "passed", "ago"), [("awaiting", "60h", "-48h"), ("labeled", "10h", "-10h"), ("delayed", "60h", "-48h")]
)
def test_scans_out_of_order_tell_the_delivery_before_the_handover(
    world: World, partner: PartnerClient, stands: str, passed: str, ago: str
) -> None:
    partner.subscribe(*KINDS[1:3])
    created(partner.create_order(recipients=email_recipients(1)))
    if stands != "awaiting":
        world.simulate("shipment", team_order_id=1001, to="labeled")
    if stands == "delayed":
        world.simulate("shipment", team_order_id=1001, to="delayed")
    world.advance(passed)
    (parcel,) = happen(world, "scans_out_of_order")
    detail = partner.read_order(1001)
    assert (detail["team_order"]["status"], recipient_statuses(detail)) == ("delivered", ["delivered"])
    assert (parcel["shipped_at"], parcel["delivered_at"]) == (later(world.now, ago), world.now)
    world.advance("1h")
    bodies = [json.loads(delivery["request"]["body"]) for delivery in world.deliveries()]
    data = [(each["type"], each["data"]["occurred_at"], each["data"]["shipment"]) for each in bodies]
    assert [(kind, at, shipment["status"], shipment["delivered_at"]) for kind, at, shipment in data] == [
        ("team_order.delivered", parcel["delivered_at"], "delivered", parcel["delivered_at"]),
        ("team_order.shipped", parcel["shipped_at"], "shipped", None),
    ]  # fmt: skip
    assert {shipment["shipped_at"] for _, _, shipment in data} == {parcel["shipped_at"]}
    world.advance("30d")
    assert len(world.deliveries()) == 2


def test_a_single_order_has_the_same_events(world: World, partner: PartnerClient) -> None:
    partner.subscribe("order.shipped", "order.delivered")
    order = world.simulate("single_order", to="shipped")["order_id"]
    for event, status in (("exception", "delayed"), ("tracking_replaced", "delayed"), ("lost", "rejected")):
        (parcel,) = world.simulate("parcel", order_id=order, event=event)["parcels"]
        assert parcel["status"] == status
    world.simulate("parcel", order_id=order, event="found")
    world.advance("1h")
    bodies = [json.loads(delivery["request"]["body"]) for delivery in world.deliveries()]
    assert [(each["type"], each["data"]["order"]["id"]) for each in bodies] == [
        ("order.shipped", order), ("order.delivered", order),
    ]  # fmt: skip


EVENTS = st.sampled_from(("exception", *LOSSES, "found", "delivered_elsewhere", "cancel", "advance"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(acts=st.lists(st.tuples(EVENTS, st.integers(0, 2)), max_size=8), is_delayed=st.booleans())
def test_whatever_happens_to_parcels_their_money_is_paid_or_refunded_to_the_cent(
    simulator: Simulator, acts: list[tuple[str, int]], is_delayed: bool
) -> None:
    with temporary_world(simulator) as world:
        world.change_settings(parcels__lost_is_delayed=is_delayed)
        partner = world.partner()
        before = wallet_cents(world)
        order = order_shipped(world, partner, 3)
        for act, place in acts:
            if act == "cancel":
                request_cancel(partner, order, [place])
            elif act == "advance":
                world.advance("30h")
            else:
                body = {"team_order_id": 1001, "recipient": place, "event": act}
                assert world.control.post(f"/worlds/{world.id}/simulate/parcel", body).status in (200, 409)
        statuses = recipient_statuses(partner.read_order(1001))
        kept = 3 - statuses.count("canceled")
        assert wallet_cents(world) == before - kept * ROW_CENTS
        assert sum(ledger_balances(world).values()) == 0
        assert all(parcel["tracking_number"] and parcel["shipped_at"] for parcel in world.rows("parcels"))
