"""Read the credentials of a call: keys from two headers, sessions from a header and a cookie (A4.1, A4.5)."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie

import msgspec

from giftsim.engine.gateway.call import Call
from giftsim.services.secrets import SESSION, TEAM_KEY

_KEY, _SESSION = TEAM_KEY.form, SESSION.form


class KeyParts(msgspec.Struct, frozen=True):
    """The parts of a well-formed key, `ptk_<mode>_<world>_<name>`."""

    mode: str
    world: str
    name: str


class SessionParts(msgspec.Struct, frozen=True):
    """The parts of a well-formed session token, `sess_<world>_<name>`."""

    world: str
    name: str


def sent_keys(call: Call) -> list[str]:
    """The distinct keys in the headers, unparsed: none, one or two. An empty header has none."""
    scheme, _, bearer = (call.header("Authorization") or "").partition(" ")
    candidates = [bearer.strip() if scheme.lower() == "bearer" else "", call.header("X-API-Key")]
    return list(dict.fromkeys(text for text in candidates if text))


def sent_sessions(call: Call) -> list[str]:
    """The distinct session tokens in the header and the cookie, unparsed."""
    scheme, _, token = (call.header("Authorization") or "").partition(" ")
    candidates = [token.strip() if scheme.lower() == "session" else "", _session_cookie(call.header("Cookie"))]
    return list(dict.fromkeys(text for text in candidates if text))


def parse_key(text: str) -> KeyParts | None:
    """The parts of a key, or None if the text is not a key."""
    match = _KEY.fullmatch(text)
    return KeyParts(match[1], match[2], match[3]) if match else None


def parse_session(text: str) -> SessionParts | None:
    """The parts of a session token, or None if the text is not one."""
    match = _SESSION.fullmatch(text)
    return SessionParts(match[1], match[2]) if match else None


def credential_world_id(call: Call) -> str | None:
    """The world id in the first well-formed credential, whether or not that world exists (G10)."""
    for parse, texts in ((parse_key, sent_keys(call)), (parse_session, sent_sessions(call))):
        for text in texts:
            parts = parse(text)
            if parts is not None:
                return parts.world
    return None


def _session_cookie(header: str | None) -> str | None:
    if header is None:
        return None
    try:
        morsel = SimpleCookie(header).get("session")
    except CookieError:
        return None
    return morsel.value if morsel else None
