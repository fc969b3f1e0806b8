"""User names and passwords in URLs: https://ada:password@host/. Nothing that is shown or written down has them."""

from __future__ import annotations

import re
from collections.abc import Callable

HIDDEN = "..."

# What is before the last @ of the host's part, also percent-encoded, and with the slashes of JSON that escapes them.
_USERINFO = re.compile(
    r"((?::|%3a|(?<![\w:/\\]))(?:\\?/|%2f){2})((?:(?!%2f|%3f|%23)[^\s/?#\"'<>\\])*)(?=@|%40)", re.IGNORECASE
)
_PLAIN = re.compile(r"//[^\s/?#\"'<>\\]*(?:@|%40)")


def hide_url_passwords(text: str, replace: Callable[[str], str] = lambda _userinfo: HIDDEN) -> str:
    """The text with what `replace` makes of each user name and password in a URL."""
    if ("@" not in text and "%40" not in text) or not _may_have_one(text):
        return text
    return _USERINFO.sub(lambda match: match[1] + replace(match[2]), text)


def _may_have_one(text: str) -> bool:
    """Whether a slower search is worth while. The pattern begins with a fixed text, which is found fast."""
    return _PLAIN.search(text) is not None or "\\/" in text or "%2f" in text or "%2F" in text
