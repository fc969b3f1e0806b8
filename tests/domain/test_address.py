"""Validation of addresses by the rules of their country, and its error messages (B40)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.services.gifting.domain.fulfilment.address import COUNTRIES, LIMITS, Address, address_errors, parse_address

VALID: dict[str, dict[str, object]] = {
    "US": {"address1": "1 Main St", "city": "Springfield", "state": "CA", "zip": "94107", "country": "US"},
    "CA": {"address1": "80 Wellington St", "city": "Ottawa", "state": "ON", "zip": "K1A 0B1", "country": "CA"},
    "GB": {"address1": "10 Downing St", "city": "London", "state": None, "zip": "SW1A 2AA", "country": "GB"},
    "AU": {"address1": "1 Macquarie St", "city": "Sydney", "state": "NSW", "zip": "2000", "country": "AU"},
    "DE": {"address1": "Straße 1", "city": "Berlin", "state": "", "zip": "10115", "country": "DE"},
    "FR": {"address1": "1 rue de Rivoli", "city": "Paris", "zip": "75001", "country": "FR"},
    "NL": {"address1": "Dam 1", "city": "Amsterdam", "state": "  ", "zip": "1012 JS", "country": "NL"},
    "IT": {"address1": "Via Appia 1", "city": "Roma", "state": "RM", "zip": "00184", "country": "IT"},
    "ES": {"address1": "Gran Vía 1", "city": "Madrid", "state": "Madrid", "zip": "28013", "country": "ES"},
}

GOOD_ZIPS = {
    "US": ("00501", "94107", "94107-1234", "99950", " 94107 "),
    "CA": ("K1A 0B1", "K1A0B1", "k1a 0b1", "X0A 0H0", "V6B 4Y8"),
    "GB": (
        "M1 1AE",
        "B33 8TH",
        "CR2 6XH",
        "DN55 1PT",
        "W1A 0AX",
        "EC1A 1BB",
        "SW1A1AA",
        "sw1a 1aa",
        "SE1P 5LX",
        "GX11 1AA",
    ),
    "AU": ("0200", "0800", "0909", "2000", "9999"),
    "DE": ("01067", "10115", "99998"),
    "FR": ("01000", "20000", "75001", "97400", "98000"),
    "NL": ("1012 AB", "1012AB", "9999 xz", "1012 SB"),
    "IT": ("00184", "98168"),
    "ES": ("01001", "28013", "52006"),
}

BAD_ZIPS = {
    "US": (
        "ABC",
        "9410",
        "941071",
        "94107-",
        "94107-123",
        "94107 1234",
        "941071234",
        "K1A 0B1",
        "\uff19\uff14107",
        "0x123",
    ),
    "CA": (
        "94107",
        "K1A",
        "K1A  0B1",
        "K1A-0B1",
        "D1A 0B1",
        "W1A 0B1",
        "K1O 0B1",
        "K1A OB1",
        "11A 0B1",
        "K1A 0B\u0661",
    ),
    "GB": (
        "94107",
        "SW1A",
        "1AA",
        "SW1A  1AA",
        "QA1 1AA",
        "SW1A 1CA",
        "SW1C 1AA",
        "S1I 1AA",
        "AJ1 1AA",
        "\u017fW1A 1AA",
    ),
    "AU": ("0100", "0700", "200", "20000", "NSW 2000"),
    "DE": ("00115", "1011", "101155", "D-10115"),
    "FR": ("99000", "7500", "750011", "F-75001"),
    "NL": ("0012 AB", "1012", "1012 A", "1012 ABC", "1012  AB", "1012 SA", "1012 sd", "1012SS"),
    "IT": ("0184", "001844", "I-00184"),
    "ES": ("00001", "53001", "2801", "280133"),
}

BAD_STATES = {
    "US": ("California", "ON", "NSW", "XX", "C", "C A", "UM", "\ufb01", "\u017fc"),
    "CA": ("Ontario", "CA", "QB", "ONT"),
    "AU": ("New South Wales", "NS", "AC"),
}


def cases(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(country, text) for country, texts in table.items() for text in texts]


def address_with(country: str, /, **members: object) -> dict[str, object]:
    return {**VALID[country], **members}


def invalid_fields(address: dict[str, object]) -> list[str]:
    return [field for field, _ in address_errors(address)]


@pytest.mark.parametrize("country", COUNTRIES)
def test_a_valid_address_has_no_errors(country: str) -> None:
    assert address_errors(VALID[country]) == []


def test_there_are_nine_documented_countries() -> None:
    assert list(COUNTRIES) == ["US", "CA", "GB", "AU", "DE", "FR", "NL", "IT", "ES"]


@pytest.mark.parametrize(("country", "text"), cases(GOOD_ZIPS))
def test_a_zip_of_the_country_is_accepted(country: str, text: str) -> None:
    assert address_errors(address_with(country, zip=text)) == []


@pytest.mark.parametrize(("country", "text"), cases(BAD_ZIPS))
def test_a_zip_in_another_format_is_refused(country: str, text: str) -> None:
    assert invalid_fields(address_with(country, zip=text)) == ["address.zip"]


@pytest.mark.parametrize("country", COUNTRIES)
def test_the_example_zip_of_an_error_message_is_accepted(country: str) -> None:
    ((_, message),) = address_errors(address_with(country, zip="?"))
    assert message.endswith(f"write it like {COUNTRIES[country].zip_example}")
    for example in COUNTRIES[country].zip_example.split(" or "):
        assert address_errors(address_with(country, zip=example)) == []


@pytest.mark.parametrize("country", COUNTRIES)
def test_a_state_is_required_in_three_countries(country: str) -> None:
    expected = ["address.state"] if country in ("US", "CA", "AU") else []
    for missing in (None, "", "   "):
        assert invalid_fields(address_with(country, state=missing)) == expected
    assert invalid_fields({name: value for name, value in VALID[country].items() if name != "state"}) == expected


def test_all_states_are_accepted() -> None:
    assert [len(COUNTRIES[country].states) for country in ("US", "CA", "AU")] == [50 + 9 + 3, 13, 8]
    for country in ("US", "CA", "AU"):
        states = COUNTRIES[country].states
        assert len(set(states)) == len(states)
        for state in states:
            assert address_errors(address_with(country, state=state)) == []
            assert address_errors(address_with(country, state=f" {state.lower()} ")) == []


@pytest.mark.parametrize("state", ["DC", "PR", "GU", "AE", "AP"])
def test_territories_and_military_codes_are_accepted_as_states(state: str) -> None:
    assert address_errors(address_with("US", state=state)) == []


@pytest.mark.parametrize(("country", "text"), cases(BAD_STATES))
def test_a_state_of_another_country_is_refused(country: str, text: str) -> None:
    ((field, message),) = address_errors(address_with(country, state=text))
    assert field == "address.state"
    assert f"one of {COUNTRIES[country].states[0]}, " in message


@pytest.mark.parametrize("country", ["", None, "us", "USA", "JP", "Germany", " US", "U\u017f", "XX"])
def test_an_unknown_country_is_an_error_that_lists_the_nine(country: object) -> None:
    ((field, message),) = address_errors(address_with("US", country=country))
    assert field == "address.country"
    assert "US, CA, GB, AU, DE, FR, NL, IT, ES, in capital letters" in message


@pytest.mark.parametrize("field", LIMITS)
@pytest.mark.parametrize("value", [7, 94107.0, True, ["CA"], {"code": "CA"}, b"CA"])
def test_a_member_that_is_not_a_string_is_an_error(field: str, value: object) -> None:
    assert address_errors(address_with("US", **{field: value})) == [(f"address.{field}", f"{field} must be a string")]


@pytest.mark.parametrize("field", LIMITS)
@pytest.mark.parametrize("text", ["a\nb", "a\r", "\x00a", "a\x7f", "a\x85b", "a\u2028b", "a\u2029", "a\ud800", "\ta"])
def test_control_characters_are_an_error_and_not_repeated(field: str, text: str) -> None:
    ((error_field, message),) = address_errors(address_with("DE", **{field: text}))
    assert error_field == f"address.{field}"
    assert message == f"{field} must not contain control characters or line breaks"


@pytest.mark.parametrize(("field", "max_length"), [("address1", 200), ("city", 100), ("state", 100)])
def test_texts_have_a_maximum_length_without_surrounding_blanks(field: str, max_length: int) -> None:
    assert address_errors(address_with("DE", **{field: " " + "x" * max_length + " "})) == []
    ((error_field, message),) = address_errors(address_with("DE", **{field: "x" * (max_length + 1)}))
    assert (error_field, message) == (f"address.{field}", f"{field} must have at most {max_length} characters")


@pytest.mark.parametrize("field", ["address1", "city", "zip", "country"])
@pytest.mark.parametrize("missing", [None, "", " \u2003"])
def test_all_but_the_state_are_required(field: str, missing: object) -> None:
    ((error_field, message),) = address_errors(address_with("US", **{field: missing}))
    assert error_field == f"address.{field}"
    assert message.startswith(f"{field} is required")


def test_all_errors_are_listed_in_the_order_of_the_members() -> None:
    address = {"country": "US", "zip": "ABC", "state": "XX", "city": 1, "address1": ""}
    fields = ["address.address1", "address.city", "address.state", "address.zip"]
    assert invalid_fields(dict(address)) == fields
    assert invalid_fields({}) == ["address.address1", "address.city", "address.zip", "address.country"]


def test_unknown_members_are_ignored() -> None:
    assert address_errors(address_with("US", address2="Apt 4", phone=7)) == []


def test_an_address_is_kept_as_written_without_surrounding_blanks() -> None:
    written = {"address1": " 10 Downing St ", "city": "London", "state": " ", "zip": "sw1a2aa", "country": "GB"}
    assert address_errors(written) == []
    assert parse_address(written) == Address("10 Downing St", "London", None, "sw1a2aa", "GB")
    assert parse_address(VALID["US"]) == Address("1 Main St", "Springfield", "CA", "94107", "US")
    assert parse_address(VALID["FR"]).state is None


VALUES = (
    st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text()) | st.sampled_from(["US", "CA", "GB"])
)


@given(st.dictionaries(st.sampled_from([*LIMITS, "other"]), VALUES))
def test_any_input_either_has_member_errors_or_is_an_address(members: dict[str, object]) -> None:
    errors = address_errors(members)
    assert {field for field, _ in errors} <= {f"address.{field}" for field in LIMITS}
    assert len({field for field, _ in errors}) == len(errors)
    if not errors:
        address = parse_address(members)
        assert address.country in COUNTRIES
        assert address.address1
        assert address.city
        assert address.zip


@given(st.sampled_from(sorted(COUNTRIES)), st.sampled_from(list(LIMITS)), st.text(max_size=300))
def test_an_accepted_text_is_short_and_printable(country: str, field: str, text: str) -> None:
    if not address_errors(address_with(country, **{field: text})):
        address = getattr(parse_address(address_with(country, **{field: text})), field) or ""
        assert len(address) <= LIMITS[field]
        assert len(address.splitlines()) <= 1
        address.encode()
