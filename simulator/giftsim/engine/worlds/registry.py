"""The registry of worlds: create, find, fork, reset and delete them, and the ids that they have.

Several processes can share an address behind a proxy, which finds the process of a world by the root of its id: the
part before the first `--`. So a process with a prefix gives its worlds ids that begin with it, and a fork has the root
of its parent (G136).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Any
from weakref import ref

import msgspec

from giftsim.engine.kernel import random_streams
from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import (
    CallAbandoned,
    JournalRecord,
    WorldConfig,
    WorldCreated,
    WorldDeleted,
    WorldForked,
    WorldReset,
)
from giftsim.engine.log.journal_file import JournalFile
from giftsim.engine.worlds.app_clock import AppClock, Together
from giftsim.engine.worlds.runtime import Runtime
from giftsim.engine.worlds.world import World
from giftsim.engine.worlds.world_errors import (
    DefaultWorldStays,
    InvalidWorld,
    TooManyWorlds,
    WorldExists,
    WorldGone,
    WorldNotFound,
)


class Expiry:
    """The worlds with a `ttl`, by the instant before which each cannot end. A world that was used ends later."""

    def __init__(self, runtime: Runtime) -> None:
        self._system = runtime.system
        self._ends: list[tuple[float, int, ref[World]]] = []
        self._serials = count()
        self._lock = runtime.system.lock()

    def add(self, world: World, most: int) -> None:
        """Let a world end once it has been idle for its `ttl`, if it has one. `most` worlds exist."""
        left_s = world.seconds_to_live()
        if left_s is None or world.deleted:
            return
        with self._lock:
            if len(self._ends) > 2 * most + 8:  # so many were deleted
                self._ends = [end for end in self._ends if (kept := end[2]()) is not None and not kept.deleted]
                heapify(self._ends)
            heappush(self._ends, (self._system.monotonic() + left_s, next(self._serials), ref(world)))

    def take_due(self) -> list[World]:
        """The worlds that may have been idle for their `ttl` by now. `add` those that stay."""
        now_s, due = self._system.monotonic(), list[World | None]()
        with self._lock:
            while self._ends and self._ends[0][0] <= now_s:
                due.append(heappop(self._ends)[2]())
        return [world for world in due if world is not None]

    def next_s(self) -> float | None:
        """The real seconds until a world may end; None if none has a `ttl`."""
        with self._lock:
            return self._ends[0][0] - self._system.monotonic() if self._ends else None


DEFAULT = "default"
START_MS = parse_instant("2027-01-04T09:00:00Z")
MAX_CACHED_STATES = 32
MARK = "--"  # between the root of an id and the rest
LONGEST = 40
_ID = re.compile(rf"[a-z0-9-]{{1,{LONGEST}}}", re.ASCII)
_PREFIX = re.compile(r"(?=.{1,20}\Z)[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_GENERATED = re.compile(r"(?:.*--)?w([1-9][0-9]{0,8})", re.ASCII)
StateFactory = Callable[[str | dict[str, Any], int, int], State]


class Registry:
    """All worlds of one process, by id.

    `make_state(fixture, seed, now_ms)` makes the state of a new world; `hash_fixture(fixture)` identifies a fixture's
    content in the journal file. At most `max_worlds` exist at a time. Where several processes share an address,
    generated ids begin with `prefix`. `assumed` are settings of new worlds, unless they have their own.
    """

    def __init__(
        self, make_state: StateFactory, runtime: Runtime, *, max_worlds: int = 1_000, prefix: str | None = None
    ) -> None:
        self.make_state = make_state
        self.runtime = runtime
        self.max_worlds = max_worlds
        self.worlds: dict[str, World] = {}
        self.assumed: Mapping[str, Any] = {}
        self.hash_fixture: Callable[[str | dict[str, Any]], str] = lambda _: ""
        self.expiry = Expiry(runtime)
        self._fresh_states: dict[tuple[str, int, int], State] = {}
        self.ids = WorldIds(prefix)
        self._calls = 0
        self._followed: list[World] = []  # by the clock of an app, now the last
        self._lock = runtime.system.lock()

    def copy_empty(self) -> Registry:
        """A registry of the same kind without worlds, ticker, journal file or threads, such as for a replay."""
        registry = Registry(self.make_state, self.runtime.copy(), max_worlds=self.max_worlds)
        registry.hash_fixture = self.hash_fixture
        return registry

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
        if self.assumed:
            config = msgspec.structs.replace(config, settings={**self.assumed, **config.settings})
        state = self.initial_state(config)
        with self._lock:
            record = WorldCreated(config, self.hash_fixture(config.fixture), ttl_s)
            world = self._add(world_id, config, state, ttl_s, record)
        if self.runtime.app_clocks:
            self.let_app_follow(world, *self.runtime.app_clocks)
        return world

    def let_app_follow(self, world: World, *clocks: AppClock) -> None:
        """Let the clock of an app follow this world from now on; once it is deleted, the one before again (G493)."""
        with self._lock:
            self._followed.append(world)
            self._follow_last(clocks)
        world.show_app()

    def _follow_last(self, clocks: Sequence[AppClock]) -> None:
        """Let an app follow the last of its worlds, and not the one before. Call it with the lock."""
        world = self._followed[-1]
        for before in self._followed[-2:-1]:
            if before.app_clock is not None:
                before.app_clock.let_go(world.id)
            before.app_clock = None
        self.runtime.followed, world.app_clock = world.id, Together(clocks)
        self.runtime.app_now_ms = world.clock.now_ms if self.runtime.app_clocks else None

    def _end_following(self, world: World) -> None:
        """Let an app whose clock followed a world that was deleted follow the one before."""
        with self._lock:
            if world not in self._followed:
                return
            self._followed.remove(world)
            app, last = world.app_clock, self._followed[-1] if self._followed else None
            if app is not None:
                self.runtime.followed = self.runtime.app_now_ms = None
                if last is not None:
                    self._follow_last(app.clocks)
        if last is not None:
            last.show_app()

    def add_recovered(self, world_id: str, config: WorldConfig, state: State, ttl_s: float | None) -> World:
        """Add a world that the journal file knows already."""
        with self._lock:
            return self._add(world_id, config, state, ttl_s)

    def fork(self, world: World, world_id: str | None = None) -> World:
        """A new world with the same state, the same future, and its own credentials (G1).

        InvalidWorld, WorldExists, TooManyWorlds, ClockBusy.
        """
        if world_id is not None and not self.runtime.replaying:
            self.ids.check_fork(world_id, world.id)
        with world.settled() as state, self._lock:
            world.clock.log_time()
            world.keep_undo_log()
            fork = self._add(world_id, world.config, state.share(), world.ttl_s, WorldForked(world.id), world)
            if not self.runtime.replaying:
                for call in world.calls.suspended:
                    fork.add_event(CallAbandoned(call=call))  # only the parent continues it
            return fork

    def reset(self, world: World) -> None:
        """Return a world to its initial state, without call log and snapshots.

        What waits for a receiver ends: deliveries in flight, and an advance at one with ClockBusy (G80).
        """
        with world.interrupted():
            state = self.first_state(world)
            world.before_loss()
            world.add_event(WorldReset())
            world.replace_state(state.share(), undoable=bool(world.calls.suspended))
            if world.calls.suspended:
                world.event_log.note_restore(state, calls_suspended=True)
                world.event_log.truncations += 1  # a checkpoint that is being made is not written after this
            else:
                world.event_log = world.event_log.after_reset(world.initial_state)
            world.note_rewind(0, "the world was reset")
            world.calls.log.clear()
            world.snapshots.clear()
            world.taken_away.forget()
            group = world.deliveries.abandon()
        self.runtime.courier.end(group)
        self.runtime.waiters.notify()

    def delete(self, world: World) -> None:
        """Delete a world; an advance in progress ends at once with WorldGone. DefaultWorldStays."""
        if world.id == DEFAULT:
            raise DefaultWorldStays("the default world cannot be deleted; reset it instead")
        with world.locked():
            if self.runtime.keeper is not None:
                self.runtime.keeper.ends(world)
            self._write(world.id, WorldDeleted())
            world.deleted = True
            world.epoch += 1
            self.worlds.pop(world.id, None)
        self.runtime.courier.end(world.deliveries.group)
        self.runtime.waiters.notify()
        if self._followed:
            self._end_following(world)

    def delete_expired(self) -> float | None:
        """Delete the worlds that have been idle for their `ttl`; returns the real seconds until another may end.

        None if no other world has a `ttl` (G11).
        """
        due = self.expiry.take_due()
        try:
            for world in due:
                left_s = world.seconds_to_live()
                if left_s is not None and left_s <= 0:
                    with suppress(WorldGone):
                        self.delete(world)
        finally:
            for world in due:
                self.expiry.add(world, len(self.worlds))
        return self.expiry.next_s()

    def next_request_id(self) -> str:
        """A request id for a call that belongs to no world (G10)."""
        with self._lock:
            self._calls += 1
            return "req_" + random_streams.draw_token(0, "nowhere", self._calls, 20)

    def first_state(self, world: World) -> State:
        """The state that a world began with."""
        return self.initial_state(world.config) if world.initial_state is None else world.initial_state

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
                self._fresh_states[key] = self.make_state(*key).share()  # it has no tables of its own to share again
            return self._fresh_states[key].share()

    def _write(self, world_id: str, record: JournalRecord) -> None:
        if self.runtime.journal_file is not None:
            self.runtime.journal_file.write(world_id, record)

    def _add(
        self,
        world_id: str | None,
        config: WorldConfig,
        state: State,
        ttl_s: float | None,
        record: JournalRecord | None = None,
        parent: World | None = None,
    ) -> World:
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
        if parent:
            world.event_log = parent.event_log.fork(name)
        world.event_log.write = self.runtime.journal_file.write if self.runtime.journal_file else None
        world.initial_state = state.share() if parent else None
        world.ttl_s = ttl_s
        if self.runtime.keeper is not None:
            self.runtime.keeper.begins(world)
        self.worlds[name] = world
        self.expiry.add(world, len(self.worlds))
        if ttl_s is not None or state.rate:
            self.runtime.wake_ticker()
        return world


class WorldIds:
    """Generates the ids of worlds that are created without one.

    `generated` is the number of ids so far. With a `prefix`, other processes share the address.
    """

    def __init__(self, prefix: str | None = None) -> None:
        self.prefix = prefix
        self.generated = 0

    def next_id(self, taken: Container[str], parent: str | None = None) -> str:
        """Generate the id of a world that is created without one, or of a fork of the world `parent`. InvalidWorld."""
        head = f"{root_of(parent or self.prefix)}{MARK}" if self.prefix else ""
        self.generated += 1
        while (name := f"{head}w{self.generated}") in taken:
            self.generated += 1
        if len(name) > LONGEST:
            raise InvalidWorld(f"the fork of {parent} would be {name}, longer than {LONGEST}: fork a shorter id")
        return name

    def reserve(self, world_id: str) -> None:
        """Never generate this id, because a world of the journal file had it."""
        if generated := _GENERATED.fullmatch(world_id):
            self.generated = max(self.generated, int(generated[1]))

    def check_fork(self, world_id: str, parent: str) -> None:
        """Raise InvalidWorld for an id that a proxy would look for in another process than the parent's."""
        if self.prefix and root_of(world_id) != root_of(parent):
            raise InvalidWorld(
                f"several processes share this address, and a fork is in that of its parent: its id begins with "
                f"{root_of(parent)}{MARK}, like {root_of(parent)}{MARK}{world_id[:10]}; without an id it gets one"
            )


def check_id(world_id: str) -> None:
    """Raise InvalidWorld for a text that is not the id of a world."""
    if not _ID.fullmatch(world_id):
        raise InvalidWorld(f"a world's id is 1 to {LONGEST} of a-z, 0-9 and '-', not {world_id[:60]!r}")


def root_of(world_id: str) -> str:
    """The part of an id that all forks of a world share."""
    return world_id.partition(MARK)[0]


def is_prefix(text: str) -> bool:
    """Whether ids can begin with this text and MARK, and have it as their root."""
    return _PREFIX.fullmatch(text) is not None
