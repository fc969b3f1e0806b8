"""Error responses of the partner interface: nested, with extra members beside `error` (0.9, B2, B51)."""

from __future__ import annotations

from typing import Any

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.problem import InjectedFault
from giftsim.engine.kernel.setting import choice
from giftsim.engine.problem import Problem

ERROR_SHAPE = choice("partner.error_shape", ("nested", "flat"), "`{error: {code, ...}}`, or its members at the top")
CODES = {
    "invalid_json": "invalid_body",
    "invalid_parameter": "invalid_body",
    "idempotency_key_reused": "idempotency_payload_mismatch",
    "idempotency_in_progress": "idempotency_outcome_unknown",
}
RETRIED_SHORTLY = ("idempotency_unavailable", "webhooks_unavailable")
BESIDE = ("team_order_id", "errors", "skipped", "already_canceled")


def envelope(call: Call, problem: Problem) -> Response:
    """A problem as the documented response; 429 and some 503 responses have a `Retry-After`."""
    status, code = problem.status, CODES.get(problem.code, problem.code)
    if isinstance(problem, InjectedFault):
        status, code, retry_after = problem.injected
        if retry_after is not None:
            call.headers["Retry-After"] = str(retry_after)
    if status == 429 or (status == 503 and code in RETRIED_SHORTLY):
        call.headers.setdefault("Retry-After", "5" if status == 503 else "60")
    return Response(status, _body(call, str(code), problem))


def _body(call: Call, code: str, problem: Problem) -> dict[str, Any]:
    error = {"code": code, "message": problem.message, "request_id": call.request_id}
    flat = call.selected_world is not None and call.state.setting(ERROR_SHAPE) == "flat"
    body: dict[str, Any] = dict(error) if flat else {"error": error}
    body |= {name: problem.details[name] for name in BESIDE if name in problem.details}
    return body
