"""The section `teams:` of a fixture, which is seeded before the keys that are bound to teams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from giftsim.domain.team.member import add_member
from giftsim.domain.team.session import sign_in
from giftsim.domain.team.team import Team, create_team
from giftsim.kernel.instants import parse_duration
from giftsim.kernel.state import State

Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]{1,64}$")]


class MemberEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A member, listed by user name; `session` is the name of a session that is signed in from the beginning."""

    name: str
    role: Literal["owner", "approver", "member"] = "member"
    session: Name | None = None


class TeamEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A team, listed by label; `age` is how long before the start of the world it was created."""

    name: str
    plan: Literal["sandbox", "starter", "growth", "enterprise"] = "sandbox"
    age: str = "0s"
    ach_enabled: bool = True
    members: dict[str, MemberEntry] = {}


def seed_teams(state: State, entries: Mapping[str, TeamEntry]) -> dict[str, Team]:
    """Create the teams of a fixture with their members and sessions, by label. ValueError for an invalid `age`."""
    return {label: _open(state, label, entry) for label, entry in entries.items()}


def _open(state: State, label: str, entry: TeamEntry) -> Team:
    created_ms = state.now_ms - parse_duration(entry.age)
    team = create_team(
        state, label, entry.name, plan=entry.plan, ach_enabled=entry.ach_enabled, created_ms=created_ms
    )  # fmt: skip
    for user, each in entry.members.items():
        member = add_member(state, team, user, each.name, each.role, created_ms)
        if each.session is not None:
            sign_in(state, member, each.session, each.session)
    return team
