"""The fields of the claim form as the claim they stand for: `address.city`, `selection.12`, `name`, `email`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from giftsim.domain.fulfilment.address import COUNTRIES
from giftsim.interfaces.claim.state_names import STATE_NAMES

STATE, COUNTRY = "address.state", "address.country"
CHOOSE_COUNTRY = "choose_country"  # the button that shows the form of another country
_STATE_CHOICE = re.compile(r"([A-Z]{2})-([A-Z]{2,3})")


def claim_of(fields: Mapping[str, str]) -> dict[str, Any]:
    """The claim in a form. Blank fields are absent; `address.city` takes precedence over a plain `address`.

    `address` is always there, so that each of its missing members is reported by itself.
    """
    claim: dict[str, Any] = {"address": {}}
    for name, text in fields.items():
        if not name or not text.strip():
            continue  # a part of a multipart form may have no name
        outer, nested, inner = name.partition(".")
        if not nested:
            claim.setdefault(outer, text)
        elif isinstance(claim.get(outer), dict):
            claim[outer][inner] = _state_code(text) if name == STATE else text
        else:
            claim[outer] = {inner: text}
    return claim


def shown_again(fields: Mapping[str, str]) -> Mapping[str, str]:
    """The fields as the form shows them again: a plain code of a state is the choice of that state."""
    state, country = fields.get(STATE, "").strip().upper(), fields.get(COUNTRY, "")
    return {**fields, STATE: f"{country}-{state}"} if state in STATE_NAMES.get(country, ()) else fields


def misplaced_state(fields: Mapping[str, str]) -> list[dict[str, str]]:
    """The error of a state that was chosen from the list of a country other than the chosen one."""
    choice, country = _state_choice(fields.get(STATE, "")), fields.get(COUNTRY, "")
    if choice is None or choice[0] == country or not country:
        return []
    name, own = STATE_NAMES[choice[0]][choice[1]], COUNTRIES[choice[0]].name
    return [{"field": STATE, "message": f"{name} is in {own}: choose that country, or another state"}]


def _state_code(text: str) -> str:
    """The code of a state as the domain knows it: `WA` for the choice `US-WA`, and for a plain `WA`."""
    choice = _state_choice(text)
    return choice[1] if choice else text


def _state_choice(text: str) -> tuple[str, str] | None:
    """The codes of country and state in the value of a choice, else None."""
    match = _STATE_CHOICE.fullmatch(text)
    return (match[1], match[2]) if match and match[2] in STATE_NAMES.get(match[1], ()) else None
