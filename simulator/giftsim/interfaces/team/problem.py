"""Errors of authentication and authorization on the team interface (A2.1, 0.6, A4.2, A4.8).

Problem
├── Unauthorized 401
│   ├── MissingKey missing_api_key
│   ├── InvalidKey invalid_api_key
│   ├── MissingSession missing_session
│   ├── InvalidSession invalid_session
│   └── KeyDisabled (403 by the setting `team.disabled_key_status`)
│       ├── TeamApiDisabled team_api_disabled
│       └── AgentAccessSuspended agent_access_suspended
└── Forbidden 403
    ├── InsufficientScope insufficient_scope
    ├── InsufficientRole insufficient_role
    ├── SessionRequired session_required
    ├── OwnerRequired owner_required
    └── TestKeyRequired test_key_required
"""

from __future__ import annotations

from giftsim.gateway.problem import Forbidden, Unauthorized


class MissingKey(Unauthorized):
    """The operation needs a key, and the call has none."""

    code = "missing_api_key"


class InvalidKey(Unauthorized):
    """The key is malformed, unknown or revoked, or the two headers hold different keys."""

    code = "invalid_api_key"


class MissingSession(Unauthorized):
    """The operation needs a session, and the call has no credential at all."""

    code = "missing_session"


class InvalidSession(Unauthorized):
    """The session is unknown."""

    code = "invalid_session"


class KeyDisabled(Unauthorized):
    """The key is valid but switched off. The setting `team.disabled_key_status` may make this a 403."""


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
    """The key or the session does not have the role approver."""

    code = "insufficient_role"


class SessionRequired(Forbidden):
    """The operation needs a signed-in session, and the call has a key."""

    code = "session_required"


class OwnerRequired(Forbidden):
    """The operation needs the owner's session."""

    code = "owner_required"


class TestKeyRequired(Forbidden):
    """The operation needs a test key, and the key is live."""

    code = "test_key_required"
