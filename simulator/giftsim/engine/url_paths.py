"""URL paths that several packages need: the base path of the control API, and how a path is decoded."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

# The base path of the control API, as in its contract (control/contract.yaml).
CONTROL = "/_sim/v1"

_SLASH = re.compile("%2f", re.IGNORECASE)


def as_utf8(text: str) -> str:
    """A path or header of WSGI, which decodes them as Latin-1, as UTF-8; one that is not UTF-8 stays unchanged."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except (UnicodeDecodeError, UnicodeEncodeError):
        return text


def decode_path(raw: str) -> str:
    """A path as the server puts it into WSGI's `PATH_INFO`: decoded, except `%2F`, which does not separate (G101)."""
    return "%2F".join([unquote_to_bytes(part).decode("latin-1") for part in _SLASH.split(raw)])
