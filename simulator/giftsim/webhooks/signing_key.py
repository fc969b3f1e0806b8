"""The signing key. While it is missing, endpoints are neither created nor tested, and deliveries wait (P-7.28, B30)."""

from __future__ import annotations

from giftsim.kernel.state import State
from giftsim.problem import Problem

MISSING = "webhooks.signing_key_missing"


class WebhooksUnavailable(Problem):
    """The signing key is missing."""

    status = 503
    code = "webhooks_unavailable"


def is_key_missing(state: State) -> bool:
    """Whether the signing key is missing, so that nothing is sent."""
    return state.counter(MISSING) == 1


def require_signing_key(state: State) -> None:
    """WebhooksUnavailable while the signing key is missing."""
    if is_key_missing(state):
        raise WebhooksUnavailable("Webhooks are unavailable: this environment has no signing key. Retry shortly.")


def remove_signing_key(state: State) -> None:
    """Remove the signing key: deliveries wait until `dispatch.restore_signing_key`."""
    state.set_counter(MISSING, 1)
