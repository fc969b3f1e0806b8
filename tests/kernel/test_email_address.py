"""The rule for email addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.kernel.email_address import MAX_LENGTH, is_email, trim_email

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
