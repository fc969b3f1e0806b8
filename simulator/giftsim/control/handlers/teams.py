"""Teams: their switches, plans and money, and the sessions of their members."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from giftsim.control.credentials import session_text, signed_in
from giftsim.control.pagination import numbered, page
from giftsim.control.subject_lookup import team_of
from giftsim.control.views.money import purse
from giftsim.control.world_access import changing, present
from giftsim.domain.team.billing.wallet import change_balance, change_terms
from giftsim.domain.team.member import MEMBERS, find_member
from giftsim.domain.team.session import Session, sign_in
from giftsim.domain.team.team import TEAMS, Team, change_team
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.state import State

SWITCHES = ("api_enabled", "agent_access", "ach_enabled", "plan")


def create_session(call: Call) -> Response:
    """A member signs in (A4.1)."""
    with changing(call) as state:
        team = team_of(state, call.body.get("team"))
        session = sign_in(state, find_member(state, team, call.body["user"]))
        return Response(201, session_view(state, session, call.world.id))


def list_teams(call: Call) -> Response:
    """Every team with its switches and money; the first is that of the named credentials."""
    with present(call.world) as state:
        return page(call, "teams", numbered(state[TEAMS]), lambda team: view(state, team))


def simulate_team(call: Call) -> Response:
    """Somebody throws a team's switches, sells it another plan, or sets what it has and what it may owe."""
    with changing(call) as state:
        team = team_of(state, call.body.get("team_id"))
        columns = {name: call.body[name] for name in SWITCHES if name in call.body}
        if "balance_cents" in call.body:
            change_balance(state, team.n, call.body["balance_cents"])
        change_terms(state, team.n, call.body.get("credit", {}))
        return Response(200, view(state, change_team(state, team, **columns)))


def view(state: State, team: Team) -> dict[str, Any]:
    """A team with all that can be switched, and its money."""
    return {
        "team_id": team.id,
        "label": team.label,
        "name": team.name,
        "plan": team.plan,
        "api_enabled": team.api_enabled,
        "agent_access": team.agent_access,
        "ach_enabled": team.ach_enabled,
        **purse(state, team),
    }


def session_view(state: State, session: Session, world_id: str) -> dict[str, Any]:
    """A session in full, with whose it is."""
    member = state[MEMBERS].get(session.member)
    return {
        "token": session_text(session, world_id),
        "headers": signed_in(session, world_id)["headers"],
        "user": member.user,
        "role": member.role,
        "team_id": state[TEAMS].get(member.team).id,
    }


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "createSession": create_session,
        "simulateTeam": simulate_team,
        "listTeams": list_teams,
    }
)
