"""Replays a recording into a fresh world whose clock follows the recorded times, and judges every answer (G479)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim import Simulator
from giftsim.engine.client.control import Control, ControlRefused, quote_segment
from giftsim.engine.client.response import Response
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.kernel.instants import format_exact
from giftsim.workbench.compare.called_operation import Contracts, parse_call
from giftsim.workbench.compare.finding import Finding
from giftsim.workbench.traffic.bindings import Bindings
from giftsim.workbench.traffic.call_judge import Judge, body_json, json_of, recorded_masks, without_body
from giftsim.workbench.traffic.callers import Callers
from giftsim.workbench.traffic.event_judge import JudgedEvent, judge_events
from giftsim.workbench.traffic.outside_world import Act, acts_of
from giftsim.workbench.traffic.receivers_then import Answers, EarlierEndpoint, answers_of, earlier_endpoints
from giftsim.workbench.traffic.recorded_traffic import RecordedCall, Traffic

FROM_BEFORE: Final = "it names a record from before the recording"
FIRST_ERROR, NOT_FOUND = 400, 404
# Before the recording nobody thought of giftsim's magic values.
OWN_SETTINGS: Final[Mapping[str, Any]] = {"magic_values": False}


class JudgedCall(msgspec.Struct):
    """A recorded call after a replay; `left_out` says why it was not judged, `read` are the settings that it read."""

    call: RecordedCall
    findings: list[Finding]
    left_out: str | None = None
    read: frozenset[str] = frozenset()


class Outcome(msgspec.Struct):
    """What a replay found. `read` are the settings that were read in it, `unplayed` the acts that the world refused."""

    calls: list[JudgedCall]
    events: list[JudgedEvent]
    read: frozenset[str]
    unplayed: list[str]


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
    ) -> None:
        self.traffic, self.contracts, self.simulator = traffic, contracts, simulator
        self._callers, self._fixture = callers, fixture
        self.endpoints: Sequence[EarlierEndpoint] = earlier_endpoints(traffic)
        self._timeline = _timeline(traffic, answers_of(traffic))
        self.masks = recorded_masks(traffic.calls)
        self.runs = 0

    def run(self, settings: Mapping[str, Any], watch: Watch = lambda _index, _judged: True) -> Outcome | None:
        """Replay with settings; None if `watch` ended it. ControlRefused if there can be no such world."""
        self.runs += 1
        control = Control(self.simulator.client)
        body = {
            "fixture": self._fixture,
            "now": format_exact(self.traffic.start_ms),
            "settings": {**OWN_SETTINGS, **settings},
        }
        described = control.send("POST", "/worlds", body)
        world = ClientWorld(control, described["id"], described)
        try:
            return _Run(self, world, self._callers).play(self._timeline, watch)
        finally:
            control.send("DELETE", f"/worlds/{quote_segment(world.id)}")


def _timeline(traffic: Traffic, answers: Sequence[Answers]) -> list[RecordedCall | Act | Answers]:
    """All that a replay does, in order; at one instant receivers change first, then people act, then the app calls."""
    items: list[tuple[int, int, RecordedCall | Act | Answers]] = [
        *((each.at_ms, 0, each) for each in answers),
        *((each.at_ms, 1, each) for each in acts_of(traffic.webhooks)),
        *((each.exchange.at_ms, 2, each) for each in traffic.calls),
    ]
    return [item for _, _, item in sorted(items, key=lambda each: each[:2])]


class _Run:
    """One replay."""

    def __init__(self, replay: Replay, world: ClientWorld, callers: Callers) -> None:
        self._replay, self._world, self._callers = replay, world, callers
        self._state = replay.simulator.registry.worlds[world.id]
        self._now_ms = replay.traffic.start_ms
        self._bindings = Bindings()
        self._judge = Judge(self._bindings, replay.masks)
        self._calls: list[JudgedCall] = []
        self._read: set[str] = set()
        self._late: list[Act] = []
        self._unplayed: list[str] = []
        self._keys: set[str] = set()

    def play(self, timeline: Sequence[RecordedCall | Act | Answers], watch: Watch) -> Outcome | None:
        """Play all of it, then judge the webhooks."""
        for endpoint in self._replay.endpoints:
            self._subscribe(endpoint)
        for item in timeline:
            if isinstance(item, Answers):
                self._advance(item.at_ms)
                self._world.send("PUT", f"/receivers/{item.host}", item.entry)
            elif isinstance(item, Act):
                self._advance(item.at_ms)
                self._late += [] if self._act(item) else [item]
            else:
                self._call(item)
                if not watch(len(self._calls) - 1, self._calls[-1]):
                    return None
                self._late = [act for act in self._late if not self._act(act)]
        self._advance(self._replay.traffic.end_ms)
        self._unplayed += [f"entry {act.entry}: {act.verb}: nothing is known of its record" for act in self._late]
        self._take_read()
        events = judge_events(self._replay.traffic, self._deliveries(), self._judge, self._replay.contracts)
        return Outcome(self._calls, events, frozenset(self._read), self._unplayed)

    def _take_read(self) -> frozenset[str]:
        """The settings that were read since the last time."""
        state = self._state.state
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
                self._unplayed.append(f"entry {act.entry}: {act.verb}: {refused.message}")
        return True

    def _call(self, call: RecordedCall) -> None:
        exchange, recorded = call.exchange, call.exchange.response
        assert recorded is not None
        self._advance(exchange.at_ms)
        self._take_read()
        path, is_strange = self._bindings.path(call.called, call.path)
        body = self._bindings.body(exchange.body)
        headers = self._callers.headers(call, self._world.credentials, self._bindings)
        ours = self._world.client.call(exchange.method, path, body=body, headers=headers)
        judged = JudgedCall(call, [], read=self._take_read())
        self._calls.append(judged)
        if is_strange and ours.status == NOT_FOUND and recorded.status < FIRST_ERROR:
            judged.left_out = FROM_BEFORE
            return
        answers = (ours, recorded) if exchange.has_body else (without_body(ours), without_body(recorded))
        called = parse_call(self._replay.contracts, exchange.method, path) or call.called
        who = self._callers.name(call) or ""
        judged.findings = self._judge.findings(len(self._calls) - 1, called, answers, body, exchange.at_ms, who)
        self._undo_what_was_refused(call, ours, recorded)

    def _undo_what_was_refused(self, call: RecordedCall, ours: Response, recorded: Response) -> None:
        """Undo a change that the service refused to make, so that what follows is judged by the same records."""
        data = body_json(call.exchange.body)
        key = call.exchange.headers.get("idempotency-key") or (
            data.get("idempotency_key") if isinstance(data, dict) else ""
        )
        is_first = not key or str(key) not in self._keys
        if ours.is_success and key:
            self._keys.add(str(key))
        if ours.is_success and recorded.status >= FIRST_ERROR and call.exchange.method != "GET" and is_first:
            self._keys.discard(str(key))
            self._world.call("POST", "/undo")

    def _subscribe(self, endpoint: EarlierEndpoint) -> None:
        headers = self._world.headers_of(endpoint.credential)
        body = {"url": endpoint.url, "events": list(endpoint.kinds)}
        created = self._world.client.call(
            "POST", endpoint.path, body=body, headers={**headers, "idempotency-key": endpoint.url}
        )
        if not created.is_success:
            self._unplayed.append(f"the subscription of {endpoint.url}: {json_of(created)}")

    def _deliveries(self) -> list[Mapping[str, Any]]:
        return self._world.rows("/deliveries", "deliveries")
