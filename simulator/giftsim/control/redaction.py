"""Redaction of secrets in texts and headers: keys, webhook secrets, sessions, passwords and claim tokens."""

from __future__ import annotations

import re

REDACTED = "***"

# A redacted key still shows its interface and mode, a redacted claim link its world.
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


def redact_text(text: str) -> str:
    """The text with every secret replaced."""
    return _SECRETS.sub(_keep_prefix, text)


def redact_headers(headers: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The headers with every secret replaced. Of a bearer token only the prefix of a key is kept."""
    redacted: dict[str, str] = {}
    for name, value in headers:
        if name.lower() in _WHOLE_HEADERS:
            redacted[name] = REDACTED
        elif name.lower() == "authorization":
            redacted[name] = _redact_authorization(value)
        elif name.lower() == "x-api-key":
            redacted[name] = _redact_authorization(f"Bearer {value}").removeprefix("Bearer ")
        else:
            redacted[name] = redact_text(value)
    return redacted


def _redact_authorization(value: str) -> str:
    if match := _BEARER.fullmatch(value.strip()):
        return f"{match[1]}{match[2] or ''}{REDACTED}"
    scheme = value.split(" ", 1)[0]
    return f"{scheme} {REDACTED}" if " " in value else REDACTED


def _keep_prefix(match: re.Match[str]) -> str:
    return next(part for part in match.groups() if part) + REDACTED
