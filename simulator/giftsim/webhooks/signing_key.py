"""The environment's signing key: without it endpoints are neither made nor tested, and sending waits (P-7.28, B30)."""

from __future__ import annotations

from giftsim.kernel.state import State
from giftsim.problem import Problem

MISSING = "webhooks.signing_key_missing"


class WebhooksUnavailable(Problem):
    """The environment has no signing key."""

    status = 503
    code = "webhooks_unavailable"


def is_missing(state: State) -> bool:
    """Whether sending is suspended."""
    return state.counter(MISSING) == 1


def require_signing_key(state: State) -> None:
    """WebhooksUnavailable while there is no signing key."""
    if is_missing(state):
        raise WebhooksUnavailable("Webhooks are unavailable: this environment has no signing key. Retry shortly.")


def remove(state: State) -> None:
    """Take the key away: from now on deliveries wait. `attempt.restore_signing_key` puts it back."""
    state.set_counter(MISSING, 1)
