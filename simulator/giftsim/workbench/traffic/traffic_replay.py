"""Replays a recording into a fresh world whose clock follows the recorded times, as often as it is asked to (G479)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from giftsim import Simulator
from giftsim.engine.client.control import Control, quote_segment
from giftsim.engine.client.response import Response
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.kernel.instants import format_exact
from giftsim.workbench.compare.called_operation import Contracts
from giftsim.workbench.compare.target import CannotCompare
from giftsim.workbench.traffic.call_judge import json_of, recorded_masks
from giftsim.workbench.traffic.callers import Callers
from giftsim.workbench.traffic.outside_world import Act, acts_of
from giftsim.workbench.traffic.receivers_then import Answers, answers_of, earlier_endpoints
from giftsim.workbench.traffic.recorded_traffic import RecordedCall, Traffic
from giftsim.workbench.traffic.replay_outcome import JudgedCall, Moment, Outcome, Watch
from giftsim.workbench.traffic.replay_run import Recording, Run
from giftsim.workbench.traffic.untold_acts import shown_claims

LEAD_TIME: Final = "partner.lead_times.shipped"
WORLD: Final = "recorded"
# Before the recording nobody thought of giftsim's magic values.
OWN_SETTINGS: Final[Mapping[str, Any]] = {"magic_values": False}


class Replay:
    """Replays one recording as often as it is asked to, each time with other settings; it counts the calls."""

    def __init__(
        self,
        simulator: Simulator,
        contracts: Contracts,
        traffic: Traffic,
        callers: Callers,
        fixture: str | dict[str, Any],
        given: Mapping[str, Any] = {},
    ) -> None:
        self.calls_made = 0
        self._simulator, self._fixture, self._start_ms = simulator, fixture, traffic.start_ms
        lead = simulator.definitions.settings[LEAD_TIME]
        shown = shown_claims(traffic, lead.parse(given.get(lead.name, lead.default)))
        timeline = _timeline(traffic, answers_of(traffic), shown)
        masks = recorded_masks(traffic.calls)
        self._recording = Recording(traffic, contracts, callers, masks, earlier_endpoints(traffic), timeline)

    def run(
        self, settings: Mapping[str, Any], earlier: Outcome | None = None, watch: Watch = lambda _index, _judged: True
    ) -> Outcome | None:
        """Replay with settings; None if `watch` ended it. ControlRefused if there can be no such world.

        What goes like the `earlier` replay is not judged again.
        """
        with self._world(settings) as world, self._run(world, earlier) as run:
            run.begin()
            return run.outcome() if run.play(watch) else None

    def first_change(
        self, settings: Mapping[str, Any], earlier: Outcome, until: int | None = None, moments: int | None = None
    ) -> int | None:
        """The position of the first call, up to one, that goes otherwise with settings; None if there is none.

        It is the number of calls if only later webhooks are others. With a number of `moments` the settings hold only
        from the so many-th moment before that call on.
        """

        def watch(index: int, _judged: JudgedCall) -> bool:
            return run.changed is None and index != until

        if moments is None or until is None:
            with self._world(settings) as world, self._run(world, earlier) as run:
                run.begin()
                run.play(watch)
                return run.changed
        before = [each for each in earlier.moments if each.number <= until]
        moment = before[max(len(before) - moments, 0)]
        with self._world_at(moment, settings) as world, self._run(world, earlier) as run:
            run.begin_at(moment, earlier)
            run.play(watch)
            return run.changed

    def recorded(self, settings: Mapping[str, Any]) -> tuple[Outcome, bytes]:
        """Replay with settings; what it found, and the recording of the world, a scenario that makes the same calls."""
        with self._world(settings) as world, self._run(world, None) as run:
            run.begin()
            run.play(lambda _index, _judged: True)
            return run.outcome(), scenario_in(world.call("GET", "/calls/scenario"))

    @contextmanager
    def _run(self, world: ClientWorld, earlier: Outcome | None) -> Iterator[Run]:
        run = Run(self._recording, world, self._simulator.registry.worlds[world.id], earlier)
        try:
            yield run
        finally:
            self.calls_made += run.made

    @contextmanager
    def _world(self, settings: Mapping[str, Any]) -> Iterator[ClientWorld]:
        control = Control(self._simulator.client)
        body = {
            "id": WORLD,
            "fixture": self._fixture,
            "now": format_exact(self._start_ms),
            "settings": {**OWN_SETTINGS, **settings},
        }
        world = ClientWorld(control, WORLD, control.send("POST", "/worlds", body))
        try:
            yield world
        finally:
            control.send("DELETE", f"/worlds/{quote_segment(world.id)}")

    @contextmanager
    def _world_at(self, moment: Moment, settings: Mapping[str, Any]) -> Iterator[ClientWorld]:
        """A world as one was at a moment, but with other settings from then on."""
        control, path = Control(self._simulator.client), f"/worlds/{quote_segment(WORLD)}"
        self._simulator.registry.add_recovered(WORLD, moment.config, moment.state.share(), None)
        try:
            world = ClientWorld(control, WORLD, control.send("GET", path))
            world.send("PATCH", "/settings", dict(settings))
            yield world
        finally:
            control.send("DELETE", path)


def scenario_in(answer: Response) -> bytes:
    """The scenario that a world answered with; CannotCompare if it has dropped its first inputs."""
    if not answer.is_success:
        said = json_of(answer)
        raise CannotCompare(f"a shorter part of the file can be recorded, not all of it: {said['error']['message']}")
    return answer.body


def _timeline(traffic: Traffic, answers: Sequence[Answers], shown: Sequence[Act]) -> list[RecordedCall | Act | Answers]:
    """All that a replay does, in order; at one instant receivers change first, then people act, then the app calls."""
    items: list[tuple[int, int, RecordedCall | Act | Answers]] = [
        *((each.at_ms, 0, each) for each in answers),
        *((each.at_ms, 1, each) for each in (*shown, *acts_of(traffic.webhooks))),
        *((each.exchange.at_ms, 2, each) for each in (*traffic.lost, *traffic.calls)),
    ]
    return [item for _, _, item in sorted(items, key=lambda each: each[:2])]
