"""The life of a parcel by the clock, and when somebody pushes it along."""

from __future__ import annotations

import pytest

from giftsim.domain.fulfilment.carrier import CARRIERS
from giftsim.domain.fulfilment.shipment import (
    SHIPMENT,
    SHIPMENTS,
    Shipment,
    ShipmentNotFound,
    find_shipment,
    transition,
)
from giftsim.domain.fulfilment.shipment_progress import TARGETS, progress_to
from giftsim.domain.fulfilment.single_order import create_single_order
from giftsim.kernel.errors import InvalidTransition
from giftsim.kernel.instants import parse_instant
from giftsim.kernel.state_machine import Row
from tests.support.domain.partner_orders import LONDON, RENO, PartnerDomain, address_order_body, email_order_body

# How a parcel comes into each state in which a row of the machine begins.
STORIES = {
    "awaiting": [],
    "expired": ["expire"],
    "submitted": ["claim"],
    "in_production": ["claim", "produce"],
    "labeled": ["claim", "produce", "label"],
    "shipped": ["claim", "produce", "label", "ship"],
    "rejected": ["claim", "reject"],
}
DELAYS = {"label": ["claim", "produce", "delay"], "ship": ["claim", "produce", "label", "delay"]}


def parcel(stage: PartnerDomain, order: object, place: int = 0) -> Shipment:
    return stage.rows(order)[place][1]  # type: ignore[arg-type]


def push(stage: PartnerDomain, shipment: Shipment, to: str) -> Shipment:
    with stage.state.transaction():
        return progress_to(stage.state, shipment, to)


def test_a_shipment_with_address_progresses_by_the_lead_times() -> None:
    stage = PartnerDomain()
    order = stage.buy(address_order_body())
    seen = []
    for span in ("23h", "1h", "24h", "24h", "47h", "1h"):
        stage.advance(span)
        seen += stage.statuses(order)
    assert seen == ["submitted", "in_production", "labeled", "shipped", "shipped", "delivered"]
    assert stage.event_types == ["team_order.shipped", "team_order.delivered"]
    assert stage.order(order).status == "delivered"


@pytest.mark.parametrize("row", SHIPMENT.rows, ids=lambda row: f"{row.state}-{row.trigger}")
def test_every_transition_of_the_machine_can_be_taken(row: Row) -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body())
    story = DELAYS.get(row.trigger, ["claim", "delay"]) if row.state == "delayed" else STORIES[row.state]
    with stage.state.transaction():
        for trigger in [*story, row.trigger]:
            transition(stage.state, parcel(stage, order), trigger)
    assert stage.statuses(order) == [row.target]


@pytest.mark.parametrize(
    ("leads", "stamps"),
    [
        ({"production": "9d"}, 0),
        ({"label": "10d", "shipped": "10d"}, 1),
        ({"shipped": "10d"}, 2),
    ],
)
def test_every_production_stage_has_a_promised_window(leads: dict[str, str], stamps: int) -> None:
    stage = PartnerDomain()
    stage.change_settings(**{f"partner__lead_times__{name}": lead for name, lead in leads.items()})
    order = stage.buy(address_order_body())
    stage.advance("8d")
    found = parcel(stage, order)
    times = (found.produced_at_ms, found.labeled_at_ms, found.shipped_at_ms)
    assert (found.status, 3 - times.count(None)) == ("delayed", stamps)


def test_nothing_progresses_before_payment() -> None:
    stage = PartnerDomain(wallet_cents=0, card="none")
    order = stage.place(address_order_body())
    stage.charge(order)
    stage.advance("60d")
    assert (stage.statuses(order), stage.events) == (["submitted"], [])
    stage.change_account(wallet_cents=10_000)
    stage.charge(order)
    stage.advance("24h")
    assert stage.statuses(order) == ["in_production"]


def test_rush_halves_every_lead_time() -> None:
    stage = PartnerDomain()
    order = stage.buy(address_order_body(event={"date": "2027-02-01", "rush": True}))
    stage.advance("60h")
    assert stage.statuses(order) == ["delivered"]
    assert parcel(stage, order).delivered_at_ms == parse_instant("2027-01-06T21:00:00Z")


def test_production_does_not_start_before_the_utc_day_of_ship_on() -> None:
    stage = PartnerDomain()
    body = address_order_body()
    body["recipients"][0]["ship_on"] = "2027-01-14"
    order = stage.buy(body)
    stage.advance("9d")
    assert stage.statuses(order) == ["submitted"]
    stage.advance("15h")
    assert stage.statuses(order) == ["in_production"]
    assert parcel(stage, order).produced_at_ms == parse_instant("2027-01-14T00:00:00Z")
    assert "team_order.needs_attention" not in stage.event_types


