"""Notices: what an action did or why it failed, shown once on the page that follows it.

A notice travels in a cookie, so that the console keeps nothing itself. Its text is escaped like all other text.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from flask import Response, request

COOKIE = "giftsim-notice"
LONGEST = 1_500  # characters; a browser drops a cookie above 4 KiB
SECONDS = 60


def set_notice(response: Response, text: str, *, failed: bool = False) -> None:
    """Show a text on the next page."""
    data = json.dumps({"text": text[:LONGEST], "failed": failed}).encode()
    content = urlsafe_b64encode(data).decode()
    response.set_cookie(COOKIE, content, max_age=SECONDS, httponly=True, samesite="Strict", path="/")


def read_notice() -> dict[str, Any] | None:
    """The notice that the browser brings, or None."""
    content = request.cookies.get(COOKIE)
    if not content:
        return None
    try:
        notice = json.loads(urlsafe_b64decode(content))
        return {"text": str(notice["text"]), "failed": bool(notice["failed"])}
    except (ValueError, KeyError, TypeError):
        return None


def forget_notice(response: Response) -> None:
    """Show the notice no more."""
    response.delete_cookie(COOKIE, path="/")
