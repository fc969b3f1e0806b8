"""Due times of a shipment's next step, from the settings `partner.lead_times.*` (B25); rush halves every lead time.

With the settings `calendar.*`, lead times are working time: up to the carrier the warehouse's, then the destination's
(G460).
Every function returns the due time in ms of a shipment that has just entered its stage, or None for never.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from giftsim.engine.kernel.instants import DAY, SECOND, local_date, parse_duration, start_of_date, utc_date
from giftsim.engine.kernel.setting import Setting, choice, duration, flag
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.address import COUNTRIES
from giftsim.services.gifting.domain.fulfilment.working_time import (
    CUT_OFF_MISSED,
    HOME,
    PROMISE,
    cut_off,
    working_time,
)
from giftsim.services.gifting.domain.fulfilment.working_time import SETTINGS as CALENDAR

PRODUCTION = duration("partner.lead_times.production", "24h", "from paid, with an address, to the start of production")
LABEL = duration("partner.lead_times.label", "48h", "from paid, with an address, to the label")
SHIPPING = duration("partner.lead_times.shipped", "72h", "from paid, with an address, to the carrier")
TRANSIT = duration("partner.lead_times.transit", "48h", "from the carrier to delivery")
PROMISED_WINDOW = duration(
    "partner.promised_window", "5d", "how long production may show no activity before a shipment is delayed"
)


def _duration_or_null(raw: Any) -> int | None:
    if raw is None:
        return None
    if not isinstance(raw, str):
        raise ValueError("it must be a string")
    return parse_duration(raw)


COUNTRY_TRANSIT: dict[str, Setting[int | None]] = {
    code: Setting(
        f"partner.lead_times.transit.{code}",
        None,
        _duration_or_null,
        "a duration such as 48h, or null",
        f"from the carrier to delivery in {country.name}; null uses partner.lead_times.transit",
    )
    for code, country in COUNTRIES.items()
}

DAY_ZONE = choice(
    "partner.day_zone",
    ("UTC", "America/Los_Angeles"),
    "the time zone of the partner interface's days: event.date, ship_on and whether a parcel is on time (G12)",
)
DELAY = Setting(
    "partner.delay",
    None,
    _duration_or_null,
    "a duration such as 48h, or null",
    "how long a delayed shipment stays so before it continues by itself; null for until a person moves it (G38)",
)

EXCEPTION = Setting(
    "parcels.exception",
    "48h",
    _duration_or_null,
    "a duration such as 48h, or null",
    "how much later a parcel arrives after an exception in transit; null for not until a person moves it (G430)",
)

LOST_IS_DELAYED = flag(
    "parcels.lost_is_delayed",
    False,
    "whether a parcel that is lost, returned or refused in transit is delayed until it is found, not rejected (G430)",
)

SETTINGS: tuple[Setting[Any], ...] = (
    *(PRODUCTION, LABEL, SHIPPING, TRANSIT),
    *COUNTRY_TRANSIT.values(),
    *(PROMISED_WINDOW, DELAY, DAY_ZONE, EXCEPTION),
    *CALENDAR,
    LOST_IS_DELAYED,
)


class TimedShipment(Protocol):
    """The columns of a shipment that its due times follow from."""

    @property
    def since_ms(self) -> int | None: ...
    @property
    def expires_at_ms(self) -> int | None: ...
    @property
    def ship_on(self) -> str | None: ...
    @property
    def country(self) -> str | None: ...
    @property
    def rush(self) -> bool: ...
    @property
    def shipped_at_ms(self) -> int | None: ...


def claim_expiry_ms(state: State, days: int) -> int:
    """When claim links that open now expire: in whole seconds, so that a printed instant is exact (B47, G12)."""
    return (state.now_ms // SECOND) * SECOND + days * DAY


def expiry(_: State, shipment: TimedShipment) -> int | None:
    """When the claim link expires, inclusive (B47); never while unpaid (G32)."""
    return None if shipment.since_ms is None else shipment.expires_at_ms


def production(state: State, shipment: TimedShipment) -> int | None:
    """When production starts: after its lead time, and no earlier than is needed to ship on the day `ship_on`."""
    due_ms = _after(state, shipment, state.setting(PRODUCTION), comes_in=True)
    if due_ms is None or shipment.ship_on is None:
        return due_ms
    produced_ms, labeled_ms, shipped_ms = (state.setting(each) for each in (PRODUCTION, LABEL, SHIPPING))
    steps_ms = (labeled_ms - produced_ms, shipped_ms - labeled_ms)
    rest_ms = sum(max(0, each // 2 if shipment.rush else each) for each in steps_ms)
    return max(due_ms, _shipping_day(state, shipment.ship_on, rest_ms))


def label(state: State, shipment: TimedShipment) -> int | None:
    """When the parcel gets its label, counted from the start of production."""
    return _after(state, shipment, state.setting(LABEL) - state.setting(PRODUCTION))


def shipping(state: State, shipment: TimedShipment) -> int | None:
    """When the parcel is handed to the carrier, counted from the label, and not before the day `ship_on` (P-2.19)."""
    due_ms = _after(state, shipment, state.setting(SHIPPING) - state.setting(LABEL))
    if due_ms is None or shipment.ship_on is None:
        return due_ms
    return max(due_ms, _shipping_day(state, shipment.ship_on))


def delivery(state: State, shipment: TimedShipment) -> int | None:
    """When the parcel is delivered, by the transit time of its country."""
    return _after(state, shipment, _transit_ms(state, shipment.country), shipment.country)


def delivery_after_exception(state: State, shipment: TimedShipment) -> int | None:
    """When a parcel is delivered that was delayed in transit; None for never, and if it was not shipped yet (G430).

    That is so much later than it would have been, and never at the instant at which it was delayed.
    """
    later_ms = state.setting(EXCEPTION)
    if shipment.since_ms is None or shipment.shipped_at_ms is None or later_ms is None:
        return None
    country = shipment.country
    usual_ms = _later(state, country, shipment.shipped_at_ms, transit_ms(state, country, shipment.rush))
    return _later(state, country, max(usual_ms, shipment.since_ms), max(1, later_ms))


def transit_ms(state: State, country: str | None, rush: bool) -> int:
    """How long a parcel to this country is with the carrier."""
    lead_ms = _transit_ms(state, country)
    return lead_ms // 2 if rush else lead_ms


def promised_window(state: State, shipment: TimedShipment) -> int | None:
    """The end of the promised window without production activity (P-6.4); it starts no sooner than on `ship_on`."""
    since_ms, window_ms = shipment.since_ms, state.setting(PROMISED_WINDOW)
    if since_ms is None:
        return None
    if shipment.ship_on is not None:
        since_ms = max(since_ms, _shipping_day(state, shipment.ship_on))
    hours = working_time(state, HOME)
    if hours is None or state.setting(PROMISE) == "all_days":
        return since_ms + window_ms
    return hours.after(since_ms, window_ms)


def end_of_delay(state: State, shipment: TimedShipment) -> int | None:
    """When a delayed shipment continues by itself, at least a millisecond later; None for never (G38)."""
    delay_ms = state.setting(DELAY)
    if shipment.since_ms is None or delay_ms is None:
        return None
    return _later(state, HOME, shipment.since_ms, max(1, delay_ms))


def rest_at_home(state: State, shipment: TimedShipment, due_ms: int) -> str:
    """What a step of production waited for beside its lead time, as the end of a sentence: `, after Labor Day`."""
    hours, since_ms = working_time(state, HOME), shipment.since_ms
    if hours is None or since_ms is None:
        return ""
    day_ms = since_ms if shipment.ship_on is None else start_of_date(shipment.ship_on, state.setting(DAY_ZONE))
    if since_ms < day_ms <= due_ms:
        since_ms = day_ms
    return _phrase(hours.closings(since_ms, due_ms))


def rest_before_production(state: State, shipment: TimedShipment, due_ms: int) -> str:
    """The same for the start of production, which also waits for the next day if the cut-off was missed (G461)."""
    hours, since_ms = working_time(state, HOME), shipment.since_ms
    if hours is None or since_ms is None or shipment.ship_on is not None:
        return ""
    missed = [CUT_OFF_MISSED] if hours.is_late(since_ms, cut_off(state, rush=shipment.rush)) else []
    return _phrase(missed + hours.closings(since_ms, due_ms))


def rest_in_transit(state: State, shipment: TimedShipment, due_ms: int) -> str:
    """The same for the delivery, by the days of its country."""
    hours, since_ms = working_time(state, shipment.country), shipment.since_ms
    return "" if hours is None or since_ms is None else _phrase(hours.closings(since_ms, due_ms))


def _transit_ms(state: State, country: str | None) -> int:
    setting = COUNTRY_TRANSIT.get(country or "")
    own_ms = state.setting(setting) if setting else None
    return state.setting(TRANSIT) if own_ms is None else own_ms


def _after(
    state: State, shipment: TimedShipment, lead_ms: int, country: str | None = HOME, *, comes_in: bool = False
) -> int | None:
    """A lead time after the shipment entered its stage; if it comes in with it, by the cut-off of that day (G461)."""
    since_ms = shipment.since_ms
    if since_ms is None:
        return None
    span_ms = max(0, lead_ms // 2 if shipment.rush else lead_ms)
    hours = working_time(state, country)
    if hours is None:
        return since_ms + span_ms
    if comes_in:
        since_ms = hours.received(since_ms, cut_off(state, rush=shipment.rush))
    return hours.after(since_ms, span_ms)


def _later(state: State, country: str | None, since_ms: int, span_ms: int) -> int:
    """So much later, in the working time of a country if there is a calendar."""
    hours = working_time(state, country)
    return since_ms + span_ms if hours is None else hours.after(since_ms, span_ms)


def _shipping_day(state: State, ship_on: str, ahead_ms: int = 0) -> int:
    """So long before the day `ship_on` begins (G179)."""
    start_ms = start_of_date(ship_on, state.setting(DAY_ZONE))
    hours = working_time(state, HOME)
    return start_ms - ahead_ms if hours is None else hours.before(start_ms, ahead_ms)


def _phrase(closings: Sequence[str]) -> str:
    return f", after {' and '.join(closings)}" if closings else ""


def day_of(state: State, at_ms: int) -> str:
    """The day of an instant on the partner interface (G12)."""
    zone = state.setting(DAY_ZONE)
    return utc_date(at_ms) if zone == "UTC" else local_date(at_ms, zone)
