"""The calls of a world: their log, those in progress, and those that a fault holds or delays (G16, G17).

A held call holds no lock. Beyond a bound, further calls are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import NamedTuple

from giftsim.engine.log.inputs import CallResumed, CallSuspended
from giftsim.engine.problem import Problem
from giftsim.engine.url_paths import CONTROL
from giftsim.engine.worlds import system_clock
from giftsim.engine.worlds.call_log import CallLog
from giftsim.engine.worlds.changes import HOLD
from giftsim.engine.worlds.clock import Clock
from giftsim.engine.worlds.locked_state import LockedState, WorldPart
from giftsim.engine.worlds.runtime import Runtime
from giftsim.engine.worlds.waiters import HeldTooLong, SimulatorStops
from giftsim.engine.worlds.world_errors import CallUndone, WorldGone


class BusyKey(NamedTuple):
    """The use of an idempotency key by a call in progress: the number of the call, and a hash of its request."""

    call: int
    fingerprint: str


class Calls(WorldPart):
    """The calls of a world.

    `log` has those that ended. `suspended` are the numbers of calls that released the lock in the middle of their work.
    `continued` says that one of them goes on, and that the last checkpoint in the journal file has it as suspended.
    `busy_keys` are the idempotency keys of calls in progress.
    """

    def __init__(self, world: LockedState, clock: Clock) -> None:
        super().__init__(world)
        self._clock = clock
        self.log = CallLog()
        self.suspended: dict[int, object] = {}
        self.continued = False
        self.busy_keys: dict[str, BusyKey] = {}
        self._hold_checks: list[Callable[[], bool]] = []  # one per held call: whether it is still held
        self._delayed: list[None] = []  # one entry per delayed call

    @property
    def held_count(self) -> int:
        """The number of calls that are held now."""
        return sum(is_held() for is_held in self._hold_checks)

    @property
    def delayed_count(self) -> int:
        """The number of calls that are answered late."""
        return len(self._delayed)

    def suspend(self, call: int) -> bool:
        """Note that call number `call` releases the lock in the middle of its work.

        Returns False during a replay, after waiting until the log resumes the call.
        """
        world = self._world()
        if world.runtime.suspend_call is not None:
            self.suspended[call] = object()
            world.runtime.suspend_call(world.id, call)
            self.suspended.pop(call, None)
            return False
        world.add_event(CallSuspended(call=call))
        self.suspended[call] = object()
        return True

    def resume(self, call: int) -> None:
        """Note that the call continues, at the current instant of the world."""
        world = self._world()
        self.suspended.pop(call, None)
        world.add_event(CallResumed(call=call, at_ms=world.state.now_ms))
        marks = world.event_log.checkpoints
        if marks and call in marks[-1].suspended:
            self.continued = True

    def hold(self, call: int, fault: str, is_held: Callable[[], bool]) -> None:
        """Hold call number `call` without the world's lock while `is_held()`; it continues when it is released.

        Calls that are released together continue in the order of their arrival. A call that was held for too long is
        resumed in the log too. The fault with this id still exists then, so a replay refuses the call as well.
        TooManyHeldCalls, HeldTooLong, SimulatorStops, WorldGone, CallUndone.
        """
        world = self._world()
        runtime = world.runtime
        if runtime.replaying:
            self.suspend(call)
            self._refuse_held(fault, is_held)
            return
        runtime.waiters.reserve()
        try:
            self.suspend(call)
        except Problem:
            runtime.waiters.release()
            raise
        suspension = self.suspended[call]
        world.note(HOLD, fault)

        def is_undone() -> bool:
            return self.suspended.get(call) is not suspension

        self._wait(world, is_held, is_undone)
        if is_undone():  # first, because the log of a world that was deleted since does not have the call
            raise CallUndone("the call was taken back while it was held; make it again")
        if world.deleted:
            raise WorldGone(f"world {world.id} was deleted while the call was held")
        if runtime.closing:
            raise SimulatorStops("the simulator is stopping; nothing was done")
        self._clock.catch_up()
        self.resume(call)
        self._refuse_held(fault, is_held)

    def delay(self, span_s: float) -> None:
        """Answer late by real seconds. The delay ends with its world and with a reset."""
        world = self._world()
        epoch = world.epoch
        self._delayed.append(None)
        try:
            delay(world.runtime, span_s, lambda: world.deleted or world.epoch != epoch)
        finally:
            self._delayed.pop()

    @contextmanager
    def counted_as_held(self, is_held: Callable[[], bool]) -> Iterator[None]:
        """Count a call among the held ones while `is_held()`."""
        waiters = self._world().runtime.waiters
        self._hold_checks.append(is_held)
        try:
            yield
        finally:
            self._hold_checks.remove(is_held)
            waiters.notify()

    def _refuse_held(self, fault: str, is_held: Callable[[], bool]) -> None:
        world = self._world()
        if is_held():
            raise HeldTooLong(
                f"the fault {fault} held this call for {world.runtime.limits.held_call_s:g} s, the longest that a call "
                "is held, and nothing was done; delete the fault "
                f"(DELETE {CONTROL}/worlds/{world.id}/faults/{fault}) and make the call again, or start the simulator "
                "with a longer --hold-timeout"
            )

    def _wait(self, world: LockedState, is_held: Callable[[], bool], is_undone: Callable[[], bool]) -> None:
        runtime = world.runtime
        with self.counted_as_held(is_held):
            world.lock.release()
            try:
                with _in_reserved_place(runtime), runtime.waiters.changed:
                    runtime.waiters.changed.wait_for(
                        lambda: world.deleted or runtime.closing or is_undone() or self._is_next(is_held),
                        runtime.limits.held_call_s,
                    )
            finally:
                world.lock.acquire()

    def _is_next(self, is_held: Callable[[], bool]) -> bool:
        """Whether a call and every call before it are released."""
        earlier = takewhile(lambda check: check is not is_held, self._hold_checks.copy())
        return not is_held() and all(check() for check in earlier)


def delay(runtime: Runtime, span_s: float, has_ended: Callable[[], bool] = lambda: False) -> None:
    """Answer late by real seconds, or until it `has_ended`.

    The call has a reserved place since it arrived, because a call whose work is done is never refused.
    """
    with _in_reserved_place(runtime):
        if not runtime.replaying:
            system_clock.sleep(span_s, runtime.waiters.changed, lambda: runtime.closing or has_ended())


@contextmanager
def _in_reserved_place(runtime: Runtime) -> Iterator[None]:
    """Use a reserved place while the server can use another thread, and give the place back."""
    try:
        with runtime.lend_thread():
            yield
    finally:
        runtime.waiters.release()
