"""A world at run time: its state behind one lock, with its event log, call log, snapshots and running clock."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition

import msgspec

from giftsim.courier.courier import SendGroup
from giftsim.event_log.inputs import AnyEvent, CallResumed, CallSuspended, ClockRateSet, TimePassed, WorldConfig
from giftsim.event_log.log import EventLog
from giftsim.kernel import random_streams
from giftsim.kernel.state import State
from giftsim.worlds import system_clock
from giftsim.worlds.call_log import CallLog
from giftsim.worlds.changes import CLOCK, TIMER, Changes
from giftsim.worlds.held_deliveries import HeldDeliveries
from giftsim.worlds.lock import WorldLock
from giftsim.worlds.problem import WorldGone
from giftsim.worlds.runtime import Runtime


class Snapshot(msgspec.Struct, frozen=True):
    """A state that was kept under a name."""

    name: str
    state: State


class StoredStates:
    """Where the journal file has states that do not change: the bytes at which lines begin."""

    def __init__(self) -> None:
        self.first: int | None = None
        self.snapshots: dict[str, tuple[Snapshot, int]] = {}


class World:
    """One world. Everything but `id`, `config` and `runtime` changes only while the lock is held.

    Time: `advancing` is true during an advance, `advance_canceled` once it is to end, and `current_delivery` is the
    delivery (event id, attempt number) at which it waits. `fired_count` and `time_unlogged` say what of the time that
    passed is not in the event log yet, and `advance_from_ms` where an advance began that is not there yet. Calls:
    `suspended_calls` have released the lock in the middle of their work; `hold_checks` tells for each held call whether
    it is still held; `delayed_calls` has an entry for each call that answers late; `busy_keys` are the idempotency keys
    of calls in progress, with the calls' numbers. Deliveries: `in_flight` counts those on their way, and
    `delivery_returned` is notified when one returns; `under_way` are the attempts (slots) that this process has sent
    and that have no outcome yet; `send_group` ends those at the courier. `epoch` grows when the state is replaced.
    `replaced_snapshots` are kept for undo, by the event that replaced or deleted each, with its place among the others.
    `initial_state` is what a reset of a fork returns to; other worlds are made again from their config.
    """

    def __init__(self, world_id: str, config: WorldConfig, state: State, runtime: Runtime) -> None:
        self.id = world_id
        self.config = config
        self.state = state
        self.runtime = runtime
        self.lock = WorldLock(runtime)
        self.event_log = EventLog(world_id)
        self.call_log = CallLog()
        self.changes = Changes(state)
        self.snapshots: dict[str, Snapshot] = {}
        self.replaced_snapshots: dict[int, tuple[int, Snapshot]] = {}
        self.initial_state: State | None = None
        self.stored_states = StoredStates()
        self.ttl_s: float | None = None
        self.epoch = 0
        self.deleted = False
        self.advancing = self.advance_canceled = False
        self.current_delivery: tuple[str, int] | None = None
        self.suspended_calls: dict[int, object] = {}
        self.hold_checks: list[Callable[[], bool]] = []
        self.delayed_calls: list[object] = []
        self.busy_keys: dict[str, int] = {}
        self.held_deliveries = HeldDeliveries()
        self.send_group = SendGroup()
        self.in_flight = 0
        self.under_way: set[int] = set()
        self.delivery_returned = Condition()
        self.fired_count, self.time_unlogged = 0, False
        self._time_n = self._time_change_n = 0
        self.advance_from_ms: int | None = None
        self._clock_anchor = (system_clock.monotonic(), state.now_ms)
        self._used_s = system_clock.monotonic()

    def add_event(self, event: AnyEvent) -> None:
        """Append an event to the event log, and keep with the event before it how to take back what it changed."""
        self.event_log.add(event, self.changes.last_n)
        self.event_log.keep_changes(event.n - 1, self.state.take_changes())

    def begin_time(self) -> None:
        """Before the clock moves: keep what the last event changed, so that an undo can return to this instant."""
        if self._time_n != self.event_log.next_n:
            self.keep_changes()
            self.state.note_instant()
            self._time_n, self._time_change_n = self.event_log.next_n, self.changes.last_n

    def add_time(self, event: TimePassed) -> None:
        """Append time that has passed since `begin_time`, and keep how to take back what it changed."""
        if self._time_n != self.event_log.next_n:  # what is pending was changed by the last event
            self.add_event(event)
            return
        self.event_log.add(event, self._time_change_n)
        self.event_log.keep_changes(event.n, self.state.take_changes())

    def keep_changes(self) -> None:
        """Keep with the last event how to take back what it changed, before the state is shared or replaced."""
        self.event_log.keep_changes(self.event_log.next_n - 1, self.state.take_changes())

    def note(self, kind: str, about: object) -> None:
        """Add what has just happened to the world's changes."""
        self.changes.add(self.state, self.event_log.next_n - 1, kind, about)

    def note_rewind(self, to: int, reason: str) -> None:
        """Note that the state was replaced by an earlier one, which has the changes up to number `to`."""
        self.changes.rewind(self.state, self.event_log.next_n - 1, to, reason)

    def touch(self) -> None:
        """Note that the world is in use, so that its idle time starts again."""
        self._used_s = system_clock.monotonic()

    def seconds_to_live(self) -> float | None:
        """Real seconds until the world has been idle for its `ttl` (G11); 0 or less once it has, None without a `ttl`.

        A world in which an advance or a call is in progress is not idle.
        """
        if self.ttl_s is None:
            return None
        if self.advancing or self.suspended_calls:
            self.touch()
        return self._used_s + self.ttl_s - system_clock.monotonic()

    def next_request_id(self) -> str:
        """Count a client call and return its request id. Refused calls count too, so this is outside transactions."""
        self.touch()
        state = self.state
        return "req_" + random_streams.token(state.seed, "request", state.count("calls"), 20)

    def locked(self) -> World:
        """A block that holds the world's lock, and gets its state. WorldGone when the world was deleted.

        The world is the context manager itself: a generator would take twice as long, and an object that refers to the
        world would keep a deleted one until the garbage collector comes.
        """
        return self

    def __enter__(self) -> State:
        self.lock.acquire()
        if self.deleted:
            self.lock.release()
            raise WorldGone(f"world {self.id} was deleted")
        return self.state

    def __exit__(self, *_: object) -> None:
        self.lock.release()

    def suspend_call(self, call: int) -> bool:
        """Note that call number `call` releases the lock in the middle of its work.

        Returns False during a replay, after waiting until the log resumes the call.
        """
        if self.runtime.suspend_call is not None:
            self.suspended_calls[call] = object()
            self.runtime.suspend_call(self.id, call)
            self.suspended_calls.pop(call, None)
            return False
        self.add_event(CallSuspended(call=call))
        self.suspended_calls[call] = object()
        return True

    def resume_call(self, call: int) -> None:
        """Note that the call continues, at the world's present instant."""
        self.suspended_calls.pop(call, None)
        self.add_event(CallResumed(call=call, at_ms=self.state.now_ms))

    def log_time(self, events: int = 0) -> None:
        """Append the time that has passed to the event log; before anything else is appended."""
        if self.fired_count or self.time_unlogged:
            from_ms, self.advance_from_ms = self.advance_from_ms, None
            to_ms = self.state.now_ms
            self.add_time(TimePassed(fired=self.fired_count, to_ms=to_ms, events=events, from_ms=from_ms))
            self.fired_count, self.time_unlogged = 0, False

    def present_ms(self) -> int:
        """The instant that a running clock shows now; the state's instant when the clock is stopped."""
        if not self.state.rate:
            return self.state.now_ms
        since, at_ms = self._clock_anchor
        return max(self.state.now_ms, at_ms + int((system_clock.monotonic() - since) * 1000 * self.state.rate))

    def set_rate(self, rate: float) -> None:
        """Run the clock at `rate` world seconds per real second from now on, or stop it (0)."""
        self.add_event(ClockRateSet(at_ms=self.state.now_ms, rate=rate))
        self.state.set_rate(rate)
        self.anchor_clock()
        self.note(CLOCK, f"the clock runs at {rate:g} x real time" if rate else "the clock was stopped")

    def anchor_clock(self) -> None:
        """Let the running clock count from the state's present instant."""
        self._clock_anchor = (system_clock.monotonic(), self.state.now_ms)

    def catch_up(self) -> None:
        """Fire the timers of a running world that are due by now, so that no call sees an overdue timer."""
        if self.state.rate and not self.advancing and not self.runtime.replaying:
            self._run_to(self.present_ms())
        if self.fired_count:
            self.log_time()
            self.tell_observer()

    def _run_to(self, at_ms: int) -> None:
        state = self.state
        self.begin_time()
        while (timer := state.timers.peek()) and timer.due_ms <= at_ms:
            state.fire(timer)
            self.fired_count += 1
            self.note(TIMER, timer)
        if at_ms > state.now_ms:
            state.now_ms, self.time_unlogged = at_ms, True

    def tell_observer(self) -> None:
        """Tell the observer of the simulator, if there is one, that timers have fired or a delivery has its outcome."""
        if self.runtime.observer is not None:
            self.runtime.observer.world_changed(self)

    def replace_state(self, state: State, *, undoable: bool = False) -> None:
        """Put another state in place (reset, restore, undo). Whatever was in progress on the old one ends.

        With `undoable` the old one is kept in the event log, to be put back by an undo.
        """
        if undoable:
            self.keep_changes()
            self.event_log.replace_state(self.state)
        self.state = state
        self.epoch += 1
        self.advancing, self.current_delivery = False, None
        self.fired_count, self.time_unlogged = 0, False
        self._time_n, self.advance_from_ms = 0, None
        self.busy_keys.clear()
        self.under_way.clear()
        self.anchor_clock()
        self.runtime.wake_ticker()
