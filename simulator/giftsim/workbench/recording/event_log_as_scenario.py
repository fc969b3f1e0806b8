"""Writes a world's event log as a scenario: its events as steps, with the responses that they got."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from giftsim.engine.client.control import quote_segment
from giftsim.engine.control.credentials import list_credentials
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.instants import format_exact
from giftsim.engine.kernel.serializer import fingerprint
from giftsim.engine.kernel.state import State
from giftsim.engine.log import inputs
from giftsim.engine.log.segment import CallOutcome, Segment
from giftsim.engine.problem import Problem
from giftsim.engine.worlds.world import World
from giftsim.services.fixture_loader import FOLDERS, read_fixture
from giftsim.workbench.recording.receivers import RecordedReceiver, RecordedReceivers
from giftsim.workbench.recording.secret_variables import BranchEnds, FormerStates, hide_secrets
from giftsim.workbench.recording.stand_ins import ForeignCredentials, IdempotencyKeys, replace_foreign_secrets
from giftsim.workbench.recording.steps import (
    Advance,
    CredentialNames,
    call_step,
    control_step,
    plain_step,
    response_check,
)
from giftsim.workbench.recording.world_text import WorldVariables
from giftsim.workbench.recording.yaml_writer import MODELINE, scenario_text
from giftsim.workbench.scenario.schema import is_step

Step = dict[str, Any]
_PING = re.compile(r"/webhooks/[^/]+/test", re.ASCII)


class EventLogTruncated(Problem, status=409, code="journal_truncated"):
    """The beginning of the world's event log was dropped."""


def record_scenario(world: World, state: State, forward: Mapping[str, str], version: str, former: FormerStates) -> str:
    """A scenario that repeats all that was done to a world and checks every byte of the responses.

    `forward` maps hosts to the URLs to which their webhooks went from the world's start; `version` is that of
    giftsim. `former` computes the states that restores and resets replaced. EventLogTruncated if the beginning of the
    event log was dropped.
    """
    if world.event_log.dropped:
        first = world.event_log.dropped + 1
        raise EventLogTruncated(
            f"world {world.id} cannot be recorded: its event log was full and dropped its first {first - 1} events;"
            f" event {first} is the first kept. Record sooner, or in a fresh world"
        )
    recorder = Recorder(world, state, forward)
    recorder.process_log()
    calls = "1 call with its response" if recorder.calls == 1 else f"{recorder.calls} calls with their responses"
    comment = f"A recording of world {world.id} by giftsim {version}: {calls}, which replay compares."
    keys = IdempotencyKeys()
    steps = hide_secrets(recorder.finished_steps(), BranchEnds(world.event_log, state, former))
    steps = keys.process(ForeignCredentials().process(replace_foreign_secrets(steps)))
    head = _head(world) | ({"vars": keys.values} if keys.values else {})
    return scenario_text(head, steps, (MODELINE, comment))


