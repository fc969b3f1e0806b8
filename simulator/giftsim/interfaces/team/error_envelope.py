"""The error answers of the team interface: `{error: {code, message, request_id, details?}}` (section 7, A8.6)."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.problem import ValidationFailed
from giftsim.domain.team.settings import BODY_STATUS, DISABLED_KEY_STATUS
from giftsim.gateway.call import Call, Reply
from giftsim.gateway.problem import InjectedFault
from giftsim.gateway.redaction import masked
from giftsim.interfaces.team.problem import KeyDisabled
from giftsim.kernel.problem import Problem


def envelope(call: Call, problem: Problem) -> Reply:
    """A problem as the documented answer; `Retry-After` goes with every 429."""
    status, code = _status(call, problem), problem.details.get("code") or call.interface.code(problem)
    if isinstance(problem, InjectedFault):
        status, code, retry_after = problem.injected
        if retry_after is not None:
            call.headers["Retry-After"] = str(retry_after)
    if status == 429:
        call.headers.setdefault("Retry-After", "60")
    error: dict[str, Any] = {"code": str(code), "message": masked(problem.message), "request_id": call.request_id}
    details: Any = problem.details.get("details")
    if details is not None:
        error["details"] = [_masked(entry) for entry in details]
    return Reply(status, {"error": error})


def _masked(entry: dict[str, Any]) -> dict[str, Any]:
    """A detail whose field may be a member that a caller named after a person (T-1.12)."""
    return {name: masked(told) if isinstance(told, str) else told for name, told in entry.items()}


def _status(call: Call, problem: Problem) -> int:
    if call.world is not None:
        if isinstance(problem, KeyDisabled):
            return call.state.setting(DISABLED_KEY_STATUS)
        if isinstance(problem, ValidationFailed):
            return call.state.setting(BODY_STATUS)
    return problem.status
