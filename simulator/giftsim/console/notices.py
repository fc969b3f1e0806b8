"""Notices: what an action did or why it failed, shown once on the page that follows it.

A notice travels in a cookie, so that the console keeps nothing itself. Its text is escaped like all other text.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from flask import Response, request

COOKIE = "giftsim-notice"
LONGEST = 600  # characters of a text or path; a browser drops a cookie above 4 KiB
SECONDS = 60


def set_notice(response: Response, text: str, *, failed: bool = False, came_from: str = "") -> None:
    """Show a text on the next page. Undoing leads back to the path `came_from`, where what was made was not there."""
    notice = {"text": text[:LONGEST], "failed": failed, "from": came_from if len(came_from) <= LONGEST else ""}
    content = urlsafe_b64encode(json.dumps(notice, ensure_ascii=False).encode()).decode()
    response.set_cookie(COOKIE, content, max_age=SECONDS, httponly=True, samesite="Strict", path="/")


def read_notice() -> dict[str, Any] | None:
    """The notice that the browser brings, or None."""
    content = request.cookies.get(COOKIE)
    if not content:
        return None
    try:
        notice = json.loads(urlsafe_b64decode(content))
        return {"text": str(notice["text"]), "failed": bool(notice["failed"]), "from": str(notice["from"])}
    except (ValueError, KeyError, TypeError):
        return None


def forget_notice(response: Response) -> None:
    """Show the notice no more."""
    response.delete_cookie(COOKIE, path="/")
