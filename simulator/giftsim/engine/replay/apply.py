"""Apply events to worlds again: the same calls, timers and outcomes in the same order give the same world (G3, G4).

Replay makes no network calls, and only the time passes that the events name. A call that released its world's lock (a
held call, a test of an endpoint) runs in its own thread, which waits until an event resumes the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.gateway.call import ASSISTANT
from giftsim.engine.gateway.wsgi_app import WsgiApp
from giftsim.engine.log import inputs
from giftsim.engine.log.inputs import AnyInput
from giftsim.engine.system import System
from giftsim.engine.url_paths import CONTROL
from giftsim.engine.webhooks.dispatch import check_in_flight, complete_attempt, requeue_attempts
from giftsim.engine.webhooks.outgoing import Outcome
from giftsim.engine.worlds.waiters import TooManyHeldCalls
from giftsim.engine.worlds.world import World


class ReplayMismatch(Exception):
    """An event does not fit the state before it: it was written by another version, or is damaged."""


class CallAbandoned(BaseException):
    """The suspended call is given up: an undo, a reset, a restore or the end of its world ended it."""


class SuspendedCall:
    """A call that a replay runs in its own thread.

    `paused` is set when it is suspended or done; set `resumed` to continue it.
    """

    def __init__(self, work: Callable[[], None], system: System) -> None:
        self.paused, self.resumed, self._ended = system.event(), system.event(), system.event()
        self.abandoned = self._has_started = False
        self._work = work
        self._error: BaseException | None = None
        self._start_thread = system.start_thread

    def start(self) -> None:
        """Run until it is suspended or done, and raise what it raised."""
        self._start_thread(self._run, "replay")
        self._has_started = True
        self.wait_until_paused()

    def _run(self) -> None:
        try:
            self._work()
        except CallAbandoned:
            pass
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that replays
            self._error = error
        finally:
            self.paused.set()
            self._ended.set()

    def abandon(self) -> None:
        """End the call if it is still suspended."""
        self.abandoned = True
        self.resumed.set()
        if self._has_started:
            self._ended.wait()

    def wait_until_paused(self) -> None:
        """Wait until the call is suspended or done, and raise what it raised."""
        self.paused.wait()
        if self._error is not None:
            raise self._error


class Replayer:
    """Applies events to the worlds of an app's registry. Nothing else may reach those worlds meanwhile."""

    def __init__(self, app: WsgiApp) -> None:
        self._registry = app.registry
        self._client = InProcessClient(app)
        self._suspended: dict[tuple[World, int], SuspendedCall] = {}

    def __enter__(self) -> Replayer:
        self._registry.runtime.suspend_call = self._suspend
        return self

    def __exit__(self, *_: object) -> None:
        for call in self._suspended.values():
            call.abandon()
        for world in self._registry.worlds.values():
            world.calls.suspended.clear()
            world.clock.anchor()
        self._registry.runtime.suspend_call = None

    def apply(self, world: World, event: AnyInput, *, suspends: bool) -> None:
        """Apply one event. `suspends` says that a call is suspended after it, as `stays_suspended` tells.

        ReplayMismatch.
        """
        if isinstance(event, inputs.CallSuspended):
            return  # the call itself has logged this
        if world.event_log.next_n != event.n:
            raise ReplayMismatch(f"event {event.n} of world {world.id} comes where {world.event_log.next_n} is due")
        if isinstance(event, inputs.ClientCall) and (undone := self._suspended.pop((world, event.n), None)):
            undone.abandon()  # this call has its number
        if isinstance(event, inputs.ClientCall) and suspends:
            self._start(world, event)
        elif isinstance(event, inputs.CallResumed) and suspends:
            self._pass_over(world, event)
        else:
            _APPLY[type(event)](self, world, event)
        with world.lock:
            world.state.outbox.clear()

    def client_call(self, world: World, event: inputs.ClientCall) -> None:
        """Make a client's call, on the path of all calls."""
        _pass_time(world, event.at_ms)
        path, mark, query = event.path.partition("?")
        extra = {ASSISTANT: event.assistant} if event.assistant is not None else {}
        self._call(event.method, quote(path, safe="/%") + mark + query, event.body, dict(event.headers), extra)

    def control_call(self, world: World, event: inputs.ControlCall) -> None:
        """Make a control call on the world."""
        _pass_time(world, event.at_ms)
        self._call(event.method, f"{CONTROL}/worlds/{world.id}{quote(event.path)}", event.body, {})

    def resume_call(self, world: World, event: inputs.CallResumed) -> None:
        """Let a suspended call continue, and wait until it is suspended again or done."""
        call = self._suspended.get((world, event.call))
        if call is None and event.call in world.calls.suspended:  # since before the checkpoint that came first
            self._pass_over(world, event)
            return
        if call is None or call.abandoned:
            raise ReplayMismatch(
                f"event {event.n} of world {world.id} resumes call {event.call}, which is not suspended"
            )
        _pass_time(world, event.at_ms)
        world.add_event(event)
        call.paused.clear()
        call.resumed.set()
        call.wait_until_paused()

    def _pass_over(self, world: World, event: inputs.CallResumed) -> None:
        """Leave a call suspended that was about to continue when its process ended."""
        _pass_time(world, event.at_ms)
        world.add_event(event)

    def abandon_call(self, world: World, event: inputs.CallAbandoned) -> None:
        """End a suspended call, as the end of its process did."""
        world.add_event(event)
        world.calls.suspended.pop(event.call, None)
        if call := self._suspended.get((world, event.call)):
            call.abandon()

    def _start(self, world: World, event: inputs.ClientCall) -> None:
        call = self._suspended[world, event.n] = SuspendedCall(
            lambda: self.client_call(world, event), self._registry.runtime.system
        )
        call.start()

    def _suspend(self, world_id: str, call_n: int) -> None:
        """Wait in place of a call that releases its world's lock; the lock is held."""
        world = self._registry.worlds[world_id]
        call = self._suspended.get((world, call_n))
        if call is None:
            raise TooManyHeldCalls(f"call {call_n} of world {world_id} was not suspended, for want of room or of time")
        world.add_event(inputs.CallSuspended(call=call_n))
        world.state.outbox.clear()
        call.resumed.clear()
        world.lock.release()
        call.paused.set()
        call.resumed.wait()
        world.lock.acquire()
        if call.abandoned:
            raise CallAbandoned

    def _call(
        self,
        method: str,
        path: str,
        body: bytes,
        headers: Mapping[str, str],
        extra: Mapping[str, Any] = {},
    ) -> None:
        try:
            self._client.call(method, path, body=body, headers=headers, environ=extra)
        except ConnectionError:
            return  # the connection was dropped in the original run, too


