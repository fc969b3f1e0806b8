"""Replays a recording into a fresh world whose clock follows the recorded times, and judges every answer (G479).

A replay that goes like an earlier one takes over its judgment, call by call, until an answer of the world is another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import msgspec

from giftsim import Simulator
from giftsim.engine.client.control import Control, ControlRefused, quote_segment
from giftsim.engine.client.response import Response
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.kernel.instants import format_exact
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import WorldConfig
from giftsim.workbench.compare.called_operation import Contracts, parse_call
from giftsim.workbench.compare.finding import Finding
from giftsim.workbench.compare.target import CannotCompare
from giftsim.workbench.traffic.bindings import Bindings
from giftsim.workbench.traffic.call_judge import Judge, body_json, json_of, recorded_masks, without_body
from giftsim.workbench.traffic.callers import Callers
from giftsim.workbench.traffic.event_judge import JudgedEvent, judge_events
from giftsim.workbench.traffic.outside_world import Act, acts_of
from giftsim.workbench.traffic.receivers_then import Answers, EarlierEndpoint, answers_of, earlier_endpoints
from giftsim.workbench.traffic.recorded_traffic import RecordedCall, Traffic
from giftsim.workbench.traffic.shown_to_exist import decline_of
from giftsim.workbench.traffic.untold_acts import shown_claims

FROM_BEFORE: Final = "it names a record from before the recording"
FAULT_HEADER: Final = "x-sim-fault"
FIRST_ERROR, SERVER_ERROR = 400, 500
LEAD_TIME: Final = "partner.lead_times.shipped"
WORLD: Final = "recorded"
KEPT_EVERY: Final = 25  # calls, after which the state of the judgment is kept
# Before the recording nobody thought of giftsim's magic values.
OWN_SETTINGS: Final[Mapping[str, Any]] = {"magic_values": False}
_REQUEST_ID: Final = "x-request-id"


class JudgedCall(msgspec.Struct):
    """A recorded call after a replay; `left_out` says why it was not judged, `read` are the settings that it read.

    `learned_to` is how many bindings were known after it.

    `path`, `body` and `headers` are what the world was sent, `answer` is what it answered.
    """

    call: RecordedCall
    path: str
    body: bytes
    headers: Mapping[str, str]
    answer: Response
    is_strange: bool = False
    findings: list[Finding] = []
    left_out: str | None = None
    read: frozenset[str] = frozenset()
    learned_to: int = 0


NO_ANSWER: Final = Response(0, {}, b"")


class Moment(NamedTuple):
    """A replay before a call, and the place of that call among all that it does."""

    place: int
    config: WorldConfig
    state: State
    now_ms: int
    late: list[Act]
    keys: set[str]


class Outcome(msgspec.Struct):
    """What a replay found. `read` are the settings that were read in it, `unplayed` the acts that the world refused.

    `kept` are the states of the judgment before every so many calls, and `moments` those of the replay itself; `judge`
    is that after the last one, `deliveries` are what the world sent.
    """

    calls: list[JudgedCall]
    events: list[JudgedEvent]
    read: frozenset[str]
    unplayed: list[str]
    kept: list[Judge]
    judge: Judge
    deliveries: list[Mapping[str, Any]]
    moments: list[Moment]

    @property
    def bindings(self) -> Bindings:
        """All that was learnt."""
        return self.judge.bindings


Watch = Callable[[int, JudgedCall], bool]  # whether to go on after a call, which is given with its position


class Replay:
    """Replays one recording as often as it is asked to, each time with other settings."""

    def __init__(
        self,
        simulator: Simulator,
        contracts: Contracts,
        traffic: Traffic,
        callers: Callers,
        fixture: str | dict[str, Any],
        given: Mapping[str, Any] = {},
    ) -> None:
        self.traffic, self.contracts, self.simulator = traffic, contracts, simulator
        self.callers, self._fixture = callers, fixture
        self.endpoints: Sequence[EarlierEndpoint] = earlier_endpoints(traffic)
        self.masks = recorded_masks(traffic.calls)
        lead = simulator.definitions.settings[LEAD_TIME]
        self.shown = shown_claims(traffic, lead.parse(given.get(lead.name, lead.default)))
        self._timeline = _timeline(traffic, answers_of(traffic), self.shown)

    def run(
        self,
        settings: Mapping[str, Any],
        earlier: Outcome | None = None,
        watch: Watch = lambda _index, _judged: True,
    ) -> Outcome | None:
        """Replay with settings; None if `watch` ended it. ControlRefused if there can be no such world.

        What goes like the `earlier` replay is not judged again.
        """
        with self._world(settings) as world:
            return _Run(self, world, earlier).play(self._timeline, watch)

    def run_part(self, settings: Mapping[str, Any], earlier: Outcome, until: int, watch: Watch) -> None:
        """Replay only the last calls up to a position, from a moment of an earlier replay on, with these settings."""
        first = until // KEPT_EVERY
        with self._world_at(earlier.moments[first], settings) as world:
            run = _Run(self, world, earlier)
            run.go_to(first, earlier)
            run.play(self._timeline, watch, earlier.moments[first].place)

    def recorded(self, settings: Mapping[str, Any]) -> tuple[Outcome, bytes]:
        """Replay with settings; what it found, and the recording of the world, a scenario that makes the same calls."""
        with self._world(settings) as world:
            outcome = _Run(self, world, None).play(self._timeline, lambda _index, _judged: True)
            assert outcome is not None
            return outcome, scenario_in(world.call("GET", "/calls/scenario"))

    @contextmanager
    def _world(self, settings: Mapping[str, Any]) -> Iterator[ClientWorld]:
        control = Control(self.simulator.client)
        body = {
            "id": WORLD,
            "fixture": self._fixture,
            "now": format_exact(self.traffic.start_ms),
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
        control, path = Control(self.simulator.client), f"/worlds/{quote_segment(WORLD)}"
        self.simulator.registry.add_recovered(WORLD, moment.config, moment.state.share(), None)
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


class _Run:
    """One replay. While it goes like `earlier`, it does not judge, and only its bindings follow."""

    def __init__(self, replay: Replay, world: ClientWorld, earlier: Outcome | None) -> None:
        self._replay, self._world, self._earlier = replay, world, earlier
        self._held = replay.simulator.registry.worlds[world.id]
        self._now_ms = replay.traffic.start_ms
        self._judge = Judge(Bindings(), replay.masks)
        self._bindings = self._judge.bindings  # of now
        self._calls: list[JudgedCall] = []
        self._kept: list[Judge] = []
        self._read: set[str] = set()
        self._late: list[Act] = []
        self._unplayed: list[str] = []
        self._keys: set[str] = set()
        self._moments: list[Moment] = []

    def go_to(self, number: int, earlier: Outcome) -> None:
        """Begin at a moment of the earlier replay."""
        moment, self._judge = earlier.moments[number], earlier.kept[number].copy()
        self._bindings, self._calls = self._judge.bindings, earlier.calls[: number * KEPT_EVERY]
        self._now_ms, self._late, self._keys = moment.now_ms, [*moment.late], {*moment.keys}

    def _keep(self, place: int) -> None:
        """Keep this moment."""
        with self._held.settled() as state:
            kept = Moment(place, self._held.config, state.share(), self._now_ms, [*self._late], {*self._keys})
        self._moments.append(kept)

    def play(
        self, timeline: Sequence[RecordedCall | Act | Answers], watch: Watch, first: int | None = None
    ) -> Outcome | None:
        """Play all of it, or all from a place on, then judge the webhooks."""
        for endpoint in self._replay.endpoints if first is None else ():
            self._subscribe(endpoint)
        for place, item in enumerate(timeline[first or 0 :], first or 0):
            if isinstance(item, Answers):
                self._advance(item.at_ms)
                self._world.send("PUT", f"/receivers/{item.host}", item.entry)
            elif isinstance(item, Act):
                self._advance(item.at_ms)
                self._late += [] if self._act(item) else [item]
            elif item.exchange.response is None:
                self._make(item)
            else:
                if len(self._calls) % KEPT_EVERY == 0:
                    self._keep(place)
                self._call(item)
                if not watch(len(self._calls) - 1, self._calls[-1]):
                    return None
                self._late = [act for act in self._late if not self._act(act)]
        self._advance(self._replay.traffic.end_ms)
        self._unplayed += [f"entry {act.entry}: {act.verb}: nothing is known of its record" for act in self._late]
        self._take_read()
        deliveries = self._world.rows("/deliveries", "deliveries")
        if self._earlier is not None and self._earlier.deliveries == deliveries:
            same = msgspec.structs.replace(self._earlier, read=frozenset(self._read), unplayed=self._unplayed)
            same.moments = self._moments
            return same
        self._part_from_earlier()
        judge = self._judge.copy()
        events = judge_events(self._replay.traffic, deliveries, self._judge, self._replay.contracts)
        read = frozenset(self._read)
        return Outcome(self._calls, events, read, self._unplayed, self._kept, judge, deliveries, self._moments)

    def _take_read(self) -> frozenset[str]:
        """The settings that were read since the last time."""
        state = self._held.state
        read = frozenset(state.parsed_settings)
        self._read |= read
        state.parsed_settings.clear()
        return read

    def _advance(self, to_ms: int) -> None:
        if to_ms > self._now_ms:
            self._world.advance({"to": format_exact(to_ms)})
            self._now_ms = to_ms

    def _act(self, act: Act) -> bool:
        """Let somebody act; False if it names a record that is not known yet."""
        ours = self._bindings.value(act.body)
        named = [name for name in act.body if name.endswith("_id")]
        if any(self._bindings.find(act.body[name], name) is None for name in named):
            return False
        try:
            self._world.send("POST", f"/simulate/{act.verb}", ours)
        except ControlRefused as refused:
            if not act.repairs:
                self._unplayed.append(f"entry {act.entry}: {act.verb}: {refused}")
        return True

    def _make(self, call: RecordedCall) -> None:
        """Make a call whose answer nobody got."""
        self._advance(call.exchange.at_ms)
        path, _ = self._bindings.path(call.called, call.path)
        headers = self._replay.callers.headers(call, self._world.credentials, self._bindings)
        body = self._bindings.body(call.exchange.body)
        if self._world.client.call(call.exchange.method, path, body=body, headers=headers).is_success:
            self._keys.add(call.key)

    def _call(self, call: RecordedCall) -> None:
        """Make a call, and judge its answer unless it is that of the earlier replay."""
        exchange, number = call.exchange, len(self._calls)
        self._advance(exchange.at_ms)
        self._take_read()
        known = self._earlier.calls[number] if self._earlier is not None else None
        path, is_strange = self._bindings.path(call.called, call.path)
        judged = JudgedCall(
            call,
            path,
            self._bindings.body(exchange.body),
            {**self._replay.callers.headers(call, self._world.credentials, self._bindings), **_declined(call)},
            NO_ANSWER,
            is_strange or self._bindings.names_strange(body_json(exchange.body)),
        )
        answer = self._world.client.call(exchange.method, path, body=judged.body, headers=judged.headers)
        if self._earlier is not None and known is not None and _is_same(answer, known.answer):
            self._calls.append(msgspec.structs.replace(known, read=self._take_read()))
            self._follow(self._earlier)
        else:
            self._part_from_earlier()
            judged.answer, judged.read = answer, self._take_read()
            self._judge_call(judged)
        self._undo_what_was_refused(call, answer)

    def _follow(self, earlier: Outcome) -> None:
        """Learn what the earlier replay learnt by the call that was just made."""
        latest = self._calls[-1]
        learned = earlier.bindings.learned
        while len(self._bindings.learned) < latest.learned_to:
            self._bindings.add(*learned[len(self._bindings.learned)])

    def _part_from_earlier(self) -> None:
        """From now on, judge. What was taken over since the state of the judgment that was kept is judged again."""
        earlier, self._earlier = self._earlier, None
        if earlier is None:
            return
        done, self._calls = self._calls, []
        first = len(done) // KEPT_EVERY
        self._kept = earlier.kept[:first]
        self._calls = done[: first * KEPT_EVERY]
        self._judge = (earlier.kept[first] if first < len(earlier.kept) else earlier.judge).copy()
        self._bindings = self._judge.bindings
        for judged in done[len(self._calls) :]:
            self._judge_call(judged)

    def _judge_call(self, judged: JudgedCall) -> None:
        call, answer, number = judged.call, judged.answer, len(self._calls)
        recorded = call.exchange.response
        assert recorded is not None
        if number % KEPT_EVERY == 0:
            self._kept.append(self._judge.copy())
        if judged.is_strange and FIRST_ERROR <= answer.status < SERVER_ERROR and recorded.status < FIRST_ERROR:
            judged.left_out = FROM_BEFORE
        else:
            both = (answer, recorded)
            answers = both if call.exchange.has_body else (without_body(answer), without_body(recorded))
            called = parse_call(self._replay.contracts, call.exchange.method, judged.path) or call.called
            who = self._replay.callers.name(call) or ""
            judged.findings = self._judge.findings(number, called, answers, judged.body, call.exchange.at_ms, who)
        judged.learned_to = len(self._judge.bindings.learned)
        self._calls.append(judged)

    def _undo_what_was_refused(self, call: RecordedCall, answer: Response) -> None:
        """Undo a change that the service refused to make, so that what follows is judged by the same records."""
        key = call.key
        is_first = not key or key not in self._keys
        if answer.is_success and key:
            self._keys.add(key)
        if answer.is_success and call.status >= FIRST_ERROR and call.exchange.method != "GET" and is_first:
            self._keys.discard(key)
            self._world.call("POST", "/undo")

    def _subscribe(self, endpoint: EarlierEndpoint) -> None:
        headers = {**self._world.headers_of(endpoint.credential), "idempotency-key": endpoint.url}
        body = {"url": endpoint.url, "events": list(endpoint.kinds)}
        created = self._world.client.call("POST", endpoint.path, body=body, headers=headers)
        if not created.is_success:
            self._unplayed.append(f"the subscription of {endpoint.url}: {json_of(created)}")


def _declined(call: RecordedCall) -> Mapping[str, str]:
    """The header with which a charge is refused as it was in the recording."""
    code = decline_of(call)
    return {FAULT_HEADER: f"charge={code}"} if code else {}


def _is_same(answer: Response, other: Response) -> bool:
    """Whether two answers are the same but for the ids of their requests, which count on from world to world."""
    if answer.status != other.status or len(answer.body) != len(other.body):
        return False
    ids = [each.headers.get(_REQUEST_ID, "") for each in (answer, other)]
    headers = [{name: value for name, value in each.headers.items() if name != _REQUEST_ID} for each in (answer, other)]
    if headers[0] != headers[1]:
        return False
    return answer.body == other.body or answer.body.replace(ids[0].encode(), ids[1].encode()) == other.body
