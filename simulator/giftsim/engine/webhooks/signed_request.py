"""The HTTP request of an attempt: headers, body and signature, which a fault may spoil (P-6.10 to P-6.14)."""

from __future__ import annotations

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks.event import Event
from giftsim.engine.webhooks.outgoing import Outgoing
from giftsim.engine.webhooks.signature import EVENT_HEADER, EVENT_ID_HEADER, HEADER, TOLERANCE_S, sign

MISSING = "webhooks.signing_key_missing"


class WebhooksUnavailable(Problem, status=503, code="webhooks_unavailable"):
    """The signing key is missing."""


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


USER_AGENT = "giftsim-webhooks/1"

# Effects of faults on the signature; "" for none.
BAD_SIGNATURE, STALE_SIGNATURE, FUTURE_SIGNATURE = "bad_signature", "stale_signature", "future_signature"
SHIFT_S = {STALE_SIGNATURE: -2 * TOLERANCE_S, FUTURE_SIGNATURE: 2 * TOLERANCE_S}


def headers(event: Event, host: str, port: int) -> tuple[tuple[str, str], ...]:
    """All headers except the signature, `Host` first; `Host` includes a port other than 443."""
    return (
        ("Host", host if port == 443 else f"{host}:{port}"),
        ("User-Agent", USER_AGENT),
        ("Content-Type", "application/json"),
        (EVENT_HEADER, event.kind),
        (EVENT_ID_HEADER, event.id),
    )


def signature(secret: str, sent_s: int, body: bytes, effect: str = "") -> str:
    """The value of `X-Service-Signature` for a body sent at `sent_s`, made wrong, stale or future by a fault."""
    value = sign(secret, sent_s + SHIFT_S.get(effect, 0), body)
    return value[:-1] + ("0" if value[-1] != "0" else "1") if effect == BAD_SIGNATURE else value


def request_bytes(outgoing: Outgoing, signed_s: int) -> bytes:
    """The bytes of a forwarded request, with the signature of its exact body."""
    value = signature(outgoing.secret, signed_s, outgoing.body, outgoing.effect)
    lines = [f"POST {outgoing.path} HTTP/1.1", *(f"{name}: {value}" for name, value in outgoing.headers)]
    lines += [f"{HEADER}: {value}", f"Content-Length: {len(outgoing.body)}", "", ""]
    return "\r\n".join(lines).encode("ascii") + outgoing.body
