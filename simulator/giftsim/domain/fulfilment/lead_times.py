"""When a parcel's next stage is due, by the settings `partner.lead_times.*` (B25); rush halves every lead time.

Every function gives the instant in ms for a shipment that has just entered its stage, or None for never.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from giftsim.domain.fulfilment.address import COUNTRIES
from giftsim.kernel.instants import parse_duration, start_of_date
from giftsim.kernel.setting import Setting, duration
from giftsim.kernel.state import State

if TYPE_CHECKING:
    from giftsim.domain.fulfilment.shipment import Shipment

PRODUCTION = duration("partner.lead_times.production", "24h", "from paid, with an address, to the start of production")
LABEL = duration("partner.lead_times.label", "48h", "from paid, with an address, to the label")
SHIPPING = duration("partner.lead_times.shipped", "72h", "from paid, with an address, to the carrier")
TRANSIT = duration("partner.lead_times.transit", "48h", "from the carrier to the door")
PROMISED_WINDOW = duration(
    "partner.promised_window", "5d", "how long production may show no activity before a shipment counts as delayed"
)


def _duration_or_null(raw: Any) -> int | None:
    if raw is None:
        return None
    if not isinstance(raw, str):
        raise ValueError("it is written as text")
    return parse_duration(raw)


COUNTRY_TRANSIT: dict[str, Setting[int | None]] = {
    code: Setting(
        f"partner.lead_times.transit.{code}", None, _duration_or_null, "a duration such as 48h, or null",
        f"the same in {country.name}; null is as in every country",
    )
    for code, country in COUNTRIES.items()
}  # fmt: skip

SETTINGS: tuple[Setting[Any], ...] = (PRODUCTION, LABEL, SHIPPING, TRANSIT, *COUNTRY_TRANSIT.values(), PROMISED_WINDOW)


def expiry(_: State, shipment: Shipment) -> int | None:
    """The instant at which the claim link expires: at it, the link is expired (B47); never while unpaid (G32)."""
    return None if shipment.since_ms is None else shipment.expires_at_ms


def production(state: State, shipment: Shipment) -> int | None:
    """The start of production: after its lead time, and not before the day `ship_on` (P-2.19)."""
    if shipment.since_ms is None:
        return None
    due_ms = shipment.since_ms + _lead(shipment, state.setting(PRODUCTION))
    return due_ms if shipment.ship_on is None else max(due_ms, start_of_date(shipment.ship_on))


def label(state: State, shipment: Shipment) -> int | None:
    """The label, counted on from the start of production."""
    return _after(shipment, state.setting(LABEL) - state.setting(PRODUCTION))


def shipping(state: State, shipment: Shipment) -> int | None:
    """The carrier takes it, counted on from the label."""
    return _after(shipment, state.setting(SHIPPING) - state.setting(LABEL))


def delivery(state: State, shipment: Shipment) -> int | None:
    """It arrives, by the transit time of its country."""
    country = COUNTRY_TRANSIT.get(shipment.country or "")
    own_ms = state.setting(country) if country else None
    return _after(shipment, state.setting(TRANSIT) if own_ms is None else own_ms)


def promised_window(state: State, shipment: Shipment) -> int | None:
    """The end of the promised window without production activity (P-6.4); a held parcel's begins with `ship_on`."""
    if shipment.since_ms is None:
        return None
    since_ms = shipment.since_ms
    if shipment.ship_on is not None and shipment.produced_at_ms is None:
        since_ms = max(since_ms, start_of_date(shipment.ship_on))
    return since_ms + state.setting(PROMISED_WINDOW)


def _after(shipment: Shipment, lead_ms: int) -> int | None:
    return None if shipment.since_ms is None else shipment.since_ms + _lead(shipment, max(0, lead_ms))


def _lead(shipment: Shipment, lead_ms: int) -> int:
    return lead_ms // 2 if shipment.rush else lead_ms
