"""Where the journal file has a checkpoint of a world."""

from __future__ import annotations

import msgspec


class CheckpointMark(msgspec.Struct, frozen=True):
    """A checkpoint in the journal file: it precedes event `n`, and its line begins at byte `at`.

    `whole` is the size of the state that it is based on, and `changed` that of all changes written since. `truncations`
    is how often something had been undone.
    """

    n: int
    at: int
    whole: int
    changed: int = 0
    truncations: int = 0

    @property
    def is_worth_extending(self) -> bool:
        """Whether the changes so far are shorter than the whole state."""
        return self.changed < self.whole

    def extended(self, n: int, at: int, size: int, truncations: int) -> CheckpointMark:
        """The mark of a checkpoint that is based on this one."""
        return CheckpointMark(n, at, self.whole, self.changed + size, truncations)
