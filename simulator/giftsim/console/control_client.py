"""The control API as the pages call it: in this process, with the rights of the browser that asks.

ControlError            an answer of the control API that is not a success
└─ SignInNeeded         the control API needs its token
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from flask import g, request

from giftsim.client.in_process import InProcessClient
from giftsim.client.response import Response

CONTROL = "/_sim/v1"
TOKEN_COOKIE = "giftsim-control"
FORWARDED = ("Host", "Origin")
NOT_TRUSTED = {"giftsim.in_process": False}  # the browser's rights hold, not those of code in this process
UNAUTHORIZED = 401


class ControlError(Exception):
    """An error of the control API: `status`, `code`, `message` and `details` as it answered them."""

    def __init__(self, status: int, code: str, message: str, details: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.details = status, code, message, details


class SignInNeeded(ControlError):
    """The control API needs its token, and the browser has not sent the right one."""


class Control:
    """Calls of the control API for one request of a browser, whose `Host`, `Origin` and token they carry."""

    def __init__(self, client: InProcessClient, headers: Mapping[str, str]) -> None:
        self._client, self._headers = client, headers

    def get(self, path: str, **query: Any) -> Any:
        """Read a path below `/_sim/v1`. A parameter that is None is left out. Raise ControlError."""
        return self.send("GET", path, query=query)

    def post(self, path: str, body: Any = None, **query: Any) -> Any:
        """Send `body` as JSON, or as it is if it is text or bytes. Raise ControlError."""
        return self.send("POST", path, {} if body is None else body, query=query)

    def put(self, path: str, body: Any) -> Any:
        """Replace what is at a path. Raise ControlError."""
        return self.send("PUT", path, body)

    def patch(self, path: str, body: Any) -> Any:
        """Change members of what is at a path. Raise ControlError."""
        return self.send("PATCH", path, body)

    def delete(self, path: str) -> Any:
        """Delete what is at a path. Raise ControlError."""
        return self.send("DELETE", path)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """The body of a successful answer: JSON as data, anything else as text. Raise ControlError."""
        response = self.raw(method, f"{CONTROL}{path}{_query(query or {})}", body, {**self._headers, **(headers or {})})
        content: Any = response.json() if _is_json(response) else response.text
        if response.status < 400:
            return content
        error: dict[str, Any] = content["error"] if isinstance(content, dict) else {"code": "none", "message": content}
        kind = SignInNeeded if response.status == UNAUTHORIZED else ControlError
        raise kind(response.status, error["code"], error["message"], error.get("details", {}))

    def raw(self, method: str, target: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """The answer to a call of any interface, as a client with these headers gets it."""
        return self._client.call(method, target, body=body, headers=headers, environ=NOT_TRUSTED)

    def world(self, world: str | None = None) -> WorldControl:
        """The calls about a world: the named one, or that of the page's path."""
        return WorldControl(self, world or g.world_id)


class WorldControl:
    """Calls of the control API about one world; paths are below `/_sim/v1/worlds/{id}`."""

    def __init__(self, control: Control, world_id: str) -> None:
        self.control, self.id = control, world_id

    def describe(self) -> Any:
        """The world itself: its fixture, clock, credentials, addresses and counts."""
        return self.control.get(self._path())

    def get(self, path: str, **query: Any) -> Any:
        """Read something of the world. Raise ControlError."""
        return self.control.get(self._path(path), **query)

    def post(self, path: str, body: Any = None, **query: Any) -> Any:
        """Send something to the world. Raise ControlError."""
        return self.control.post(self._path(path), body, **query)

    def put(self, path: str, body: Any) -> Any:
        """Replace something of the world. Raise ControlError."""
        return self.control.put(self._path(path), body)

    def patch(self, path: str, body: Any) -> Any:
        """Change members of something of the world. Raise ControlError."""
        return self.control.patch(self._path(path), body)

    def delete(self, path: str) -> Any:
        """Delete something of the world. Raise ControlError."""
        return self.control.delete(self._path(path))

    def _path(self, path: str = "") -> str:
        return f"/worlds/{segment(self.id)}" + (f"/{path}" if path else "")


def segment(text: object) -> str:
    """A text as one segment of a path, whatever is in it."""
    return quote(str(text), safe="")


def browser_control(client: InProcessClient) -> Control:
    """The control API with the rights of the browser whose request is being answered."""
    headers = {name: value for name in FORWARDED if (value := request.headers.get(name)) is not None}
    token = request.cookies.get(TOKEN_COOKIE)
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return Control(client, headers)


def current_control() -> Control:
    """The control API for the request that is being answered."""
    control: Control = g.control
    return control


def current_world() -> WorldControl:
    """The world of the page that is being answered."""
    return current_control().world()


def _query(query: Mapping[str, Any]) -> str:
    given = [(name, _text(value)) for name, value in query.items() if value is not None]
    return f"?{urlencode(given)}" if given else ""


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_json(response: Response) -> bool:
    return response.headers.get("content-type", "").partition(";")[0].endswith("json")
