"""Secrets taken out of what people read: keys, webhook secrets, sessions, passwords and claim tokens."""

from __future__ import annotations

import re

GONE = "***"

# A key keeps what says which interface and mode it is for, a claim link the world it belongs to.
_SECRETS = re.compile(
    r"""
    ((?:pk|ptk)_(?:live|test)_ | whsec_ | sess_) [A-Za-z0-9_.\-]+      # keys, webhook secrets, session tokens
    | (\\?/claim\\?/[a-z0-9-]{1,40}\\?/) [A-Za-z0-9_.%\-]+            # claim links, in JSON with escaped slashes too
    | (\b(?:Basic|Session)\s+) [A-Za-z0-9+/=_.\-]+                     # passwords, sessions
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WHOLE_HEADERS = ("cookie", "set-cookie", "proxy-authorization")
_BEARER = re.compile(r"(Bearer\s+)((?:pk|ptk)_(?:live|test)_)?\S+", re.IGNORECASE)


def text(written: str) -> str:
    """The text without secrets."""
    return _SECRETS.sub(_gone, written)


def headers(given: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Headers without secrets; of a bearer token only its prefix stays, even where it is no key of ours."""
    shown: dict[str, str] = {}
    for name, value in given:
        if name.lower() in _WHOLE_HEADERS:
            shown[name] = GONE
        elif name.lower() == "authorization":
            shown[name] = _authorization(value)
        elif name.lower() == "x-api-key":
            shown[name] = _authorization(f"Bearer {value}").removeprefix("Bearer ")
        else:
            shown[name] = text(value)
    return shown


def _authorization(value: str) -> str:
    if found := _BEARER.fullmatch(value.strip()):
        return f"{found[1]}{found[2] or ''}{GONE}"
    scheme = value.split(" ", 1)[0]
    return f"{scheme} {GONE}" if " " in value else GONE


def _gone(found: re.Match[str]) -> str:
    return next(part for part in found.groups() if part) + GONE
