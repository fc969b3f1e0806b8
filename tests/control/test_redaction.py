"""Redaction of secrets in texts and headers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.control.redaction import redact_request_headers, redact_response_headers, redact_text

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
        ("https://ada:hush@hooks.example/a", "https://***@hooks.example/a"),
        ("/x?url=https%3A%2F%2Fada%3Ahush%40b.example", "/x?url=https%3A%2F%2F***%40b.example"),
        ("/x?api_key=hush&page=2", "/x?api_key=***&page=2"),
        ('"https://hooks.example/a?limit=2&access_token=hush"', '"https://hooks.example/a?limit=2&access_token=***"'),
        ("/x?sig=hush;token=hush#token", "/x?sig=***;token=***#token"),
        ("/x?limit=5&monkey=a&postcode=89501&sign=now", "/x?limit=5&monkey=a&postcode=89501&sign=now"),
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
        ("Proxy-Authorization", "Basic aHVzaA==", "***"),
        ("X-Acme-Token", "hush", "***"),
        ("X-Tenant", "hush", "***"),
        ("Forwarded", "for=1.2.3.4;secret=hush", "***"),
        ("Referer", "https://ada:hush@a.example/?token=hush", "https://***@a.example/?token=***"),
        ("Idempotency-Key", "order-1", "order-1"),
        ("User-Agent", "app/1.0", "app/1.0"),
    ],
)
def test_credentials_in_headers_are_redacted(name: str, value: str, redacted: str) -> None:
    assert redact_request_headers(((name, value),)) == {name: redacted}


def test_a_response_has_only_headers_of_the_simulator() -> None:
    headers = {"X-Own": "a", "Set-Cookie": "session=hush", "Location": "/claim/w/hush"}
    assert redact_response_headers(headers) == {"X-Own": "a", "Set-Cookie": "***", "Location": "/claim/w/***"}
