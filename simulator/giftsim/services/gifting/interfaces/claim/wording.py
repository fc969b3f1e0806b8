"""The words of the claim form: what its fields are called, the places to choose from, and errors as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.pages.errors import ErrorWords, Way
from giftsim.services.gifting.domain.fulfilment.address import COUNTRIES, Address
from giftsim.services.gifting.domain.fulfilment.claim import ClaimPage
from giftsim.services.gifting.interfaces.claim.form_fields import ROWS, address_labels

# Labels in errors for members of an address without a field in the form.
OTHER_NAMES: Final[Mapping[str, str]] = {"address.city": "City", "address.state": "State", "address.zip": "Postcode"}


def chosen_country(page: ClaimPage, given: Mapping[str, str]) -> str | None:
    """The country whose form is shown: the one that was chosen, or the only one that the gift can go to."""
    if len(page.countries) == 1:
        return page.countries[0]
    country = given.get("address.country")
    return country if country in page.countries else None


def country_name(code: str) -> str:
    """The name of a country as it is in a list: without an article."""
    return COUNTRIES[code].name.removeprefix("the ")


def labels(page: ClaimPage, country: str | None) -> dict[str, str]:
    """The label of each field from top to bottom, in the words of the country of the address."""
    return {
        **{f"selection.{choice.variation_id}": choice.name for choice in page.choices},
        "name": "Your name",
        "email": "Your email",
        "address.country": "Country",
        **(address_labels(country) if country else {}),
    }


def sentences(page: ClaimPage, given: Mapping[str, str], errors: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The errors of a claim by field, in the words of the form: `Street is missing`."""
    shown = labels(page, chosen_country(page, given))
    names = {
        **shown,
        "address.address1": "Street",
        **{name: OTHER_NAMES[name] for name in OTHER_NAMES if name not in shown},
    }
    found = {error["field"]: error["message"] for error in errors}
    if chosen_country(page, given) is None:  # the form shows no other field of the address
        found = {field: message for field, message in found.items() if not field.startswith("address.")}
        found["address.country"] = f"this gift goes to {_listed(map(country_name, page.countries))} only"
    return {field: _sentence(field, names.get(field, field), given, found[field]) for field in _in_order(names, found)}


def address_lines(address: Address | None) -> list[str]:
    """An address as it is read, line by line."""
    if address is None:
        return []
    members = (member for row in ROWS[address.country] for member, _ in row)
    order = [member for member in members if member != "address1"]
    parts = {member: getattr(address, member) for member in (*order, "state")}
    place = " ".join(part for part in parts.values() if part)
    return [address.address1, place, country_name(address.country)]


def day_and_time(at_ms: int | None) -> str | None:
    """An instant for people, like `3 February 2027, 09:00 UTC`."""
    if at_ms is None:
        return None
    at = datetime.fromisoformat(format_instant(at_ms))
    return f"{at.day} {at:%B} {at.year}, {at:%H:%M} UTC"


def _sentence(field: str, label: str, given: Mapping[str, str], message: str) -> str:
    """One error: the label replaces the name of the member, with which a message of the domain begins."""
    if not given.get(field, "").strip():
        return f"{label} is missing"
    member = field.rpartition(".")[2]
    text = f"{label}{message.removeprefix(member)}" if message.startswith(f"{member} ") else message
    return f"{text[:1].upper()}{text[1:]}"


def _listed(names: Iterable[str]) -> str:
    """Names in a sentence: `Canada, Germany and Spain`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _in_order(names: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    """The fields with errors: those of the form from top to bottom, then others."""
    return [field for field in names if field in found] + [field for field in found if field not in names]


ASK_SENDER = "Ask the person who sent you the gift"
TRY_AGAIN = "Try again"

WAYS: Final[Mapping[str, Way]] = {
    "claim_used": Way(
        "This gift was claimed already",
        "If that was you, all is done. If it was not, or if the address is wrong, write to the person who sent you "
        "the link.",
    ),
    "claim_expired": Way("This link has expired", f"{ASK_SENDER} for a new link."),
    "claim_canceled": Way("This gift was canceled", f"{ASK_SENDER} if you think that this is a mistake."),
    "claim_unpaid": Way(
        "This gift is not ready yet", f"It can be claimed as soon as it is paid. {TRY_AGAIN} later.", TRY_AGAIN
    ),
    "claim_exhausted": Way("Every gift of this link is taken", f"{ASK_SENDER} for another link."),
    "claim_not_found": Way("This link does not work", "Check that the address is the whole link of your mail."),
    "world_not_found": Way("This link does not work", "Check that the address is the whole link of your mail."),
    "foreign_origin": Way(
        "This did not come from the gift's own page",
        "Open the page of the gift and enter your address there.",
        "Open the page",
    ),
    "method_not_allowed": Way("This page can only be read and filled in", "Open it and go on.", "Open the page"),
}

OTHER: Final = Way("This does not work", "Nothing was changed. Go back to the page and try it once more.", TRY_AGAIN)

CLAIM_WORDS: Final = ErrorWords("/claim/", WAYS, OTHER)
