"""The calls that pages make, in this process: of the control API with the rights of the browser that asks, and of the
simulated interfaces with credentials of the world.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from flask import g, request

from giftsim.engine.client.control import Control, ControlRefused, bearer_headers, query_text
from giftsim.engine.client.response import Client, Response
from giftsim.engine.client.world import ClientWorld, NoCredential

SESSION_COOKIE = "giftsim-control"
SESSIONS = "giftsim-sessions"  # the name of the console's Sessions
FORWARDED = ("Host", "Origin")
SAFE_METHODS = ("GET", "HEAD")
AGENT: Final = "giftsim-console"  # the User-Agent of calls that the console makes itself
NOTHING: Final[Mapping[str, Any]] = {}
NOT_TRUSTED = {"giftsim.in_process": False}  # the browser's rights hold, not those of code in this process


class Sessions(NamedTuple):
    """`begin` gives what a browser keeps in place of the control token that it knows, `origin` the simulator's URL."""

    begin: Callable[[], str]
    origin: Callable[[], str]


NO_SESSIONS: Final = Sessions(str, str)


class BrowserControl(Control):
    """The control API for one request of a browser, whose `Host`, `Origin` and token the calls carry.

    It has a method for each method of HTTP. All raise ControlRefused. A parameter of a query that is None is left out.
    A page that is only shown reads nothing twice, unless it has changed something since.
    """

    def send(
        self,
        method: str,
        path: str = "",
        body: Any = None,
        *,
        query: Mapping[str, Any] = NOTHING,
        headers: Mapping[str, str] = NOTHING,
    ) -> Any:
        """Send one request. ControlRefused."""
        read: dict[tuple[str, str], Any] = g.setdefault("read", {})
        if method != "GET" or request.method not in SAFE_METHODS:
            read.clear()
            return super().send(method, path, body, query=query, headers=headers)
        key = self.path(path), query_text(query)
        if key not in read:
            read[key] = super().send(method, path, body, query=query, headers=headers)
        return read[key]

    def get(self, path: str = "", **query: Any) -> Any:
        """Read something."""
        return self.send("GET", path, query=query)

    def post(self, path: str, body: Any = None, **query: Any) -> Any:
        """Send text or bytes unchanged, any other body as JSON."""
        return self.send("POST", path, {} if body is None else body, query=query)

    def put(self, path: str, body: Any) -> Any:
        """Replace something."""
        return self.send("PUT", path, body)

    def patch(self, path: str, body: Any) -> Any:
        """Change members of something."""
        return self.send("PATCH", path, body)

    def delete(self, path: str) -> Any:
        """Delete something."""
        return self.send("DELETE", path)


class WorldControl(BrowserControl, ClientWorld):
    """The part of the control API about one world."""

    def __init__(self, control: BrowserControl, world_id: str) -> None:
        ClientWorld.__init__(self, control, world_id)


def browser_control(client: Client) -> BrowserControl:
    """The control API with the rights of the browser whose request is being answered."""
    headers = {name: value for name in FORWARDED if (value := request.headers.get(name)) is not None}
    return BrowserControl(client, {**headers, **bearer_headers(request.cookies.get(SESSION_COOKIE))})


def current_control() -> BrowserControl:
    """The control API for the request that is being answered."""
    control: BrowserControl = g.control
    return control


def current_world() -> WorldControl:
    """The world of the page that is being answered."""
    return WorldControl(current_control(), g.world_id)


def real_call(world: WorldControl, credential: str, path: str, body: Any, *, name: str = "") -> Any:
    """The JSON of a POST to a simulated interface with a credential of the world. Raise ControlRefused.

    With `name` the call is idempotent under that key.
    """
    own = {"Idempotency-Key": name} if name else {}
    try:
        response = world.request("POST", path, body, credential=credential, headers={"User-Agent": AGENT, **own})
    except NoCredential:
        raise ControlRefused(404, "key_not_found", f"this world has no credential {credential}") from None
    except ConnectionError as error:
        raise ControlRefused(0, "no_response", str(error)) from None
    if response.status >= 400:
        raise _refusal(response)
    return response.json() if response.body else None


def new_name(described: Mapping[str, Any]) -> str:
    """An idempotency key that no call of the console has had in this world."""
    return f"console-{described['counts']['calls'] + 1}"


def _refusal(response: Response) -> ControlRefused:
    """The error of a response: the museum has `{type, title}`, the others `{error: {code, message}}`."""
    content = response.json()
    error = content.get("error") or {"code": content.get("type", ""), "message": content.get("title", "")}
    return ControlRefused(response.status, error["code"], f"{response.status} {error['message']}", content)
