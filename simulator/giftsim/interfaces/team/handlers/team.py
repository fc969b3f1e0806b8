"""The key's team and its members."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.member import MEMBERS
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.pagination import page
from giftsim.interfaces.team.views import team as views


def get_team(call: Call) -> Response:
    """Read the team."""
    return Response(200, views.team(call.caller.team, call.caller.tenant))


def list_members(call: Call) -> Response:
    """List the users who can sign in."""
    members = call.state[MEMBERS]
    slots = members.slots_in("team", call.caller.team.n)
    return page(call, "members", slots, lambda n: views.member(members.get(n)))


HANDLERS: Mapping[str, Handler] = MappingProxyType({"getTeam": get_team, "listMembers": list_members})
