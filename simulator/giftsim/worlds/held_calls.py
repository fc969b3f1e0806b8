"""Calls that a fault holds or delays: they hold no lock, and beyond a bound further ones are refused (G16, G17)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import takewhile

from giftsim.paths import CONTROL
from giftsim.problem import Problem
from giftsim.worlds import system_clock
from giftsim.worlds.changes import HOLD
from giftsim.worlds.problem import CallUndone, WorldGone
from giftsim.worlds.runtime import Runtime
from giftsim.worlds.waiters import HeldTooLong, SimulatorStops
from giftsim.worlds.world import World


def hold(world: World, call: int, fault: str, is_held: Callable[[], bool]) -> None:
    """Hold call number `call` without the world's lock while `is_held()`. It continues at the instant of its release.

    Calls that are released together continue in the order of their arrival. The log resumes a call that was held for
    too long too; then the fault of this id is still there, so that replay refuses the call as well.
    TooManyHeldCalls, HeldTooLong, SimulatorStops, WorldGone, CallUndone.
    """
    runtime = world.runtime
    if runtime.replaying:
        world.suspend_call(call)
        _refuse_held(world, fault, is_held)
        return
    runtime.waiters.reserve()
    try:
        world.suspend_call(call)
    except Problem:
        runtime.waiters.release()
        raise
    suspension = world.suspended_calls[call]
    world.note(HOLD, fault)

    def is_undone() -> bool:
        return world.suspended_calls.get(call) is not suspension

    _wait(world, is_held, is_undone)
    if is_undone():  # first, because the log of a world that was deleted since does not have the call
        raise CallUndone("the call was taken back while it was held; make it again")
    if world.deleted:
        raise WorldGone(f"world {world.id} was deleted while the call was held")
    if runtime.closing:
        raise SimulatorStops("the simulator is stopping; nothing was done")
    world.catch_up()
    world.resume_call(call)
    _refuse_held(world, fault, is_held)


def delay(runtime: Runtime, world: World | None, span_s: float) -> None:
    """Answer late by real seconds, in a place reserved when the call arrived: a call that is done is never refused.

    The delay ends with its world and with a reset.
    """
    delayed: list[object] = [] if world is None else world.delayed_calls
    epoch = world.epoch if world else 0

    def has_ended() -> bool:
        return runtime.closing or (world is not None and (world.deleted or world.epoch != epoch))

    delayed.append(runtime)
    try:
        with _in_reserved_place(runtime):
            if not runtime.replaying:
                system_clock.sleep(span_s, runtime.waiters.changed, has_ended)
    finally:
        delayed.pop()


def _refuse_held(world: World, fault: str, is_held: Callable[[], bool]) -> None:
    if is_held():
        raise HeldTooLong(
            f"the fault {fault} held this call for {world.runtime.limits.held_call_s:g} s, the longest that a call is "
            "held, and nothing was done; delete the fault "
            f"(DELETE {CONTROL}/worlds/{world.id}/faults/{fault}) and make the call again, or start the simulator with "
            "a longer --hold-timeout"
        )


def _wait(world: World, is_held: Callable[[], bool], is_undone: Callable[[], bool]) -> None:
    runtime = world.runtime
    world.hold_checks.append(is_held)
    world.lock.release()
    try:
        with _in_reserved_place(runtime), runtime.waiters.changed:
            runtime.waiters.changed.wait_for(
                lambda: world.deleted or runtime.closing or is_undone() or _is_next(world, is_held),
                runtime.limits.held_call_s,
            )
    finally:
        world.lock.acquire()
        world.hold_checks.remove(is_held)
        runtime.waiters.notify()


@contextmanager
def _in_reserved_place(runtime: Runtime) -> Iterator[None]:
    """Use a reserved place with the thread lent to the server, and give the place back."""
    try:
        with runtime.lend_thread():
            yield
    finally:
        runtime.waiters.release()


def _is_next(world: World, is_held: Callable[[], bool]) -> bool:
    """Whether a call and every call before it are released."""
    earlier = takewhile(lambda check: check is not is_held, world.hold_checks.copy())
    return not is_held() and all(check() for check in earlier)
