"""Webhooks as an app verifies them: each test vector, every age, and the errors (P-6.12 to P-6.14, G127)."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim import verify
from giftsim.testing import Giftsim
from giftsim.verify import Vector
from tests.support.signatures import verifies

VECTORS = verify.vectors()
SECRET = "whsec_4f9a"
T = 1_798_990_800
BODY = b'{"id":"evt_1"}'
HEADER = verify.sign(SECRET, T, BODY)

SECRETS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
TIMES = st.integers(0, 10**11)


@pytest.mark.parametrize("vector", VECTORS, ids=[vector.name for vector in VECTORS])
def test_a_test_vector_is_accepted_or_refused_for_its_reason(vector: Vector) -> None:
    assert (reason(vector) is None, reason(vector)) == (vector.accepted, vector.reason)


def reason(vector: Vector) -> str | None:
    """Why the verifier refuses; None if it accepts."""
    try:
        verify.webhook(vector.body, vector.header, vector.secret, tolerance=vector.tolerance, now=vector.now)
    except verify.InvalidSignature as refused:
        return refused.reason
    return None


@pytest.mark.parametrize("secret", ["", " ", None, b"whsec_4f9a"], ids=repr)
def test_a_secret_other_than_text_is_missing(secret: Any) -> None:
    with pytest.raises(verify.MissingSecret) as refused:
        verify.webhook(BODY, HEADER, secret, now=T)
    assert refused.value.reason == "no_secret"


def test_every_error_is_public_has_a_reason_of_its_own_and_a_vector() -> None:
    kinds = verify.InvalidSignature.__subclasses__()
    reasons = {kind.reason for kind in kinds}
    assert len(reasons) == len(kinds)
    assert reasons == {vector.reason for vector in VECTORS} - {None}
    assert {kind.__name__ for kind in kinds} <= set(verify.__all__)


def test_vectors_are_named_once_and_the_file_is_package_data() -> None:
    assert len({vector.name for vector in VECTORS}) == len(VECTORS) > 80
    assert verify.vectors_path().read_bytes() == files("giftsim.verify").joinpath("vectors.json").read_bytes()


@given(SECRETS, TIMES, st.binary(), st.integers(-300, 300))
def test_a_signature_verifies_up_to_five_minutes_before_and_after(secret: str, t: int, body: bytes, age: int) -> None:
    assert verifies(secret, verify.sign(secret, t, body), body, t + age)


@pytest.mark.parametrize(("age", "fresh"), [(-301, False), (-300, True), (300, True), (300.01, False), (301, False)])
def test_a_signature_expires_after_300_seconds(age: float, fresh: bool) -> None:
    assert verifies(SECRET, HEADER, BODY, T + age) is fresh


@given(SECRETS, SECRETS, TIMES, TIMES, st.binary(), st.binary())
def test_another_secret_time_or_body_does_not_verify(
    secret: str, other_secret: str, t: int, other_t: int, body: bytes, other_body: bytes
) -> None:
    header = verify.sign(secret, t, body)
    assert verifies(other_secret, header, body, t) == (hmac_key(other_secret) == hmac_key(secret))
    assert verifies(secret, header, other_body, t) == (other_body == body)
    assert verifies(secret, header.replace(f"t={t},", f"t={other_t},"), body, other_t) == (other_t == t)


def hmac_key(secret: str) -> bytes:
    """The key as HMAC uses it: short ones are padded with zero bytes, long ones are hashed."""
    key = secret.encode()
    return (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")


@given(st.text())
def test_arbitrary_text_is_refused_and_breaks_nothing(header: str) -> None:
    assert not verifies(SECRET, header, BODY, T)


def test_a_header_with_half_a_character_is_refused() -> None:
    assert not verifies(SECRET, f"t={T},v1=\ud83c", BODY, T)


def test_a_decoded_body_is_a_mistake_of_the_app_and_no_bad_webhook() -> None:
    with pytest.raises(TypeError, match="pass the bytes of the request as received"):
        verify.webhook(BODY.decode(), HEADER, SECRET, now=T)  # type: ignore[arg-type]


def test_the_messages_say_what_is_wrong_and_show_neither_secret_nor_digest() -> None:
    with pytest.raises(verify.TooOld, match=r"Signed 3600 seconds ago, tolerance 300") as too_old:
        verify.webhook(BODY, HEADER, SECRET, now=T + 3600)
    with pytest.raises(verify.SignatureMismatch) as mismatch:
        verify.webhook(b"{}", HEADER, SECRET, now=T)
    expected = verify.sign(SECRET, T, b"{}").partition("v1=")[2]
    assert not any(part in f"{too_old.value}{mismatch.value}" for part in (SECRET, expected))


def test_without_a_time_the_machine_s_clock_decides() -> None:
    with pytest.raises(verify.TooOld):
        verify.webhook(BODY, verify.sign(SECRET, 1, BODY), SECRET)


def test_with_the_app_s_clock_frozen_the_world_s_time_decides(giftsim: Giftsim) -> None:
    with giftsim.freeze_app():
        now = int(giftsim.now.timestamp())
        verify.webhook(BODY, verify.sign(SECRET, now, BODY), SECRET)
        giftsim.advance("10m")
        with pytest.raises(verify.TooOld):
            verify.webhook(BODY, verify.sign(SECRET, now, BODY), SECRET)


def test_importing_it_loads_nothing_of_the_simulator_but_the_signature() -> None:
    code = "import sys; from giftsim import verify; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, env=path())
    loaded = set(done.stdout.split())
    assert {name for name in loaded if name.startswith("giftsim")} == {
        "giftsim", "giftsim.verify", "giftsim.engine", "giftsim.engine.webhooks", "giftsim.engine.webhooks.signature",
    }  # fmt: skip
    assert not loaded & {"msgspec", "flask", "yaml", "pathlib", "json", "jsonschema_rs", "click", "dataclasses"}


def path() -> dict[str, str]:
    """An environment in which Python finds this package."""
    return {"PYTHONPATH": str(files("giftsim").joinpath(".."))}