class Recorder:
    """Turns the events of a log into steps, in order.

    `now_ms` is the time of the scenario's world after the steps so far, and `advance` the time that passes next.
    """

    def __init__(self, world: World, state: State, forward: Mapping[str, str]) -> None:
        self.world, self.state = world, state
        self.steps: list[Step | RecordedReceiver] = []
        self.calls = 0
        self.now_ms = world.config.now_ms
        self.advance = Advance()
        self._snapshot_ms: dict[str, int] = {}
        self._receivers = RecordedReceivers(forward)
        self._views: dict[str, tuple[WorldVariables, CredentialNames]] = {}
        self._pending: dict[int, tuple[str, inputs.ClientCall, CallOutcome | None, WorldVariables]] = {}
        log = [event for _, event in world.event_log.all()]
        resumed = {event.call for event in log if isinstance(event, inputs.CallResumed)}
        resumed -= {event.call for event in log if isinstance(event, inputs.CallAbandoned)}
        self._suspended = {event.call for event in log if isinstance(event, inputs.CallSuspended)} & resumed

    def process_log(self) -> None:
        """Process all events, then check the final state."""
        self.steps += self._receivers.reset()
        for segment, event in self.world.event_log.all():
            handler = _HANDLERS.get(type(event))
            if handler is not None:
                handler(self, segment, event)
        self._advance_to(self.state.now_ms)
        self.steps.append({"expect": {"fingerprint": fingerprint(self.state)}})

    def finished_steps(self) -> list[Step]:
        """The steps, once the responses of all receivers are known."""
        return [
            step.step() if isinstance(step, RecordedReceiver) else step
            for step in self.steps
            if not isinstance(step, RecordedReceiver) or step.is_needed
        ]

    def on_call(self, segment: Segment, call: inputs.ClientCall) -> None:
        """A call of a client, or of a recipient on a claim page."""
        variables, names = self._names_of(segment)
        outcome, self.calls = segment.outcomes.get(call.n), self.calls + 1
        step = call_step(call, outcome, names, variables)
        if self._add_during_delivery(call, step | response_check(call, outcome, variables)):
            return
        self._advance_to(call.at_ms)
        if call.n in self._suspended and not _PING.search(call.path):
            name = f"call-{self.calls}"
            self._pending[call.n] = (name, call, outcome, variables)
            self.steps.append(step | {"background": name})
        else:
            self.steps.append(step | response_check(call, outcome, variables))

    def on_call_resumed(self, _segment: Segment, event: inputs.CallResumed) -> None:
        """A held call continued: its response is awaited here."""
        if event.call in self._pending:
            self._advance_to(event.at_ms)
            name, call, outcome, variables = self._pending.pop(event.call)
            self.steps.append({"await": name} | response_check(call, outcome, variables))

    def on_control_call(self, segment: Segment, call: inputs.ControlCall) -> None:
        """A control call; one that was refused changed nothing and is left out."""
        if call.n in segment.outcomes:
            return
        step = control_step(call, self._names_of(segment)[0], is_step)
        if not call.path.startswith("/receivers") and self._add_during_delivery(call, step):
            return
        self._advance_to(call.at_ms)
        receiver = _receiver_call(call, step)
        if receiver is None:
            self.steps.append(step)
        elif call.method == "PUT":
            configured = self._receivers.configure(*receiver)
            self.steps.append(configured if configured.is_external else step)
        else:
            self._receivers.remove(receiver[0])
            self.steps.append(step)

    def on_time_passed(self, _segment: Segment, event: inputs.TimePassed) -> None:
        """Time passed; an advance that stopped at its bound of events must stop there again."""
        if event.events:
            self._advance_to(self.now_ms)
            bounded = {"to": format_exact(event.to_ms), "max_events": event.events}
            self.steps.append(plain_step("POST", "/clock/advance", bounded) | {"expect": {"status": 409}})
            self.now_ms = event.to_ms
        elif event.fired or event.to_ms > self.now_ms or self.advance.to_ms is not None:
            self.advance.extend(event.to_ms)

    def on_delivery_result(self, _segment: Segment, event: inputs.AttemptCompleted) -> None:
        """A forwarded attempt returned; if calls were made during it, its receiver must hold it on replay."""
        receiver = self._receivers.find(event)
        if self.advance.in_delivery and receiver is not None and receiver.can_hold and not receiver.holds:
            self.steps.append(self._receivers.hold(receiver))
        elif self.advance.in_delivery and receiver is not None and not receiver.holds:
            self._add_after_advance(self.advance.remove_last_delivery())
        self.advance.in_delivery = False
        self._receivers.add_response(event)

    def on_snapshot(self, _segment: Segment, event: inputs.SnapshotSaved) -> None:
        """A snapshot was taken."""
        self._advance_to(self.now_ms)
        self._snapshot_ms[event.name] = self.now_ms
        self._receivers.save(event.name)
        self._add_valid({"snapshot": event.name}, plain_step("POST", "/snapshots", {"name": event.name}))

    def on_snapshot_deleted(self, _segment: Segment, event: inputs.SnapshotDeleted) -> None:
        """A snapshot was deleted."""
        self.steps.append(plain_step("DELETE", f"/snapshots/{quote_segment(event.name)}"))

    def on_restore(self, _segment: Segment, event: inputs.SnapshotRestored) -> None:
        """The world returned to a snapshot."""
        self._advance_to(self.now_ms)
        self.now_ms = self._snapshot_ms.get(event.name, self.now_ms)
        self._add_valid({"restore": event.name}, plain_step("POST", f"/snapshots/{quote_segment(event.name)}/restore"))
        self.steps += self._receivers.restore(event.name)

    def on_reset(self, _segment: Segment, _entry: inputs.WorldReset) -> None:
        """The world returned to its initial state."""
        self._advance_to(self.now_ms)
        self.now_ms = self.world.config.now_ms
        self.steps.append(plain_step("POST", "/reset"))
        self.steps += self._receivers.reset(restored=True)

    def _add_valid(self, step: Step, fallback: Step) -> None:
        self.steps.append(step if is_step(step) else fallback)

    def _advance_to(self, at_ms: int) -> None:
        """Add a step that advances to an instant, or beyond it if time has passed further already."""
        to_ms, on_delivery = self.advance.to_ms, self.advance.on_delivery()
        end_ms = max(at_ms, to_ms or at_ms)
        if to_ms is not None or end_ms > self.now_ms:
            self.steps.append(
                {"advance": {"to": format_exact(end_ms)}} | ({"on_delivery": on_delivery} if on_delivery else {})
            )
            self.now_ms, self.advance = max(self.now_ms, end_ms), Advance()
            self.steps += self._receivers.release()

    def _add_during_delivery(self, call: inputs.ClientCall | inputs.ControlCall, step: Step) -> bool:
        """Add a step to the delivery during which its call was made; False if there was none."""
        if call.during is None or self.advance.to_ms is None:
            return False
        split_ms = self.advance.split_before(call.during)
        if split_ms is not None:
            to_ms, self.advance.to_ms = self.advance.to_ms, split_ms
            self._advance_to(split_ms)
            self.advance.extend(to_ms)
            self.advance.split_before(call.during)
        self.advance.add_step(call.during, step)
        return True

    def _add_after_advance(self, steps: list[Step]) -> None:
        """Add steps behind the advance whose delivery cannot be held."""
        self._advance_to(self.now_ms)
        self.steps += steps

    def _names_of(self, segment: Segment) -> tuple[WorldVariables, CredentialNames]:
        """The variables and the named credentials of the world that a segment of the log belongs to."""
        if segment.world_id not in self._views:
            variables = WorldVariables(segment.world_id, self.world.runtime.origin)
            self._views[segment.world_id] = (variables, _credential_names(self.state, segment.world_id))
        return self._views[segment.world_id]


