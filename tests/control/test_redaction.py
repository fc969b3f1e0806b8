"""Redaction of secrets in texts and headers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.control.redaction import redact_headers, redact_text

AROUND = ' "{}:,\n'
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("pk_live_default_prepaid", "pk_live_***"),
        ('{"key": "ptk_test_my-world_first"}', '{"key": "ptk_test_***"}'),
        ('"secret":"whsec_0a1b2c"', '"secret":"whsec_***"'),
        ("sess_default_owner.", "sess_***"),
        ("/claim/default/abc123", "/claim/default/***"),
        ("https://sim.example/claim/w-1/abc123?x=1", "https://sim.example/claim/w-1/***?x=1"),
        ("/claim/default/%61bc/more", "/claim/default/***/more"),
        ('"http:\\/\\/x\\/claim\\/w\\/abc123"', '"http:\\/\\/x\\/claim\\/w\\/***"'),
        ('"http://x/claim/w"', '"http://x/claim/w"'),
        ("Basic bXVzZXVtOm11c2V1bS1wYXNz", "Basic ***"),
        ("nothing secret", "nothing secret"),
        ("PK_LIVE_default_prepaid", "PK_LIVE_***"),
    ],
)
def test_each_kind_of_secret_is_replaced_and_its_prefix_kept(text: str, redacted: str) -> None:
    assert redact_text(text) == redacted


@given(st.text(AROUND), st.text(LETTERS, min_size=8), st.text(AROUND))
def test_a_secret_is_redacted_in_any_surroundings(before: str, token: str, after: str) -> None:
    for secret in (f"pk_live_{token}", f"ptk_test_w-1_{token}", f"whsec_{token}", f"sess_{token}", f"/claim/w/{token}"):
        redacted = redact_text(before + secret + after)
        assert token not in redacted
        assert redacted.startswith(before)
        assert redacted.endswith(after)


@pytest.mark.parametrize(
    ("name", "value", "redacted"),
    [
        ("Authorization", "Bearer pk_live_default_prepaid", "Bearer pk_live_***"),
        ("authorization", "Bearer some-other-token", "Bearer ***"),
        ("Authorization", "bearer  pk_live_w_x", "bearer  pk_live_***"),
        ("Authorization", "Basic bXVzZXVtOm11c2V1bS1wYXNz", "Basic ***"),
        ("Authorization", "Session sess_default_owner", "Session ***"),
        ("Authorization", "secret", "***"),
        ("Cookie", "session=anything", "***"),
        ("X-Api-Key", "ptk_live_default_approver", "ptk_live_***"),
        ("Content-Type", "application/json", "application/json"),
    ],
)
def test_credentials_in_headers_are_redacted(name: str, value: str, redacted: str) -> None:
    assert redact_headers(((name, value),)) == {name: redacted}
