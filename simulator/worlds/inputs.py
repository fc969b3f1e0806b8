"""The inputs of a world, complete and in order; never shown raw (G3).

A world is the same function of its birth and its inputs in any process, so that recordings, recovery and undo are one
thing: apply inputs. Each is written before it acts, but for what time alone did, which is written before anybody else
can act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import msgspec

from simulator.worlds.input import AnyInput, Called, Word

if TYPE_CHECKING:
    from simulator.kernel.state import State
    from simulator.worlds.journal import Entry

MOST = 10_000
MOST_BYTES = 16 * 1024 * 1024


class Seen(msgspec.Struct, gc=False):
    """What came of a call in this process: its journal entry, and whether it changed any record."""

    entry: Entry | None = None
    wrote: bool = False


class Part:
    """A run of inputs under one world id; `base` is the state before it, None at a birth or behind another part."""

    def __init__(self, world_id: str, first_n: int, base: State | None = None) -> None:
        self.world_id, self.first_n, self.base = world_id, first_n, base
        self.entries: list[AnyInput] = []
        self.seen: dict[int, Seen] = {}
        self.bytes = 0

    @property
    def next_n(self) -> int:
        """The number of the input that comes after it."""
        return self.first_n + len(self.entries)

    @property
    def full(self) -> bool:
        """Whether it holds as much as one part does."""
        return len(self.entries) >= MOST or self.bytes >= MOST_BYTES

    def add(self, entry: AnyInput) -> None:
        """Keep an input that has its number."""
        self.entries.append(entry)
        self.bytes += entry.size()

    def upto(self, n: int) -> Part:
        """The same without the inputs from number `n` on."""
        part = Part(self.world_id, self.first_n, self.base)
        for entry in self.entries[: max(n - self.first_n, 0)]:
            part.add(entry)
        part.seen = {known: seen for known, seen in self.seen.items() if known < n}
        return part


class Inputs:
    """The inputs of one world, in parts: those of its parents, and its own.

    Beyond a bound the oldest are dropped, and the state between two parts is kept in their place. `write` appends to
    the file of `--journal`, with the world's id before the input.
    """

    def __init__(self, world_id: str, inherited: tuple[Part, ...] = ()) -> None:
        self.world_id, self.inherited = world_id, inherited
        self.write: Callable[[str, Word], None] | None = None
        first = inherited[-1].next_n if inherited else 1
        self.parts: list[Part] = [*inherited, Part(world_id, first)]

    @property
    def dropped(self) -> int:
        """How many inputs at the start are gone."""
        return self.parts[0].first_n - 1

    @property
    def next_n(self) -> int:
        """The number of the next input."""
        return self.parts[-1].next_n

    def add(self, entry: AnyInput) -> None:
        """Number an input, write it, keep it."""
        part = self.parts[-1]
        entry.n = part.next_n
        if self.write is not None:
            self.write(self.world_id, entry)
        part.add(entry)

    def called(self, state: State, entry: Called) -> Called:
        """Add a call, before it acts; here is where the oldest inputs go."""
        if self.parts[-1].full and not state.outbox:
            self._turn(state)
        self.add(entry)
        return entry

    def see(self, n: int, seen: Seen) -> None:
        """Remember what came of a call."""
        for part in reversed(self.parts):
            if part.first_n <= n:
                part.seen[n] = seen
                return

    def seal(self) -> tuple[Part, ...]:
        """All parts as they are, for a fork to begin with; what comes now is written to a new one."""
        sealed = tuple(part for part in self.parts if part.entries)
        self.parts = [*sealed, Part(self.world_id, self.parts[-1].next_n)]
        return sealed

    def begin(self, n: int, base: State) -> None:
        """Forget all, and go on with number `n` from a state (a checkpoint)."""
        self.parts = [Part(self.world_id, n, base)]

    def anew(self) -> Inputs:
        """The inputs of the same world after a reset: only what it was born with."""
        fresh = Inputs(self.world_id, self.inherited)
        fresh.write = self.write
        return fresh

    def cut(self, n: int) -> None:
        """Forget the inputs from number `n` on."""
        kept = [part for part in self.parts if part.first_n < n]
        self.parts = [*kept[:-1], kept[-1].upto(n)] if kept else [Part(self.world_id, n, self.parts[0].base)]
        if self.parts[-1].world_id != self.world_id:
            self.parts.append(Part(self.world_id, n))

    def all(self) -> Iterator[tuple[Part, AnyInput]]:
        """Every input that is kept, oldest first, with its part."""
        for part in self.parts:
            for entry in part.entries:
                yield part, entry

    def _turn(self, state: State) -> None:
        """Begin a new part; of the full ones two are kept, so that undo always reaches back over one."""
        self.parts.append(Part(self.world_id, self.parts[-1].next_n, state.share()))
        bases = [i for i, part in enumerate(self.parts) if part.base is not None]
        if len(bases) > 1:
            self.parts = self.parts[bases[-2] :]
