"""The control API of a simulator, over any client.

ControlRefused          the control API refused a request
└─ TokenNeeded          it needs its token, and the request has none or a wrong one
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

from giftsim.engine.client.response import Client, Response
from giftsim.engine.url_paths import CONTROL

__all__ = [
    "CONTROL",
    "Control",
    "ControlRefused",
    "TokenNeeded",
    "bearer_headers",
    "query_text",
    "quote_segment",
    "refusal_error",
    "sent_path",
]

NOTHING: Final[Mapping[str, Any]] = {}
PAGE = 1000  # rows
UNAUTHORIZED = 401
_SAFE: Final = "/:@!$&'()*+,;=~-._%"
_UNSENT: Final = re.compile("[^!-~]|#")


class ControlRefused(Exception):
    """The control API refused a request; `status`, `code`, `message` and `details` are those of its response."""

    def __init__(
        self, status: int, code: str, message: str, details: Mapping[str, Any] = NOTHING, request: str = ""
    ) -> None:
        self.status, self.code, self.message, self.details = status, code, message, details
        super().__init__(f"{request} answered {status} {code}: {message}" if request else message)


class TokenNeeded(ControlRefused):
    """The control API needs its token, and the request has none or a wrong one."""


def _is_refusal(failure: Any) -> bool:
    return isinstance(failure.value, ControlRefused)


__tracebackhide__ = _is_refusal  # pytest ends the traceback of a refusal before the frames of this module


class Control:
    """The control API, or with `base` the part of it below that path. `headers` are sent with every request."""

    def __init__(self, client: Client, headers: Mapping[str, str] = NOTHING, base: str = "") -> None:
        self.client, self.headers, self.base = client, headers, base

    def path(self, path: str = "") -> str:
        """The whole path of a request, with the prefix of the control API."""
        return f"{CONTROL}{self.base}{path}"

    def call(self, method: str, path: str = "", body: Any = None, *, headers: Mapping[str, str] = NOTHING) -> Response:
        """Send one request; the response, whatever its status."""
        return self.client.call(method, self.path(path), body=body, headers={**self.headers, **headers})

    def send(
        self,
        method: str,
        path: str = "",
        body: Any = None,
        *,
        query: Mapping[str, Any] = NOTHING,
        headers: Mapping[str, str] = NOTHING,
    ) -> Any:
        """Send one request; the content of a successful response, None without a body. Raise ControlRefused.

        A member of the query that is None is left out.
        """
        path += query_text(query)
        response = self.call(method, path, body, headers=headers)
        if not response.is_success:
            raise refusal_error(response, f"{method} {self.path(path)}")
        return response.content() if response.body else None

    def trace(self, facts: Mapping[str, Any] = NOTHING) -> bytes:
        """The trace of the world of this part as a page, with the `facts` of a test. ControlRefused."""
        response = self.call("POST", "/trace", dict(facts))
        if not response.is_success:
            raise refusal_error(response, f"POST {self.path('/trace')}")
        return response.body

    def rows(self, path: str, member: str, **query: Any) -> list[Any]:
        """All rows of a list from `after` on, from all its pages; `member` is its name in the response."""
        rows: list[Any] = []
        after = query.pop("after", None)
        while True:
            page = self.send("GET", path, query={"limit": PAGE, **query, "after": after})
            rows += page[member]
            after = page["next"]
            if after is None:
                return rows


def refusal_error(response: Response, request: str = "") -> ControlRefused:
    """The error for a response of the control API that is not a success."""
    try:
        error = response.json()["error"]
        code, message, details = error["code"], error["message"], error.get("details", NOTHING)
    except (ValueError, TypeError, KeyError):
        code, message, details = "", response.body.decode("utf-8", "replace"), NOTHING
    kind = TokenNeeded if response.status == UNAUTHORIZED else ControlRefused
    return kind(response.status, code, message, details, request)


def bearer_headers(token: str | None) -> dict[str, str]:
    """The header with the token of the control API; none without a token."""
    return {"Authorization": f"Bearer {token}"} if token else {}


def quote_segment(text: object) -> str:
    """A text as one segment of a path, whatever is in it."""
    return quote(str(text), safe="")


def sent_path(logged: str) -> str:
    """A logged path as it is sent. In the log it is decoded, except `%25`, `%2F` and `%3F`; the query is not."""
    path, mark, query = logged.partition("?")
    return quote(path, safe=_SAFE) + mark + _UNSENT.sub(_quoted, query)


def _quoted(match: re.Match[str]) -> str:
    """A character of a query, of which the log has each byte as one character."""
    return quote(match[0], encoding="latin-1" if match[0] <= "\xff" else "utf-8")


def query_text(query: Mapping[str, Any]) -> str:
    """The query of a URL with its question mark, without members that are None; empty if none is left."""
    given = [(name, _query_value(value)) for name, value in query.items() if value is not None]
    return f"?{urlencode(given)}" if given else ""


def _query_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
