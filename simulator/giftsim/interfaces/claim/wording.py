"""The words of the claim form: what its fields are called, the places to choose from, and errors as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from giftsim.domain.fulfilment.address import COUNTRIES, Address
from giftsim.domain.fulfilment.claim import ClaimPage
from giftsim.interfaces.claim.state_names import STATE_NAMES
from giftsim.kernel.instants import format_instant

ZIP_LABELS = {"US": "ZIP code", "CA": "Postal code"}
STATE_LABELS = {"US": "State", "CA": "Province or territory", "AU": "State or territory"}


def country_name(code: str) -> str:
    """The name of a country as it is in a list: without an article."""
    return COUNTRIES[code].name.removeprefix("the ")


def state_groups(countries: Sequence[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The states of each country that needs one: its name, and the value and name of each state.

    A value like `US-WA` is of one country alone, while the code WA is a state of two.
    """
    return [
        (country_name(code), [(f"{code}-{state}", name) for state, name in STATE_NAMES[code].items()])
        for code in countries
        if code in STATE_NAMES
    ]


def labels(page: ClaimPage) -> dict[str, str]:
    """The label of each field from top to bottom, in the words of the countries that the gift can go to."""
    with_states = [code for code in page.countries if code in STATE_LABELS]
    state = _one(STATE_LABELS[code] for code in with_states) or "State or province"
    return {
        **{f"selection.{choice.variation_id}": choice.name for choice in page.choices},
        "name": "Your name",
        "email": "Your email",
        "address.country": "Country",
        "address.address1": "Street and number",
        "address.city": "City",
        "address.state": state if with_states else "Province or county (optional)",
        "address.zip": _one(ZIP_LABELS.get(code, "Postcode") for code in page.countries) or "ZIP code or postcode",
    }


def sentences(
    page: ClaimPage, given: Mapping[str, str], errors: Iterable[Mapping[str, str]]
) -> dict[str, str]:  # fmt: skip
    """The errors of a claim by field, in the words of the form: `Street is missing`."""
    names = labels(page) | {"address.address1": "Street"}
    found = {error["field"]: error["message"] for error in errors}
    return {field: _sentence(field, names.get(field, field), given, found[field]) for field in _in_order(names, found)}


def address_lines(address: Address | None) -> list[str]:
    """An address as it is read, line by line."""
    if address is None:
        return []
    place = " ".join(part for part in (address.city, address.state, address.zip) if part)
    return [address.address1, place, country_name(address.country)]


def day_and_time(at_ms: int | None) -> str | None:
    """An instant for people, like `3 February 2027, 09:00 UTC`."""
    if at_ms is None:
        return None
    at = datetime.fromisoformat(format_instant(at_ms))
    return f"{at.day} {at:%B} {at.year}, {at:%H:%M} UTC"


def _sentence(field: str, label: str, given: Mapping[str, str], message: str) -> str:
    """One error: a message of the domain begins with the name of the member, in place of which the label stands."""
    if not given.get(field, "").strip():
        return f"{label} is missing"
    member = field.rpartition(".")[2]
    text = f"{label}{message.removeprefix(member)}" if message.startswith(f"{member} ") else message
    return f"{text[:1].upper()}{text[1:]}"


def _in_order(names: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    """The fields with errors: those of the form from top to bottom, then others."""
    return [field for field in names if field in found] + [field for field in found if field not in names]


def _one(texts: Iterable[str]) -> str | None:
    """The text that all are, or None."""
    distinct = set(texts)
    return distinct.pop() if len(distinct) == 1 else None
