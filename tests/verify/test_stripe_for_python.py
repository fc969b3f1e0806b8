"""The public library `stripe` for Python accepts and refuses the test vectors as the package's verifier does."""

from __future__ import annotations

import json
from importlib.metadata import version

from stripe import SignatureVerificationError, WebhookSignature

from giftsim import verify
from giftsim.testing.frozen_clock import WorldClock, frozen
from giftsim.verify import Vector
from tests.support.stripe_verdicts import expected_verdicts

LIBRARY = "stripe-python"


def verdict(vector: Vector, clock: WorldClock) -> str:
    clock.fixed_ms = vector.now * 1000
    try:
        WebhookSignature.verify_header(vector.body, vector.header, vector.secret, vector.tolerance)
    except (SignatureVerificationError, ValueError, TypeError):  # the last two for text it cannot decode or compare
        return "refused"
    return "accepted"


def test_stripe_for_python_decides_as_every_vector_says() -> None:
    with frozen(lambda: 0) as clock:
        verdicts = {vector.name: verdict(vector, clock) for vector in verify.vectors()}
    assert verdicts == expected_verdicts(LIBRARY)


def test_the_version_in_the_vectors_is_the_one_that_is_pinned() -> None:
    named = json.loads(verify.vectors_path().read_text(encoding="utf-8"))["libraries"][LIBRARY]
    assert named.startswith(f"stripe {version('stripe').rpartition('.')[0]} for Python")
