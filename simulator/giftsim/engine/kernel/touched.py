"""The changes of a state, without the former values: the rows and timers that undo entries name."""

from __future__ import annotations

from collections.abc import Iterable

from giftsim.engine.kernel.state import STATE
from giftsim.engine.kernel.table import Undo
from giftsim.engine.kernel.timer import PART as TIMERS
from giftsim.engine.kernel.timer import key_of


class Touched:
    """The slots of rows by table, and the keys of timers."""

    def __init__(self) -> None:
        self.slots: dict[str, dict[int, None]] = {}
        self.timers: dict[int, None] = {}

    def add(self, undo_log: Iterable[Undo]) -> None:
        """Add what undo entries name. What else a state has is in every checkpoint."""
        for entry in undo_log:
            if entry.part == TIMERS:
                self.timers[key_of(entry.former)] = None
            elif entry.part != STATE:
                self.slots.setdefault(entry.part, {})[entry.former.n] = None

    def copy(self) -> Touched:
        """The same rows and timers."""
        twin = Touched()
        twin.slots = {name: slots.copy() for name, slots in self.slots.items()}
        twin.timers = self.timers.copy()
        return twin
