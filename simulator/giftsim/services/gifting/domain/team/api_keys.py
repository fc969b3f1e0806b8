"""The API keys of a team, which its owner creates, lists and revokes (A4.3, A4.4, T-5.7 to T-5.9)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.api_key import API_KEYS, TEAM, ApiKey, issue_key
from giftsim.services.gifting.domain.team.team import Team
from giftsim.services.gifting.domain.team.team_errors import NotFound

PAY = "orders:pay"
SCOPES = (
    "catalog:read",
    "people:read",
    "people:write",
    "contacts:read",
    "gifts:send",
    "orders:read",
    "orders:write",
    PAY,
    "artwork:write",
    "rules:write",
    "billing:read",
    "billing:write",
    "webhooks:manage",
)
CEILINGS = ("per_request_cents", "monthly_cents")
FIRST_ID = 7_001
_WHOLE = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


def key_id(key: ApiKey) -> int:
    """The public id of a key."""
    return FIRST_ID + key.n


def create_team_key(state: State, team: Team, *, mode: str, role: str, scopes: Sequence[str], **columns: Any) -> ApiKey:
    """Create a key, by default with the team's plan. It can pay only if it has both spending limits (A4.4)."""
    return issue_key(
        state,
        TEAM,
        mode=mode,
        capabilities=(),
        scopes=scopes,
        team=team.n,
        role=role,
        **{"plan": team.plan, **columns},
    )


def active_keys(state: State, team: Team) -> list[ApiKey]:
    """The keys of a team that are not revoked, newest first."""
    return [key for key in reversed(state[API_KEYS].rows_in("team", team.n)) if not key.revoked]


def find_active_key(state: State, team: Team, raw_id: str) -> ApiKey:
    """The key with a public id. NotFound for a key of another team, and for a revoked one."""
    key = state[API_KEYS].at(int(raw_id) - FIRST_ID) if _WHOLE.fullmatch(raw_id) else None
    if key is None or key.team != team.n or key.revoked:
        raise NotFound("the team has no such key, or it is revoked already")
    return key
