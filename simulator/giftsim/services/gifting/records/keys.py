"""Keys: listing, creating, changing and revoking them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from giftsim.engine.control.pagination import list_records
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.problem import InvalidBody
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.api_key import (
    DEFAULT_CAPABILITIES,
    LIVE,
    PARTNER,
    TEAM,
    ApiKey,
    issue_key,
    revoke,
    update_key,
)
from giftsim.services.gifting.domain.money.account import ACCOUNTS, find_account, open_account
from giftsim.services.gifting.domain.team.api_keys import CEILINGS, PAY, SCOPES, create_team_key
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.records.accounts import key_limits_view
from giftsim.services.gifting.records.key_credentials import bearer, credential_name, named_key
from giftsim.services.gifting.records.named import named_team
from giftsim.services.gifting.records.searches import KEY_SEARCH

# Members of a body that apply to keys of one interface only.
MEMBERS_BY_INTERFACE: Final[Mapping[str, Sequence[str]]] = {
    PARTNER: ("account", "capabilities"),
    TEAM: ("team", "mode", "role", "scopes", "pay_limits"),
}


def list_keys(call: Call) -> Response:
    """List keys, including revoked ones, with how much of their limits is used."""
    interface = call.query["interface"]
    return list_records(
        call,
        KEY_SEARCH,
        lambda state, key: view(state, key, call.world.id),
        keep=lambda key: interface in (None, key.interface),
    )


def get_key(call: Call) -> Response:
    """One key."""
    with current_state(call.world) as state:
        return Response(200, view(state, named_key(state, call.world.id, call.params["key"]), call.world.id))


def create_key(call: Call) -> Response:
    """Create a key. By default a partner's key gets a new account, a team's key is an approver with all scopes."""
    body = call.body
    check_members(body["interface"], body)
    create = _create_team_key if body["interface"] == TEAM else _create_partner_key
    with change_state(call) as state:
        return Response(201, view(state, create(state, body), call.world.id))


def change_key(call: Call) -> Response:
    """Change capabilities, scopes, pay limits or the plan of a key (G40)."""
    body = call.body
    with change_state(call) as state:
        key = named_key(state, call.world.id, call.params["key"])
        check_members(key.interface, body)
        check_scopes(key.mode, body.get("scopes", ()))
        columns = {name: value for name, value in body.items() if name != "pay_limits"}
        return Response(200, view(state, update_key(state, key, **columns, **ceilings(body)), call.world.id))


def revoke_key(call: Call) -> Response:
    """Revoke a key: calls with it are refused from now on."""
    with change_state(call) as state:
        key = named_key(state, call.world.id, call.params["key"])
        return Response(200, view(state, revoke(state, key), call.world.id))


def check_members(interface: str, body: Mapping[str, Any]) -> None:
    """Raise InvalidBody for a member that only keys of another interface have."""
    misplaced = [
        name for owner, names in MEMBERS_BY_INTERFACE.items() if owner != interface for name in names if name in body
    ]
    if misplaced:
        raise InvalidBody(f"{misplaced[0]}: a {interface} key does not have it")


def check_scopes(mode: str, scopes: Sequence[str]) -> None:
    """Raise InvalidBody for a test key with the scope to pay (A4.4)."""
    if mode != LIVE and PAY in scopes:
        raise InvalidBody(f"scopes: only live keys can have {PAY}")


def ceilings(body: Mapping[str, Any]) -> dict[str, int | None]:
    """Both columns that `pay_limits` sets, or none if the body leaves it out."""
    if "pay_limits" not in body:
        return {}
    limits = body["pay_limits"] or {}
    return {name: limits.get(name) for name in CEILINGS}


def view(state: State, key: ApiKey, world_id: str) -> dict[str, Any]:
    """A key with its value, permissions and limits."""
    credential = bearer(key, world_id)
    ceilings = {name: getattr(key, name) for name in CEILINGS}
    return {
        "name": credential_name(key),
        "interface": key.interface,
        "mode": key.mode,
        "key": credential["value"],
        "headers": credential["headers"],
        "account_id": None if key.account is None else state[ACCOUNTS].get(key.account).id,
        "capabilities": list(key.capabilities),
        "team_id": None if key.team is None else state[TEAMS].get(key.team).id,
        "role": key.role,
        "scopes": list(key.scopes),
        "pay_limits": ceilings if any(value is not None for value in ceilings.values()) else None,
        "limits": key_limits_view(state, key),
        "plan": key.plan,
        "revoked": key.revoked,
    }


def _create_partner_key(state: State, body: Mapping[str, Any]) -> ApiKey:
    return issue_key(
        state,
        PARTNER,
        name=body.get("name"),
        capabilities=body.get("capabilities", DEFAULT_CAPABILITIES),
        plan=body.get("plan", "sandbox"),
        account=_account_slot(state, body.get("account", {})),
    )


def _create_team_key(state: State, body: Mapping[str, Any]) -> ApiKey:
    mode = body.get("mode", LIVE)
    allowed = [scope for scope in SCOPES if mode == LIVE or scope != PAY]
    scopes = body.get("scopes", allowed)
    check_scopes(mode, scopes)
    options = {name: body[name] for name in ("name", "plan") if name in body}
    return create_team_key(
        state,
        named_team(state, body.get("team")),
        mode=mode,
        role=body.get("role", "approver"),
        scopes=scopes,
        **options,
        **ceilings(body),
    )


def _account_slot(state: State, account: dict[str, Any] | None) -> int | None:
    """The row number of the account that a body names or describes, or None for a key without account."""
    if account is None:
        return None
    if "id" in account:
        if len(account) > 1:
            raise InvalidBody("account.id names an existing account; change that account with POST simulate/account")
        return find_account(state, account["id"]).n
    return open_account(state, account).n
