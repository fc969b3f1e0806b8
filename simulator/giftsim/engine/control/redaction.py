"""Redaction of the headers of calls: a client may send a token in any that giftsim does not know (G93)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from giftsim.services.secrets import KEYS, REDACTED, redact

_BEARER = re.compile(rf"(Bearer\s+)({'|'.join(kind.start for kind in KEYS.values())})?\S+", re.IGNORECASE)
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


def redact_request_headers(headers: Headers) -> dict[str, str]:
    """The headers of a client. Bearer tokens keep the prefix of a key, and unknown headers only their names."""
    return {name: _redact_request_header(name.lower(), value) for name, value in headers}


def redact_response_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of a response, with every secret replaced."""
    return {name: REDACTED if name.lower() in _WHOLE_HEADERS else redact(value) for name, value in headers.items()}


def _redact_request_header(name: str, value: str) -> str:
    if name == _AUTHORIZATION:
        return _redact_authorization(value)
    if name == _API_KEY:
        return _redact_authorization(f"Bearer {value}").removeprefix("Bearer ")
    return redact(value) if name in _SHOWN else REDACTED


def _redact_authorization(value: str) -> str:
    if match := _BEARER.fullmatch(value.strip()):
        return f"{match[1]}{match[2] or ''}{REDACTED}"
    scheme = value.split(" ", 1)[0]
    return f"{scheme} {REDACTED}" if " " in value else REDACTED
