"""The inputs of a world, complete and in order; never shown raw (G3).

A world is the same function of its birth and its inputs in any process, so that recordings, recovery and undo are one
thing: apply inputs. Each is written before it acts, but for what time alone did, which is written before anybody else
can act.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from giftsim.event_log.events import AnyInput, Word

if TYPE_CHECKING:
    from giftsim.kernel.state import State
    from giftsim.worlds.call_log import Entry

MOST = 20_000
MOST_BYTES = 32 * 1024 * 1024
LOST = 0  # instead of a status: the connection was dropped


class Seen(msgspec.Struct, gc=False):
    """What came of a call in this process: its journal entry, and whether it changed any record.

    `kind` is the content type of its answer, and `opaque` says that no slots are filled in that. Of calls without an
    entry (control calls, claims) `status` is what they were answered where that was no success.
    """

    entry: Entry | None = None
    wrote: bool = False
    kind: str = ""
    opaque: bool = False
    status: int | None = None


class Part:
    """A run of inputs under one world id; `base` is the state before it where that is known, beside at a birth.

    `restored` are the states that restores and resets put in place while a call was under way, by the
    numbers of those inputs.
    """

    def __init__(self, world_id: str, first_n: int, base: State | None = None) -> None:
        self.world_id, self.first_n, self.base = world_id, first_n, base
        self.entries: deque[AnyInput] = deque()
        self.seen: dict[int, Seen] = {}
        self.restored: dict[int, State] = {}
        self.bytes = 0

    @property
    def next_n(self) -> int:
        """The number of the input that comes after it."""
        return self.first_n + len(self.entries)

    def add(self, entry: AnyInput) -> None:
        """Keep an input that has its number."""
        self.entries.append(entry)
        self.bytes += entry.size()

    def drop(self) -> None:
        """Forget the oldest input; what was before it leads to the rest no more."""
        entry = self.entries.popleft()
        self.bytes -= entry.size()
        self.seen.pop(entry.n, None)
        self.restored.pop(entry.n, None)
        self.first_n, self.base = entry.n + 1, None

    def upto(self, n: int) -> Part:
        """The same without the inputs from number `n` on."""
        part = Part(self.world_id, self.first_n, self.base)
        for entry in islice(self.entries, max(n - self.first_n, 0)):
            part.add(entry)
        part.seen = {known: seen for known, seen in self.seen.items() if known < n}
        part.restored = {known: state for known, state in self.restored.items() if known < n}
        return part


class EventLog:
    """The inputs of one world, in parts: those of its parents, and its own. Beyond a bound the oldest are dropped.

    `write` appends to the file of `--journal`, with the world's id before the input. The last checkpoint in it stands
    before input `checked_n`, when the world had `checked_rows` records; `cuts` counts how often inputs were taken back,
    which goes back to input `floor_n` at the most.
    """

    def __init__(self, world_id: str, inherited: tuple[Part, ...] = ()) -> None:
        self.world_id, self.inherited = world_id, inherited
        self.write: Callable[[str, Word], None] | None = None
        self.cuts = self.checked_n = self.checked_rows = 0
        self.first_n = inherited[-1].next_n if inherited else 1
        self.floor_n = 0
        self.parts = _after(inherited, world_id, self.first_n)

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
        entry.n = n = part.first_n + len(part.entries)
        if self.write is not None:
            self.write(self.world_id, entry)
        part.entries.append(entry)
        part.bytes += entry.size()
        if n - self.parts[0].first_n >= MOST or part.bytes > MOST_BYTES:
            self._make_room()

    def see(self, n: int, seen: Seen) -> None:
        """Remember what came of a call."""
        part = self.parts[-1]
        if n < part.first_n:  # of a call that was under way when the part began
            part = next((part for part in reversed(self.parts) if part.first_n <= n), part)
        part.seen[n] = seen

    def seal(self) -> tuple[Part, ...]:
        """All parts as they are, for a fork to begin with; what comes now is written to a new one."""
        sealed = tuple(part for part in self.parts if part.entries or part.base is not None)
        self.begin(None)
        return sealed

    def start(self, first_n: int, n: int, base: State) -> None:
        """Know nothing but the state before input `n`, as a checkpoint has it."""
        self.first_n, self.checked_n, self.parts = first_n, n, [Part(self.world_id, n, base)]

    def begin(self, base: State | None) -> None:
        """Go on in a new part, from a state where that is known anyway (a restore)."""
        self.parts = _after(self.parts, self.world_id, self.next_n, base)

    def restore(self, state: State, *, goes_on: bool) -> None:
        """A kept state was put in place; where a call `goes_on` in it, what comes follows from what was before, too."""
        if goes_on:
            self.parts[-1].restored[self.next_n - 1] = state
        else:
            self.begin(state)

    def anew(self, first: State | None) -> EventLog:
        """The inputs of the same world after a reset: only what it was born with; `first` is what a fork began with."""
        fresh = EventLog(self.world_id, self.inherited)
        fresh.write, fresh.first_n, fresh.floor_n = self.write, self.first_n, self.first_n
        if not self.inherited:
            fresh.parts = [Part(self.world_id, self.first_n, first)]
        return fresh

    def cut(self, n: int) -> None:
        """Forget the inputs from number `n` on."""
        self.cuts += 1
        kept = [part.upto(n) for part in self.parts if part.first_n < n]
        base = next((part.base for part in self.parts if part.first_n == n and part.base is not None), None)
        self.parts = _after(kept, self.world_id, n, base)

    def since(self, n: int) -> list[Part] | None:
        """The parts that lead from a known state to input `n`: the first has a base, or begins at the birth."""
        parts = [part for part in self.parts if part.first_n <= n]
        based = [i for i, part in enumerate(parts) if part.base is not None]
        if based:
            return parts[based[-1] :]
        return None if self.dropped else parts

    def all(self) -> Iterator[tuple[Part, AnyInput]]:
        """Every input that is kept, oldest first, with its part."""
        for part in self.parts:
            for entry in part.entries:
                yield part, entry

    def _make_room(self) -> None:
        """Forget the oldest; of what a fork shares with its parent a whole part at a time."""
        first = self.parts[0]
        if len(self.parts) > 1 and (first in self.inherited or not first.entries):
            del self.parts[0]
        elif first.entries:
            first.drop()


def _after(parts: Sequence[Part], world_id: str, n: int, base: State | None = None) -> list[Part]:
    """Parts to go on with: a new one behind those that hold anything."""
    empty = [part for part in parts if not part.entries]
    known = base if base is not None or not empty else empty[-1].base
    return [*(part for part in parts if part.entries), Part(world_id, n, known)]
