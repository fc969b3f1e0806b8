"""Carriers by country, and tracking numbers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from giftsim.kernel.state import State

CARRIERS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "US": ("UPS", "USPS", "FedEx"),
        "CA": ("Canada Post", "Purolator"),
        "GB": ("Royal Mail", "DPD"),
        "AU": ("Australia Post", "StarTrack"),
        "DE": ("DHL", "Hermes"),
        "FR": ("La Poste", "Chronopost"),
        "NL": ("PostNL", "DHL"),
        "IT": ("Poste Italiane", "BRT"),
        "ES": ("Correos", "SEUR"),
    }
)


_PREFIXES: Final[Mapping[str, str]] = MappingProxyType(
    {name: name.upper().replace(" ", "")[:2] for names in CARRIERS.values() for name in names}
)


def assign(state: State, country: str | None, channel: str) -> tuple[str, str]:
    """A carrier of the country and a tracking number, drawn from the random stream of the channel."""
    drawn = state.draw(f"tracking {channel}")
    carriers = CARRIERS.get(country or "US", CARRIERS["US"])
    name = carriers[drawn % len(carriers)]
    return name, f"{_PREFIXES[name]}{drawn // 8 % 10**14:014d}"


def tracking_url(carrier: str, tracking_number: str) -> str:
    """The URL of the carrier's tracking page; it does not exist."""
    return f"https://{carrier.lower().replace(' ', '-')}.example/track/{tracking_number}"
