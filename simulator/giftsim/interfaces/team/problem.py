"""Who may not call the team interface, and why (A2.1, 0.6, A4.2, A4.8)."""

from __future__ import annotations

from giftsim.gateway.problem import Forbidden, Unauthorized


class MissingKey(Unauthorized):
    """There is no key where one is needed."""

    code = "missing_api_key"


class InvalidKey(Unauthorized):
    """The key is malformed, unknown or revoked, or two headers hold different ones."""

    code = "invalid_api_key"


class MissingSession(Unauthorized):
    """There is no credential where a session is needed."""

    code = "missing_session"


class InvalidSession(Unauthorized):
    """The session is unknown."""

    code = "invalid_session"


class KeyDisabled(Unauthorized):
    """The key is good, but switched off; the setting `team.disabled_key_status` may make this a 403."""


class TeamApiDisabled(KeyDisabled):
    """The team's API switch is off (T-5.12)."""

    code = "team_api_disabled"


class AgentAccessSuspended(KeyDisabled):
    """The account's agent access is suspended (T-5.13)."""

    code = "agent_access_suspended"


class InsufficientScope(Forbidden):
    """The key lacks a scope (T-5.5)."""

    code = "insufficient_scope"


class InsufficientRole(Forbidden):
    """The key or the session has not the role approver."""

    code = "insufficient_role"


class SessionRequired(Forbidden):
    """A key where only a signed-in session may."""

    code = "session_required"


class OwnerRequired(Forbidden):
    """The session is not the owner's."""

    code = "owner_required"


class TestKeyRequired(Forbidden):
    """A live key where only a test key may."""

    code = "test_key_required"
