"""Keys and sessions of a world by name. Their values contain the world's id, which is not part of its state (G1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from giftsim.engine.control.control_errors import KeyNotFound
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.texts import suggest_name
from giftsim.services.gifting.domain.api_key import API_KEYS, ApiKey
from giftsim.services.gifting.domain.team.member import MEMBERS, SESSIONS, Session, find_session
from giftsim.services.secrets import KEYS, SESSION

_COOKIE = re.compile(r"(?:^|;)\s*session=([^;\s]+)")


def keys_and_sessions(state: State, world_id: str) -> dict[str, Any]:
    """Every key and session that works, by name: its value and the headers to send."""
    return {
        **{credential_name(key): bearer(key, world_id) for key in state[API_KEYS] if not key.revoked},
        **{f"session.{row.label}": session_credential(row, world_id) for row in state[SESSIONS] if row.label},
    }


def bearer(key: ApiKey, world_id: str) -> dict[str, Any]:
    """A key as a credential: `{type, value, headers}`."""
    value = KEYS[key.interface].make(key.name, world_id, key.mode)
    return {"type": "bearer", "value": value, "headers": {"Authorization": f"Bearer {value}"}}


def session_credential(session: Session, world_id: str) -> dict[str, Any]:
    """A session as a credential: `{type, value, headers}`. The cookie `session` takes the same value."""
    value = SESSION.make(session.name, world_id)
    return {"type": "session", "value": value, "headers": {"Authorization": f"Session {value}"}}


def credential_name(key: ApiKey) -> str:
    """The name of a key's credential, such as `partner.prepaid`."""
    return f"{key.interface}.{key.label or key.name}"


def interface_of(name: str) -> str | None:
    """The interface that a session calls; that of a key begins its name."""
    return "team" if name.partition(".")[0] == "session" else None


def name_of_key(state: State, world_id: str, given: str) -> str:
    """The name of the key with a credential's name or value. KeyNotFound."""
    return credential_name(named_key(state, world_id, given))


def named_key(state: State, world_id: str, name: str) -> ApiKey:
    """The key with a credential's name or value. KeyNotFound suggests the nearest name."""
    keys: dict[str, ApiKey] = {}
    for key in state[API_KEYS]:
        keys.setdefault(credential_name(key), key)
        if KEYS[key.interface].make(key.name, world_id, key.mode) == name:
            return key
    if name in keys:
        return keys[name]
    suggestion = suggest_name(name, list(keys), f"there are {', '.join(sorted(keys)[:20])}")
    raise KeyNotFound(f"world {world_id} has no key {name[:80]!r}; {suggestion}")


def shared_names(state: State) -> set[str]:
    """The names that several keys have."""
    uses = Counter(credential_name(key) for key in state[API_KEYS])
    return {name for name, count in uses.items() if count > 1}


def name_in_headers(state: State, world_id: str, headers: Mapping[str, str]) -> str | None:
    """The name of the key or session in the headers of a call, or None."""
    bearer = headers.get("Authorization", "").partition(" ")[2].strip()
    values = (bearer, headers.get("X-Api-Key", ""), *_COOKIE.findall(headers.get("Cookie", "")))
    return next((name for value in values if (name := _name_of_value(state, world_id, value))), None)


def _name_of_value(state: State, world_id: str, value: str) -> str | None:
    for interface, kind in KEYS.items():
        for mode in kind.modes:
            start = kind.before(world_id, mode)
            if value.startswith(start):
                key = state[API_KEYS].find("credential", f"{interface}:{mode}:{value.removeprefix(start)}")
                return credential_name(key) if key else None
    session = find_session(state, value.removeprefix(SESSION.before(world_id)))
    return f"session.{session.label or state[MEMBERS].get(session.member).user}" if session else None