def stays_suspended(event: object, following: object) -> bool:
    """Whether a call is suspended after an event, by the next input of its world: it released the lock, or was about to
    continue when its process ended.
    """
    if isinstance(event, inputs.CallResumed):
        return isinstance(following, inputs.CallAbandoned) and following.call == event.call
    return isinstance(event, inputs.ClientCall) and isinstance(following, inputs.CallSuspended)


def events_that_suspend(entries: Iterable[AnyInput]) -> frozenset[int]:
    """The numbers of the events after which a call is suspended."""
    return frozenset(event.n for event, following in pairwise(entries) if stays_suspended(event, following))


def _pass_time(world: World, at_ms: int) -> None:
    if at_ms > world.state.now_ms:
        world.clock.begin_time()
        world.state.now_ms = at_ms


def _time_passed(_: Replayer, world: World, event: inputs.TimePassed) -> None:
    with world.lock:
        world.clock.begin_time()
        for _count in range(event.fired):
            timer = world.state.timers.peek()
            if timer is None:
                raise ReplayMismatch(f"event {event.n} of world {world.id} fires a timer, and none is due")
            world.state.fire(timer)
        _pass_time(world, event.to_ms)
        world.clock.add_time(event)


def _attempt_completed(_: Replayer, world: World, event: inputs.AttemptCompleted) -> None:
    outcome = Outcome(event.outcome, event.status, event.signed_s, event.took_s, event.body, event.cut)
    with world.lock, _checked(world, event):
        check_in_flight(world.state, event.attempt)
        world.add_event(event)
        with world.state.transaction():
            complete_attempt(world.state, event.attempt, outcome)


def _clock_rate_set(_: Replayer, world: World, event: inputs.ClockRateSet) -> None:
    with world.lock:
        _pass_time(world, event.at_ms)
        world.clock.set_rate(event.rate)


def _deliveries_resent(_: Replayer, world: World, event: inputs.DeliveriesResent) -> None:
    with world.lock, _checked(world, event):
        world.add_event(event)
        with world.state.transaction():
            requeue_attempts(world.state, event.attempts)


@contextmanager
def _checked(world: World, event: AnyInput) -> Iterator[None]:
    """ReplayMismatch where the state does not have the attempts that an event names, or not in flight."""
    try:
        yield
    except (ValueError, LookupError) as error:
        raise ReplayMismatch(f"event {event.n} of world {world.id}: {error}") from None


_APPLY: Mapping[type[AnyInput], Callable[[Replayer, World, Any], object]] = {
    inputs.ClientCall: Replayer.client_call,
    inputs.ControlCall: Replayer.control_call,
    inputs.CallResumed: Replayer.resume_call,
    inputs.CallAbandoned: Replayer.abandon_call,
    inputs.TimePassed: _time_passed,
    inputs.AttemptCompleted: _attempt_completed,
    inputs.ClockRateSet: _clock_rate_set,
    inputs.DeliveriesResent: _deliveries_resent,
    inputs.SnapshotSaved: lambda _, world, event: world.save_snapshot(event.name),
    inputs.SnapshotDeleted: lambda _, world, event: world.delete_snapshot(event.name),
    inputs.SnapshotRestored: lambda _, world, event: world.restore_snapshot(event.name),
    inputs.WorldReset: lambda replayer, world, _event: replayer._registry.reset(world),
}
