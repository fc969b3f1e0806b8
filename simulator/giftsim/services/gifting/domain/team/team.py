"""Teams, which keys belong to, and the switches that disable all keys of a team (T-1.2, T-5.12, T-5.13, A5.10)."""

from __future__ import annotations

from typing import Any

import msgspec

from giftsim.engine.kernel.setting import Setting, choice
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.api_key import API_KEYS, update_key

FIRST_ID = 301


class TeamNotFound(Problem, status=404, code="team_not_found"):
    """No team has this id or label."""


class Team(Record, frozen=True, gc=False):
    """A team; `api_enabled` is the team's own switch, `agent_access` that of its account."""

    id: int
    label: str
    name: str
    plan: str
    created_ms: int
    api_enabled: bool = True
    agent_access: bool = True
    ach_enabled: bool = True


TEAMS: TableSpec[Team] = TableSpec("team", Team, unique={"id": "id", "label": "label"})


def create_team(state: State, label: str, name: str, *, plan: str = "sandbox", **columns: Any) -> Team:
    """Create a team; `columns` may set `created_ms` to an instant in the past."""
    n = state[TEAMS].next_n
    return state[TEAMS].add(Team(n, FIRST_ID + n, label, name, plan, **{"created_ms": state.now_ms, **columns}))


def find_team(state: State, id_or_label: int | str) -> Team:
    """The team with a public id or a label. TeamNotFound lists the teams that exist."""
    team = state[TEAMS].find("id" if isinstance(id_or_label, int) else "label", id_or_label)
    if team is None:
        known = ", ".join(f"{team.id} ({team.label})" for team in state[TEAMS])
        raise TeamNotFound(f"there is no team {str(id_or_label)[:60]!r}; the teams are {known or 'none'}")
    return team


def change_team(state: State, team: Team, **columns: Any) -> Team:
    """Change columns of a team; a changed plan also becomes the plan of all its keys."""
    if "plan" in columns:
        for key in state[API_KEYS].rows_in("team", team.n):
            update_key(state, key, plan=columns["plan"])
    return state[TEAMS].put(msgspec.structs.replace(team, **columns))


ROSTER_PATHS = ("/people", "/people/upcoming")


def _status(name: str, statuses: tuple[int, ...], meaning: str) -> Setting[int]:
    def read(raw: Any) -> int:
        if type(raw) is not int or raw not in statuses:
            raise ValueError(f"it is one of {', '.join(map(str, statuses))}")
        return raw

    return Setting(name, statuses[0], read, f"one of {', '.join(map(str, statuses))}", meaning)


def _paths(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list | tuple) or not all(isinstance(path, str) and path.startswith("/") for path in raw):
        raise ValueError("it is a list of paths of the contract, such as /people")
    return tuple(raw)


DISABLED_KEY_STATUS = _status(
    "team.disabled_key_status", (401, 403), "the status of calls with a key whose team or account is switched off"
)
BODY_STATUS = _status(
    "team.body_validation_status", (422, 400), "the status of calls whose well-formed body breaks a rule"
)
NAMESPACE = choice("sandbox.namespace", ("key", "team"), "whether each test key has its own sandbox, or each team")
ROSTER_ROLE_PATHS: Setting[tuple[str, ...]] = Setting(
    "roster_role_paths",
    list(ROSTER_PATHS),
    _paths,
    "a list of paths of the team interface",
    "which GET routes require the role approver in addition to their scope",
)

NET_TERMS_ROLE = choice(
    "team.net_terms_role",
    ("any", "approver"),
    "the role that a key needs to order on net terms, in addition to its scopes",
)

ALL: tuple[Setting[Any], ...] = (DISABLED_KEY_STATUS, BODY_STATUS, NAMESPACE, ROSTER_ROLE_PATHS, NET_TERMS_ROLE)
