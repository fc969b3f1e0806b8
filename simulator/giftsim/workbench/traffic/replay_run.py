"""One replay of a recording in a world: each call at its time, judged by the recorded answer (G479).

A replay that goes like an earlier one takes over its judgment call by call, as long as both have learnt the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from giftsim.engine.client.control import ControlRefused
from giftsim.engine.client.response import Response
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.webhooks.attempt import ATTEMPT
from giftsim.engine.worlds.advance import advance, goal_at
from giftsim.engine.worlds.world import World
from giftsim.workbench.compare.called_operation import Contracts, parse_call
from giftsim.workbench.traffic.call_judge import Judge, RecordedMasks, Touched, body_json, json_of, without_body
from giftsim.workbench.traffic.callers import Callers
from giftsim.workbench.traffic.event_judge import judge_events
from giftsim.workbench.traffic.outside_world import Act
from giftsim.workbench.traffic.receivers_then import Answers, EarlierEndpoint
from giftsim.workbench.traffic.recorded_traffic import RecordedCall, Traffic
from giftsim.workbench.traffic.replay_outcome import JudgedCall, Moment, Outcome, Watch, is_same, sent_since
from giftsim.workbench.traffic.shown_to_exist import decline_of

FROM_BEFORE: Final = "it names a record from before the recording"
FAULT_HEADER: Final = "x-sim-fault"
FIRST_ERROR, SERVER_ERROR = 400, 500
MOST_MOMENTS, FEWEST_BETWEEN = 50, 10  # moments of a replay that are kept, and calls from one to the next


class Recording(NamedTuple):
    """What is replayed: `timeline` has all that is done in order, `endpoints` are those from before."""

    traffic: Traffic
    contracts: Contracts
    callers: Callers
    masks: RecordedMasks
    endpoints: Sequence[EarlierEndpoint]
    timeline: Sequence[RecordedCall | Act | Answers]

    @property
    def kept_every(self) -> int:
        """Before every so many calls a moment is kept."""
        return max(FEWEST_BETWEEN, len(self.traffic.calls) // MOST_MOMENTS)


class Run:
    """One replay. It has `made` calls; `changed` is the position of the first that went otherwise than in `earlier`."""

    def __init__(self, recording: Recording, world: ClientWorld, held: World, earlier: Outcome | None) -> None:
        self._recording, self._world, self._held, self._earlier = recording, world, held, earlier
        self._now_ms, self._place = recording.traffic.start_ms, 0
        self._judge = Judge(recording.masks)
        self._apart: set[Touched] = set()  # what it knows differently than that of the earlier replay did
        self._has_sent_other = False
        self._calls: list[JudgedCall] = []
        self._read: set[str] = set()
        self._late: list[Act] = []
        self._unplayed: list[str] = []
        self._keys: set[str] = set()
        self._moments: list[Moment] = []
        self._sent_to = 0
        self.changed: int | None = None
        self.made = 0

    def begin(self) -> None:
        """Subscribe as the app had before the recording."""
        for endpoint in self._recording.endpoints:
            self._subscribe(endpoint)

    def begin_at(self, moment: Moment, earlier: Outcome) -> None:
        """Begin at a moment of the earlier replay, in a world of that moment."""
        self._calls = earlier.calls[: moment.number]
        for judged in self._calls:
            self._judge.learn(judged.learned)
        self._now_ms, self._place, self._late, self._keys = moment.now_ms, moment.place, [*moment.late], {*moment.keys}
        self._sent_to = moment.sent_to

    def play(self, watch: Watch) -> bool:
        """Play all that is left; False if `watch` ended it."""
        for place, item in enumerate(self._recording.timeline[self._place :], self._place):
            if isinstance(item, Answers):
                self._advance(item.at_ms)
                self._world.send("PUT", f"/receivers/{item.host}", item.entry)
            elif isinstance(item, Act):
                self._advance(item.at_ms)
                self._late += [] if self._act(item) else [item]
            elif item.exchange.response is None:
                self._make(item)
            else:
                if len(self._calls) % self._recording.kept_every == 0:
                    self._keep(place)
                self._call(item)
                if not watch(len(self._calls) - 1, self._calls[-1]):
                    return False
                self._late = [act for act in self._late if not self._act(act)]
        self._advance(self._recording.traffic.end_ms)
        self._unplayed += [f"entry {act.entry}: {act.verb}: nothing is known of its record" for act in self._late]
        self._take_read()
        self._deliveries = self._world.rows("/deliveries", "deliveries")
        if self.changed is None and self._earlier is not None and self._earlier.deliveries != self._deliveries:
            self.changed = len(self._calls)
        return True

    def outcome(self) -> Outcome:
        """What was found, after all was played; the webhooks are judged now, unless they are judged as before."""
        earlier, deliveries, recording = self._earlier, self._deliveries, self._recording
        is_same = earlier is not None and earlier.deliveries == deliveries and not self._has_sent_other
        if earlier is not None and is_same and self._apart.isdisjoint(earlier.touched):
            events, touched = earlier.events, earlier.touched
        else:
            self._judge.forget_touched()
            events = judge_events(recording.traffic, deliveries, self._judge, recording.contracts)
            touched = self._judge.touched
        read = frozenset(self._read)
        return Outcome(self._calls, events, read, self._unplayed, deliveries, touched, self._moments)

    def _keep(self, place: int) -> None:
        """Keep this moment."""
        with self._held.settled() as state:
            known = (self._now_ms, self._sent_to, [*self._late], {*self._keys})
            kept = Moment(len(self._calls), place, self._held.config, state.share(), *known)
        self._moments.append(kept)

    def _take_read(self) -> frozenset[str]:
        """The settings that were read since the last time."""
        state = self._held.state
        read = frozenset(state.parsed_settings)
        self._read |= read
        state.parsed_settings.clear()
        return read

    def _advance(self, to_ms: int) -> None:
        if to_ms > self._now_ms:
            advance(self._held, lambda state: goal_at(state, to_ms))
            self._now_ms = to_ms

    def _act(self, act: Act) -> bool:
        """Let somebody act; False if it names a record that is not known yet."""
        bindings = self._judge.bindings
        ours = bindings.value(act.body)
        named = [name for name in act.body if name.endswith("_id")]
        if any(bindings.find(act.body[name], name) is None for name in named):
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
        path, _ = self._judge.bindings.path(call.called, call.path)
        headers = self._headers(call)
        body = self._judge.bindings.body(call.exchange.body)
        if self._world.client.call(call.exchange.method, path, body=body, headers=headers).is_success:
            self._keys.add(call.key)

    def _call(self, call: RecordedCall) -> None:
        """Make a call, and judge its answer unless it is that of the earlier replay."""
        exchange = call.exchange
        self._advance(exchange.at_ms)
        self._take_read()
        with self._held.settled() as state:
            sent, self._sent_to = sent_since(state, self._sent_to), state[ATTEMPT].next_n
        known = self._earlier.calls[len(self._calls)] if self._earlier is not None else None
        judged = self._request(call, known)
        judged.answer = answer = self._world.client.call(
            exchange.method, judged.path, body=judged.body, headers=judged.headers
        )
        self.made += 1
        judged.read, judged.sent = self._take_read(), sent
        if known is None or not self._take_over(judged, known):
            self._judge_call(judged)
            if known is not None and judged.learned != known.learned:
                self._apart |= judged.learned.apart(known.learned)
                self._has_sent_other = self._has_sent_other or judged.learned.sent != known.learned.sent
        self._calls.append(judged)
        self._undo_what_was_refused(call, answer)

    def _request(self, call: RecordedCall, known: JudgedCall | None) -> JudgedCall:
        """A call as the world gets it: as in the earlier replay, as long as nothing stands for something else."""
        if known is not None and self._knows_the_same:
            return JudgedCall(call, known.path, known.body, known.headers, is_strange=known.is_strange)
        bindings = self._judge.bindings
        path, is_strange = bindings.path(call.called, call.path)
        is_strange = is_strange or bindings.names_strange(body_json(call.exchange.body))
        headers = {**self._headers(call), **_declined(call)}
        return JudgedCall(call, path, bindings.body(call.exchange.body), headers, is_strange=is_strange)

    @property
    def _knows_the_same(self) -> bool:
        """Whether the judge knows what that of the earlier replay knew."""
        return not self._apart and not self._has_sent_other

    def _take_over(self, judged: JudgedCall, known: JudgedCall) -> bool:
        """Take over what is the same; whether that is the answer, and with it the judgment."""
        is_answer, is_sent = is_same(judged.answer, known.answer), judged.sent == known.sent
        if self.changed is None and not (is_answer and is_sent):
            self.changed = len(self._calls)
        judged.sent = known.sent if is_sent else judged.sent
        judged.answer = known.answer if is_answer else judged.answer
        if not is_answer or not self._is_judged_alike(judged, known):
            return False
        self._judge.learn(known.learned)
        judged.findings, judged.left_out = known.findings, known.left_out
        judged.learned, judged.touched = known.learned, known.touched
        return True

    def _is_judged_alike(self, judged: JudgedCall, known: JudgedCall) -> bool:
        """Whether a call with the same answer is judged alike, by all that was learnt before."""
        if self._knows_the_same:
            return True
        is_request = (judged.path, judged.body, judged.is_strange) == (known.path, known.body, known.is_strange)
        shown = self._recording.masks.shown[len(self._calls)]
        is_apart = not (self._apart.isdisjoint(known.touched) and self._apart.isdisjoint(shown))
        return is_request and not is_apart and not self._has_sent_other

    def _judge_call(self, judged: JudgedCall) -> None:
        call, answer, recording = judged.call, judged.answer, self._recording
        recorded = call.exchange.response
        assert recorded is not None
        if judged.is_strange and FIRST_ERROR <= answer.status < SERVER_ERROR and recorded.status < FIRST_ERROR:
            judged.left_out = FROM_BEFORE
            return
        both = (answer, recorded)
        answers = both if call.exchange.has_body else (without_body(answer), without_body(recorded))
        called = parse_call(recording.contracts, call.exchange.method, judged.path) or call.called
        who, number, at_ms = recording.callers.name(call) or "", len(self._calls), call.exchange.at_ms
        judged.findings, judged.learned, judged.touched = self._judge.judge(
            number, called, answers, judged.body, at_ms, who
        )

    def _headers(self, call: RecordedCall) -> dict[str, str]:
        return self._recording.callers.headers(call, self._world.credentials, self._judge.bindings)

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
