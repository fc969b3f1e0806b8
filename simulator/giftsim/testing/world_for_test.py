"""A world for one test, with the control API as methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from giftsim.engine.client.control import Control, ControlRefused, query_text
from giftsim.engine.data_folders import data_folders
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.texts import one_line
from giftsim.testing.actions import Actions, candidate_ids, plain
from giftsim.testing.clients import Clients
from giftsim.testing.messages import Messages
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.results import Verdict
from giftsim.testing.transport import Transport
from giftsim.testing.world_clock import instant_text

if TYPE_CHECKING:
    from giftsim.workbench.scenario import Report


LATEST_SHOWN = 12
IDS = {"order": ("team_order", "order")}  # how answers name a record, where `why` has another word
LONGEST_NAME = 200  # of a world
__tracebackhide__ = expected_errors


class Giftsim(Messages, Actions, Clients):
    """A fresh world. `call` and the clients act as the application; the other methods act as the world around it."""

    def __init__(self, transport: Transport, description: Mapping[str, Any]) -> None:
        super().__init__(transport, description)
        self._forks: list[Giftsim] = []

    def __repr__(self) -> str:
        return f"<Giftsim world {self.world} at {self.url}>"

    def fork(self) -> Giftsim:
        """A second world with the same state and future but its own credentials, deleted with this one."""
        fork = Giftsim(self.transport, self.control("POST", "/fork", {}))
        self._forks.append(fork)
        return fork

    def play(self, scenario: str | Path) -> Report:
        """Run a scenario (Path, YAML, or a name: `partner/declined_card`) in a fresh world; AssertionError if it fails.

        The error shows the timeline. InvalidScenario names the place of a mistake in the file.
        """
        from giftsim.testing.call_notes import unnoted
        from giftsim.workbench.scenario import check_scenario, load_scenario, play

        is_name = isinstance(scenario, str) and "\n" not in scenario
        loaded = load_scenario(_library_scenario(str(scenario)) if is_name else scenario)
        transport = unnoted(self.transport)
        check_scenario(loaded, transport)
        report = play(loaded, transport)
        if report.outcome != "passed":
            raise AssertionError(f"\n{report.timeline}")
        return report

    def summary(self) -> str:
        """The world's time, latest calls and webhooks, for the report of a failed test."""
        try:
            calls, webhooks = self.listed("calls"), self.webhooks()
            lines = [f"now: {format_instant(self._present_ms())}, calls so far: {len(calls)}"]
        except (ControlRefused, ConnectionError) as error:
            return f"the world cannot be read: {error}"
        for call in calls[-LATEST_SHOWN:]:
            request, status = call["request"], (call["response"] or {}).get("status", "no response")
            lines.append(f"  {call['at']}  {request['method']} {request['path']} -> {status}")
        if refused := self.refused_calls():
            lines += ["calls that this world refused:", *(f"  {line}" for line in refused)]
        lines += [f"webhooks sent: {len(webhooks)}", *(f"  {hook}" for hook in webhooks[-LATEST_SHOWN:])]
        if failed := self._refused_by_app[-LATEST_SHOWN:]:
            lines += ["webhooks that the app of deliver_to did not accept:", *(f"  {result}" for result in failed)]
        return "\n".join(map(one_line, lines))

    def why(self, kind: str, id: Any, *, expected: str | int | None = None) -> list[Verdict]:  # noqa: A002
        """Why a record is as it is, or a call was answered so; the verdict that matters most is the first.

        `kind` is `order`, `gift`, `campaign`, `event`, `approval`, or `call` with its number in the call log. `id`
        may be a response or its JSON instead. `expected` is the type of an event, a status, or the HTTP status of an
        answer.
        """
        names = [f"{name}_id" for name in IDS.get(kind, (kind,))]
        value = next(value for _, value in candidate_ids(plain(id), names))
        query = query_text({"about": f"{kind}:{value}", "expected": expected})
        verdicts: list[Verdict] = self.control("GET", f"/why{query}")["verdicts"]
        return verdicts

    def refused_calls(self) -> list[str]:
        """The calls that did not reach the world or had the credential of another one, each with what to change."""
        return [f"{count} x {note}" for note, count in self._notes.items()]

    def trace(self, facts: Mapping[str, Any] = {}) -> bytes:
        """Everything that happened to the world as one page. `facts` are those of `POST /worlds/{w}/trace`."""
        return self._control.trace(facts)

    def seen(self) -> str:
        """The former name of `summary`, kept for one release."""
        return self.summary()

    def end(self) -> None:
        """Delete the world and its forks, and end the ASGI applications that run. A second time nothing happens."""
        with ExitStack() as stack:  # all of it, also if an application does not end
            stack.callback(self._delete)
            for fork in self._forks:
                stack.callback(fork.end)
            self._forks.clear()
            self._endpoints.close()

    def _delete(self) -> None:
        try:
            self.control("DELETE")
        except ControlRefused as refusal:
            if refusal.code != "world_not_found":
                raise


def _library_scenario(name: str) -> Path:
    for folder in data_folders("scenarios"):
        path = folder / f"{name.removesuffix('.yaml').removesuffix('.yml')}.yaml"
        if path.is_file():
            return path
    raise FileNotFoundError(f"the scenario library has no {name!r}; pass your own file as a pathlib.Path")


def create_world(
    transport: Transport,
    *,
    fixture: str | Mapping[str, Any] = "empty",
    seed: int = 1,
    now: str | datetime | None = None,
    settings: Mapping[str, Any] = {},
    name: str | None = None,
) -> Giftsim:
    """Create a world with a manual clock, which starts at 2027-01-04T09:00:00Z by default (G8, G9)."""
    body: dict[str, Any] = {"fixture": fixture, "seed": seed}
    given = {"now": instant_text(now), "settings": dict(settings), "name": name and name[:LONGEST_NAME]}
    body |= {member: value for member, value in given.items() if value}
    return Giftsim(transport, Control(transport).send("POST", "/worlds", body))


@contextmanager
def open_world(transport: Transport, **config: Any) -> Iterator[Giftsim]:
    """Create a world and delete it afterwards."""
    world = create_world(transport, **config)
    try:
        yield world
    finally:
        world.end()
