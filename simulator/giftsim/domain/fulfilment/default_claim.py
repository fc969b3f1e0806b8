"""A default claim for a recipient: a valid address in the right country and the first option of every choice."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from giftsim.domain.fulfilment import variation_choice
from giftsim.domain.fulfilment.fulfilment import Fulfilment
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.kernel.state import State

# One valid address per country, by country code.
DEFAULT_ADDRESSES: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        str(address["country"]): MappingProxyType(address)
        for address in (
            {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"},
            {"address1": "80 Wellington St", "city": "Ottawa", "state": "ON", "zip": "K1A 0B1", "country": "CA"},
            {"address1": "10 Downing St", "city": "London", "state": None, "zip": "SW1A 2AA", "country": "GB"},
            {"address1": "1 Macquarie St", "city": "Sydney", "state": "NSW", "zip": "2000", "country": "AU"},
            {"address1": "Unter den Linden 1", "city": "Berlin", "state": None, "zip": "10117", "country": "DE"},
            {"address1": "1 rue de Rivoli", "city": "Paris", "state": None, "zip": "75001", "country": "FR"},
            {"address1": "Dam 1", "city": "Amsterdam", "state": None, "zip": "1012 JS", "country": "NL"},
            {"address1": "Via Appia 1", "city": "Roma", "state": "RM", "zip": "00184", "country": "IT"},
            {"address1": "Gran Via 1", "city": "Madrid", "state": "Madrid", "zip": "28013", "country": "ES"},
        )
    }
)


def default_claim_entry(state: State, order: Fulfilment, recipient: Recipient, country: str = "") -> dict[str, Any]:
    """What a claim page would send for the recipient, with an address in `country`, or else the order's first one."""
    return {
        "address": DEFAULT_ADDRESSES[country or order.countries[0]],
        "selection": variation_choice.default_selection(state, order),
        "name": f"Guest {recipient.place + 1}",
        "email": f"guest{recipient.place + 1}@example.com",
    }
