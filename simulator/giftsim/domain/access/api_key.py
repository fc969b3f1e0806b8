"""Keys: who calls which interface, on whose account or team, and how much of it they may (P-5.1 to P-5.5, A4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec
from giftsim.problem import Problem

PARTNER, TEAM = "partner", "team"
LIVE, TEST = "live", "test"
TEAM_ORDERS = "team_orders"
DEFAULT_CAPABILITIES = (TEAM_ORDERS,)


class ApiKey(Record, frozen=True, gc=False):
    """One credential, by name: its text is made of the world's id and the name when it leaves the house (G1).

    A partner key is bound to `account` (a slot) and asks for `capabilities`; a team key is bound to `team` (a slot) and
    has `role`, `scopes` and spending ceilings, and `title` is what its owner calls it. `spent_cents` is what the key
    charged on the Los Angeles day `spent_on`.
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


class KeyExists(Problem):
    """A key of this interface and mode has the name already."""

    status = 409
    code = "key_exists"


def _credential(key: ApiKey) -> str:
    return f"{key.interface}:{key.mode}:{key.name}"


API_KEYS: TableSpec[ApiKey] = TableSpec(
    "keys", ApiKey, unique={"credential": _credential},
    groups={"account": lambda key: key.account, "team": lambda key: key.team},
)  # fmt: skip


def find_key(state: State, interface: str, mode: str, name: str) -> ApiKey | None:
    """The key of that name, also a revoked one, or None."""
    return state[API_KEYS].find("credential", f"{interface}:{mode}:{name}")


def issue_key(
    state: State, interface: str, *, name: str | None = None, mode: str = LIVE,
    capabilities: Sequence[str] = DEFAULT_CAPABILITIES, scopes: Sequence[str] = (), **columns: Any,
) -> ApiKey:  # fmt: skip
    """A new key, named by the world's chance if no name is given; new keys hold `team_orders` (P-5.5).

    `columns` are further columns of the record. KeyExists if the name is taken.
    """
    name = name or state.token("key", 16)
    if find_key(state, interface, mode, name):
        raise KeyExists(f"there is a {mode} {interface} key named {name} already")
    return state[API_KEYS].add(
        ApiKey(state[API_KEYS].next_n, name, interface, mode, state.now_ms, capabilities=tuple(capabilities),
            scopes=tuple(scopes), **columns)
    )  # fmt: skip


def update_key(state: State, key: ApiKey, **columns: Any) -> ApiKey:
    """The key with other columns, lists taken as tuples (G40)."""
    columns = {name: tuple(value) if isinstance(value, list) else value for name, value in columns.items()}
    return state[API_KEYS].put(msgspec.structs.replace(key, **columns))


def revoke(state: State, key: ApiKey) -> ApiKey:
    """The key that from now on opens nothing; revoking it again changes nothing."""
    return update_key(state, key, revoked=True)
