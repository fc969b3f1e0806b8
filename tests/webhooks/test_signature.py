"""Signatures as they are written (P-6.12 to P-6.14, B43); tests/verify reads them."""

from __future__ import annotations

import hashlib
import hmac
import re

from hypothesis import given
from hypothesis import strategies as st

from giftsim.webhooks import signature
from giftsim.webhooks.signature import sign

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
    header = sign("whsec_4f9a", 1_798_990_800, b'{"id":"evt_1"}')
    assert header == "t=1798990800,v1=c567297df7877b96eb284858843bc2654972f1fa0a9cc7d9f0174f0822049272"


@given(SECRETS, TIMES, st.binary())
def test_a_receiver_computes_the_same_digest_from_the_raw_body(secret: str, t: int, body: bytes) -> None:
    header = sign(secret, t, body)
    assert re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", header, re.ASCII)
    assert header == f"t={t},v1={receiver_digest(secret, t, body)}"
