"""The address form of each country: its fields in the order of an envelope, with their labels (G166)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from giftsim.domain.fulfilment.address import COUNTRIES
from giftsim.interfaces.claim.state_names import STATE_NAMES

COMPLETE: Final[Mapping[str, str]] = MappingProxyType(
    {"address1": "address-line1", "city": "address-level2", "state": "address-level1", "zip": "postal-code"}
)
DIGITS = ("AU", "DE", "ES", "FR", "IT")  # countries whose postcodes are digits alone
STREET = (("address1", "Street and number"),)
OPTIONAL = " (optional)"
ANY_STATE = ("state", f"State, province or county{OPTIONAL}")

# The rows of each form: the members of an address and their labels.
ROWS: Final[Mapping[str, Sequence[Sequence[tuple[str, str]]]]] = MappingProxyType(
    {
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
)


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
    """The rows of a country's form. A region that was given is kept, also where the country's form asks for none."""
    rows = list(ROWS[country])
    if given.get("address.state", "").strip() and not any(member == "state" for row in rows for member, _ in row):
        rows.append((ANY_STATE,))
    return [[_field(country, member, label) for member, label in row] for row in rows]


def address_labels(country: str) -> dict[str, str]:
    """The label of each field of a country's form from top to bottom, without a note that it is optional."""
    return {
        f"address.{member}": label.removesuffix(OPTIONAL) for row in ROWS[country] for member, label in row
    }  # fmt: skip


def _field(country: str, member: str, label: str) -> Field:
    rules = COUNTRIES[country]
    is_zip = member == "zip"
    choices = [(f"{country}-{code}", name) for code, name in STATE_NAMES.get(country, {}).items()]
    return Field(
        f"address.{member}", label, COMPLETE[member], member != "state" or bool(rules.states),
        is_zip and country in DIGITS, f"Like {rules.zip_example}" if is_zip else None,
        choices if member == "state" else (),
    )  # fmt: skip
