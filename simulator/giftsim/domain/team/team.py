"""Teams, which keys belong to, and the switches that disable all keys of a team (T-1.2, T-5.12, T-5.13, A5.10)."""

from __future__ import annotations

from typing import Any

import msgspec

from giftsim.domain.access.api_key import API_KEYS, update_key
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec
from giftsim.problem import Problem

FIRST_ID = 301


class TeamNotFound(Problem):
    """No team has this id or label."""

    status = 404
    code = "team_not_found"


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
