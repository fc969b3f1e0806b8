"""Texts that are almost magic values: each is named with what was meant, and no other text is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from giftsim.services.gifting.magic.deposit_amounts import AMOUNTS
from giftsim.services.gifting.magic.fault_values import VALUE_BY_TEXT
from giftsim.services.gifting.magic.postcodes import POSTCODES
from giftsim.services.gifting.magic.reference_table import rows
from giftsim.services.gifting.magic.spelling import MOST_COMPARED, misspelt_values, near_value
from giftsim.services.gifting.magic.value_format import DOMAIN
from tests.support.api_clients import PartnerClient
from tests.support.orders import order_body
from tests.support.responses import expect_status
from tests.support.worlds import World

ROOT = Path(__file__).parents[2]
EXAMPLES = [value for row in rows() for value in re.findall(r"`([^`]+)`", row.value)]
TEXTS = [value for value in (*EXAMPLES, *VALUE_BY_TEXT) if not value.isdecimal()]
NAMES = [text for text in TEXTS if text.startswith("Magic ") and " After " not in text]
EMAILS = [text for text in TEXTS if text.endswith(DOMAIN)]


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_magic_value_is_not_almost_one(text: str) -> None:
    host = text if "://" in text or not text.endswith(".example") or "@" in text else f"https://{text}/hook"
    assert near_value(host) is None
    assert (
        misspelt_values([{"zip": text, "country": "US"}, {"amount_cents": int(text) if text.isdecimal() else 0}]) == []
    )


@given(st.sampled_from(NAMES), st.sampled_from([str.lower, str.upper, str.swapcase, str.strip]), st.sampled_from(" -_"))
def test_letter_case_and_separators_are_mended(name: str, change: object, separator: str) -> None:
    written = change(name).replace(" ", separator)  # type: ignore[operator]
    assert near_value(written) == (None if written == name else name)
    assert near_value(f" {name}") == near_value(name + "\n") == name


@given(st.sampled_from([*NAMES, *EMAILS]), st.data())
def test_a_letter_too_few_or_too_many_is_mended(text: str, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(text.removesuffix(DOMAIN)) - 1))
    assume(text[index].isalpha() and not re.search(r"claims-\d", text))
    shorter = text[:index] + text[index + 1 :]
    longer = text[:index] + text[index] + text[index:]
    assert {near_value(shorter), near_value(longer)} == {text}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Magic Card Declnied", "Magic Card Declined"),
        ("Magic Card Declined once", "Magic Card Declined Once"),
        ("Magic Approved after 2h", "Magic Approved After 2h"),
        ("Magic Aproved After 2 hours", "Magic Approved After 2h"),
        ("Magic Rejected After 2x", "Magic Rejected After 2h"),
        ("bo+claim-3d@magic.giftsim.example", "bo+claims-3d@magic.giftsim.example"),
        ("claims-3days@magic.giftsim.example", "claims-3d@magic.giftsim.example"),
        ("card_declined@magic.giftsim.com", "card-declined@magic.giftsim.example"),
        ("Card-Declined@Magic.giftsim.example", "card-declined@magic.giftsim.example"),
        ("never-claim@magic.giftsim.exmaple", "never-claims@magic.giftsim.example"),
        ("bo@magic.giftsim.example", ""),
        ("https://status503.magic.giftsim.example/x", "https://status-503.magic.giftsim.example/x"),
        ("https://a.fail-3.magic.giftsim.example", "https://a.fails-3.magic.giftsim.example"),
        ("https://down-2days.magic.giftsim.example:80", "https://down-2d.magic.giftsim.example:80"),
        ("https://time-out.magic.giftsim.example/", "https://timeout.magic.giftsim.example/"),
        ("https://timeout.magic.gifsim.example/", "https://timeout.magic.giftsim.example/"),
        ("https://hooks.magic.giftsim.example/", ""),
        ("https://files.magic.giftsim.example/no_image.png", "https://files.magic.giftsim.example/no-image.png"),
    ],
)
def test_what_was_meant_is_found(written: str, meant: str) -> None:
    assert near_value(written) == meant
    assert near_value(meant) is None


@pytest.mark.parametrize(
    "text",
    ["Magic Show", "Magic Snow", "Magic Slow Cooker", "Magic Mug", "Marcia Slow", "Card Declined", "Logic Slow",
     "Magic", "bo@giftsim.example", "claims@example.com", "https://timeout.example.com", "https://magic.giftsim.example",
     "", "Magic ${reason}", "status-503.magic.giftsim.example"],
)  # fmt: skip
def test_an_ordinary_text_is_not_named(text: str) -> None:
    assert near_value(text) is None


@pytest.mark.parametrize("zip_code", ["00010", "00015", "0011", "00011-0000", " 00012"])
def test_a_postcode_that_is_almost_magic_is_named(zip_code: str) -> None:
    [(path, message)] = misspelt_values({"address": {"zip": zip_code, "country": "US"}})
    assert path == ("address", "zip")
    assert any(f'did you mean "{row.zip}"?' in message for row in POSTCODES)
    assert misspelt_values({"zip": zip_code, "country": "FI"}) == []


@given(st.one_of(st.integers(0, 10**10), st.integers(777_777_600, 777_777_800)))
def test_only_an_amount_of_sevens_is_named(cents: int) -> None:
    named = misspelt_values([{"amount_cents": cents}])
    is_magic = cents in {row.cents for row in AMOUNTS}
    assert not named or (str(cents).startswith("777777") and len(str(cents)) in (8, 9, 10) and not is_magic)


@pytest.mark.parametrize("cents", [77_777_701, 777_777_703, 7_777_777_701])
def test_an_amount_with_a_wrong_digit_is_named(cents: int) -> None:
    [(path, message)] = misspelt_values([{"amount_cents": cents}])
    assert (path, message.startswith(f"{cents} is not a magic amount; did you mean 7777777")) == (
        (0, "amount_cents"),
        True,
    )


def test_nothing_is_named_where_magic_values_are_off() -> None:
    data = {"name": "Magic Slwo Once"}
    assert misspelt_values(data) != []
    assert misspelt_values({"settings": {"magic_values": False}, **data}) == []


def test_a_file_with_very_many_names_like_magic_ones_is_not_compared_for_minutes() -> None:
    assert len(misspelt_values(["Magic Slwo Once"] + ["Magic Show"] * MOST_COMPARED + ["Magic Slwo Once"])) == 1


def test_what_is_named_has_no_effect_and_what_is_suggested_has(world: World, partner: PartnerClient) -> None:
    written = "Magic Credit-Limit"
    meant = near_value(written)
    expect_status(partner.post("/team-orders", order_body(idempotency_key="a", gift_sender=written)), 201)
    assert partner.post("/team-orders", order_body(idempotency_key="b", gift_sender=meant)).status == 402


def test_no_file_of_the_project_has_one() -> None:
    """Scenarios, fixtures and examples as data, and every quoted text of the pages."""
    files = [path for name in ("scenarios", "fixtures", "examples") for path in sorted((ROOT / name).rglob("*.yaml"))]
    assert len(files) > 100
    found = [
        (path, misspelt)
        for path in files
        for misspelt in misspelt_values(yaml.load(path.read_bytes(), yaml.CSafeLoader))
    ]
    assert found == []
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    texts = {(page.name, text) for page in pages for text in re.findall(r"[\"'`]([^\"'`\n]+)[\"'`]", page.read_text())}
    named = {(page, text) for page, text in texts if text[0] != "?" and near_value(text) is not None}
    assert named == set()
