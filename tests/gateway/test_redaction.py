"""Redaction: nothing that identifies a person or grants access is left in a message."""

from __future__ import annotations

import pytest

from giftsim.interfaces.team.error_envelope import redact


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("no recipient bo@example.com here", "no recipient *** here"),
        ("mailto bo%40example.com", "mailto ***"),
        ('"Bo <bo+gifts@sub.example.co.uk>"', '"Bo <***>"'),
        ("see https://gifts.example/claim/w1/abc?x=1 now", "see *** now"),
        ("see //gifts.example/claim/w1/abc", "see ***"),
        ("see /claim/w1/abc", "see ***"),
        ("the key ptk_live_w1_a is revoked", "the key *** is revoked"),
        ("the key PK_TEST_w-1_Zz9", "the key ***"),
        ("session sess_w1_abc", "session ***"),
        ("signed by whsec_abcdefgh", "signed by ***"),
        ("token 0a1b2c3d4e5f6a7b!", "token ***!"),
        ("a@b, c@d; e@f: (g@h)", "***, ***; ***: (***)"),
    ],
)
def test_what_grants_access_or_names_a_person_is_replaced(text: str, redacted: str) -> None:
    assert redact(text) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "recipients[0].email is required",
        "there is no operation at /api/teams/v1/team-orders/1001",
        "the order 1001 is canceled, not paid",
        "charge_refused_for_insufficient_funds",
        "1234567890123456",
        "0a1b2c3d4e5f6a7",
        "whsec_short",
        "@ alone",
    ],
)
def test_an_ordinary_message_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


def test_redacting_twice_changes_nothing_more() -> None:
    once = redact("bo@example.com at https://gifts.example/claim/w1/abc with ptk_live_w1_a")
    assert redact(once) == once == "*** at *** with ***"
