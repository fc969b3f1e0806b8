"""Postal addresses and their rules in the nine destination countries (P-2.17, P-2.18, B40)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec


class Address(msgspec.Struct, frozen=True, gc=False):
    """A postal address as the sender wrote it; `country` is a code of COUNTRIES."""

    address1: str
    city: str
    state: str | None
    zip: str | None
    country: str


class Country(msgspec.Struct, frozen=True, gc=False):
    """The rules of one country; if it has `states`, the state is required and must be one of their codes."""

    code: str
    name: str
    zip_pattern: re.Pattern[str]
    zip_example: str
    states: tuple[str, ...] = ()


def _country(code: str, name: str, zip_pattern: str, zip_example: str, states: str = "") -> Country:
    # Postcodes are accepted in either case and without the inner blank, as carriers accept both.
    return Country(code, name, re.compile(zip_pattern, re.ASCII | re.IGNORECASE), zip_example, tuple(states.split()))


_US_STATES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA "
    "RI SC SD TN TX UT VT VA WA WV WI WY "
    "DC AS FM GU MH MP PR PW VI "  # the capital, territories and freely associated states
    "AA AE AP"  # military
)
_CA_PROVINCES = "AB BC MB NB NL NS NT NU ON PE QC SK YT"
_AU_STATES = "ACT NSW NT QLD SA TAS VIC WA"

_CA_ZIP = r"[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d"
# A9 A99 AA9 AA99 A9A AA9A, then 9AA.
_GB_ZIP = r"[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKPSTUW]|[A-HK-Y]\d[ABEHMNPRVWXY]) ?\d[ABD-HJLNP-UW-Z]{2}"
_AU_ZIP = r"(?:0[289]|[1-9]\d)\d{2}"
_DE_ZIP = r"(?:0[1-9]|[1-9]\d)\d{3}"
_FR_ZIP = r"(?:[0-8]\d|9[0-8])\d{3}"
_NL_ZIP = r"[1-9]\d{3} ?(?!S[ADS])[A-Z]{2}"
_ES_ZIP = r"(?:0[1-9]|[1-4]\d|5[0-2])\d{3}"

COUNTRIES: Final[Mapping[str, Country]] = {
    country.code: country
    for country in (
        _country("US", "the United States", r"\d{5}(?:-\d{4})?", "94107 or 94107-1234", _US_STATES),
        _country("CA", "Canada", _CA_ZIP, "K1A 0B1", _CA_PROVINCES),
        _country("GB", "the United Kingdom", _GB_ZIP, "SW1A 1AA"),
        _country("AU", "Australia", _AU_ZIP, "2000", _AU_STATES),
        _country("DE", "Germany", _DE_ZIP, "10115"),
        _country("FR", "France", _FR_ZIP, "75001"),
        _country("NL", "the Netherlands", _NL_ZIP, "1012 AB"),
        _country("IT", "Italy", r"\d{5}", "00184"),
        _country("ES", "Spain", _ES_ZIP, "28013"),
    )
}

# The members of an address in the order of their errors, with the maximum length of each.
LIMITS: Final[Mapping[str, int]] = {"address1": 200, "city": 100, "state": 100, "zip": 20, "country": 100}

# Control characters, the two Unicode line separators, and lone surrogates, which cannot be encoded in UTF-8.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def address_errors(address: Mapping[str, object]) -> list[tuple[str, str]]:
    """The `(field, message)` errors of an address, in the order of its members; empty if it is valid.

    Fields are named like `address.zip` (B51). Unknown members are ignored; `null`, "" and blanks count as missing.
    """
    code = address.get("country")
    country = COUNTRIES.get(code) if isinstance(code, str) else None
    errors = [(f"address.{field}", _error(field, address.get(field), country)) for field in LIMITS]
    return [(field, message) for field, message in errors if message]


def parse_address(address: Mapping[str, object]) -> Address:
    """The Address of a valid `address`, with surrounding blanks stripped; a blank state becomes None."""
    texts = {field: str(address.get(field) or "").strip() for field in LIMITS}
    return Address(texts["address1"], texts["city"], texts["state"] or None, texts["zip"] or None, texts["country"])


def _error(field: str, value: object, country: Country | None) -> str | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return _missing_error(field, country)
    if not isinstance(value, str):
        return f"{field} must be a string"
    if _CONTROL.search(value):
        return f"{field} must not contain control characters or line breaks"
    if len(value.strip()) > LIMITS[field]:
        return f"{field} must have at most {LIMITS[field]} characters"
    return _rule_error(field, value.strip(), country)


def _missing_error(field: str, country: Country | None) -> str | None:
    if field == "state" and not (country and country.states):
        return None
    return f"{field} is required{_hint(field, country)}"


def _rule_error(field: str, text: str, country: Country | None) -> str | None:
    if country is None:
        return f"country is not valid{_hint(field, None)}" if field == "country" else None
    if field == "zip" and not country.zip_pattern.fullmatch(text):
        return f"zip is not valid{_hint(field, country)}"
    if field == "state" and country.states and _upper(text) not in country.states:
        return f"state is not valid{_hint(field, country)}"
    return None


def _upper(text: str) -> str:
    return text.upper() if text.isascii() else text  # some non-ASCII letters have A to Z as their upper case


def _hint(field: str, country: Country | None) -> str:
    if field == "country":
        return f": one of {', '.join(COUNTRIES)}, in capital letters"
    if country and field == "zip":
        return f" for {country.name}: write it like {country.zip_example}"
    if country and field == "state":
        return f" for {country.name}: one of {', '.join(country.states)}"
    return ""
