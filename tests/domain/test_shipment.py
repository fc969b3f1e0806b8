"""The lifecycle of a shipment, by the clock and by `progress_to`."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.kernel.errors import InvalidTransition
from giftsim.engine.kernel.instants import DAY, parse_instant
from giftsim.engine.kernel.state_machine import Row
from giftsim.services.gifting.domain.fulfilment import due_times
from giftsim.services.gifting.domain.fulfilment.shipment import (
    CARRIERS,
    SHIPMENT,
    SHIPMENTS,
    Shipment,
    ShipmentNotFound,
    find_shipment,
    take_step,
)
from giftsim.services.gifting.domain.fulfilment.shipment_progress import TARGETS, create_single_order, progress_to
from tests.support.domain.partner_orders import LONDON, RENO, PartnerDomain, address_order_body, email_order_body

# The triggers that bring a shipment into each source status of the machine.
TRIGGERS_TO = {
    "awaiting": [],
    "expired": ["expire"],
    "submitted": ["claim"],
    "in_production": ["claim", "produce"],
    "labeled": ["claim", "produce", "label"],
    "shipped": ["claim", "produce", "label", "ship"],
    "delayed": ["claim", "delay"],
    "rejected": ["claim", "reject"],
}
IN_TRANSIT = ["claim", "produce", "label", "ship"]
# The same for rows that need more than the status.
TRIGGERS_BEFORE = {
    ("delayed", "label"): ["claim", "produce", "delay"],
    ("delayed", "ship"): ["claim", "produce", "label", "delay"],
    ("delayed", "deliver"): [*IN_TRANSIT, "delay"],
    ("rejected", "deliver"): [*IN_TRANSIT, "reject"],
}


def shipment_of(partner: PartnerDomain, order: object, place: int = 0) -> Shipment:
    return partner.rows(order)[place][1]  # type: ignore[arg-type]


def progress(partner: PartnerDomain, shipment: Shipment, target: str) -> Shipment:
    with partner.state.transaction():
        return progress_to(partner.state, shipment, target)


def test_a_shipment_with_address_progresses_by_the_lead_times() -> None:
    partner = PartnerDomain()
    order = partner.buy(address_order_body())
    seen = []
    for span in ("23h", "1h", "24h", "24h", "47h", "1h"):
        partner.advance(span)
        seen += partner.statuses(order)
    assert seen == ["submitted", "in_production", "labeled", "shipped", "shipped", "delivered"]
    assert partner.event_types == ["team_order.shipped", "team_order.delivered"]
    assert partner.order(order).status == "delivered"


@pytest.mark.parametrize("row", SHIPMENT.rows, ids=lambda row: f"{row.state}-{row.trigger}")
def test_every_transition_of_the_machine_can_be_taken(row: Row) -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body())
    triggers = TRIGGERS_BEFORE.get((row.state, row.trigger)) or TRIGGERS_TO[row.state]
    with partner.state.transaction():
        for trigger in [*triggers, row.trigger]:
            take_step(partner.state, shipment_of(partner, order), trigger)
    assert partner.statuses(order) == [row.target]


@pytest.mark.parametrize(
    ("leads", "stamps"),
    [
        ({"production": "9d"}, 0),
        ({"label": "10d", "shipped": "10d"}, 1),
        ({"shipped": "10d"}, 2),
    ],
)
def test_every_production_stage_has_a_promised_window(leads: dict[str, str], stamps: int) -> None:
    partner = PartnerDomain()
    partner.change_settings(**{f"partner__lead_times__{name}": lead for name, lead in leads.items()})
    order = partner.buy(address_order_body())
    partner.advance("8d")
    shipment = shipment_of(partner, order)
    times = (shipment.produced_at_ms, shipment.labeled_at_ms, shipment.shipped_at_ms)
    assert (shipment.status, 3 - times.count(None)) == ("delayed", stamps)


def test_nothing_progresses_before_payment() -> None:
    partner = PartnerDomain(wallet_cents=0, card="none")
    order = partner.place(address_order_body())
    partner.charge(order)
    partner.advance("60d")
    assert (partner.statuses(order), partner.events) == (["submitted"], [])
    partner.change_account(wallet_cents=10_000)
    partner.charge(order)
    partner.advance("24h")
    assert partner.statuses(order) == ["in_production"]


def test_rush_halves_every_lead_time() -> None:
    partner = PartnerDomain()
    order = partner.buy(address_order_body(event={"date": "2027-02-01", "rush": True}))
    partner.advance("60h")
    assert partner.statuses(order) == ["delivered"]
    assert shipment_of(partner, order).delivered_at_ms == parse_instant("2027-01-06T21:00:00Z")


def test_production_starts_in_time_for_the_utc_day_of_ship_on() -> None:
    partner = PartnerDomain()
    body = address_order_body()
    body["recipients"][0]["ship_on"] = "2027-01-14"
    order = partner.buy(body)
    partner.advance("644399s")
    assert partner.statuses(order) == ["submitted"]
    partner.advance("15h")
    assert partner.statuses(order) == ["in_production"]
    partner.advance("10d")
    shipment = shipment_of(partner, order)
    assert shipment.produced_at_ms == parse_instant("2027-01-12T00:00:00Z")
    assert shipment.shipped_at_ms == parse_instant("2027-01-14T00:00:00Z")
    assert "team_order.needs_attention" not in partner.event_types


def test_transit_may_differ_by_country() -> None:
    partner = PartnerDomain()
    partner.change_settings(partner__lead_times__transit__GB="6d")
    order = partner.buy(address_order_body(RENO, LONDON))
    partner.advance("5d")
    assert partner.statuses(order) == ["delivered", "shipped"]
    partner.advance("4d")
    assert partner.statuses(order) == ["delivered", "delivered"]


def test_production_without_activity_is_delayed_with_one_event() -> None:
    partner = PartnerDomain()
    partner.change_settings(partner__lead_times__production="30d")
    order = partner.buy(address_order_body())
    partner.advance("60d")
    assert partner.statuses(order) == ["delayed"]
    assert [(kind, facts) for kind, _, _, facts in partner.events] == [
        ("team_order.needs_attention", {"reason": "shipment_delayed"})
    ]
    progress(partner, shipment_of(partner, order), "shipped")
    partner.advance("2d")
    assert partner.order(order).status == "delivered"


def test_a_delayed_shipment_resumes_in_its_stage() -> None:
    partner = PartnerDomain()
    order = partner.buy(address_order_body())
    partner.advance("30h")
    delayed = progress(partner, shipment_of(partner, order), "delayed")
    resumed = progress(partner, delayed, "in_production")
    assert resumed.status == "in_production"
    partner.advance("24h")
    assert partner.statuses(order) == ["labeled"]


def test_a_labeled_shipment_has_a_carrier_and_tracking_number() -> None:
    partner = PartnerDomain()
    order = partner.buy(address_order_body(LONDON))
    assert shipment_of(partner, order).tracking_url is None
    partner.advance("47h")
    assert shipment_of(partner, order).tracking_number is None
    partner.advance("1h")
    labeled = shipment_of(partner, order)
    assert labeled.carrier in CARRIERS["GB"]
    assert labeled.tracking_number is not None
    assert labeled.tracking_url is not None
    assert labeled.tracking_url.split("/")[2].endswith(".example")


@pytest.mark.parametrize("target", TARGETS)
def test_progress_takes_the_earlier_steps_too(target: str) -> None:
    partner = PartnerDomain()
    order = partner.buy(
        email_order_body("Bo", items=[{"merchant_product_id": 102, "choice_variation_ids": [1021, 1022]}], open_seats=1)
    )
    for place in (0, 1):
        assert progress(partner, shipment_of(partner, order, place), target).status == target
    recipient, shipment = partner.rows(order)[0]
    assert recipient.selection == ((1021, 10211), (1022, 10221))
    assert shipment.country == "US"
    expected = {
        "shipped": ["team_order.shipped"],
        "delivered": ["team_order.shipped", "team_order.delivered"],
        "delayed": ["team_order.needs_attention"],
        "rejected": ["team_order.needs_attention"],
    }
    assert partner.event_types == ["team_order.claimed", *expected.get(target, [])] * 2


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("shipped", "in_production"), ("shipped", "delayed"), ("shipped", "rejected"), ("delivered", "shipped"),
        ("labeled", "labeled"), ("rejected", "shipped"), ("delayed", "delayed"),
    ],
)  # fmt: skip
def test_progress_never_goes_back_or_leaves_a_final_status(first: str, then: str) -> None:
    partner = PartnerDomain()
    order = partner.buy(address_order_body())
    shipment = progress(partner, shipment_of(partner, order), first)
    with pytest.raises(InvalidTransition):
        progress(partner, shipment, then)
    assert partner.statuses(order) == [first]


@pytest.mark.parametrize(
    ("done", "trigger"),
    [
        (["claim"], "label"), (["claim"], "ship"), (["claim", "produce"], "ship"), (["claim", "produce"], "cancel"),
        (["claim", "produce", "label"], "produce"), (["claim", "produce", "label"], "deliver"),
        (IN_TRANSIT, "produce"), (IN_TRANSIT, "label"), (IN_TRANSIT, "ship"), (IN_TRANSIT, "cancel"),
    ],
)  # fmt: skip
def test_a_delayed_shipment_neither_skips_nor_repeats_a_stage(done: list[str], trigger: str) -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body())
    with partner.state.transaction():
        for step in [*done, "delay"]:
            take_step(partner.state, shipment_of(partner, order), step)
    with pytest.raises(InvalidTransition), partner.state.transaction():
        take_step(partner.state, shipment_of(partner, order), trigger)
    assert partner.statuses(order) == ["delayed"]


def test_a_shipment_keeps_its_tracking_number_when_it_gets_another_label() -> None:
    partner = PartnerDomain()
    order = partner.buy(address_order_body())
    progress(partner, shipment_of(partner, order), "labeled")
    first = shipment_of(partner, order)
    progress(partner, first, "delayed")
    again = progress(partner, shipment_of(partner, order), "labeled")
    assert first.tracking_number
    assert (again.carrier, again.tracking_number) == (first.carrier, first.tracking_number)


def test_a_shipment_is_found_by_its_order_id() -> None:
    partner = PartnerDomain()
    shipment = shipment_of(partner, partner.buy(address_order_body()))
    assert find_shipment(partner.state, shipment.order_id) == shipment
    with pytest.raises(ShipmentNotFound):
        find_shipment(partner.state, shipment.order_id + 1)


def test_progress_of_an_unpaid_order_is_refused() -> None:
    partner = PartnerDomain(wallet_cents=0, card="none")
    order = partner.place(address_order_body())
    with pytest.raises(InvalidTransition):
        progress(partner, shipment_of(partner, order), "shipped")


def test_only_single_orders_emit_order_shipped_and_order_delivered() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        shipment = create_single_order(partner.state, partner.account)
    progress(partner, shipment, "delivered")
    assert [(kind, owner, subject) for kind, owner, subject, _ in partner.events] == [
        ("order.shipped", "account 0", shipment.n),
        ("order.delivered", "account 0", shipment.n),
    ]
    with partner.state.transaction():
        second = create_single_order(partner.state, partner.account, "GB")
    partner.advance("5d")
    assert partner.state[SHIPMENTS].get(second.n).status == "delivered"


ONE_YEAR = 365 * DAY


@given(
    shipped_ms=st.integers(0, ONE_YEAR),
    later_ms=st.integers(0, 30 * DAY),
    exception=st.sampled_from(("0s", "1h", "48h", "30d")),
    country=st.sampled_from((*CARRIERS, None)),
    rush=st.booleans(),
)
def test_an_exception_makes_a_parcel_later_by_its_setting_and_never_sooner(
    shipped_ms: int, later_ms: int, exception: str, country: str | None, rush: bool
) -> None:
    partner = PartnerDomain()
    partner.change_settings(parcels__exception=exception)
    shipped = Shipment(0, "partner", 0, 0, "x", "shipped", country, rush, since_ms=shipped_ms, shipped_at_ms=shipped_ms)
    delayed = msgspec.structs.replace(shipped, status="delayed", since_ms=shipped_ms + later_ms)
    usual_ms, late_ms = (
        due_times.delivery(partner.state, shipped),
        due_times.delivery_after_exception(partner.state, delayed),
    )
    assert usual_ms is not None
    spans = {"0s": 1, "1h": DAY // 24, "48h": 2 * DAY, "30d": 30 * DAY}
    assert late_ms == max(usual_ms, shipped_ms + later_ms) + spans[exception]
    early = msgspec.structs.replace(delayed, shipped_at_ms=None)
    assert due_times.delivery_after_exception(partner.state, early) is None
