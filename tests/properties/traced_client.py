"""A client that keeps every call that changes something, so that a failing run can be written as a scenario."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.response import Response
from giftsim.engine.url_paths import CONTROL
from giftsim.workbench.recording.steps import plain_step
from giftsim.workbench.recording.yaml_writer import MODELINE, scenario_text
from tests.support.worlds import World

RESTART = "restart"
_WORLD = re.compile(rf"{CONTROL}/worlds/([^/]+)(/.*)")


class TracedCall(NamedTuple):
    """A call and how it ended: its status, or None without a response. A restart of the simulator has the method
    RESTART.
    """

    method: str
    path: str = ""
    body: Any = None
    headers: Mapping[str, str] = {}
    status: int | None = None


class TracedClient:
    """Calls the simulator that `current` gives, and keeps calls that are not reads in `trace`.

    `before_write` is called before each client call that may change something, with its method and path.
    """

    def __init__(self, current: Callable[[], InProcessClient]) -> None:
        self.current = current
        self.trace: list[TracedCall] = []
        self.before_write: Callable[[str, str], None] = lambda _method, _path: None

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """Make one call."""
        if method == "GET":
            return self.current().call(method, path, body=body, headers=headers)
        if not path.startswith(CONTROL):
            self.before_write(method, path)
        status = None
        try:
            response = self.current().call(method, path, body=body, headers=headers)
            status = response.status
            return response
        finally:
            self.trace.append(TracedCall(method, path, body, headers or {}, status))


def scenario_of(trace: Sequence[TracedCall], worlds: Sequence[World]) -> str:
    """The calls of a trace as the text of a scenario that `giftsim play` runs; the first of its worlds, and forks.

    Each call expects the status that it had. A scenario cannot restart the simulator: a comment says where it was.
    """
    writer = _StepWriter(worlds)
    steps: list[dict[str, Any]] = []
    restarts = []
    for call in trace:
        if call.method == RESTART:
            restarts.append(str(len(steps)))
        elif step := writer.step(call):
            steps.append(step)
    notes = (f"The simulator was restarted after step {', '.join(restarts)}.",) if restarts else ()
    return scenario_text({"scenario": "A run that failed", "fixture": "empty"}, steps, (MODELINE, *notes))


class _StepWriter:
    """Writes calls as steps. The credentials of every world have its id in them."""

    def __init__(self, worlds: Sequence[World]) -> None:
        self.first = worlds[0].id
        self.ids = [world.id for world in worlds]
        self.credentials = {
            entry["headers"]["Authorization"]: (world.id, name)
            for world in worlds
            for name, entry in world.credentials.items()
        }

    def step(self, call: TracedCall) -> dict[str, Any] | None:
        """The step of a call; None for one that creates the first world."""
        if not call.path.startswith(CONTROL):
            return self._client_step(call)
        match = _WORLD.fullmatch(call.path)
        return self._in_world(_control_step(call, match[2]), match[1]) if match else None

    def _client_step(self, call: TracedCall) -> dict[str, Any]:
        headers = dict(call.headers)
        named = [part for part in call.path.split("/") if part in self.ids]
        world, name = self.credentials.get(headers.pop("Authorization", ""), (named[0] if named else self.first, None))
        step: dict[str, Any] = {"call": f"{call.method} {call.path.replace(world, '${world}')}"}
        step |= {"as": name} if name else {}
        step |= {"headers": headers} if headers else {}
        step |= {} if call.body is None else {"body": call.body}
        expected = {"connection": "lost"} if call.status is None else {"status": call.status}
        return self._in_world(step | {"expect": expected}, world)

    def _in_world(self, step: dict[str, Any], world: str) -> dict[str, Any]:
        return step if world == self.first else {**step, "in": world}


def _control_step(call: TracedCall, path: str) -> dict[str, Any]:
    """The step of a control call: one of its own kind, or a plain one that expects its refusal."""
    body = call.body or {}
    if call.status is None or call.status >= 300:
        return plain_step(call.method, path, call.body) | {"expect": {"status": call.status}}
    match path.split("/")[1:]:
        case ["fork"]:
            return {"fork": body["id"]}
        case ["undo"]:
            return {"undo": body["count"]}
        case ["snapshots"]:
            return {"snapshot": body["name"]}
        case ["snapshots", name, "restore"]:
            return {"restore": name}
        case ["clock", "advance"]:
            return {"advance": body}
    return plain_step(call.method, path, call.body)
