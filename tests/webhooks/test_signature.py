"""Signatures, as a receiver verifies them (P-6.12 to P-6.14, B43)."""

from __future__ import annotations

import hashlib
import hmac
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.webhooks import signature
from giftsim.webhooks.signature import sign, verify

SECRET = "whsec_4f9a"
T = 1_798_990_800
BODY = b'{"id":"evt_1"}'
HEADER = sign(SECRET, T, BODY)
DIGEST = HEADER.partition("v1=")[2]

SECRETS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
TIMES = st.integers(0, 10**11)


def receiver_digest(secret: str, t: int, body: bytes) -> str:
    """The digest as documented for receivers, computed with the long form of hmac."""
    return hmac.new(secret.encode("utf-8"), str(t).encode("ascii") + b"." + body, hashlib.sha256).hexdigest()


def test_the_headers_have_the_documented_names() -> None:
    names = (signature.HEADER, signature.EVENT_HEADER, signature.EVENT_ID_HEADER)
    assert names == ("X-Service-Signature", "X-Service-Event", "X-Service-Event-Id")


def test_a_signature_matches_the_one_from_openssl() -> None:
    # From: printf '1798990800.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_4f9a
    assert HEADER == "t=1798990800,v1=c567297df7877b96eb284858843bc2654972f1fa0a9cc7d9f0174f0822049272"


@given(SECRETS, TIMES, st.binary())
def test_a_receiver_computes_the_same_digest_from_the_raw_body(secret: str, t: int, body: bytes) -> None:
    header = sign(secret, t, body)
    assert re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", header, re.ASCII)
    assert header == f"t={t},v1={receiver_digest(secret, t, body)}"


@given(SECRETS, TIMES, st.binary(), st.integers(-300, 300))
def test_a_signature_verifies_up_to_five_minutes_before_and_after(secret: str, t: int, body: bytes, age: int) -> None:
    assert verify(secret, sign(secret, t, body), body, t + age)


@pytest.mark.parametrize(("age", "fresh"), [(-301, False), (-300, True), (0, True), (300, True), (301, False)])
def test_a_signature_expires_after_300_seconds(age: int, fresh: bool) -> None:
    assert verify(SECRET, HEADER, BODY, T + age) is fresh


def test_the_tolerance_can_be_set() -> None:
    assert verify(SECRET, HEADER, BODY, T + 5, tolerance=5)
    assert not verify(SECRET, HEADER, BODY, T + 6, tolerance=5)
    assert not verify(SECRET, HEADER, BODY, T + 1, tolerance=0)


@given(SECRETS, SECRETS, TIMES, TIMES, st.binary(), st.binary())
def test_another_secret_time_or_body_does_not_verify(
    secret: str, other_secret: str, t: int, other_t: int, body: bytes, other_body: bytes
) -> None:
    header = sign(secret, t, body)
    assert verify(other_secret, header, body, t) == (hmac_key(other_secret) == hmac_key(secret))
    assert verify(secret, header, other_body, t) == (other_body == body)
    assert verify(secret, header.replace(f"t={t},", f"t={other_t},"), body, other_t) == (other_t == t)


def hmac_key(secret: str) -> bytes:
    """The key as HMAC uses it: short ones are padded with zero bytes, long ones are hashed."""
    key = secret.encode()
    return (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")


def test_the_prefix_is_part_of_the_key() -> None:
    assert sign("whsec_4f9a", T, BODY) != sign("4f9a", T, BODY)
    assert not verify("4f9a", HEADER, BODY, T)


def test_the_body_is_signed_byte_by_byte() -> None:
    assert not verify(SECRET, HEADER, b'{"id": "evt_1"}', T)


@pytest.mark.parametrize(
    "header",
    [
        "",
        DIGEST,
        f"v1={DIGEST}",
        f"t={T}",
        f"t={T},v1=",
        f"v1={DIGEST},t={T}",
        f"t={T}, v1={DIGEST}",
        f" {HEADER}",
        f"{HEADER} ",
        f"{HEADER}\n",
        f"{HEADER}\uff10",
        f"{HEADER},v1={DIGEST}",
        f"t={T},v1={DIGEST.upper()}",
        f"t={T},v1={DIGEST[:-1]}",
        f"t={T},v1={DIGEST}0",
        f"t={T},v0={DIGEST}",
        f"t=0{T},v1={DIGEST}",
        f"t=+{T},v1={DIGEST}",
        f"t={T}.0,v1={DIGEST}",
        f"t={T}000,v1={DIGEST}",
        f"t=,v1={DIGEST}",
        f"t=-1,v1={DIGEST}",
        f"t={'9' * 5000},v1={DIGEST}",
        f"t={T},v1=" + "\uff10" * 64,
        HEADER.replace("1798", "\uff11798"),
        HEADER.translate({ord("a"): "b", ord("1"): "2"}),
    ],
)
def test_a_malformed_header_does_not_verify(header: str) -> None:
    assert verify(SECRET, header, BODY, T) is False


@given(st.text())
def test_arbitrary_text_does_not_verify_or_raise(header: str) -> None:
    assert verify(SECRET, header, BODY, T) is False
