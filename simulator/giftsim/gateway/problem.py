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

from giftsim.problem import Problem


class RouteNotFound(Problem):
    """There is no operation at this path."""

    status = 404
    code = "not_found"


class MethodNotAllowed(Problem):
    """The path has no operation of this method; the header `Allow` lists the methods that it has."""

    status = 405
    code = "method_not_allowed"


class InvalidBody(Problem):
    """The body does not match its schema."""

    status = 400
    code = "invalid_body"


class InvalidJson(InvalidBody):
    """The body is not strict JSON, or is missing."""

    code = "invalid_json"


class BodyTooLarge(InvalidBody):
    """The body is larger than the gateway accepts (G18)."""

    code = "body_too_large"


class InvalidParameter(Problem):
    """A path or query parameter does not match its schema."""

    status = 400
    code = "invalid_parameter"


class InvalidCursor(InvalidParameter):
    """The cursor was not issued for this list with these filters."""

    code = "invalid_cursor"


class Unauthorized(Problem):
    """The credential is missing, or the world does not know it."""

    status = 401
    code = "unauthorized"


class Forbidden(Problem):
    """The credential is valid, but does not allow this."""

    status = 403
    code = "forbidden"


class RateLimited(Problem):
    """The key's rate-limit window is full (G15)."""

    status = 429
    code = "rate_limited"


class IdempotencyKeyRequired(Problem):
    """The operation requires an Idempotency-Key header."""

    status = 400
    code = "idempotency_key_required"


class InvalidIdempotencyKey(Problem):
    """An Idempotency-Key is 1 to 128 printable characters."""

    status = 400
    code = "invalid_idempotency_key"


class PayloadMismatch(Problem):
    """The idempotency key was used with another payload."""

    status = 409
    code = "idempotency_key_reused"


class InFlight(Problem):
    """Another call with the same idempotency key is still in progress (A3.3, G16)."""

    status = 409
    code = "idempotency_in_progress"


class InjectedFault(Problem):
    """The response that a fault injects; status and code are the fault's."""

    def __init__(self, message: str, status: int, code: str, retry_after: int | None) -> None:
        super().__init__(message)
        self.injected = (status, code, retry_after)


class Internal(Problem):
    """A bug in the simulator; it is logged, and the caller gets no traceback."""

    status = 500
    code = "internal_error"