_HANDLERS: Mapping[type[inputs.AnyInput], Callable[[Recorder, Segment, Any], None]] = {
    inputs.ClientCall: Recorder.on_call,
    inputs.ControlCall: Recorder.on_control_call,
    inputs.CallResumed: Recorder.on_call_resumed,
    inputs.TimePassed: Recorder.on_time_passed,
    inputs.AttemptCompleted: Recorder.on_delivery_result,
    inputs.SnapshotSaved: Recorder.on_snapshot,
    inputs.SnapshotDeleted: Recorder.on_snapshot_deleted,
    inputs.SnapshotRestored: Recorder.on_restore,
    inputs.WorldReset: Recorder.on_reset,
}


def _head(world: World) -> dict[str, Any]:
    config = world.config
    fixture = config.fixture
    if isinstance(fixture, str) and not any((folder / f"{fixture}.yaml").is_file() for folder in FOLDERS):
        fixture = read_fixture(fixture)
    head = {
        "scenario": f"A recording of world {world.id}",
        "seed": config.seed,
        "now": format_exact(config.now_ms),
        "fixture": fixture,
    }
    return head | ({"settings": config.settings} if config.settings else {})


def _credential_names(state: State, world_id: str) -> CredentialNames:
    """The credential names by Authorization header; without names that several share."""
    shared = {name for own in service_of(state).credentials for name in own.shared(state)}
    named = list_credentials(state, world_id)
    return {named[name]["headers"]["Authorization"]: name for name in named if name not in shared}


def _receiver_call(call: inputs.ControlCall, step: Step) -> tuple[str, Any] | None:
    """The host and the configuration of a control call for a receiver; None for another call."""
    resource, _, host = call.path.removeprefix("/").partition("/")
    if resource != "receivers":
        return None
    config = step.get("body") or {
        name: value for name, value in step.get("receiver", {}).items() if name not in ("host", "optional")
    }
    return host, config
