"""What the lines of a journal file come to: which of them must be applied, and from which states on (G5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from giftsim.event_log.events import Born, Checkpoint, Deleted, Forked, Input, Undone, Word

Line = tuple[str, Word]
LATEST = 2**63


@dataclass
class Life:
    """One world from its birth, or from a fork of `parent`, to its end; where it can be entered on the way.

    A reset begins another round, in which inputs are numbered anew; `numbered` are the lines of this one. No checkpoint
    that comes now stands before `floor`, the last line from which numbers went back. `reach` is the lowest number to
    which inputs were taken back before a reset: those of a fork may be its parent's.
    """

    world_id: str
    begins: int
    parent: Life | None
    earlier: list[tuple[int, Checkpoint]] = field(default_factory=list)
    entries: list[tuple[int, Checkpoint]] = field(default_factory=list)
    numbered: list[tuple[int, int]] = field(default_factory=list)
    floor: int = 0
    reach: int = LATEST
    was_reset: bool = False
    needed: bool = True
    entered: tuple[int, Checkpoint] | None = None

    def see(self, at: int, word: Word) -> None:
        """One more line."""
        if isinstance(word, Checkpoint):
            before = max((index for index, n in self.numbered if n < word.n), default=0)
            self.entries.append((max(before, self.floor, self.begins) + 1, word))
        elif isinstance(word, Undone):
            self.floor = at
            self.reach = min(self.reach, word.n) if not self.was_reset else self.reach
            self.entries = [entry for entry in self.entries if entry[1].n <= word.n]
            self.numbered = [line for line in self.numbered if line[1] < word.n]
        elif isinstance(word, Input):
            if self.numbered and word.n <= self.numbered[-1][1]:
                self.floor, self.was_reset = self.numbered[-1][0], True
                self.earlier, self.entries, self.numbered = [*self.earlier, *self.entries], [], []
            self.numbered.append((at, word.n))

    def enter(self, latest: int, reach: int) -> None:
        """Choose the last state that stands before a line and an input."""
        usable = [entry for entry in (*self.earlier, *self.entries) if entry[0] <= latest and entry[1].n <= reach]
        self.entered = usable[-1] if usable else None


class Past:
    """The lines with the lives that they belong to."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._of: list[Life | None] = []
        current: dict[str, Life] = {}
        lives: list[Life] = []
        for at, (world_id, word) in enumerate(lines):
            if isinstance(word, Born | Forked):
                parent = current.get(word.of) if isinstance(word, Forked) else None
                lives.append(Life(world_id, at, parent))
                current[world_id] = lives[-1]
            life = current.get(world_id)
            self._of.append(life)
            if life is not None:
                life.see(at, word)
            if isinstance(word, Deleted) and life is not None:
                life.needed = False
                del current[world_id]
        _choose(lives, len(lines))
        self._lives = lives

    def entered(self) -> dict[int, list[tuple[str, Checkpoint]]]:
        """Before which lines which worlds are put in place."""
        found: dict[int, list[tuple[str, Checkpoint]]] = {}
        for life in self._lives:
            if life.needed and life.entered is not None:
                at, kept = life.entered
                found.setdefault(at, []).append((life.world_id, kept))
        return found

    def needs(self, at: int) -> bool:
        """Whether a line must be applied."""
        life = self._of[at]
        return life is None or (life.needed and (life.entered is None or at >= life.entered[0]))


def _choose(lives: Sequence[Life], end: int) -> None:
    """Forks come after their parents: going backwards each parent knows which of its forks need it, and from where."""
    bound: dict[int, tuple[int, int]] = {}
    for life in reversed(lives):
        if not life.needed:
            continue
        latest, reach = bound.get(id(life), (end, LATEST))
        life.enter(latest, reach)
        if life.entered is None and life.parent is not None:
            life.parent.needed = True
            before = bound.get(id(life.parent), (end, LATEST))
            bound[id(life.parent)] = (min(life.begins, before[0]), min(life.reach, reach, before[1]))
