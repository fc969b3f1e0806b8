"""The state of a world behind its lock, with what is recorded of it: the event log and the feed of changes."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import cast
from weakref import ref

from giftsim.engine.kernel.state import MAX_UNDO_ENTRIES, State
from giftsim.engine.log.inputs import AnyInput
from giftsim.engine.log.log import EventLog
from giftsim.engine.worlds.app_clock import Together
from giftsim.engine.worlds.changes import Changes
from giftsim.engine.worlds.runtime import Runtime
from giftsim.engine.worlds.taken_away import TakenAway
from giftsim.engine.worlds.world_errors import ClockBusy, WorldGone


class WorldLock:
    """A lock with a queue of one. It is fair: a plain lock starves callers beside a long advance.

    While a thread waits for it, the server can use another one (G17).
    """

    def __init__(self, runtime: Runtime) -> None:
        self._queue = runtime.system.lock()
        self._lock = runtime.system.lock()
        self._runtime = runtime
        self.release = self._lock.release  # let the next thread in

    def acquire(self) -> None:
        """Wait in the queue, then for the lock."""
        if self._queue.acquire(False):
            if self._lock.acquire(False):
                self._queue.release()
                return
            self._queue.release()
        with self._runtime.lend_thread(for_lock=True), self._queue:
            self._lock.acquire()

    def give_way(self) -> None:
        """Release the lock, and take it again after the thread that waits for it."""
        self.release()
        self.acquire()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class LockedState:
    """What a world and its parts share. Everything but `id` and `runtime` changes only while the lock is held.

    `epoch` grows when the state is replaced, and when the world is deleted.
    """

    def __init__(self, world_id: str, state: State, runtime: Runtime) -> None:
        self.id = world_id
        self.state = state
        self.runtime = runtime
        self.lock = WorldLock(runtime)
        self.event_log = EventLog(world_id)
        self.changes = Changes(state, runtime.system.condition())
        self.taken_away = TakenAway()
        self.epoch = 0
        self.deleted = False
        self.app_clock: Together | None = None  # of the app that follows this world

    def locked(self) -> LockedState:
        """A block that holds the world's lock, and gets its state. WorldGone when the world was deleted.

        The world is the context manager itself: a generator would take twice as long, and an object that refers to the
        world would keep a deleted one until the next garbage collection.
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

    def check_deleted(self) -> None:
        """Raise WorldGone if the world was deleted."""
        if self.deleted:
            raise WorldGone(f"world {self.id} was deleted")

    def check_epoch(self, epoch: int, while_: str = "a delivery was under way") -> None:
        """Raise WorldGone or ClockBusy if the world was deleted or its state replaced since `epoch`."""
        if self.deleted:
            raise WorldGone(f"world {self.id} was deleted while {while_}")
        if self.epoch != epoch:
            raise ClockBusy(f"world {self.id} was reset or restored while {while_}")

    def add_event(self, event: AnyInput) -> None:
        """Append an event to the event log, and keep the undo log of the event before it."""
        if self.taken_away.stretches:
            self.taken_away.forget_if_new(self.event_log)
        self.event_log.add(event, self.changes.last_n)
        self.keep_undo_log_of(event.n - 1)

    def keep_undo_log(self) -> None:
        """Keep the undo log of the last event, before the state is shared or replaced."""
        self.keep_undo_log_of(self.event_log.next_n - 1)

    def keep_undo_log_of(self, n: int) -> None:
        """Keep the undo log so far as that of event `n`, the last one or the one before it."""
        undo_log = self.state.take_undo_log()
        self.event_log.keep_undo_log(n, undo_log)
        self.runtime.changes += len(undo_log) if undo_log is not None else MAX_UNDO_ENTRIES

    def note(self, kind: str, about: object, failed: bool | None = False) -> None:
        """Add what has just happened to the feed of changes, and whether it failed; None for what has not ended."""
        self.changes.add(self.state, self.event_log.next_n - 1, kind, about, failed)

    def note_rewind(self, to: int, reason: str) -> None:
        """Note that the state was replaced by an earlier one, which has the changes up to number `to`."""
        self.changes.rewind(self.state, self.event_log.next_n - 1, to, reason)

    def tell_observer(self) -> None:
        """Tell the simulator's observer, if there is one, that timers have fired or a delivery has its outcome."""
        if self.runtime.observer is not None:
            self.runtime.observer.world_changed(self)


class WorldPart:
    """The base of a world's clock, calls and deliveries.

    A part refers to its world weakly, so that a deleted world is freed without a garbage collection. Keep `_world()` in
    a variable for work that outlives the caller.
    """

    def __init__(self, world: LockedState) -> None:
        self._world = cast(Callable[[], LockedState], ref(world))
