"""What the courier receives and returns: one outgoing attempt, and its outcome (P-6.10 to P-6.14).

The HTTP request of an attempt has a signature, which a fault may spoil.
"""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.placeholders import fill_placeholders
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks.event import Event
from giftsim.engine.webhooks.signature import EVENT_HEADER, EVENT_ID_HEADER, HEADER, TOLERANCE_S, sign

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
        return msgspec.structs.replace(self, body=fill_placeholders(self.body, origin, world_id))


def signed_at(outgoing: Outgoing, sign_s: int) -> Outgoing:
    """The attempt with a signature of this unix second."""
    return msgspec.structs.replace(outgoing, sign_s=sign_s)


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


MISSING = "webhooks.signing_key_missing"
NO_SIGNING_KEY = "Webhooks are unavailable: this environment has no signing key. Retry shortly."


class WebhooksUnavailable(Problem, status=503, code="webhooks_unavailable"):
    """The signing key is missing."""


def is_key_missing(state: State) -> bool:
    """Whether the signing key is missing, so that nothing is sent."""
    return state.counter(MISSING) == 1


def require_signing_key(state: State) -> None:
    """WebhooksUnavailable while the signing key is missing."""
    if is_key_missing(state):
        raise WebhooksUnavailable(NO_SIGNING_KEY)


def remove_signing_key(state: State) -> None:
    """Remove the signing key: deliveries wait until `dispatch.restore_signing_key`."""
    state.set_counter(MISSING, 1)


USER_AGENT = "giftsim-webhooks/1"

# Effects of faults on the signature; "" for none.
BAD_SIGNATURE, STALE_SIGNATURE, FUTURE_SIGNATURE = "bad_signature", "stale_signature", "future_signature"
SHIFT_S = {STALE_SIGNATURE: -2 * TOLERANCE_S, FUTURE_SIGNATURE: 2 * TOLERANCE_S}


def unsigned_headers(event: Event, host: str, port: int) -> tuple[tuple[str, str], ...]:
    """All headers except the signature, `Host` first; `Host` includes a port other than 443."""
    return (
        ("Host", host if port == 443 else f"{host}:{port}"),
        ("User-Agent", USER_AGENT),
        ("Content-Type", "application/json"),
        (EVENT_HEADER, event.kind),
        (EVENT_ID_HEADER, event.id),
    )


def signature_header(secret: str, sent_s: int, body: bytes, effect: str = "") -> str:
    """The value of `X-Service-Signature` for a body sent at `sent_s`, made wrong, stale or future by a fault."""
    value = sign(secret, sent_s + SHIFT_S.get(effect, 0), body)
    return value[:-1] + ("0" if value[-1] != "0" else "1") if effect == BAD_SIGNATURE else value


def request_bytes(outgoing: Outgoing, signed_s: int) -> bytes:
    """The bytes of a forwarded request, with the signature of its exact body."""
    value = signature_header(outgoing.secret, signed_s, outgoing.body, outgoing.effect)
    lines = [f"POST {outgoing.path} HTTP/1.1", *(f"{name}: {value}" for name, value in outgoing.headers)]
    lines += [f"{HEADER}: {value}", f"Content-Length: {len(outgoing.body)}", "", ""]
    return "\r\n".join(lines).encode("ascii") + outgoing.body
