"""The gateway's own problems. An interface may give them other codes (`Interface.codes`).

Problem
├── RouteNotFound 404, MethodNotAllowed 405
├── InvalidBody 400 (InvalidJson, BodyTooLarge), InvalidParameter 400 (InvalidCursor)
├── Unauthorized 401, Forbidden 403, RateLimited 429
├── IdempotencyKeyRequired 400, InvalidIdempotencyKey 400
├── PayloadMismatch 409, InFlight 409
├── InjectedFault (any documented status)
└── Internal 500
"""

from __future__ import annotations

from giftsim.engine.problem import Problem


class RouteNotFound(Problem, status=404, code="not_found"):
    """There is no operation at this path."""


class MethodNotAllowed(Problem, status=405, code="method_not_allowed"):
    """The path has no operation of this method; the header `Allow` lists the methods that it has."""


class InvalidBody(Problem, status=400, code="invalid_body"):
    """The body does not match its schema."""


class InvalidJson(InvalidBody, code="invalid_json"):
    """The body is not strict JSON, or is missing."""


class BodyTooLarge(InvalidBody, code="body_too_large"):
    """The body is larger than the gateway accepts (G18)."""


class InvalidParameter(Problem, status=400, code="invalid_parameter"):
    """A path or query parameter does not match its schema."""


class InvalidCursor(InvalidParameter, code="invalid_cursor"):
    """The cursor was not issued for this list with these filters."""


class Unauthorized(Problem, status=401, code="unauthorized"):
    """The credential is missing, or the world does not know it."""


class Forbidden(Problem, status=403, code="forbidden"):
    """The credential is valid, but does not allow this."""


class RateLimited(Problem, status=429, code="rate_limited"):
    """The key's rate-limit window is full (G15)."""


class IdempotencyKeyRequired(Problem, status=400, code="idempotency_key_required"):
    """The operation requires an Idempotency-Key header."""


class InvalidIdempotencyKey(Problem, status=400, code="invalid_idempotency_key"):
    """An Idempotency-Key is 1 to 128 printable characters."""


class PayloadMismatch(Problem, status=409, code="idempotency_key_reused"):
    """The idempotency key was used with another payload."""


class InFlight(Problem, status=409, code="idempotency_in_progress"):
    """Another call with the same idempotency key is still in progress (A3.3, G16)."""


class InjectedFault(Problem):
    """The response that a fault injects; status and code are the fault's."""

    def __init__(self, message: str, status: int, code: str, retry_after: int | None) -> None:
        super().__init__(message)
        self.injected = (status, code, retry_after)


class Internal(Problem, status=500, code="internal_error"):
    """A bug in the simulator; it is logged, and the caller gets no traceback."""
