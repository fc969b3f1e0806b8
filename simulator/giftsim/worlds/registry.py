"""The house of worlds: makes, finds, forks, resets and deletes them, and holds what they share (courier, ticker)."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from typing import Any

from giftsim.courier import Courier
from giftsim.event_log.config import WorldConfig
from giftsim.event_log.events import Born, Deleted, Forgot, Forked, Reset, Restored, SnapshotTaken, Word
from giftsim.event_log.journal_file import JournalFile
from giftsim.event_log.log import EventLog
from giftsim.kernel import random_streams
from giftsim.kernel.instants import parse_instant
from giftsim.kernel.state import Definitions, State
from giftsim.worlds.held_calls import Parking
from giftsim.worlds.held_deliveries import bring_home, free
from giftsim.worlds.lock import Lend
from giftsim.worlds.problem import (
    DefaultWorldStays,
    InvalidWorld,
    SnapshotNotFound,
    TooManyWorlds,
    WorldExists,
    WorldGone,
    WorldNotFound,
)
from giftsim.worlds.world import Saved, World

DEFAULT = "default"
EVERY = 20_000  # inputs between two checkpoints of a world in the file of `--journal`, at the least
BEGINNING_MS = parse_instant("2027-01-04T09:00:00Z")
Sow = Callable[[str | dict[str, Any], int, int], State]
_ID = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)
_GIVEN = re.compile(r"w([1-9][0-9]{0,8})", re.ASCII)  # the names that the house gives itself


class Registry:
    """All worlds of one process. `sow(fixture, seed, now_ms)` makes a state; `origin` is where the house is reached.

    `journal_file` is the file of `--journal`, if there is one, and `print_of` the hash of a fixture that goes into it.
    While inputs are applied again `replaying` is what a call does that gives its world back: nobody is
    dialled then, and no time passes but theirs.
    """

    def __init__(
        self,
        definitions: Definitions,
        sow: Sow,
        courier: Courier,
        *,
        origin: str = "http://giftsim.example",
        most: int = 1_000,
    ) -> None:
        self.definitions = definitions
        self.sow = sow
        self.courier = courier
        self.origin = origin
        self.most = most
        self.worlds: dict[str, World] = {}
        self.lend: Lend = nullcontext
        self.parking = Parking()
        self.closing = False
        self.wake: Callable[[], None] = lambda: None
        self.replaying: Callable[[World, int], None] | None = None
        self.journal_file: JournalFile | None = None
        self.checkpoint_every = EVERY
        self.print_of: Callable[[str | dict[str, Any]], str] = lambda _: ""
        self._pristine: dict[tuple[str, int, int], State] = {}
        self._made = 0
        self._calls = 0
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None

    def twin(self) -> Registry:
        """A house like this one without its worlds, for work that nobody sees; it has no ticker, file or threads."""
        return Registry(self.definitions, self.sow, self.courier, origin=self.origin, most=self.most)

    def find(self, world_id: str) -> World:
        """The world of this id; WorldNotFound otherwise."""
        world = self.worlds.get(world_id)
        if world is None:
            raise WorldNotFound(f"there is no world {world_id[:60]!r}")
        world.touch()
        return world

    def make(self, config: WorldConfig, world_id: str | None = None, *, ttl_s: float | None = None) -> World:
        """A new world, from a fixture or from a copy of one made before; `ttl_s` is how long it lives idle."""
        self.sweep()
        state = self.bear(config)
        with self._lock:
            return self._admit(world_id, config, state, ttl_s, Born(config, self.print_of(config.fixture), ttl_s))

    def knew(self, world_id: str) -> None:
        """A world of this id was made before: the house gives its name to no other."""
        if given := _GIVEN.fullmatch(world_id):
            self._made = max(self._made, int(given[1]))

    def admit(self, world_id: str, config: WorldConfig, state: State, ttl_s: float | None) -> World:
        """A world that is known already, from a file."""
        with self._lock:
            return self._admit(world_id, config, state, ttl_s)

    def fork(self, world: World, world_id: str | None = None) -> World:
        """A new world with the same state and the same future, and credentials of its own (G1)."""
        with world.quiet() as state, self._lock:
            world.tell_time()
            return self._admit(world_id, world.config, state.share(), world.ttl_s, Forked(world.id), world)

    def reset(self, world: World) -> None:
        """Back to exactly what was created, journal and snapshots included; what stands held and loose times out."""
        with world.lock:
            freed = free(world)
        bring_home(world, freed)
        with world.quiet():
            state = world.first or self.bear(world.config)
            world.event_log.add(Reset())
            world.replace(state.share())
            if world.parked:
                world.event_log.restore(state, goes_on=True)
            else:
                world.event_log = world.event_log.anew(world.first)
            world.journal.clear()
            world.snapshots.clear()

    def save(self, world: World, name: str) -> Saved:
        """Keep the state of this moment under a name; the same name again replaces it."""
        with world.quiet() as state:
            if len(world.snapshots) >= 100 and name not in world.snapshots:
                raise InvalidWorld("a world keeps 100 snapshots; delete one first")
            world.tell_time()
            world.event_log.add(SnapshotTaken(name=name))
            saved = world.snapshots[name] = Saved(name, state.share())
            return saved

    def forget(self, world: World, name: str) -> None:
        """Delete a kept state."""
        with world.held():
            if name not in world.snapshots:
                raise SnapshotNotFound(f"world {world.id} has no snapshot {name[:60]!r}")
            world.event_log.add(Forgot(name=name))
            del world.snapshots[name]

    def restore(self, world: World, name: str) -> Saved:
        """Put a kept state in place again, clock and timers and all."""
        with world.quiet():
            saved = world.snapshots.get(name)
            if saved is None:
                raise SnapshotNotFound(f"world {world.id} has no snapshot {name[:60]!r}")
            world.event_log.add(Restored(name=name))
            world.event_log.restore(saved.state, goes_on=bool(world.parked))
            world.replace(saved.state.share())
            return saved

    def delete(self, world: World) -> None:
        """Let a world go; an advance under way ends with WorldGone."""
        if world.id == DEFAULT:
            raise DefaultWorldStays("the default world cannot be deleted; reset it instead")
        with world.held():
            self._tell(world.id, Deleted())
            world.gone = True
            world.epoch += 1
            self.worlds.pop(world.id, None)
        self.parking.wake()

    def sweep(self) -> None:
        """Delete the worlds that nobody has used for as long as they were to live idle (G11)."""
        for world in [world for world in list(self.worlds.values()) if world.expired]:
            with suppress(WorldGone):
                self.delete(world)

    def background(self, job: Callable[[], None]) -> None:
        """Run a delivery, or what else need not be waited for, beside the calls; a bug in it goes to the log."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(16, thread_name_prefix="courier")
        self._pool.submit(self._do, job)

    def _do(self, job: Callable[[], None]) -> None:
        try:
            job()
        except Exception as error:  # noqa: BLE001 - nobody else hears of it
            if not self.closing:
                self.report("in the background", error)

    def next_request_id(self) -> str:
        """A request id for a call that belongs to no world (G10)."""
        with self._lock:
            self._calls += 1
            return "req_" + random_streams.token(0, "nowhere", self._calls, 20)

    def report(self, request_id: str, error: BaseException) -> None:
        """Keep a bug for the log; callers see a 500 without a trace."""
        logging.getLogger("giftsim").error("request %s failed", request_id, exc_info=error)

    def close(self) -> None:
        """End background work; nothing is waited for."""
        self.closing = True
        self.parking.wake()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self.courier.close()
        if self.journal_file is not None:
            self.journal_file.close()

    def bear(self, config: WorldConfig) -> State:
        """The state that a world of this birth begins with."""
        state = self._fresh(config)
        state.rate = config.rate
        with state.transaction():
            for name, raw in config.settings.items():
                state.choose(name, raw)
        return state

    def _fresh(self, config: WorldConfig) -> State:
        if not isinstance(config.fixture, str):
            return self.sow(config.fixture, config.seed, config.now_ms)
        key = (config.fixture, config.seed, config.now_ms)
        with self._lock:
            if key not in self._pristine:
                if len(self._pristine) >= 32:
                    self._pristine.pop(next(iter(self._pristine)))
                self._pristine[key] = self.sow(*key)
            return self._pristine[key].share()

    def write_to(self, journal_file: JournalFile) -> None:
        """Append all that happens from now on to a file."""
        self.journal_file = journal_file
        for world in self.worlds.values():
            world.event_log.write = journal_file.write

    def _tell(self, world_id: str, word: Word) -> None:
        if self.journal_file is not None:
            self.journal_file.write(world_id, word)

    def _admit(
        self, world_id: str | None, config: WorldConfig, state: State, ttl_s: float | None, word: Word | None = None,
        parent: World | None = None,
    ) -> World:  # fmt: skip
        """A world that others find once `word`, by which the file knows it, is written."""
        name = self._next_name() if world_id is None else world_id
        if not _ID.fullmatch(name):
            raise InvalidWorld(f"a world's id is 1 to 40 of a-z, 0-9 and '-', not {name[:60]!r}")
        if name in self.worlds:
            raise WorldExists(f"there is a world {name} already; delete it or take another id")
        if len(self.worlds) >= self.most:
            raise TooManyWorlds(f"{self.most} worlds are there; delete some, or start with --max-worlds")
        if word is not None:
            self._tell(name, word)
        world = World(name, config, state, self)
        world.event_log = EventLog(name, parent.event_log.seal() if parent else ())
        world.event_log.write = self.journal_file.write if self.journal_file else None
        world.first = state.share() if parent else None
        world.ttl_s = ttl_s
        self.worlds[name] = world
        self.wake()
        return world

    def _next_name(self) -> str:
        self._made += 1
        while (name := f"w{self._made}") in self.worlds:
            self._made += 1
        return name
