"""Who calls the team interface, and what they may: keys with scopes and a role, and signed-in members (section 5)."""

from __future__ import annotations

import msgspec

from giftsim.domain.access.api_key import LIVE, TEAM, TEST, Key, find_key
from giftsim.domain.team.member import APPROVER, MEMBERS, OWNER, Member
from giftsim.domain.team.session import find_session
from giftsim.domain.team.settings import NET_TERMS_ROLE, ROSTER_PATHS, ROSTER_ROLE_PATHS
from giftsim.domain.team.team import TEAMS, Team
from giftsim.domain.team.tenant import Space, live_space, space_of
from giftsim.gateway.call import ASSISTANT, Call
from giftsim.interfaces.team.credentials import keys, read_key, read_session, sessions
from giftsim.interfaces.team.problem import (
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


class TeamCaller(msgspec.Struct, frozen=True):
    """A key at work for its team. `assistant` is true behind the assistant endpoint, which holds what it makes."""

    key: Key
    team: Team
    space: Space
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
    """A signed-in member; idempotency keys and the rate window are the user's, however often they sign in (G38)."""

    member: Member
    team: Team
    space: Space
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


Who = TeamCaller | SessionCaller


def authenticate(call: Call) -> Who:
    """The caller, or the 401 that tells what is missing or wrong; revocation and switches count from the next call."""
    given, signed = keys(call), sessions(call)
    if "x-session" not in call.operation.node:
        if not given:
            raise MissingKey("send the key as `Authorization: Bearer ptk_...` or `X-API-Key: ptk_...`; there is none")
        return _key_caller(call, given)
    if signed:
        return _session_caller(call, signed)
    if not given:
        raise MissingSession("sign in: send the session as the cookie `session` or as `Authorization: Session ...`")
    return _key_caller(call, given)


def authorize(call: Call) -> None:
    """403 where the caller may not, whatever the call asks for: scope, then role, then mode (A2.2, G13)."""
    caller, node = call.caller, call.operation.node
    if "x-session" in node:
        _check_session(caller, node["x-session"])
        return
    require_scopes(caller, call.operation.scopes)
    if caller.role != APPROVER and _wants_approver(call):
        raise InsufficientRole("this operation takes a key of the role approver")
    if node.get("x-mode") == "test" and caller.space.livemode:
        raise TestKeyRequired("this operation takes a test key")


def authorize_body(call: Call) -> None:
    """403 where what the body asks for needs further scopes (`x-scope-by-body`)."""
    node, body = call.operation.node, call.body
    asked = node.get("x-scope-by-body", {})
    if not (isinstance(body, dict) and any(body.get(name) == value for name, value in asked.items())):
        return
    require_scopes(call.caller, tuple(node["x-also"]))
    if call.caller.role != APPROVER and call.state.setting(NET_TERMS_ROLE) == APPROVER:
        raise InsufficientRole("payment on net terms takes a key of the role approver")


def mode(call: Call) -> str:
    """`live` or `test`, the type of the ids in the call's body (0.7)."""
    return LIVE if call.caller.space.livemode else TEST


def require_scopes(caller: Who, wanted: tuple[str, ...]) -> None:
    """InsufficientScope names what the key lacks; a session holds no scopes."""
    held = caller.scopes if isinstance(caller, TeamCaller) else ()
    lacking = [scope for scope in wanted if scope not in held]
    if lacking:
        raise InsufficientScope(f"this key lacks the scope {' and '.join(lacking)}")


def _key_caller(call: Call, given: list[str]) -> TeamCaller:
    if len(given) > 1:
        raise InvalidKey("Authorization and X-API-Key hold different keys")
    text = read_key(given[0])
    if text is None:
        raise InvalidKey("this is no team key: one begins with ptk_live_ or ptk_test_")
    key = find_key(call.state, TEAM, text.mode, text.name) if call.world else None
    if key is None or key.team is None:
        raise InvalidKey("no such key is known here; a key ends with its world, and resets bring back the first ones")
    if key.revoked:
        raise InvalidKey("this key was revoked")
    team = call.state[TEAMS].get(key.team)
    if not team.api_enabled:
        raise TeamApiDisabled("the team's API switch is off")
    if not team.agent_access:
        raise AgentAccessSuspended("the account's agent access is suspended")
    return TeamCaller(key, team, space_of(call.state, key), ASSISTANT in call.environ)


def _session_caller(call: Call, signed: list[str]) -> SessionCaller:
    text = read_session(signed[0]) if len(signed) == 1 else None
    here = text is not None and call.world is not None and call.world.id == text.world
    session = find_session(call.state, text.name) if text is not None and here else None
    if session is None:
        raise InvalidSession("nobody is signed in by this session")
    member = call.state[MEMBERS].get(session.member)
    return SessionCaller(member, call.state[TEAMS].get(member.team), live_space(member.team), session.label)


def _check_session(caller: Who, wanted: str) -> None:
    if isinstance(caller, TeamCaller):
        raise SessionRequired("this operation takes a signed-in session, not a key")
    if wanted == OWNER and caller.role != OWNER:
        raise OwnerRequired("this operation takes the owner's session")
    if wanted == APPROVER and caller.role not in (OWNER, APPROVER):
        raise InsufficientRole("this operation takes the session of an approver or the owner")


def _wants_approver(call: Call) -> bool:
    template = call.operation.template
    if call.method == "GET" and template in (*ROSTER_PATHS, *call.state.setting(ROSTER_ROLE_PATHS)):
        return template in call.state.setting(ROSTER_ROLE_PATHS)
    return call.operation.node.get("x-role") == APPROVER
