"""Credentials: the named entries of a world, made of its keys and its id when they leave the house (G1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from giftsim.control.problem import KeyNotFound
from giftsim.domain.access.api_key import API_KEYS, LIVE, TEST, ApiKey
from giftsim.domain.museum import credentials as museum
from giftsim.domain.team.member import MEMBERS
from giftsim.domain.team.session import SESSIONS, Session, find_session
from giftsim.kernel.state import State
from giftsim.kernel.suggestion import suggest

PREFIXES = {"partner": "pk", "team": "ptk"}
_COOKIE = re.compile(r"(?:^|;)\s*session=([^;\s]+)")


def credentials(state: State, world_id: str) -> dict[str, Any]:
    """Every usable credential by its name in the table: what a client needs, and the header in full."""
    return {
        **{table_name(key): bearer(key, world_id) for key in state[API_KEYS] if not key.revoked},
        **{f"session.{row.label}": signed_in(row, world_id) for row in state[SESSIONS] if row.label},
        "museum": {
            "type": "basic", "user": museum.user_name(world_id), "password": museum.PASSWORD,
            "headers": {"Authorization": museum.authorization_header(world_id)},
        },
    }  # fmt: skip


def bearer(key: ApiKey, world_id: str) -> dict[str, Any]:
    """One key as a client needs it."""
    value = key_text(key, world_id)
    return {"type": "bearer", "value": value, "headers": {"Authorization": f"Bearer {value}"}}


def signed_in(session: Session, world_id: str) -> dict[str, Any]:
    """A session as a client needs it; the cookie `session` takes the same value."""
    value = session_text(session, world_id)
    return {"type": "session", "value": value, "headers": {"Authorization": f"Session {value}"}}


def session_text(session: Session, world_id: str) -> str:
    """The token in full: `sess_default_owner`."""
    return f"sess_{world_id}_{session.name}"


def table_name(key: ApiKey) -> str:
    """The name of a key in the table of credentials: `partner.prepaid`."""
    return f"{key.interface}.{key.label or key.name}"


def key_text(key: ApiKey, world_id: str) -> str:
    """The key in full: `pk_live_default_prepaid`."""
    return f"{PREFIXES[key.interface]}_{key.mode}_{world_id}_{key.name}"


def named_key(state: State, world_id: str, name: str) -> ApiKey:
    """The key that is meant by a name of the table or by its full text; KeyNotFound names the nearest."""
    table: dict[str, ApiKey] = {}
    for key in state[API_KEYS]:
        table.setdefault(table_name(key), key)
        if key_text(key, world_id) == name:
            return key
    if name in table:
        return table[name]
    known = suggest(name, list(table), f"there are {', '.join(sorted(table)[:20])}")
    raise KeyNotFound(f"world {world_id} has no key {name[:80]!r}; {known}")


def caller_name(state: State, world_id: str, headers: Mapping[str, str]) -> str | None:
    """The name of the credential that a call's headers hold, or None."""
    authorization = headers.get("Authorization", "")
    if authorization == museum.authorization_header(world_id):
        return "museum"
    bearer = authorization.partition(" ")[2].strip()
    texts = (bearer, headers.get("X-Api-Key", ""), *_COOKIE.findall(headers.get("Cookie", "")))
    return next((name for text in texts if (name := _name(state, world_id, text))), None)


def _name(state: State, world_id: str, text: str) -> str | None:
    for interface, prefix in PREFIXES.items():
        for mode in (LIVE, TEST):
            head = f"{prefix}_{mode}_{world_id}_"
            if text.startswith(head):
                key = state[API_KEYS].find("credential", f"{interface}:{mode}:{text.removeprefix(head)}")
                return table_name(key) if key else None
    session = find_session(state, text.removeprefix(f"sess_{world_id}_"))
    return f"session.{session.label or state[MEMBERS].get(session.member).user}" if session else None
