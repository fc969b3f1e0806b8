"""The JSON of a team and its members."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.member import Member
from giftsim.domain.team.team import Team
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import format_instant


def team(team: Team, tenant: Tenant) -> dict[str, Any]:
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


def member(member: Member) -> dict[str, Any]:
    """A user who can sign in, with the role of their sessions."""
    return {
        "id": member.id,
        "display_name": member.display_name,
        "role": member.role,
        "created_at": format_instant(member.created_ms),
    }
