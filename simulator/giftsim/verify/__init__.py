"""Verify a webhook that your app received: `from giftsim import verify`.

    verify.webhook(request.body, request.headers.get(verify.HEADER), SECRET)  # raises verify.InvalidSignature

Importing this module loads nothing of the simulator but the function that signs, so an app can use it in production.

    InvalidSignature(ValueError)   `reason`, the word in brackets, is also that of the test vectors
    +-- MissingSecret              [no_secret]         the secret is empty, blank or not a text
    +-- MissingHeader              [no_header]         the request has no signature header, or an empty one
    +-- MalformedHeader            [malformed_header]  not exactly one `t`, or `t` is not a plain decimal number
    +-- NoSignature                [no_signature]      the header has no `v1`
    +-- SignatureMismatch          [mismatch]          no `v1` is the digest of `<t>.<body>` with this secret
    +-- TooOld                     [too_old]           genuine, but signed more than `tolerance` seconds ago
    +-- TooNew                     [too_new]           genuine, but signed more than `tolerance` seconds ahead of now
"""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from giftsim.engine.webhooks.signature import EVENT_HEADER, EVENT_ID_HEADER, HEADER, TOLERANCE_S, sign, signature_digest

if TYPE_CHECKING:
    from pathlib import Path


class InvalidSignature(ValueError):
    """The webhook is not to be trusted; `reason` is a word for programs, and the message a sentence for people."""

    reason: ClassVar[str] = "invalid"


class MissingSecret(InvalidSignature):
    """The secret is empty, blank or not a text (an unset variable), so that anybody could have signed with it."""

    reason = "no_secret"


class MissingHeader(InvalidSignature):
    """The request has no signature header, or an empty one."""

    reason = "no_header"


class MalformedHeader(InvalidSignature):
    """The header has no `t`, several, or one that is not a plain decimal number."""

    reason = "malformed_header"


class NoSignature(InvalidSignature):
    """The header has no `v1`."""

    reason = "no_signature"


class SignatureMismatch(InvalidSignature):
    """No `v1` of the header is the digest of `<t>.<body>` with this secret."""

    reason = "mismatch"


class TooOld(InvalidSignature):
    """Genuine, but signed longer ago than the tolerance: perhaps somebody sends it again."""

    reason = "too_old"


class TooNew(InvalidSignature):
    """Genuine, but signed further in the future than the tolerance: a clock is wrong."""

    reason = "too_new"


class Vector(NamedTuple):
    """One request as received at `now` (unix seconds), and what a verifier makes of it."""

    name: str
    about: str
    secret: str
    header: str | None
    body: bytes
    now: int
    tolerance: int
    accepted: bool
    reason: str | None  # why it is refused: `reason` of a kind of InvalidSignature
    differs: Mapping[str, str]  # by library: how it disagrees, where the service's documents decide otherwise


def vectors_path() -> Path:
    """Where the JSON file is installed."""
    from pathlib import Path  # here, so that verifying in production does not pay for it

    return Path(__file__).with_name("vectors.json")


def vectors() -> tuple[Vector, ...]:
    """Every test vector."""
    import base64
    import json

    def read(node: dict[str, str]) -> bytes:
        return base64.b64decode(node["body_base64"]) if "body_base64" in node else node["body"].encode()

    return tuple(
        Vector(
            **{name: node[name] for name in ("name", "about", "secret", "header", "now", "tolerance", "reason")},
            body=read(node),
            accepted=node["verdict"] == "accepted",
            differs=node.get("differs", {}),
        )
        for node in json.loads(vectors_path().read_text(encoding="utf-8"))["vectors"]
    )


__all__ = [
    "EVENT_HEADER",
    "EVENT_ID_HEADER",
    "HEADER",
    "TOLERANCE_S",
    "InvalidSignature",
    "MalformedHeader",
    "MissingHeader",
    "MissingSecret",
    "NoSignature",
    "SignatureMismatch",
    "TooNew",
    "TooOld",
    "Vector",
    "sign",
    "vectors",
    "vectors_path",
    "webhook",
]

# Only the spelling that is sent: digits in ASCII without sign, blank, leading zero, fraction or underscore (G127).
_SECONDS = re.compile(r"0|[1-9][0-9]{0,14}")


def webhook(
    body: bytes, header: str | None, secret: str | None, *, tolerance: float = TOLERANCE_S, now: float | None = None
) -> None:
    """Return if the webhook is genuine and recent; otherwise raise a kind of InvalidSignature (P-6.12 to P-6.14, G127).

    `body` is the request's body, byte for byte as received: parsed and written again it has another signature. `header`
    is the value of `X-Service-Signature`. `secret` is the endpoint's whole secret with its `whsec_`. `tolerance` is in
    seconds, before and after `now`, which is in unix seconds and the machine's clock by default.
    """
    if isinstance(body, str):
        raise TypeError("body is text: pass the bytes of the request as received, before they are decoded or parsed")
    if not isinstance(secret, str) or not secret.strip():
        raise MissingSecret(
            "The secret is empty, or not a text. Pass the one that the endpoint's creation returned, `whsec_...`."
        )
    if not header:
        raise MissingHeader(f"The request has no {HEADER} header.")
    t, signatures = _read(header)
    expected = signature_digest(secret, t, body).encode()
    if not any(hmac.compare_digest(expected, given.encode("utf-8", "replace")) for given in signatures):
        raise SignatureMismatch(
            "No signature in the header is that of this body with this secret. Pass the raw body, and this endpoint's"
            " secret."
        )
    _check_age(t, time.time() if now is None else now, tolerance)


def _read(header: str) -> tuple[int, list[str]]:
    """The `t` and every `v1` of the header, in any order; fields with other names are ignored (G127)."""
    fields = [part.partition("=") for part in header.split(",")]
    times = [value for name, _, value in fields if name == "t"]
    if len(times) != 1 or _SECONDS.fullmatch(times[0]) is None:
        raise MalformedHeader(
            f"The {HEADER} header needs exactly one `t` in plain unix seconds, as in `t=1798990800,v1=...`."
        )
    signatures = [value for name, _, value in fields if name == "v1"]
    if not signatures:
        raise NoSignature(f"The {HEADER} header has no `v1`.")
    return int(times[0]), signatures


def _check_age(t: int, now: float, tolerance: float) -> None:
    if now - t > tolerance:
        raise TooOld(f"Signed {now - t:.0f} seconds ago, tolerance {tolerance:g}. Perhaps an old request sent again.")
    if t - now > tolerance:
        raise TooNew(f"Signed {t - now:.0f} seconds in the future, tolerance {tolerance:g}. Perhaps a clock is wrong.")
