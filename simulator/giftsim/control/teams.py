"""Teams: their options, plans and money, and the sessions of their members."""

from __future__ import annotations

from typing import Any

from giftsim.control.account_lookup import named_team
from giftsim.control.credentials import session_credential, session_token
from giftsim.control.money import balance_and_terms
from giftsim.control.pagination import numbered, page
from giftsim.control.world_access import change_state, current_state
from giftsim.domain.team.billing.wallet import add_to_balance, change_balance, change_terms
from giftsim.domain.team.member import MEMBERS, Session, find_member, sign_in
from giftsim.domain.team.team import TEAMS, Team, change_team
from giftsim.gateway.call import Call, Response
from giftsim.kernel.state import State

OPTIONS = ("api_enabled", "agent_access", "ach_enabled", "plan")


def create_session(call: Call) -> Response:
    """Sign a member in (A4.1)."""
    with change_state(call) as state:
        team = named_team(state, call.body.get("team"))
        session = sign_in(state, find_member(state, team, call.body["user"]))
        return Response(201, session_view(state, session, call.world.id))


def list_teams(call: Call) -> Response:
    """List teams with their options and money. The named credentials belong to the first one."""
    with current_state(call.world) as state:
        return page(call, "teams", numbered(state[TEAMS]), lambda team: view(state, team))


def simulate_team(call: Call) -> Response:
    """Change a team's options, plan, balance and credit terms."""
    with change_state(call) as state:
        team = named_team(state, call.body.get("team_id"))
        columns = {name: call.body[name] for name in OPTIONS if name in call.body}
        if "balance_cents" in call.body:
            change_balance(state, team.n, call.body["balance_cents"])
        if "add_cents" in call.body:
            add_to_balance(state, team.n, call.body["add_cents"])
        change_terms(state, team.n, call.body.get("credit", {}))
        return Response(200, view(state, change_team(state, team, **columns)))


def view(state: State, team: Team) -> dict[str, Any]:
    """A team with its options and its money."""
    return {
        "team_id": team.id,
        "label": team.label,
        "name": team.name,
        "plan": team.plan,
        "api_enabled": team.api_enabled,
        "agent_access": team.agent_access,
        "ach_enabled": team.ach_enabled,
        **balance_and_terms(state, team),
    }


def session_view(state: State, session: Session, world_id: str) -> dict[str, Any]:
    """A session with its full token, its member and team."""
    member = state[MEMBERS].get(session.member)
    return {
        "token": session_token(session, world_id),
        "headers": session_credential(session, world_id)["headers"],
        "user": member.user,
        "role": member.role,
        "team_id": state[TEAMS].get(member.team).id,
    }
