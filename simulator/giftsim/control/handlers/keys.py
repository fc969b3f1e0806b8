"""Keys: made, changed and revoked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from giftsim.control.credentials import bearer, named_key, table_name
from giftsim.control.problem import Ambiguous
from giftsim.control.subject_lookup import team_of
from giftsim.control.world_access import changing
from giftsim.domain.access.api_key import (
    DEFAULT_CAPABILITIES,
    LIVE,
    PARTNER,
    TEAM,
    ApiKey,
    issue_key,
    revoke,
    update_key,
)
from giftsim.domain.money.account import ACCOUNTS, find_account, open_account
from giftsim.domain.team.api_keys import CEILINGS, PAY, SCOPES, cut_key
from giftsim.domain.team.team import TEAMS
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.state import State

# Members of a body that only keys of one interface have.
OWN: Mapping[str, Sequence[str]] = MappingProxyType(
    {PARTNER: ("account", "capabilities"), TEAM: ("team", "mode", "role", "scopes", "pay_limits")}
)


def create_key(call: Call) -> Response:
    """A new key: a partner's with an account of its own, a team's as an approver with all scopes, unless told."""
    body = call.body
    check_members(body["interface"], body)
    make = _team_key if body["interface"] == TEAM else _partner_key
    with changing(call) as state:
        return Response(201, view(state, make(state, body), call.world.id))


def change_key(call: Call) -> Response:
    """Other capabilities or scopes, other ceilings, or another plan (G40)."""
    body = call.body
    with changing(call) as state:
        key = named_key(state, call.world.id, call.params["key"])
        check_members(key.interface, body)
        check_scopes(key.mode, body.get("scopes", ()))
        columns = {name: value for name, value in body.items() if name != "pay_limits"}
        return Response(200, view(state, update_key(state, key, **columns, **ceilings(body)), call.world.id))


def revoke_key(call: Call) -> Response:
    """From now on it opens nothing."""
    with changing(call) as state:
        key = named_key(state, call.world.id, call.params["key"])
        return Response(200, view(state, revoke(state, key), call.world.id))


def check_members(interface: str, body: Mapping[str, Any]) -> None:
    """Refuse what only a key of another interface has."""
    foreign = [name for owner, names in OWN.items() if owner != interface for name in names if name in body]
    if foreign:
        raise Ambiguous(f"{foreign[0]}: a {interface} key has none")


def check_scopes(mode: str, scopes: Sequence[str]) -> None:
    """Refuse the power to pay for a test key (A4.4)."""
    if mode != LIVE and PAY in scopes:
        raise Ambiguous(f"scopes: {PAY} is for live keys alone")


def ceilings(body: Mapping[str, Any]) -> dict[str, int | None]:
    """The columns that `pay_limits` sets, both of them; none where it is not given."""
    if "pay_limits" not in body:
        return {}
    limits = body["pay_limits"] or {}
    return {name: limits.get(name) for name in CEILINGS}


def view(state: State, key: ApiKey, world_id: str) -> dict[str, Any]:
    """A key in full, with what it may."""
    shown = bearer(key, world_id)
    limits = {name: getattr(key, name) for name in CEILINGS}
    return {
        "name": table_name(key),
        "interface": key.interface,
        "mode": key.mode,
        "key": shown["value"],
        "headers": shown["headers"],
        "account_id": None if key.account is None else state[ACCOUNTS].get(key.account).id,
        "capabilities": list(key.capabilities),
        "team_id": None if key.team is None else state[TEAMS].get(key.team).id,
        "role": key.role,
        "scopes": list(key.scopes),
        "pay_limits": limits if any(value is not None for value in limits.values()) else None,
        "plan": key.plan,
        "revoked": key.revoked,
    }


def _partner_key(state: State, body: Mapping[str, Any]) -> ApiKey:
    return issue_key(
        state, PARTNER, name=body.get("name"), capabilities=body.get("capabilities", DEFAULT_CAPABILITIES),
        plan=body.get("plan", "sandbox"), account=_account(state, body.get("account", {})),
    )  # fmt: skip


def _team_key(state: State, body: Mapping[str, Any]) -> ApiKey:
    mode = body.get("mode", LIVE)
    allowed = [scope for scope in SCOPES if mode == LIVE or scope != PAY]
    scopes = body.get("scopes", allowed)
    check_scopes(mode, scopes)
    told = {name: body[name] for name in ("name", "plan") if name in body}
    return cut_key(
        state, team_of(state, body.get("team")), mode=mode, role=body.get("role", "approver"), scopes=scopes,
        **told, **ceilings(body),
    )  # fmt: skip


def _account(state: State, asked: dict[str, Any] | None) -> int | None:
    if asked is None:
        return None
    if "id" in asked:
        if len(asked) > 1:
            raise Ambiguous("account.id names an account that is there; change it with the verb account")
        return find_account(state, asked["id"]).n
    return open_account(state, asked).n


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "createKey": create_key,
        "changeKey": change_key,
        "revokeKey": revoke_key,
    }
)
