"""What a call to the team interface holds: keys in two headers, sessions in a header and a cookie (A4.1, A4.5)."""

from __future__ import annotations

import re
from http.cookies import CookieError, SimpleCookie

import msgspec

from giftsim.gateway.call import Call

_KEY = re.compile(r"ptk_(live|test)_([a-z0-9-]{1,40})_([A-Za-z0-9-]{1,64})", re.ASCII)
_SESSION = re.compile(r"sess_([a-z0-9-]{1,40})_([A-Za-z0-9]{1,64})", re.ASCII)


class KeyText(msgspec.Struct, frozen=True):
    """A well-formed key, taken apart."""

    mode: str
    world: str
    name: str


class SessionText(msgspec.Struct, frozen=True):
    """A well-formed session, taken apart."""

    world: str
    name: str


def keys(call: Call) -> list[str]:
    """The keys that the headers hold, as they stand there, without repetition: none, one or two."""
    scheme, _, bearer = (call.header("Authorization") or "").partition(" ")
    given = [bearer.strip() if scheme.lower() == "bearer" else None, call.header("X-API-Key")]
    return list(dict.fromkeys(text for text in given if text is not None))


def sessions(call: Call) -> list[str]:
    """The session tokens that header and cookie hold, without repetition."""
    scheme, _, token = (call.header("Authorization") or "").partition(" ")
    given = [token.strip() if scheme.lower() == "session" else None, _cookie(call.header("Cookie"))]
    return list(dict.fromkeys(text for text in given if text is not None))


def read_key(text: str) -> KeyText | None:
    """The parts of a key, or None for anything else."""
    found = _KEY.fullmatch(text)
    return KeyText(found[1], found[2], found[3]) if found else None


def read_session(text: str) -> SessionText | None:
    """The parts of a session token, or None for anything else."""
    found = _SESSION.fullmatch(text)
    return SessionText(found[1], found[2]) if found else None


def world_tag(call: Call) -> str | None:
    """The world that the first readable credential names, known or not (G10)."""
    for read, given in ((read_key, keys(call)), (read_session, sessions(call))):
        for text in given:
            found = read(text)
            if found is not None:
                return found.world
    return None


def _cookie(header: str | None) -> str | None:
    if header is None:
        return None
    try:
        morsel = SimpleCookie(header).get("session")
    except CookieError:
        return None
    return morsel.value if morsel else None
