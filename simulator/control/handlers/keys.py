"""Keys: made, changed and revoked."""

from __future__ import annotations

from typing import Any

from simulator.control.credential import bearer, named_key, table_name
from simulator.control.present import present
from simulator.control.problem import Ambiguous
from simulator.domain.access.key import NEW_KEY_CAPABILITIES, Key, make_key, patch_key, revoke
from simulator.domain.money.account import ACCOUNTS, find_account, open_account
from simulator.gateway.call import Call, Reply
from simulator.kernel.state import State


def create_key(call: Call) -> Reply:
    """A new key, with an account of its own unless told otherwise."""
    body = call.body
    with present(call.here) as state, state.transaction():
        key = make_key(
            state,
            body["interface"],
            name=body.get("name"),
            capabilities=body.get("capabilities", NEW_KEY_CAPABILITIES),
            plan=body.get("plan", "sandbox"),
            account=_account(state, body.get("account", {})),
        )
        return Reply(201, view(state, key, call.here.id))


def change_key(call: Call) -> Reply:
    """Other capabilities, or another plan."""
    with present(call.here) as state, state.transaction():
        key = named_key(state, call.here.id, call.params["key"])
        return Reply(200, view(state, patch_key(state, key, **call.body), call.here.id))


def revoke_key(call: Call) -> Reply:
    """From now on it opens nothing."""
    with present(call.here) as state, state.transaction():
        key = named_key(state, call.here.id, call.params["key"])
        return Reply(200, view(state, revoke(state, key), call.here.id))


def view(state: State, key: Key, world_id: str) -> dict[str, Any]:
    """A key in full, with what it may."""
    shown = bearer(key, world_id)
    return {
        "name": table_name(key),
        "interface": key.interface,
        "key": shown["value"],
        "headers": shown["headers"],
        "account_id": None if key.account is None else state[ACCOUNTS].get(key.account).id,
        "capabilities": list(key.capabilities),
        "plan": key.plan,
        "revoked": key.revoked,
    }


def _account(state: State, asked: dict[str, Any] | None) -> int | None:
    if asked is None:
        return None
    if "id" in asked:
        if len(asked) > 1:
            raise Ambiguous("account.id names an account that is there; change it with the verb account")
        return find_account(state, asked["id"]).n
    return open_account(state, asked).n
