"""A world at run time: its state, its clock, its calls, its deliveries and its snapshots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from giftsim.engine.kernel import random_streams
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record
from giftsim.engine.log.inputs import SnapshotDeleted, SnapshotRestored, SnapshotSaved, WorldConfig
from giftsim.engine.webhooks.attempt import AppAnswer
from giftsim.engine.worlds.changes import DELETED, SAVED, SNAPSHOT
from giftsim.engine.worlds.clock import Clock
from giftsim.engine.worlds.deliveries import Deliveries
from giftsim.engine.worlds.locked_state import LockedState
from giftsim.engine.worlds.runtime import Runtime
from giftsim.engine.worlds.snapshots import Snapshot, Snapshots
from giftsim.engine.worlds.world_calls import Calls


class StoredStates:
    """Where the journal file has states that do not change: the bytes at which lines begin."""

    def __init__(self) -> None:
        self.first: int | None = None
        self.snapshots: dict[str, tuple[Snapshot, int]] = {}


class World(LockedState):
    """One world. `initial_state` is what a reset of a fork returns to; other worlds are made again from their config.

    `ttl_s` is how long the world may be idle, in real seconds, before it is deleted (G11).
    """

    def __init__(self, world_id: str, config: WorldConfig, state: State, runtime: Runtime) -> None:
        super().__init__(world_id, state, runtime)
        self.config = config
        self.clock = Clock(self)
        self.calls = Calls(self, self.clock)
        self.deliveries = Deliveries(self, self.clock, self.calls)
        self.snapshots = Snapshots()
        self.initial_state: State | None = None
        self.stored_states = StoredStates()
        self.name: str | None = None  # what people call it (G254)
        self.read: dict[int, Record] = {}  # by slot; it belongs to those who look, and not to the state (G252)
        self.search_texts: dict[
            str, dict[int, tuple[Sequence[Record], str]]
        ] = {}  # of lists, by slot; kept for searches
        self.app_answers: list[AppAnswer] = []  # in order, since the state was last replaced
        self.ttl_s: float | None = None
        self._used_s = self.runtime.system.monotonic()

    @contextmanager
    def settled(self) -> Iterator[State]:
        """Hold the lock without an advance in progress or a delivery on its way, as control calls need it (G7).

        Yields the state. ClockBusy while an advance waits for a delivery or a delivery is held; DeliveriesInFlight
        after the longest wait; WorldGone.
        """
        with self.locked():
            self.deliveries.settle()
            yield self.state

    @contextmanager
    def interrupted(self) -> Iterator[State]:
        """Hold the lock to replace the state, whatever waits for a receiver; yields the state.

        Waits for an advance that computes. WorldGone if the world was deleted.
        """
        with self.locked():
            while self.clock.advancing and not self.clock.waits and not self.deleted:
                self.lock.give_way()
            self.check_deleted()
            yield self.state

    def show_app(self) -> None:
        """Show the app this world's time if something else than an advance has changed it. Call it without the lock.

        During an advance nothing happens: the advance shows it.
        """
        app = self.app_clock
        if app is None:
            return
        with self.lock:
            if self.deleted or self.clock.advancing:
                return
            now_ms, rate = self.clock.now_ms(), self.state.rate
        with self.runtime.lend_thread():
            app.follow(now_ms, rate)

    def touch(self) -> None:
        """Note that the world is in use, so that its idle time starts again."""
        self._used_s = self.runtime.system.monotonic()

    def seconds_to_live(self) -> float | None:
        """Real seconds until the world has been idle for its `ttl`; 0 or less once it has, None without a `ttl`.

        A world in which an advance or a call is in progress is not idle.
        """
        if self.ttl_s is None:
            return None
        if self.clock.advancing or self.calls.suspended:
            self.touch()
        return self._used_s + self.ttl_s - self.runtime.system.monotonic()

    def next_request_id(self) -> str:
        """Count a client call and return its request id. Refused calls count too, so this is outside transactions."""
        self.touch()
        state = self.state
        return "req_" + random_streams.draw_token(state.seed, "request", state.count("calls"), 20)

    def before_loss(self) -> None:
        """Let coverage read what an undo, a reset or a restore is about to take away."""
        if self.runtime.keeper is not None:
            self.runtime.keeper.loses(self)

    def replace_state(self, state: State, *, undoable: bool = False) -> None:
        """Put another state in place (reset, restore, undo). Whatever was in progress on the old one ends.

        With `undoable`, the event log keeps the old one, so that an undo can put it back.
        """
        if undoable:
            self.keep_undo_log()
            self.event_log.replace_state(self.state)
        self.state = state
        self.epoch += 1
        self.app_answers.clear()
        self.search_texts.clear()
        self.clock.reset()
        self.calls.busy_keys.clear()
        self.deliveries.reset()
        self.runtime.wake_ticker()

    def save_snapshot(self, name: str) -> Snapshot:
        """Keep the current state under a name; a snapshot of the same name is replaced. InvalidWorld."""
        with self.settled() as state:
            self.snapshots.check_room(name)
            self.clock.log_time()
            saved = SnapshotSaved(name=name, at_ms=state.now_ms)
            self.add_event(saved)
            snapshot = self.snapshots.save(name, state.share(), saved.n)
            self.note(SNAPSHOT, (name, SAVED))
            return snapshot

    def delete_snapshot(self, name: str) -> None:
        """Delete a snapshot. SnapshotNotFound."""
        with self.locked() as state:
            self.snapshots.find(name, self.id)
            deleted = SnapshotDeleted(name=name, at_ms=state.now_ms)
            self.add_event(deleted)
            self.snapshots.remove(name, deleted.n)
            self.note(SNAPSHOT, (name, DELETED))

    def restore_snapshot(self, name: str) -> Snapshot:
        """Put a snapshot's state back, with its clock and timers. SnapshotNotFound."""
        with self.settled() as state:
            snapshot = self.snapshots.find(name, self.id)
            self.before_loss()
            self.add_event(SnapshotRestored(name=name, at_ms=state.now_ms))
            self.event_log.note_restore(snapshot.state, calls_suspended=bool(self.calls.suspended))
            self.replace_state(snapshot.state.share(), undoable=True)
            self.note_rewind(self.changes.at_snapshot(name), f"the snapshot {name} was restored")
            return snapshot
