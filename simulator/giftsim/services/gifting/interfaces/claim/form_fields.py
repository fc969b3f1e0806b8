"""Convert the fields of the claim form to a claim: `address.city`, `selection.12`, `name`, `email`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from giftsim.services.gifting.domain.fulfilment.address import COUNTRIES


def _named(text: str) -> Mapping[str, str]:
    """The names by code, in the order of the text."""
    return dict(entry.strip().split(" ", 1) for entry in text.split(","))


STATE_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "US": _named(
        "AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, "
        "DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, "
        "KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, "
        "MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, "
        "NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, "
        "PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, "
        "VT Vermont, VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AS American Samoa, "
        "GU Guam, MP Northern Mariana Islands, PR Puerto Rico, VI U.S. Virgin Islands, FM Micronesia, "
        "MH Marshall Islands, PW Palau, AA Armed Forces Americas, AE Armed Forces Europe, AP Armed Forces Pacific"
    ),
    "CA": _named(
        "AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, "
        "NT Northwest Territories, NS Nova Scotia, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, "
        "SK Saskatchewan, YT Yukon"
    ),
    "AU": _named(
        "ACT Australian Capital Territory, NSW New South Wales, NT Northern Territory, QLD Queensland, "
        "SA South Australia, TAS Tasmania, VIC Victoria, WA Western Australia"
    ),
}


COMPLETE: Final[Mapping[str, str]] = {
    "address1": "address-line1",
    "city": "address-level2",
    "state": "address-level1",
    "zip": "postal-code",
}
DIGITS = ("AU", "DE", "ES", "FR", "IT")  # countries whose postcodes are digits alone
STREET = (("address1", "Street and number"),)
OPTIONAL = " (optional)"
ANY_STATE = ("state", f"State, province or county{OPTIONAL}")

# The rows of each form: the members of an address and their labels.
ROWS: Final[Mapping[str, Sequence[Sequence[tuple[str, str]]]]] = {
    "US": (STREET, (("city", "City"),), (("state", "State"), ("zip", "ZIP code"))),
    "CA": (STREET, (("city", "City"),), (("state", "Province or territory"), ("zip", "Postal code"))),
    "AU": (STREET, (("city", "Suburb or town"),), (("state", "State or territory"), ("zip", "Postcode"))),
    "GB": (STREET, (("city", "Town or city"),), (("state", f"County{OPTIONAL}"), ("zip", "Postcode"))),
    "DE": (STREET, (("zip", "Postcode"), ("city", "Town or city"))),
    "FR": (STREET, (("zip", "Postcode"), ("city", "Town or city"))),
    "NL": (STREET, (("zip", "Postcode"), ("city", "Town or city"))),
    "IT": (STREET, (("zip", "Postcode"), ("city", "Town or city")), (("state", f"Province{OPTIONAL}"),)),
    "ES": (STREET, (("zip", "Postcode"), ("city", "Town or city")), (("state", f"Province{OPTIONAL}"),)),
}


class Field(NamedTuple):
    """One field of the form. `choices` are the values and names of a list; `hint` says what to write."""

    name: str
    label: str
    complete: str
    required: bool
    digits: bool = False
    hint: str | None = None
    choices: Sequence[tuple[str, str]] = ()


def address_rows(country: str, given: Mapping[str, str]) -> list[list[Field]]:
    """The rows of a country's form. A region that was entered is kept even if the form has no field for it."""
    rows = list(ROWS[country])
    if given.get("address.state", "").strip() and not any(member == "state" for row in rows for member, _ in row):
        rows.append((ANY_STATE,))
    return [[_field(country, member, label) for member, label in row] for row in rows]


def address_labels(country: str) -> dict[str, str]:
    """The label of each field of a country's form from top to bottom, without a note that it is optional."""
    return {f"address.{member}": label.removesuffix(OPTIONAL) for row in ROWS[country] for member, label in row}


def _field(country: str, member: str, label: str) -> Field:
    rules = COUNTRIES[country]
    is_zip = member == "zip"
    choices = [(f"{country}-{code}", name) for code, name in STATE_NAMES.get(country, {}).items()]
    return Field(
        f"address.{member}",
        label,
        COMPLETE[member],
        member != "state" or bool(rules.states),
        is_zip and country in DIGITS,
        f"Like {rules.zip_example}" if is_zip else None,
        choices if member == "state" else (),
    )


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
