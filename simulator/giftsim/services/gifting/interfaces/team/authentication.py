"""Authenticate and authorize callers: keys with scopes and a role, and sessions of members (section 5)."""

from __future__ import annotations

import msgspec

from giftsim.engine.gateway.call import ASSISTANT, Call
from giftsim.services.gifting.domain.api_key import LIVE, TEAM, TEST, ApiKey, find_key
from giftsim.services.gifting.domain.team.member import APPROVER, MEMBERS, OWNER, Member, find_session
from giftsim.services.gifting.domain.team.team import NET_TERMS_ROLE, ROSTER_PATHS, ROSTER_ROLE_PATHS, TEAMS, Team
from giftsim.services.gifting.domain.team.tenant import Tenant, live_tenant, tenant_of_key
from giftsim.services.gifting.interfaces.team.call_credentials import parse_key, parse_session, sent_keys, sent_sessions
from giftsim.services.gifting.interfaces.team.error_envelope import (
    AgentAccessSuspended,
    InsufficientRole,
    InsufficientScope,
    InvalidKey,
    InvalidSession,
    MissingKey,
    MissingSession,
    OwnerRequired,
    SessionRequired,
    TeamApiDisabled,
    TestKeyRequired,
)


class KeyCaller(msgspec.Struct, frozen=True):
    """A caller with a team key. `assistant` is true for calls through the MCP endpoint, which never pay."""

    key: ApiKey
    team: Team
    tenant: Tenant
    assistant: bool = False

    @property
    def role(self) -> str:
        return self.key.role or ""

    @property
    def scopes(self) -> tuple[str, ...]:
        return self.key.scopes

    @property
    def name(self) -> str:
        return f"team.{self.key.label or self.key.name}"

    @property
    def scope(self) -> str:
        return f"team {self.key.n}"

    @property
    def bucket(self) -> str:
        return f"team {self.key.n}"

    @property
    def plan(self) -> str:
        return self.key.plan


class SessionCaller(msgspec.Struct, frozen=True):
    """A signed-in member. All sessions of a user share their idempotency keys and their rate-limit window (G38)."""

    member: Member
    team: Team
    tenant: Tenant
    label: str = ""

    @property
    def role(self) -> str:
        return self.member.role

    @property
    def name(self) -> str:
        return f"session.{self.label or self.member.user}"

    @property
    def scope(self) -> str:
        return f"user {self.member.n}"

    @property
    def bucket(self) -> str:
        return f"user {self.member.n}"

    @property
    def plan(self) -> str:
        return self.team.plan


TeamCaller = KeyCaller | SessionCaller


def authenticate(call: Call) -> TeamCaller:
    """The caller. Raises a 401 that names what is missing or wrong.

    Revocations and the switches of a team take effect with the next call.
    """
    keys, sessions = sent_keys(call), sent_sessions(call)
    if "x-session" not in call.operation.node:
        if not keys:
            raise MissingKey("this call has no key: send `Authorization: Bearer ptk_...` or `X-API-Key: ptk_...`")
        return _key_caller(call, keys)
    if sessions:
        return _session_caller(call, sessions)
    if not keys:
        raise MissingSession(
            "this call has no session: sign in, and send the cookie `session` or `Authorization: Session ...`"
        )
    return _key_caller(call, keys)


def authorize(call: Call) -> None:
    """Raise a 403 if the caller may not use the operation. Checks scopes, then role, then mode (A2.2, G13)."""
    caller, node = call.caller, call.operation.node
    if "x-session" in node:
        _check_session(caller, node["x-session"])
        return
    require_scopes(caller, call.operation.scopes)
    if caller.role != APPROVER and _needs_approver(call):
        raise InsufficientRole("this operation needs a key with the role approver")
    if node.get("x-mode") == "test" and caller.tenant.livemode:
        raise TestKeyRequired("this operation needs a test key")


def authorize_body(call: Call) -> None:
    """Raise a 403 if the body asks for something that needs further scopes (`x-scope-by-body`)."""
    body, guarded = call.body, call.operation.node.get("x-scope-by-body", {})
    if isinstance(body, dict) and any(body.get(name) == value for name, value in guarded.items()):
        authorize_net_terms(call)


