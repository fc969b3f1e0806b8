"""The JSON of a team and its members."""

from __future__ import annotations

from typing import Any

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant
from giftsim.services.gifting.domain.team.member import MEMBERS, Member
from giftsim.services.gifting.domain.team.team import Team
from giftsim.services.gifting.domain.team.tenant import Tenant
from giftsim.services.gifting.interfaces.team.pagination import respond_with_page


def team_view(team: Team, tenant: Tenant) -> dict[str, Any]:
    """A team, for a key of its live tenant or of a sandbox."""
    return {
        "id": team.id,
        "name": team.name,
        "plan": team.plan,
        "currency": "USD",
        "time_zone": "America/Los_Angeles",
        "ach_enabled": team.ach_enabled,
        "livemode": tenant.livemode,
        "created_at": format_instant(team.created_ms),
    }


def member_view(member: Member) -> dict[str, Any]:
    """A user who can sign in, with the role of their sessions."""
    return {
        "id": member.id,
        "display_name": member.display_name,
        "role": member.role,
        "created_at": format_instant(member.created_ms),
    }


def get_team(call: Call) -> Response:
    """Read the team."""
    return Response(200, team_view(call.caller.team, call.caller.tenant))


def list_members(call: Call) -> Response:
    """List the users who can sign in."""
    members = call.state[MEMBERS]
    slots = members.slots_in("team", call.caller.team.n)
    return respond_with_page(call, "members", slots, lambda n: member_view(members.get(n)))
