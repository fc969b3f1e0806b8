"""The error responses of the team interface: `{error: {code, message, request_id, details?}}` (section 7, A8.6)."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.problem import ValidationFailed
from giftsim.domain.team.settings import BODY_STATUS, DISABLED_KEY_STATUS
from giftsim.gateway.call import Call, Response
from giftsim.gateway.problem import InjectedFault
from giftsim.gateway.redaction import redact
from giftsim.interfaces.team.problem import KeyDisabled
from giftsim.problem import MAX_LISTED, Problem


def envelope(call: Call, problem: Problem) -> Response:
    """The documented response for a problem. Every 429 carries `Retry-After`, in seconds."""
    status, code = _status(call, problem), call.interface.code(problem)
    if isinstance(problem, InjectedFault):
        status, code, retry_after = problem.injected
        if retry_after is not None:
            call.headers["Retry-After"] = str(retry_after)
    if status == 429:
        call.headers.setdefault("Retry-After", "60")
    error: dict[str, Any] = {"code": str(code), "message": redact(problem.message), "request_id": call.request_id}
    details: Any = problem.details.get("details")
    if details is not None:
        error["details"] = [_redact_texts(detail) for detail in details[:MAX_LISTED]]
    return Response(status, {"error": error})


def _redact_texts(detail: dict[str, Any]) -> dict[str, Any]:
    """The detail with its texts redacted: its field may be a member that the caller named after a person (T-1.12)."""
    return {name: redact(value) if isinstance(value, str) else value for name, value in detail.items()}


def _status(call: Call, problem: Problem) -> int:
    if call.selected_world is not None:
        if isinstance(problem, KeyDisabled):
            return call.state.setting(DISABLED_KEY_STATUS)
        if isinstance(problem, ValidationFailed):
            return call.state.setting(BODY_STATUS)
    return problem.status
