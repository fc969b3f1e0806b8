"""Idempotency: what a key was first used for, and the response that is replayed for it (G13, G14).

Keys that are a member of the body never expire. Keys that are a header expire, but not before an outcome that depends
on them is known (G58). Only 2xx responses are stored, in the transaction of
the change that they report.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import msgspec

from giftsim.engine.gateway.call import Call, Response, encode
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.idempotency_record import (
    IDEMPOTENCY_RECORDS,
    IdempotencyKey,
    IdempotencyRecord,
    is_expired,
)
from giftsim.engine.gateway.problem import IdempotencyKeyRequired, InFlight, InvalidIdempotencyKey, PayloadMismatch
from giftsim.engine.gateway.repeated_headers import LINE_BREAK
from giftsim.engine.kernel.instants import DAY, format_duration
from giftsim.engine.kernel.setting import duration, flag

HIDE_SECRETS = flag(
    "redact_secret_on_replay", False, "leave the secret of a new webhook subscription null in idempotent replays (A3.5)"
)
LIFETIME = duration("idempotency.lifetime", format_duration(DAY), "how long a header's idempotency key is remembered")


def look_up(call: Call) -> IdempotencyKey | None:
    """The call's key, or None; PayloadMismatch or InFlight where it is used for another call."""
    key = _key(call)
    if key is None:
        return None
    state, name = call.state, f"{call.caller.scope} {key}"
    table = state[IDEMPOTENCY_RECORDS]
    row = table.find("name", name)
    if row and is_expired(state, row):
        table.drop(row.n)
        row = None
    fingerprint = _fingerprint(call)
    used = row or call.world.calls.busy_keys.get(name)
    if used and used.fingerprint != fingerprint:
        raise PayloadMismatch(f"the idempotency key{_quoted(call, key)} was used with another payload; take a new key")
    if name in call.world.calls.busy_keys:
        call.headers["Retry-After"] = "1"
        raise InFlight(f"a call with the idempotency key{_quoted(call, key)} is still in progress")
    in_body = call.operation.idempotency == "body"
    return IdempotencyKey(name, fingerprint, None if in_body else state.now_ms + state.setting(LIFETIME), row)


def identity(call: Call) -> str:
    """The identity of a call and its repetitions: the idempotency key, or the payload where there is no key."""
    return f"{call.caller.scope} {_key(call) or _fingerprint(call)}"


def replay(record: IdempotencyRecord, hidden: Sequence[str] = ()) -> Response:
    """The stored response, marked by the header `Idempotent-Replayed` (A3.4).

    It is the same byte for byte, except that `hidden` members of its JSON object are null.
    """
    headers = {**dict(record.headers), "Idempotent-Replayed": "true"}
    body = record.body.read() if record.body else b""
    if hidden:
        body = encode({name: None if name in hidden else value for name, value in msgspec.json.decode(body).items()})
    return Response(record.status, body, headers, record.content_type)


def hidden_members(call: Call) -> Sequence[str]:
    """The members that a replay of this call leaves null: those of `x-hidden-in-replays`, if the setting is on."""
    members: Sequence[str] = call.operation.node.get("x-hidden-in-replays", ())
    hidden = bool(members) and call.state.setting(HIDE_SECRETS)
    return members if hidden else ()


def takes_header(operation: Operation) -> bool:
    """Whether the calls of an operation take their key from a header."""
    return operation.idempotency not in (None, "body") and operation.method != "GET"


def takes_key(operation: Operation) -> bool:
    """Whether the calls of an operation take a key."""
    return operation.idempotency == "body" or takes_header(operation)


def check_header(call: Call) -> None:
    """Refuse a call whose Idempotency-Key header is missing or malformed."""
    header_key(call)


def header_key(call: Call) -> str | None:
    """The Idempotency-Key header where the operation takes one; refused where it is missing or malformed (A3.6)."""
    if not takes_header(call.operation):
        return None
    key = call.header("Idempotency-Key")
    if key is None:
        if call.operation.idempotency == "required":
            raise IdempotencyKeyRequired(f"{call.method} {call.operation.template} requires an Idempotency-Key header")
        return None
    if LINE_BREAK in key:
        raise InvalidIdempotencyKey("this call has more than one Idempotency-Key header; send one")
    if not 1 <= len(key) <= 128 or not all(" " <= letter <= "~" for letter in key):
        raise InvalidIdempotencyKey("an Idempotency-Key is 1 to 128 printable ASCII characters")
    return key


def _key(call: Call) -> str | None:
    if call.operation.idempotency == "body":
        key = call.body.get("idempotency_key") if isinstance(call.body, dict) else None
        return key if isinstance(key, str) else None
    return header_key(call)


def _quoted(call: Call, key: str) -> str:
    return f" {key[:60]!r}" if call.interface.echoes_input else ""


def _fingerprint(call: Call) -> str:
    """A hash of method, path, query and body; member order and white space do not matter (A3.1).

    Where the key is a member of the body, the body alone identifies the request of an operation: the query does not
    count (B5). In JSON `1`, `1.0` and `true` are three different values, and they stay different here.
    """
    query = "" if call.operation.idempotency == "body" else call.query_string
    parts = (call.method.encode(), call.path.encode(), query.encode(), call.canonical)
    return blake2b(b"\n".join(parts), digest_size=16).hexdigest()
