"""The registry of worlds: create, find, fork, reset and delete them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from giftsim.event_log.inputs import (
    CallAbandoned,
    JournalRecord,
    WorldConfig,
    WorldCreated,
    WorldDeleted,
    WorldForked,
    WorldReset,
)
from giftsim.event_log.journal_file import JournalFile
from giftsim.event_log.log import EventLog
from giftsim.kernel import random_streams
from giftsim.kernel.instants import parse_instant
from giftsim.kernel.state import State
from giftsim.worlds.problem import DefaultWorldStays, TooManyWorlds, WorldExists, WorldGone, WorldNotFound
from giftsim.worlds.runtime import Runtime
from giftsim.worlds.sending import abandon_deliveries
from giftsim.worlds.settled import interrupted, settled
from giftsim.worlds.world import World
from giftsim.worlds.world_ids import WorldIds, check_id

DEFAULT = "default"
START_MS = parse_instant("2027-01-04T09:00:00Z")
MAX_CACHED_STATES = 32
StateFactory = Callable[[str | dict[str, Any], int, int], State]


class Registry:
    """All worlds of one process, by id.

    `make_state(fixture, seed, now_ms)` makes the state of a new world; `hash_fixture(fixture)` identifies a fixture's
    content in the journal file. At most `max_worlds` exist at a time. `prefix` is that of the ids of worlds without one
    where several processes share an address.
    """

    def __init__(
        self, make_state: StateFactory, runtime: Runtime, *, max_worlds: int = 1_000, prefix: str | None = None
    ) -> None:
        self.make_state = make_state
        self.runtime = runtime
        self.max_worlds = max_worlds
        self.worlds: dict[str, World] = {}
        self.hash_fixture: Callable[[str | dict[str, Any]], str] = lambda _: ""
        self._fresh_states: dict[tuple[str, int, int], State] = {}
        self.ids = WorldIds(prefix)
        self._calls = 0
        self._lock = threading.Lock()

    def copy_empty(self) -> Registry:
        """A registry of the same kind without worlds, ticker, journal file or threads, for work behind the scenes."""
        return Registry(self.make_state, self.runtime.copy(), max_worlds=self.max_worlds)

    def find(self, world_id: str) -> World:
        """The world with this id. WorldNotFound."""
        world = self.worlds.get(world_id)
        if world is None:
            raise WorldNotFound(f"there is no world {world_id[:60]!r}")
        world.touch()
        return world

    def create(self, config: WorldConfig, world_id: str | None = None, *, ttl_s: float | None = None) -> World:
        """A new world. `ttl_s` is how long it may be idle, in real seconds, before it is deleted.

        InvalidWorld, WorldExists, TooManyWorlds.
        """
        if not self.runtime.replaying:
            self.delete_expired()
        state = self.initial_state(config)
        with self._lock:
            record = WorldCreated(config, self.hash_fixture(config.fixture), ttl_s)
            return self._add(world_id, config, state, ttl_s, record)

    def add_recovered(self, world_id: str, config: WorldConfig, state: State, ttl_s: float | None) -> World:
        """Add a world that the journal file knows already."""
        with self._lock:
            return self._add(world_id, config, state, ttl_s)

    def fork(self, world: World, world_id: str | None = None) -> World:
        """A new world with the same state and the same future, and credentials of its own (G1).

        InvalidWorld, WorldExists, TooManyWorlds, ClockBusy.
        """
        if world_id is not None and not self.runtime.replaying:
            self.ids.check_fork(world_id, world.id)
        with settled(world) as state, self._lock:
            world.log_time()
            world.keep_changes()
            fork = self._add(world_id, world.config, state.share(), world.ttl_s, WorldForked(world.id), world)
            if not self.runtime.replaying:
                for call in world.suspended_calls:
                    fork.add_event(CallAbandoned(call=call))  # it goes on in the parent alone
            return fork

    def reset(self, world: World) -> None:
        """Return a world to its initial state, without call log and snapshots.

        What waits for a receiver ends: deliveries in flight, and an advance at one with ClockBusy (G80).
        """
        with interrupted(world):
            state = world.initial_state or self.initial_state(world.config)
            world.add_event(WorldReset())
            world.replace_state(state.share(), undoable=bool(world.suspended_calls))
            if world.suspended_calls:
                world.event_log.note_restore(state, calls_suspended=True)
                world.event_log.truncations += 1  # a checkpoint that is being made is not written after this
            else:
                world.event_log = world.event_log.after_reset(world.initial_state)
            world.note_rewind(0, "the world was reset")
            world.call_log.clear()
            world.snapshots.clear()
            world.replaced_snapshots.clear()
            group = abandon_deliveries(world)
        self.runtime.courier.end(group)
        self.runtime.waiters.notify()

    def delete(self, world: World) -> None:
        """Delete a world; an advance in progress ends at once with WorldGone. DefaultWorldStays."""
        if world.id == DEFAULT:
            raise DefaultWorldStays("the default world cannot be deleted; reset it instead")
        with world.locked():
            self._write(world.id, WorldDeleted())
            world.deleted = True
            world.epoch += 1
            self.worlds.pop(world.id, None)
        self.runtime.courier.end(world.send_group)
        self.runtime.waiters.notify()

    def delete_expired(self) -> float | None:
        """Delete the worlds that have been idle for their `ttl`; returns the real seconds until the next one may be.

        None if no other world has a `ttl` (G11).
        """
        next_s: float | None = None
        for world in list(self.worlds.values()):
            left_s = world.seconds_to_live()
            if left_s is None:
                continue
            if left_s > 0:
                next_s = left_s if next_s is None else min(next_s, left_s)
            else:
                with suppress(WorldGone):
                    self.delete(world)
        return next_s

    def next_request_id(self) -> str:
        """A request id for a call that belongs to no world (G10)."""
        with self._lock:
            self._calls += 1
            return "req_" + random_streams.token(0, "nowhere", self._calls, 20)

    def initial_state(self, config: WorldConfig) -> State:
        """The state of a new world with this config."""
        state = self._fresh_state(config)
        state.rate = config.rate
        with state.transaction():
            for name, raw in config.settings.items():
                state.set_setting(name, raw)
        return state

    def write_to(self, journal_file: JournalFile) -> None:
        """Append all that happens from now on to a file."""
        self.runtime.journal_file = journal_file
        for world in self.worlds.values():
            world.event_log.write = journal_file.write
            world.touch()

    def _fresh_state(self, config: WorldConfig) -> State:
        if not isinstance(config.fixture, str):
            return self.make_state(config.fixture, config.seed, config.now_ms)
        key = (config.fixture, config.seed, config.now_ms)
        with self._lock:
            if key not in self._fresh_states:
                if len(self._fresh_states) >= MAX_CACHED_STATES:
                    self._fresh_states.pop(next(iter(self._fresh_states)))
                self._fresh_states[key] = self.make_state(*key)
            return self._fresh_states[key].share()

    def _write(self, world_id: str, record: JournalRecord) -> None:
        if self.runtime.journal_file is not None:
            self.runtime.journal_file.write(world_id, record)

    def _add(
        self, world_id: str | None, config: WorldConfig, state: State, ttl_s: float | None,
        record: JournalRecord | None = None, parent: World | None = None,
    ) -> World:  # fmt: skip
        """Write `record` to the journal file, then let others find the world."""
        name = self.ids.next_id(self.worlds, parent.id if parent else None) if world_id is None else world_id
        check_id(name)
        if name in self.worlds:
            raise WorldExists(f"there is a world {name} already; delete it or take another id")
        if len(self.worlds) >= self.max_worlds and not self.runtime.replaying:
            raise TooManyWorlds(f"{self.max_worlds} worlds exist; delete some, or start with a larger --max-worlds")
        if record is not None:
            self._write(name, record)
        world = World(name, config, state, self.runtime)
        world.event_log = parent.event_log.fork(name) if parent else EventLog(name)
        world.event_log.write = self.runtime.journal_file.write if self.runtime.journal_file else None
        world.initial_state = state.share() if parent else None
        world.ttl_s = ttl_s
        self.worlds[name] = world
        self.runtime.wake_ticker()
        return world
