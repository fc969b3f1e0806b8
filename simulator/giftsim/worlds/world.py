"""A world alive: one state, served by one lock, with its journal, its snapshots and its running clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition
from typing import TYPE_CHECKING

from giftsim.event_log.config import WorldConfig
from giftsim.event_log.events import Paced, Parked, Ran, Resumed
from giftsim.event_log.log import EventLog
from giftsim.kernel import random_streams
from giftsim.kernel.state import State
from giftsim.worlds import system_clock
from giftsim.worlds.call_log import Journal
from giftsim.worlds.held_deliveries import Standings
from giftsim.worlds.lock import WorldLock
from giftsim.worlds.problem import ClockBusy, WorldGone

if TYPE_CHECKING:
    from giftsim.worlds.registry import Registry


_WAY_OUT = "answer it at deliveries/{seq}/answer, or delete its receiver"


@dataclass(frozen=True)
class Saved:
    """A snapshot: the state at one moment."""

    name: str
    state: State


class World:
    """`epoch` grows when the state is replaced; `driving` is true while an advance is under way, and `at_delivery` is
    the delivery (event id and attempt) at which that one stands.

    `event_log` is all that the state follows from; `parked` are the calls that have given the world back for a while,
    `holding` says of each whether its fault still holds it, and `late` has one entry for each that answers late.
    `fired` are the timers that fired and that no input tells of yet; `untold` is true where none says how far time is.
    `first` is what a fork began with, to which reset returns it; other worlds are born anew.
    """

    def __init__(self, world_id: str, config: WorldConfig, state: State, registry: Registry) -> None:
        self.id = world_id
        self.config = config
        self.state = state
        self.registry = registry
        self.lock = WorldLock(registry.lend)
        self.epoch = 0
        self.driving = False
        self.gone = False
        self.journal = Journal()
        self.event_log = EventLog(world_id)
        self.at_delivery: tuple[str, int] | None = None
        self.parked: dict[int, object] = {}
        self.holding: list[Callable[[], bool]] = []
        self.late: list[object] = []
        self.snapshots: dict[str, Saved] = {}
        self.claimed: dict[str, None] = {}
        self.in_flight = 0
        self.landed = Condition()
        self.standings = Standings()
        self.first: State | None = None
        self.ttl_s: float | None = None
        self.fired, self.untold = 0, False
        self._anchor = (system_clock.monotonic(), state.now_ms)
        self._touched = system_clock.monotonic()

    def touch(self) -> None:
        """Somebody uses the world: its idle time begins anew."""
        self._touched = system_clock.monotonic()

    @property
    def expired(self) -> bool:
        """Whether nobody has used the world for longer than it was to live idle (G11)."""
        return self.ttl_s is not None and not self.driving and system_clock.monotonic() - self._touched > self.ttl_s

    def next_request_id(self) -> str:
        """Count a client call and name it; refused calls count too, so this is outside every transaction."""
        self.touch()
        calls = self.state.meters["calls"] = self.state.meters.get("calls", 0) + 1
        return "req_" + random_streams.token(self.state.seed, "request", calls, 20)

    def park(self, call: int) -> bool:
        """The call of that number gives the world back. False where inputs are applied again: then it has stood here
        until they said that it goes on, and has nothing to wait for.
        """
        if self.registry.replaying is not None:
            self.parked[call] = object()
            self.registry.replaying(self, call)
            self.parked.pop(call, None)
            return False
        self.event_log.add(Parked(call=call))
        self.parked[call] = object()
        return True

    def resume(self, call: int) -> None:
        """The call goes on at the present instant."""
        self.parked.pop(call, None)
        self.event_log.add(Resumed(call=call, at_ms=self.state.now_ms))

    def tell_time(self, events: int = 0) -> None:
        """Write how far time has gone; what cannot be written now is told with what comes next."""
        if self.fired or self.untold:
            self.event_log.add(Ran(fired=self.fired, to_ms=self.state.now_ms, events=events))
            self.fired, self.untold = 0, False

    @contextmanager
    def held(self) -> Iterator[State]:
        """The world to oneself, at its present instant; WorldGone once it was deleted."""
        with self.lock:
            if self.gone:
                raise WorldGone(f"world {self.id} was deleted")
            yield self.state

    @contextmanager
    def quiet(self) -> Iterator[State]:
        """The world to oneself with nothing in flight and no advance under way (G7).

        An advance that merely computes is waited for; ClockBusy while one stands at a delivery.
        """
        with self.held():
            self._await_advance()
            self._wait_landed()
            yield self.state

    def present_ms(self) -> int:
        """What a running clock shows now; the state's own instant where the clock stands."""
        if not self.state.rate:
            return self.state.now_ms
        since, at_ms = self._anchor
        return max(self.state.now_ms, at_ms + int((system_clock.monotonic() - since) * 1000 * self.state.rate))

    def pace(self, rate: float) -> None:
        """Run at `rate` world seconds per real second from the present instant on, or stand (0)."""
        self.event_log.add(Paced(at_ms=self.state.now_ms, rate=rate))
        self.state.rate = rate
        self.anchor()

    def anchor(self) -> None:
        """Let the running clock count from the state's present instant."""
        self._anchor = (system_clock.monotonic(), self.state.now_ms)

    def replace(self, state: State) -> None:
        """Put another state in place (reset, restore); whatever was under way on the old one ends."""
        self.state = state
        self.epoch += 1
        self.fired, self.untold = 0, False
        self.claimed.clear()
        self.anchor()
        self.registry.wake()

    def _wait_landed(self) -> None:
        """Send what still waits for the courier, and wait without the lock until all of it is back (G21)."""
        from giftsim.worlds.advance import dispatch

        while self.in_flight or self.state.outbox:
            self.lock.release()
            try:
                dispatch(self)
                with self.registry.lend(), self.landed:
                    self.landed.wait_for(lambda: not self.in_flight or self.standings.open)
            finally:
                self.lock.acquire()
            self._await_advance()
            if found := self.standings.open:
                raise ClockBusy(f"delivery {found[0].outgoing.attempt + 1} of world {self.id} is held: {_WAY_OUT}")

    def _await_advance(self) -> None:
        """Let an advance have the lock until it is done; it gives it back now and then, and at deliveries."""
        while self.driving and not self.gone:
            if self.at_delivery is not None:
                found, until = self.standings.open, "try when it has answered"
                if found:
                    until = f"delivery {found[0].outgoing.attempt + 1} is held: {_WAY_OUT}"
                raise ClockBusy(f"an advance of world {self.id} stands at a delivery; {until}")
            self.lock.release()
            self.lock.acquire()
        if self.gone:
            raise WorldGone(f"world {self.id} was deleted")
