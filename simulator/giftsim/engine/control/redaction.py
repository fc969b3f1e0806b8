"""Redaction of secrets in texts and headers: keys, webhook secrets, sessions, passwords and claim tokens (G93)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from giftsim.engine.kernel.url_passwords import hide_url_passwords

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
# What a secret begins with, in lower case. To find these takes a tenth of the time of the whole pattern.
_MARKS = ("pk_live_", "pk_test_", "ptk_live_", "ptk_test_", "whsec_", "sess_", "/claim", "basic", "session")
# A value behind such a name in a query, as in `?access_token=`.
SECRET_PARAMETER = re.compile(
    r"([?&;](?:code|(?:[\w.-]*[_.-])?(?:access|key|pw|sig)|[\w.-]*(?:api_?key|auth|authorization|credentials?|jwt|passw"
    r"(?:or)?d|secret|signature|token))=)([^\s&;#\"'<>\\]+)",
    re.IGNORECASE,
)
_BEARER = re.compile(r"(Bearer\s+)((?:pk|ptk)_(?:live|test)_)?\S+", re.IGNORECASE)
_AUTHORIZATION, _API_KEY = "authorization", "x-api-key"

# Headers whose values the call log shows: those that giftsim reads, and standard ones that hold no credential. In any
# other a client may send a token of its own.
_SHOWN = frozenset(
    (
        *("accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "connection"),
        *("content-encoding", "content-language", "content-length", "content-type", "date", "dnt", "expect", "from"),
        *("host", "idempotency-key", "if-match", "if-modified-since", "if-none-match", "if-range"),
        *("if-unmodified-since", "keep-alive", "max-forwards", "mcp-protocol-version", "origin", "pragma", "prefer"),
        *("priority", "range", "referer", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "sec-fetch-user", "te"),
        *("traceparent", "trailer", "transfer-encoding", "upgrade", "upgrade-insecure-requests", "user-agent", "via"),
        *("x-correlation-id", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-request-id"),
        *("mcp-method", "mcp-name", "x-requested-with", "x-sim-fault", "x-sim-world"),
    )
)
_WHOLE_HEADERS = ("cookie", "set-cookie", "proxy-authorization")

Headers = tuple[tuple[str, str], ...]


def redact_text(text: str) -> str:
    """The text with every secret replaced, as call log, trace and activity log show it."""
    shown = hide_url_passwords(_redact_secrets(text), lambda _userinfo: REDACTED)
    return SECRET_PARAMETER.sub(rf"\1{REDACTED}", shown) if "=" in shown else shown


def _redact_secrets(text: str) -> str:
    """As `_SECRETS.sub`, which is tried only where a secret can begin."""
    lower = text.lower().replace("\u017f", "s")  # the long s, which the pattern takes for one in either case
    if len(lower) != len(text):
        return _SECRETS.sub(_keep_prefix, text)
    marks = [mark for mark in _MARKS if mark in lower]
    parts, end = list[str](), 0
    for start in sorted(start for mark in marks for start in _places(mark, lower)) if marks else ():
        match = _SECRETS.match(text, start) if start >= end else None
        if match is not None:
            parts += [text[end:start], _keep_prefix(match)]
            end = match.end()
    return "".join([*parts, text[end:]]) if parts else text


def _places(mark: str, text: str) -> Iterator[int]:
    """The positions of a mark in a text."""
    start = text.find(mark)
    while start >= 0:
        yield start
        start = text.find(mark, start + 1)


def redact_request_headers(headers: Headers) -> dict[str, str]:
    """The headers of a client. Bearer tokens keep the prefix of a key, and unknown headers only their names."""
    return {name: _redact_request_header(name.lower(), value) for name, value in headers}


def redact_response_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of a response, with every secret replaced."""
    return {name: REDACTED if name.lower() in _WHOLE_HEADERS else redact_text(value) for name, value in headers.items()}


def _redact_request_header(name: str, value: str) -> str:
    if name == _AUTHORIZATION:
        return _redact_authorization(value)
    if name == _API_KEY:
        return _redact_authorization(f"Bearer {value}").removeprefix("Bearer ")
    return redact_text(value) if name in _SHOWN else REDACTED


def _redact_authorization(value: str) -> str:
    if match := _BEARER.fullmatch(value.strip()):
        return f"{match[1]}{match[2] or ''}{REDACTED}"
    scheme = value.split(" ", 1)[0]
    return f"{scheme} {REDACTED}" if " " in value else REDACTED


def _keep_prefix(match: re.Match[str]) -> str:
    return next(part for part in match.groups() if part) + REDACTED
