"""API keys: the interface, account or team, permissions and limits of a caller (P-5.1 to P-5.5, A4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.services.secrets import MODES, PARTNER_KEY

LIVE, TEST = MODES
PARTNER, TEAM = "partner", "team"
TEAM_ORDERS = "team_orders"
DEFAULT_CAPABILITIES = (TEAM_ORDERS,)


class ApiKey(Record, frozen=True, gc=False):
    """One API key. Its text is built from the world's id and `name` when it is shown, and never stored (G1).

    A partner key is bound to `account` (a slot) and has `capabilities`. A team key is bound to `team` (a slot) and has
    a `role`, `scopes`, spending limits and the owner's `title` for it. `spent_cents` is what the key charged on the Los
    Angeles day `spent_on`.
    """

    name: str
    interface: str
    mode: str
    made_at_ms: int
    label: str = ""
    account: int | None = None
    capabilities: tuple[str, ...] = ()
    team: int | None = None
    role: str | None = None
    scopes: tuple[str, ...] = ()
    per_request_cents: int | None = None
    monthly_cents: int | None = None
    plan: str = "sandbox"
    revoked: bool = False
    spent_on: str = ""
    spent_cents: int = 0
    title: str = ""


class KeyExists(Problem, status=409, code="key_exists"):
    """The interface and mode already have a key with this name."""


def _credential(key: ApiKey) -> str:
    return f"{key.interface}:{key.mode}:{key.name}"


API_KEYS: TableSpec[ApiKey] = TableSpec(
    "keys",
    ApiKey,
    unique={"credential": _credential},
    groups={"account": "account", "team": "team"},
)


def find_key(state: State, interface: str, mode: str, name: str) -> ApiKey | None:
    """The key with a name, also if it is revoked, or None."""
    return state[API_KEYS].find("credential", f"{interface}:{mode}:{name}")


def issue_key(
    state: State,
    interface: str,
    *,
    name: str | None = None,
    mode: str = LIVE,
    capabilities: Sequence[str] = DEFAULT_CAPABILITIES,
    scopes: Sequence[str] = (),
    **columns: Any,
) -> ApiKey:
    """A new key. Without `name` it gets a random one; by default it has the capability `team_orders` (P-5.5).

    `columns` are further columns of the record. KeyExists if the name is taken.
    """
    name = name or state.token("key", PARTNER_KEY.drawn)
    if find_key(state, interface, mode, name):
        raise KeyExists(f"a {mode} {interface} key named {name} already exists")
    return state[API_KEYS].add(
        ApiKey(
            state[API_KEYS].next_n,
            name,
            interface,
            mode,
            state.now_ms,
            capabilities=tuple(capabilities),
            scopes=tuple(scopes),
            **columns,
        )
    )


def update_key(state: State, key: ApiKey, **columns: Any) -> ApiKey:
    """Change columns of a key; lists become tuples (G40)."""
    columns = {name: tuple(value) if isinstance(value, list) else value for name, value in columns.items()}
    return state[API_KEYS].put(msgspec.structs.replace(key, **columns))


def revoke(state: State, key: ApiKey) -> ApiKey:
    """Revoke a key for good; revoking it again changes nothing."""
    return update_key(state, key, revoked=True)
