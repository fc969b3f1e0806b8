"""The rule for email addresses."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.kernel.email_address import MAX_LENGTH, is_email, trim_email
from giftsim.engine.kernel.placeholders import WORLD, fill_placeholders, fill_text, json_link
from giftsim.engine.kernel.texts import find_nearest, suggest_name
from giftsim.engine.kernel.url_passwords import hide_url_passwords
from giftsim.engine.problem import Problem

LONG_DOMAIN = ".".join(["d" * 61] * 4)  # 247 characters


@pytest.mark.parametrize(
    "address",
    ["bo@example.com", "b@e", "bo.berg+gifts@mail.example.com", "BO@EXAMPLE.COM", "o'hara@example.com",
     "bo@xn--bcher-kva.example", "bo@10.0.0.1", "x" * 64 + "@e", "bobobo@" + LONG_DOMAIN],
)  # fmt: skip
def test_an_address_is_accepted_with_blanks_at_either_end(address: str) -> None:
    for text in (address, f"  {address}", f"{address}\t", f" {address}\n"):
        assert is_email(text)
        assert trim_email(text) == address


@pytest.mark.parametrize(
    "text",
    ["", " ", "bo", "bo@", "@example.com", "a@@b", "bo@berg@example.com", "bo berg@example.com", "bo@ example.com",
     "Bo <bo@example.com>", "bo@example..com", "bo@.example.com", "bo@example.com.", "bo@[10.0.0.1]", "bo..b@e",
     ".bo@e", "bo.@e", '"bo"@e', "bo@-e", "bo@e-", "bo@e_f", "bö@e", "bo@ö", "bo\n@e", "bo\x00@e", "x" * 65 + "@e",
     "bo@" + "e" * 64, "bobobobo@" + LONG_DOMAIN, "bo,cy@e", "bo@e\x00"],
)  # fmt: skip
def test_everything_else_is_refused(text: str) -> None:
    assert not is_email(text)


@given(st.emails())
def test_the_addresses_of_programs_are_accepted(address: str) -> None:
    assert is_email(address) is (len(address) <= MAX_LENGTH)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("https://ada:hush@hooks.example/a", "https://...@hooks.example/a"),
        ("https://hush@hooks.example/a", "https://...@hooks.example/a"),
        ("https://:hush@hooks.example", "https://...@hooks.example"),
        ("https://a@b:hush@hooks.example/x@y", "https://...@hooks.example/x@y"),
        ("https://a:hu%40sh@hooks.example", "https://...@hooks.example"),
        ("POSTGRES://ada:hush@db/x and http://ada:hush@b", "POSTGRES://...@db/x and http://...@b"),
        ("//ada:hush@hooks.example/", "//...@hooks.example/"),
        (r'"https:\/\/ada:hush@hooks.example\/"', r'"https:\/\/...@hooks.example\/"'),
        ("u=https%3a%2F%2Fada%3Ahush%40a.example%2Fx%40y", "u=https%3a%2F%2F...%40a.example%2Fx%40y"),
        ("https://...@hooks.example", "https://...@hooks.example"),
        ("https://cdn.example/logo@2x.png", "https://cdn.example/logo@2x.png"),
        ("see https://a.example or mail bo@example.com", "see https://a.example or mail bo@example.com"),
        ("bo@example.com", "bo@example.com"),
    ],
)
def test_a_url_has_no_user_name_and_password(text: str, hidden: str) -> None:
    assert hide_url_passwords(text) == hidden


def test_the_message_of_a_problem_has_none() -> None:
    problem = Problem("there is no operation at /x/https://ada:hush@hooks.example")
    assert problem.message == str(problem) == "there is no operation at /x/https://...@hooks.example"


KNOWN = ("advance", "restore", "undo")


@pytest.mark.parametrize(("name", "match"), [("advanse", "advance"), ("und", "undo"), ("xyz", None), ("", None)])
def test_the_nearest_name_is_one_that_is_alike(name: str, match: str | None) -> None:
    assert find_nearest(name, KNOWN) == match


def test_the_cutoff_says_how_alike_a_name_has_to_be() -> None:
    assert (find_nearest("store", KNOWN, 0.8), find_nearest("store", KNOWN, 0.9)) == ("restore", None)


def test_a_suggestion_names_the_nearest_or_lists_what_is_known() -> None:
    assert suggest_name("advanse", KNOWN) == "did you mean advance?"
    assert suggest_name("xyz", KNOWN) == "known are advance, restore, undo"
    assert suggest_name("xyz", KNOWN, "there are 3") == "there are 3"
    assert suggest_name("xyz", ()) == "known are none"


def test_a_link_is_absolute_once_it_is_filled() -> None:
    stored = msgspec.json.encode({"link": json_link(f"/claim/{WORLD}/abc")})
    filled = fill_placeholders(stored, "http://127.0.0.1:8080", "w1")
    assert msgspec.json.decode(filled) == {"link": "http://127.0.0.1:8080/claim/w1/abc"}
    assert fill_text(stored.decode(), "http://127.0.0.1:8080", "w1").encode() == filled


def test_a_link_without_a_world_has_its_origin_and_a_world_alone_is_filled_too() -> None:
    assert (
        fill_placeholders(msgspec.json.encode(json_link("/claim")), "http://127.0.0.1:8080", "w1")
        == b'"http://127.0.0.1:8080/claim"'
    )
    assert fill_placeholders(WORLD.encode(), "http://127.0.0.1:8080", "w1") == b"w1"


@given(st.text())
def test_no_text_in_json_is_changed(text: str) -> None:
    stored = msgspec.json.encode(text)
    assert fill_placeholders(stored, "http://origin.example", "w1") == stored
