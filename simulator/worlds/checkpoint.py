"""Checkpoints: a world's whole state in the journal file, so that a start does not grow with the world's past (G5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from simulator.kernel.archive import packed, unpacked
from simulator.kernel.state import State
from simulator.worlds.house import EVERY, House
from simulator.worlds.input import Checkpoint, Deleted, Forked, Input, Undone, Word
from simulator.worlds.world import Saved, World


def due(world: World) -> bool:
    """Whether a checkpoint is to be taken before the next input; the larger the world, the more rarely."""
    inputs, every = world.inputs, world.house.checkpoint_every
    if inputs.write is None or inputs.next_n - inputs.checked_n < max(every, inputs.checked_rows * every // EVERY):
        return False
    return not world.parked and not world.driving and not world.state.outbox


def take(world: World) -> None:
    """Keep the state of this moment, and write it beside the calls."""
    inputs, state, ledger = world.inputs, world.state.share(), world.house.ledger
    if ledger is None:
        return
    inputs.checked_n = inputs.next_n
    inputs.checked_rows = sum(len(table.rows) for table in state.tables.values())
    inputs.begin(state)
    n, calls, first = inputs.next_n, world.journal.next_seq - 1, world.first
    kept = {name: saved.state for name, saved in world.snapshots.items()}

    def write() -> None:
        archives = {name: packed(each) for name, each in kept.items()}
        about = Checkpoint(
            n, world.birth, world.ttl_s, calls, packed(state), packed(first) if first else None, archives
        )
        ledger.write(world.id, about)

    world.house.background(write)


def put(house: House, world_id: str, kept: Checkpoint) -> None:
    """A world as a checkpoint says. Damaged."""

    def made(content: bytes) -> State:
        return unpacked(house.laws, content)

    world = house.admit(world_id, kept.birth, made(kept.state), kept.ttl_s)
    world.first = made(kept.first) if kept.first is not None else None
    world.snapshots = {name: Saved(name, made(content)) for name, content in kept.snapshots.items()}
    world.inputs.start(kept.n, world.state.share())
    world.journal.dropped = kept.calls


@dataclass
class Past:
    """What the lines of one world come to: where it can be entered, each place with the world's state there.

    A reset begins another life, in which inputs are numbered anew.
    """

    entries: list[tuple[int, int, Checkpoint]] = field(default_factory=list)
    lines: list[tuple[int, int]] = field(default_factory=list)
    life: int = 0

    def see(self, at: int, word: Word) -> None:
        """One more line."""
        if isinstance(word, Checkpoint):
            before = max((index for index, n in self.lines if n < word.n), default=-1)
            self.entries.append((self.life, before + 1, word))
        elif isinstance(word, Undone):
            self.entries = [entry for entry in self.entries if entry[0] < self.life or entry[2].n <= word.n]
            self.lines = [line for line in self.lines if line[1] < word.n]
        elif isinstance(word, Input):
            if self.lines and word.n <= self.lines[-1][1]:
                self.life, self.lines = self.life + 1, []
            self.lines.append((at, word.n))


def plan(lines: Sequence[tuple[str, Word]]) -> dict[str, tuple[int, Checkpoint]]:
    """For each world that need not be made from its birth: the line from which to apply, and its state before that.

    A world is entered before the first fork of it that is still there and has no checkpoint of its own.
    """
    pasts: dict[str, Past] = {}
    forks: dict[str, tuple[int, str]] = {}
    for at, (world_id, word) in enumerate(lines):
        if isinstance(word, Deleted):
            pasts.pop(world_id, None)
            forks.pop(world_id, None)
        elif isinstance(word, Forked):
            forks[world_id] = (at, word.of)
        pasts.setdefault(world_id, Past()).see(at, word)
    return _entered(pasts, forks)


def _entered(pasts: dict[str, Past], forks: dict[str, tuple[int, str]]) -> dict[str, tuple[int, Checkpoint]]:
    """Forks come after their parents, so that going backwards each parent knows what its forks need."""
    bound: dict[str, int] = {}
    entered: dict[str, tuple[int, Checkpoint]] = {}
    for world_id, past in sorted(pasts.items(), key=lambda item: forks.get(item[0], (-1, ""))[0], reverse=True):
        usable = [(at, kept) for _, at, kept in past.entries if at <= bound.get(world_id, at)]
        if usable:
            entered[world_id] = usable[-1]
        elif world_id in forks:
            at, parent = forks[world_id]
            bound[parent] = min(at, bound.get(parent, at))
    return entered
