"""Teams: their options, plans and money, and the sessions of their members."""

from __future__ import annotations

from typing import Any

from giftsim.engine.control.pagination import number_rows, respond_with_page
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.billing.wallet import (
    add_to_balance,
    change_balance,
    change_terms,
    read_balance,
    read_terms,
)
from giftsim.services.gifting.domain.team.member import MEMBERS, Session, find_member, sign_in
from giftsim.services.gifting.domain.team.team import TEAMS, Team, change_team
from giftsim.services.gifting.domain.team.tenant import live_tenant
from giftsim.services.gifting.records.accounts import terms_limits_view
from giftsim.services.gifting.records.key_credentials import session_credential
from giftsim.services.gifting.records.named import named_team
from giftsim.services.secrets import SESSION

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
        return respond_with_page(call, "teams", number_rows(state[TEAMS]), lambda team: view(state, team))


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
        "token": SESSION.make(session.name, world_id),
        "headers": session_credential(session, world_id)["headers"],
        "user": member.user,
        "role": member.role,
        "team_id": state[TEAMS].get(member.team).id,
    }


def balance_and_terms(state: State, team: Team) -> dict[str, Any]:
    """The live balance and credit terms of a team."""
    balance, terms = read_balance(state, live_tenant(team.n)), read_terms(state, live_tenant(team.n))
    return {
        "balance_cents": balance.balance_cents,
        "reserved_cents": balance.reserved_cents,
        "limits": terms_limits_view(terms),
        "credit": {
            "status": terms.status,
            "net_days": terms.net_days,
            "credit_limit_cents": terms.credit_limit_cents,
            "outstanding_cents": terms.outstanding_cents,
            "available_cents": terms.available_cents,
        },
    }
