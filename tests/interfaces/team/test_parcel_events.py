"""What happens to a team's parcels after their handover: gifts, team orders and large campaigns (G430, G431, G433)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.instants import later
from tests.support.responses import error_code
from tests.support.team.campaigns import PATH, approved_campaign, process
from tests.support.team.clients import TeamClients
from tests.support.team.orders import (
    EACH_CENTS,
    approve_and_reload,
    cancel,
    create_gift,
    create_order,
    move_parcels,
    recipient_statuses,
    reference,
    reload,
)
from tests.support.team.payments import balance_cents
from tests.support.team.webhooks import create_sandbox_event, received_types, subscribe

LOSSES = ("lost", "returned", "refused")
in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)


def happen(team: TeamClients, record: Any, event: str, **recipient: Any) -> Any:
    """Let something happen to parcels of an order or gift; these parcels."""
    return team.world.simulate("parcel", **reference(record), event=event, **recipient)["parcels"]


def sent(team: TeamClients, count: int = 1) -> Any:
    """A paid gift whose parcels are all in transit."""
    gift = approve_and_reload(team, create_gift(team.live, count))
    move_parcels(team.world, gift, "shipped")
    return reload(team.live, gift)


def ordered(team: TeamClients, count: int = 1) -> Any:
    """A paid order whose parcels are all in transit."""
    recipients = [{"name": f"Guest {n}", "email": f"guest{n}@example.com"} for n in range(count)]
    order = approve_and_reload(team, create_order(team.live, headcount=count, recipients=recipients))
    move_parcels(team.world, order, "shipped")
    return reload(team.live, order)


def test_a_gift_that_is_late_stays_shipped_without_an_event(team: TeamClients) -> None:
    gift = sent(team, 2)
    subscribe(team.live, "gift.claimed", "gift.shipped", "gift.delivered")
    happen(team, gift, "exception", recipient=0)
    gift = reload(team.live, gift)
    assert (gift["status"], recipient_statuses(gift)) == ("shipped", ["shipped", "shipped"])
    team.world.advance("48h")
    gift = reload(team.live, gift)
    assert (gift["status"], recipient_statuses(gift)) == ("shipped", ["shipped", "delivered"])
    team.world.advance("48h")
    assert reload(team.live, gift)["status"] == "delivered"
    assert received_types(team.world) == ["gift.delivered"] * 2
    entries = team.live.get_json(f"/gifts/{gift['id']}/timeline")["data"]
    assert [entry["kind"] for entry in entries].count("gift.claimed") == 2


@pytest.mark.parametrize("loss", LOSSES)
def test_a_lost_gift_is_canceled_keeps_its_money_and_can_be_found(team: TeamClients, loss: str) -> None:
    before = balance_cents(team.live)
    gift = sent(team)
    subscribe(team.live, "gift.shipped", "gift.delivered")
    number = gift["recipients"][0]["tracking_number"]
    happen(team, gift, loss)
    gift = reload(team.live, gift)
    assert (gift["status"], recipient_statuses(gift), gift["payment_status"]) == ("canceled", ["canceled"], "paid")
    assert (gift["recipients"][0]["tracking_number"], gift["recipients"][0]["shipped_at"]) == (number, team.world.now)
    assert balance_cents(team.live) == before - EACH_CENTS
    team.world.advance("20d")
    happen(team, gift, "found")
    gift = reload(team.live, gift)
    assert (gift["status"], recipient_statuses(gift)) == ("delivered", ["delivered"])
    assert received_types(team.world) == ["gift.delivered"]


def test_a_lost_gift_that_was_refunded_is_not_found(team: TeamClients) -> None:
    team.world.change_settings(gifts__refund_undeliverable=True)
    before = balance_cents(team.live)
    gift = sent(team)
    (parcel,) = happen(team, gift, "lost")
    assert (parcel["status"], balance_cents(team.live)) == ("canceled", before)
    for event in ("found", "delivered_elsewhere"):
        answer = team.world.control.post(
            f"/worlds/{team.world.id}/simulate/parcel", {"gift_id": gift["id"], "recipient": 0, "event": event}
        )
        assert error_code(answer, 409) == "invalid_state"


def test_a_team_order_stays_shipped_and_is_canceled_whole_once_all_of_it_is_lost(team: TeamClients) -> None:
    before = balance_cents(team.live)
    order = ordered(team, 2)
    subscribe(team.live, "team_order.shipped", "team_order.delivered")
    happen(team, order, "lost", recipient=0)
    happen(team, order, "exception", recipient=1)
    assert reload(team.live, order)["status"] == "shipped"
    assert error_code(team.live.post(f"/team-orders/{order['id']}/cancel", {}), 409) == "invalid_state"
    happen(team, order, "lost", recipient=1)
    assert reload(team.live, order)["status"] == "shipped"
    canceled = cancel(team.live, order)
    assert (canceled["status"], canceled["payment_status"]) == ("canceled", "refunded")
    assert balance_cents(team.live) == before
    assert received_types(team.world) == []


def test_a_team_order_is_delivered_by_what_was_not_lost(team: TeamClients) -> None:
    order = ordered(team, 2)
    subscribe(team.live, "team_order.shipped", "team_order.delivered")
    happen(team, order, "lost", recipient=0)
    team.world.advance("3d")
    assert (reload(team.live, order)["status"], received_types(team.world)) == ("delivered", ["team_order.delivered"])
    happen(team, order, "found", recipient=0)
    assert (reload(team.live, order)["status"], received_types(team.world)) == ("delivered", ["team_order.delivered"])


def test_recipients_of_a_campaign_are_treated_like_gifts(team: TeamClients) -> None:
    campaign = approved_campaign(team, 3)
    process(team.live, campaign)
    named = {"campaign_id": campaign["id"]}
    team.world.simulate("shipment", **named, to="shipped")
    subscribe(team.live, "gift.claimed", "gift.shipped", "gift.delivered")
    for place, event in enumerate(("exception", "refused", "tracking_replaced")):
        team.world.simulate("parcel", **named, recipient=place, event=event)
    read = team.live.get_json(f"{PATH}/{campaign['id']}")
    assert recipient_statuses(read) == ["shipped", "canceled", "shipped"]
    assert {name: count for name, count in read["counts"].items() if count} == {"shipped": 2, "canceled": 1}
    team.world.advance("4d")
    team.world.simulate("parcel", **named, event="found")
    assert received_types(team.world) == ["gift.delivered"] * 3
    assert recipient_statuses(team.live.get_json(f"{PATH}/{campaign['id']}")) == ["delivered"] * 3


@pytest.mark.parametrize("make", [create_gift, create_order])
def test_scans_out_of_order_tell_the_delivery_first(team: TeamClients, make: Any) -> None:
    record = create_gift(team.live) if make is create_gift else create_order(team.live)
    noun = "gift" if make is create_gift else "team_order"
    record = approve_and_reload(team, record)
    team.world.advance("3d")
    subscribe(team.live, f"{noun}.shipped", f"{noun}.delivered")
    parcels = happen(team, record, "scans_out_of_order")
    assert {parcel["shipped_at"] for parcel in parcels} == {later(team.world.now, "-48h")}
    in_order = ["team_order.shipped", "team_order.delivered"]  # the first of two parcels makes the order shipped
    assert received_types(team.world) == (["gift.delivered", "gift.shipped"] if noun == "gift" else in_order)
    assert reload(team.live, record)["status"] == "delivered"


def test_an_order_that_is_delivered_by_its_only_parcel_is_told_as_shipped_afterwards(team: TeamClients) -> None:
    order = approve_and_reload(team, create_order(team.live, headcount=1, recipients=None))
    subscribe(team.live, "team_order.shipped", "team_order.delivered")
    happen(team, order, "scans_out_of_order")
    assert received_types(team.world) == ["team_order.delivered", "team_order.shipped"]


def test_parcels_of_a_test_key_move_by_sandbox_events_only(team: TeamClients) -> None:
    gift = create_gift(team.test)
    create_sandbox_event(team.test, "gift.shipped", gift)
    with team.world.assert_unchanged():
        answer = team.world.control.post(
            f"/worlds/{team.world.id}/simulate/parcel", {"gift_id": gift["id"], "event": "lost", "recipient": 0}
        )
    assert "createSandboxEvent" in answer.json()["error"]["message"]
    assert error_code(answer, 409) == "invalid_state"


@in_one_world
@given(
    acts=st.lists(st.tuples(st.sampled_from(("exception", *LOSSES, "found")), st.integers(0, 2)), max_size=6),
    refunds=st.booleans(),
)
def test_the_money_of_lost_gifts_stays_or_goes_back_to_the_cent(
    team: TeamClients, acts: list[tuple[str, int]], refunds: bool
) -> None:
    team.world.change_settings(gifts__refund_undeliverable=refunds)
    team.world.simulate("team", balance_cents=10 * EACH_CENTS)
    gift = sent(team, 3)
    for event, place in acts:
        body = {**reference(gift), "event": event, "recipient": place}
        assert team.world.control.post(f"/worlds/{team.world.id}/simulate/parcel", body).status in (200, 409)
    back = recipient_statuses(reload(team.live, gift)).count("canceled") if refunds else 0
    assert balance_cents(team.live) == (7 + back) * EACH_CENTS
