"""Scenarios: playing one, the library, and sessions that play one step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from giftsim.control.pagination import numbered, page, text_filter
from giftsim.control.problem import Ambiguous
from giftsim.gateway.call import Call, Handler, Response
from giftsim.gateway.problem import InvalidJson

Play = Callable[[str, bool], dict[str, Any]]
Views = Sequence[dict[str, Any]]


class Scenarios(Protocol):
    """The scenario library and the stepping sessions of this process, as JSON."""

    def entries(self, keep: Callable[[str], bool] | None) -> Views:
        """The scenarios of the library, those with a text that `keep` accepts."""

    def read(self, name: str) -> dict[str, Any]:
        """One scenario of the library."""

    def sessions(self) -> Views:
        """The sessions."""

    def begin(self, text: str | None, name: str | None, limit: int) -> dict[str, Any]:
        """Begin a session with a text or a scenario of the library."""

    def show(self, session_id: str, after: int, limit: int) -> dict[str, Any]:
        """A session."""

    def play(self, session_id: str, steps: int | None, limit: int) -> dict[str, Any]:
        """Play the next steps of a session, all for None."""

    def stop(self, session_id: str, *, keep: bool) -> dict[str, Any]:
        """End a session."""


class ScenarioHandlers:
    """The handlers. Those that run steps lend their thread to the server, which the steps call."""

    def __init__(self, play: Play, scenarios: Callable[[], Scenarios]) -> None:
        self._play, self._scenarios = play, scenarios

    def table(self) -> Mapping[str, Handler]:
        """The handlers by operation."""
        return {
            "playScenario": self.play,
            "listScenarios": self.list_library,
            "getLibraryScenario": self.read,
            "listScenarioSessions": self.list_sessions,
            "createScenarioSession": self.begin,
            "getScenarioSession": self.show,
            "stepScenarioSession": self.step,
            "deleteScenarioSession": self.delete,
        }

    def play(self, call: Call) -> Response:
        """Play a scenario in a new world."""
        text = _text(call)
        with call.registry.runtime.lend_thread():
            return Response(200, self._play(text, call.query["keep"]))

    def list_library(self, call: Call) -> Response:
        """List the scenario library."""
        rows = self._scenarios().entries(text_filter(call.query["q"]))
        return page(call, "scenarios", numbered(rows), dict)

    def read(self, call: Call) -> Response:
        """Read a scenario of the library."""
        return Response(200, self._scenarios().read(call.params["name"]))

    def list_sessions(self, call: Call) -> Response:
        """List the sessions without their steps."""
        return page(call, "sessions", numbered(self._scenarios().sessions()), dict)

    def begin(self, call: Call) -> Response:
        """Begin a session with a text or a scenario of the library."""
        name, text = call.query["name"], _text(call)
        if (name is None) == (not text.strip()):
            raise Ambiguous("a session needs either the text of a scenario as its body, or a `name` of the library")
        with call.registry.runtime.lend_thread():
            return Response(201, self._scenarios().begin(None if name else text, name, call.query["limit"]))

    def show(self, call: Call) -> Response:
        """Read a session with its steps."""
        return Response(200, self._scenarios().show(call.params["id"], call.query["after"] or 0, call.query["limit"]))

    def step(self, call: Call) -> Response:
        """Play the next steps of a session."""
        if "count" in call.body and "to" in call.body:
            raise Ambiguous("count and to exclude one another: play a number of steps, or all to the end")
        steps = None if call.body.get("to") == "end" else call.body.get("count", 1)
        with call.registry.runtime.lend_thread():
            return Response(200, self._scenarios().play(call.params["id"], steps, call.query["limit"]))

    def delete(self, call: Call) -> Response:
        """End a session."""
        with call.registry.runtime.lend_thread():
            return Response(200, self._scenarios().stop(call.params["id"], keep=call.query["keep"]))


def _text(call: Call) -> str:
    try:
        return call.raw.decode()
    except UnicodeDecodeError:
        raise InvalidJson("the scenario is not UTF-8") from None
