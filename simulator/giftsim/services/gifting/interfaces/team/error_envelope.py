"""The error responses of the team interface: `{error: {code, message, request_id, details?}}` (section 7, A8.6)."""

from __future__ import annotations

import re
from typing import Any

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.problem import Forbidden, InjectedFault, Unauthorized
from giftsim.engine.problem import MAX_LISTED, Problem
from giftsim.services.gifting.domain.team.free_text_redaction import REMOVED, remove_private
from giftsim.services.gifting.domain.team.team import BODY_STATUS, DISABLED_KEY_STATUS
from giftsim.services.gifting.domain.team.team_errors import ValidationFailed
from giftsim.services.secrets import SENT

# What grants access: keys, sessions, webhook secrets, and what looks like a token.
_CREDENTIAL = re.compile(
    rf"""
      {SENT}
    | \b(?=[A-Za-z0-9_\-]*[0-9])(?=[A-Za-z0-9_\-]*[A-Za-z])[A-Za-z0-9_\-]{{16,}}\b
    """,
    re.VERBOSE | re.IGNORECASE,
)


def redact(text: str) -> str:
    """The text with everything replaced that identifies a person or grants access."""
    return _CREDENTIAL.sub(REMOVED, remove_private(text))


class MissingKey(Unauthorized, code="missing_api_key"):
    """The operation needs a key, and the call has none."""


class InvalidKey(Unauthorized, code="invalid_api_key"):
    """The key is malformed, unknown or revoked, or the two headers hold different keys."""


class MissingSession(Unauthorized, code="missing_session"):
    """The operation needs a session, and the call has no credential at all."""


class InvalidSession(Unauthorized, code="invalid_session"):
    """The session is unknown."""


class KeyDisabled(Unauthorized):
    """The key is valid but switched off. The setting `team.disabled_key_status` may make this a 403."""


class TeamApiDisabled(KeyDisabled, code="team_api_disabled"):
    """The team's API switch is off (T-5.12)."""


class AgentAccessSuspended(KeyDisabled, code="agent_access_suspended"):
    """The account's agent access is suspended (T-5.13)."""


class InsufficientScope(Forbidden, code="insufficient_scope"):
    """The key lacks a scope (T-5.5)."""


class InsufficientRole(Forbidden, code="insufficient_role"):
    """The key or the session does not have the role approver."""


class SessionRequired(Forbidden, code="session_required"):
    """The operation needs a signed-in session, and the call has a key."""


class OwnerRequired(Forbidden, code="owner_required"):
    """The operation needs the owner's session."""


class TestKeyRequired(Forbidden, code="test_key_required"):
    """The operation needs a test key, and the key is live."""


def envelope(call: Call, problem: Problem) -> Response:
    """The documented response for a problem; 429 and some 503 responses have a `Retry-After`, in seconds."""
    status, code = _status(call, problem), call.interface.code(problem)
    if isinstance(problem, InjectedFault):
        status, code, retry_after = problem.injected
        if retry_after is not None:
            call.headers["Retry-After"] = str(retry_after)
    if status == 429 or (status == 503 and code == "webhooks_unavailable"):
        call.headers.setdefault("Retry-After", "5" if status == 503 else "60")
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
