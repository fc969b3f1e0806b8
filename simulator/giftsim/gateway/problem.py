"""The gateway's own refusals. An interface gives each its own words and code where its documents do (see Envelope).

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

from giftsim.kernel.problem import Problem


class RouteNotFound(Problem):
    """No operation stands at this path."""

    status = 404
    code = "not_found"


class MethodNotAllowed(Problem):
    """The path exists, but not with this method; the answer's `Allow` lists those that do."""

    status = 405
    code = "method_not_allowed"


class InvalidBody(Problem):
    """The body does not fit the contract."""

    status = 400
    code = "invalid_body"


class InvalidJson(InvalidBody):
    """The body is no strict JSON, or not what a body may be."""

    code = "invalid_json"


class BodyTooLarge(InvalidBody):
    """The body is larger than the gateway takes (G18)."""

    code = "body_too_large"


class InvalidParameter(Problem):
    """A path or query parameter does not fit the contract."""

    status = 400
    code = "invalid_parameter"


class InvalidCursor(InvalidParameter):
    """The cursor was not issued for this list and these filters."""

    code = "invalid_cursor"


class Unauthorized(Problem):
    """No credential, or none that this world knows."""

    status = 401
    code = "unauthorized"


class Forbidden(Problem):
    """The credential is good, but not for this."""

    status = 403
    code = "forbidden"


class RateLimited(Problem):
    """The key has used up its window (G15)."""

    status = 429
    code = "rate_limited"


class IdempotencyKeyRequired(Problem):
    """The operation asks for an Idempotency-Key header."""

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
    """Another call with the same idempotency key has not come back yet (A3.3, G16)."""

    status = 409
    code = "idempotency_in_progress"


class InjectedFault(Problem):
    """The answer that a fault gives instead of the work; status and code are the fault's."""

    def __init__(self, message: str, status: int, code: str, retry_after: int | None) -> None:
        super().__init__(message)
        self.injected = (status, code, retry_after)


class Internal(Problem):
    """A bug of the simulator; the journal keeps what it was, the caller sees no trace."""

    status = 500
    code = "internal_error"
