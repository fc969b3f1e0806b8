"""One outgoing attempt, which the courier receives, and its outcome, which it returns."""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.placeholders import fill

DELIVERED = "delivered"
HTTP_STATUS = "http_status"
TIMEOUT = "timeout"
DNS_ERROR = "dns_error"
CONNECTION_REFUSED = "connection_refused"
CONNECTION_RESET = "connection_reset"
TLS_ERROR = "tls_error"
BLOCKED_ADDRESS = "blocked_address"
REFUSED = "refused"

OUTCOMES = (
    DELIVERED,
    HTTP_STATUS,
    TIMEOUT,
    DNS_ERROR,
    CONNECTION_REFUSED,
    CONNECTION_RESET,
    TLS_ERROR,
    BLOCKED_ADDRESS,
    REFUSED,
)


class Hold(msgspec.Struct, frozen=True, gc=False):
    """A receiver that holds attempts: the host of its entry, and its answer when the test gives none."""

    entry: str
    outcome: str
    status: int | None
    body: bytes = b""


class Outgoing(msgspec.Struct, frozen=True, gc=False):
    """One forwarded attempt: POST `body` to `path` at `to` (`http://127.0.0.1:9000`).

    `attempt` and `endpoint` are slots, `host` is the endpoint's public name. `headers` are complete but for the
    signature, which is made over the exact bytes when they are sent: at `sign_s` (unix seconds), or by the wall clock
    where that is None (G24). The fault `effect` may change the signature. The receiver gets at most `at_once` attempts
    of a batch at a time. With `hold` the attempt is not sent: it waits until it is answered through the control API.
    """

    attempt: int
    endpoint: int
    host: str
    event_id: str
    number: int
    to: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    secret: str
    sign_s: int | None
    effect: str
    timeout_s: float
    at_once: int = 1
    hold: Hold | None = None

    def filled(self, origin: str, world_id: str) -> Outgoing:
        """A copy whose body has the origin and the world id in place of the placeholders (G1)."""
        return msgspec.structs.replace(self, body=fill(self.body, origin, world_id))


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The result of an attempt: one of OUTCOMES, the HTTP status if any, signing time in unix seconds, duration.

    `body` is the beginning of the body that the receiver answered, `cut` says whether it was longer.
    """

    outcome: str
    status: int | None
    signed_s: int
    took_s: float
    body: bytes = b""
    cut: bool = False


def outcome_of_status(status: int) -> str:
    """The outcome for an HTTP status. Only 2xx is a success; redirects are not followed (P-6.16)."""
    return DELIVERED if 200 <= status <= 299 else HTTP_STATUS