def authorize_net_terms(call: Call) -> None:
    """Raise a 403 unless the caller may pay on net terms: with the scopes in `x-also`, and the role by the setting."""
    require_scopes(call.caller, tuple(call.operation.node["x-also"]))
    if call.caller.role != APPROVER and call.state.setting(NET_TERMS_ROLE) == APPROVER:
        raise InsufficientRole("payment on net terms needs a key with the role approver")


def challenge(call: Call) -> str:
    """The `WWW-Authenticate` header of a 401: the operation takes a key, or a session."""
    return f'{"Session" if "x-session" in call.operation.node else "Bearer"} realm="team"'


def may_read_roster(call: Call) -> bool:
    """Whether the caller may list the roster: it has the scope, and the role where the roster needs one (G60)."""
    caller, scopes = call.caller, call.caller.scopes if isinstance(call.caller, KeyCaller) else ()
    return "people:read" in scopes and (
        caller.role == APPROVER or "/people" not in call.state.setting(ROSTER_ROLE_PATHS)
    )


def mode(call: Call) -> str:
    """`live` or `test`, which decides the type of the ids in the call's body (0.7)."""
    return LIVE if call.caller.tenant.livemode else TEST


def require_scopes(caller: TeamCaller, required: tuple[str, ...]) -> None:
    """Raise InsufficientScope, which names the missing scopes. A session has no scopes."""
    scopes = caller.scopes if isinstance(caller, KeyCaller) else ()
    missing = [scope for scope in required if scope not in scopes]
    if missing:
        raise InsufficientScope(f"this key lacks the scope {' and '.join(missing)}")


def _key_caller(call: Call, keys: list[str]) -> KeyCaller:
    if len(keys) > 1:
        raise InvalidKey("Authorization and X-API-Key hold different keys")
    parts = parse_key(keys[0])
    if parts is None:
        raise InvalidKey("this is not a team key: team keys begin with ptk_live_ or ptk_test_")
    key = find_key(call.state, TEAM, parts.mode, parts.name) if call.selected_world else None
    if key is None or key.team is None:
        raise InvalidKey("this key is unknown: check the world id in it; a reset removes keys made after the start")
    if key.revoked:
        raise InvalidKey("this key was revoked")
    team = call.state[TEAMS].get(key.team)
    if not team.api_enabled:
        raise TeamApiDisabled("the team's API switch is off")
    if not team.agent_access:
        raise AgentAccessSuspended("the account's agent access is suspended")
    return KeyCaller(key, team, tenant_of_key(call.state, key), ASSISTANT in call.environ)


def _session_caller(call: Call, sessions: list[str]) -> SessionCaller:
    parts = parse_session(sessions[0]) if len(sessions) == 1 else None
    known_world = parts is not None and call.selected_world is not None and call.selected_world.id == parts.world
    session = find_session(call.state, parts.name) if parts is not None and known_world else None
    if session is None:
        raise InvalidSession("no member is signed in with this session")
    member = call.state[MEMBERS].get(session.member)
    return SessionCaller(member, call.state[TEAMS].get(member.team), live_tenant(member.team), session.label)


def _check_session(caller: TeamCaller, required_role: str) -> None:
    if isinstance(caller, KeyCaller):
        raise SessionRequired("this operation needs a signed-in session, not a key")
    if required_role == OWNER and caller.role != OWNER:
        raise OwnerRequired("this operation needs the owner's session")
    if required_role == APPROVER and caller.role not in (OWNER, APPROVER):
        raise InsufficientRole("this operation needs the session of an approver or the owner")


def _needs_approver(call: Call) -> bool:
    template = call.operation.template
    if call.operation.method == "GET" and template in (*ROSTER_PATHS, *call.state.setting(ROSTER_ROLE_PATHS)):
        return template in call.state.setting(ROSTER_ROLE_PATHS)
    return call.operation.node.get("x-role") == APPROVER