def test_transit_may_differ_by_country() -> None:
    stage = PartnerDomain()
    stage.change_settings(partner__lead_times__transit__GB="6d")
    order = stage.buy(address_order_body(RENO, LONDON))
    stage.advance("5d")
    assert stage.statuses(order) == ["delivered", "shipped"]
    stage.advance("4d")
    assert stage.statuses(order) == ["delivered", "delivered"]


def test_production_without_activity_is_delayed_with_one_event() -> None:
    stage = PartnerDomain()
    stage.change_settings(partner__lead_times__production="30d")
    order = stage.buy(address_order_body())
    stage.advance("60d")
    assert stage.statuses(order) == ["delayed"]
    assert [(kind, facts) for kind, _, _, facts in stage.events] == [
        ("team_order.needs_attention", {"reason": "shipment_delayed"})
    ]
    push(stage, parcel(stage, order), "shipped")
    stage.advance("2d")
    assert stage.order(order).status == "delivered"


def test_a_delayed_shipment_resumes_in_its_stage() -> None:
    stage = PartnerDomain()
    order = stage.buy(address_order_body())
    stage.advance("30h")
    delayed = push(stage, parcel(stage, order), "delayed")
    resumed = push(stage, delayed, "in_production")
    assert resumed.status == "in_production"
    stage.advance("24h")
    assert stage.statuses(order) == ["labeled"]


def test_a_labeled_shipment_has_a_carrier_and_tracking_number() -> None:
    stage = PartnerDomain()
    order = stage.buy(address_order_body(LONDON))
    assert parcel(stage, order).tracking_url is None
    stage.advance("47h")
    assert parcel(stage, order).tracking_number is None
    stage.advance("1h")
    labeled = parcel(stage, order)
    assert labeled.carrier in CARRIERS["GB"]
    assert labeled.tracking_number is not None
    assert labeled.tracking_url is not None
    assert labeled.tracking_url.split("/")[2].endswith(".example")


@pytest.mark.parametrize("to", TARGETS)
def test_progress_takes_the_earlier_steps_too(to: str) -> None:
    stage = PartnerDomain()
    order = stage.buy(
        email_order_body("Bo", items=[{"merchant_product_id": 102, "choice_variation_ids": [1021, 1022]}], open_seats=1)
    )
    for place in (0, 1):
        assert push(stage, parcel(stage, order, place), to).status == to
    recipient, shipment = stage.rows(order)[0]
    assert recipient.selection == ((1021, 10211), (1022, 10221))
    assert shipment.country == "US"
    expected = {
        "shipped": ["team_order.shipped"],
        "delivered": ["team_order.shipped", "team_order.delivered"],
        "delayed": ["team_order.needs_attention"],
        "rejected": ["team_order.needs_attention"],
    }
    assert stage.event_types == ["team_order.claimed", *expected.get(to, [])] * 2


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("shipped", "in_production"), ("shipped", "delayed"), ("shipped", "rejected"), ("delivered", "shipped"),
        ("labeled", "labeled"), ("rejected", "shipped"), ("delayed", "delayed"),
    ],
)  # fmt: skip
def test_progress_never_goes_back_or_leaves_a_final_status(first: str, then: str) -> None:
    stage = PartnerDomain()
    order = stage.buy(address_order_body())
    shipment = push(stage, parcel(stage, order), first)
    with pytest.raises(InvalidTransition):
        push(stage, shipment, then)
    assert stage.statuses(order) == [first]


def test_a_shipment_is_found_by_its_order_id() -> None:
    stage = PartnerDomain()
    shipment = parcel(stage, stage.buy(address_order_body()))
    assert find_shipment(stage.state, shipment.order_id) == shipment
    with pytest.raises(ShipmentNotFound):
        find_shipment(stage.state, shipment.order_id + 1)


def test_progress_of_an_unpaid_order_is_refused() -> None:
    stage = PartnerDomain(wallet_cents=0, card="none")
    order = stage.place(address_order_body())
    with pytest.raises(InvalidTransition):
        push(stage, parcel(stage, order), "shipped")


def test_only_single_orders_emit_order_shipped_and_order_delivered() -> None:
    stage = PartnerDomain()
    with stage.state.transaction():
        shipment = create_single_order(stage.state, stage.account)
    push(stage, shipment, "delivered")
    assert [(kind, owner, subject) for kind, owner, subject, _ in stage.events] == [
        ("order.shipped", "account 0", shipment.n),
        ("order.delivered", "account 0", shipment.n),
    ]
    with stage.state.transaction():
        second = create_single_order(stage.state, stage.account, "GB")
    stage.advance("5d")
    assert stage.state[SHIPMENTS].get(second.n).status == "delivered"
