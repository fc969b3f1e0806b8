"""Fresh values in requests: a service remembers idempotency keys and references, and every run must work (G124)."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from giftsim.compare.place import Place
from giftsim.scenario.steps.call import Request

KEY_HEADER, KEY_MEMBER, REFERENCE = "idempotency-key", "idempotency_key", "reference"
LONGEST = 128  # characters of an idempotency key


def with_fresh_values(request: Request, place: Place, run: str) -> Request:
    """The request with an idempotency key and a reference that end with the name of the run.

    Equal keys stay equal and different ones different. Values that no service takes stay as they are.
    """
    headers = {
        name: _fresh(value, run) if name.lower() == KEY_HEADER else value for name, value in request.headers.items()
    }
    return request._replace(headers=headers, body=_fresh_body(request.body, place, run))


def _fresh_body(body: Any, place: Place, run: str) -> Any:
    if not isinstance(body, Mapping):
        return body
    in_body = place.operation is not None and place.operation.idempotency == "body"
    names = (REFERENCE, *((KEY_MEMBER,) if in_body else ()))
    fresh = {name: _fresh(body[name], run) for name in names if isinstance(body.get(name), str)}
    return {**body, **fresh}


def _fresh(value: str, run: str) -> str:
    if not value.strip() or not value.isprintable() or not value.isascii() or len(value) > LONGEST:
        return value
    fresh = f"{value}-{run}"
    return fresh if len(fresh) <= LONGEST else sha256(fresh.encode()).hexdigest()
