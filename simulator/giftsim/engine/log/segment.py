"""A run of events of a world, and what is kept for each: a call's outcome, and an undo log."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import takewhile

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Undo
from giftsim.engine.log.inputs import RECORD_BYTES, AnyInput, CallRecord


class CheckpointMark(msgspec.Struct, frozen=True):
    """A checkpoint in the journal file: it precedes event `n`, and its line begins at byte `at`.

    `rows`, `whole` and `suspended` are as in Checkpoint. `truncations` is how often something had been undone.
    """

    n: int
    at: int
    rows: int
    whole: int | None = None
    suspended: tuple[int, ...] = ()
    truncations: int = 0


KeptUndoLog = tuple[Undo | State, ...]  # a tuple of undo entries costs the garbage collector nothing


class CallOutcome(msgspec.Struct, gc=False):
    """The outcome of a call in this process: its record in the call log, and whether it changed the state (`wrote`).

    `kind` is the content type of the response; `opaque` bodies hold no placeholders. Calls without a record (control
    calls, forms) have the `status` of an unsuccessful response.
    """

    entry: CallRecord | None = None
    wrote: bool = False
    kind: str = ""
    opaque: bool = False
    status: int | None = None

    def size(self) -> int:
        """The bytes that count against the log's bound."""
        return RECORD_BYTES + (self.entry.answer_size() if self.entry else 0)


class Segment:
    """A run of events under one world id. `base` is the state before it, where it is known.

    `outcomes` are those of calls, by event number. `restored` holds the states that restores and resets put in place
    while a call was suspended, by event number. `undo_logs` has the undo entries of what happened after an event and
    before the next one, by the number of the first; where the state was replaced, the former state is among them. The
    event before the segment may have one too; `undo_count` is how many entries they have. `bytes` is roughly what the
    rest takes in memory, and `sizes` what each event does. A `shared` segment belongs to a fork too, and is not changed
    any more. The events before a `detached` segment do not lead to it: it began with a state that is not kept any more.
    `checkpoint` is where the journal file has the state before the first segment, after events that are not in memory:
    a world's id, and the byte of a line.
    """

    def __init__(self, world_id: str, first_n: int, base: State | None = None) -> None:
        self.world_id, self.first_n, self.base = world_id, first_n, base
        self.events: deque[AnyInput] = deque()
        self.sizes: deque[int] = deque()
        self.outcomes: dict[int, CallOutcome] = {}
        self.restored: dict[int, State] = {}
        self.undo_logs: dict[int, KeptUndoLog] = {}
        self.undo_count = 0
        self.bytes = 0
        self.shared = self.detached = False
        self.checkpoint: tuple[str, int] | None = None

    @property
    def next_n(self) -> int:
        """The number of the event after the last one."""
        return self.first_n + len(self.events)

    def append(self, event: AnyInput) -> None:
        """Keep an event that has its number."""
        size = event.size()
        self.events.append(event)
        self.sizes.append(size)
        self.bytes += size

    def set_outcome(self, n: int, outcome: CallOutcome) -> int:
        """Keep the outcome of call number `n`; the bytes of both together."""
        size = outcome.size()
        self.outcomes[n] = outcome
        self.bytes += size
        total = self.sizes[n - self.first_n] = self.sizes[n - self.first_n] + size
        return total

    def drop_oldest(self) -> int:
        """Drop the oldest event with its undo log; returns the number of undo entries.

        The state before the rest is unknown then.
        """
        n = self.first_n
        before = self.undo_count
        self.take_undo_log(n - 1)
        self.events.popleft()
        self._forget(n, self.sizes.popleft())
        self.first_n, self.base, self.checkpoint = n + 1, None, None
        return before - self.undo_count

    def drop_newest(self) -> None:
        """Drop the newest event."""
        self.events.pop()
        self._forget(self.next_n, self.sizes.pop())

    def _forget(self, n: int, size: int) -> None:
        self.bytes -= size
        self.outcomes.pop(n, None)
        self.restored.pop(n, None)
        self.take_undo_log(n)

    def keep_undo_log(self, n: int, undo_log: KeptUndoLog) -> None:
        """Keep undo entries of event `n`, after those that it has."""
        self.undo_logs[n] = (*self.undo_logs[n], *undo_log) if n in self.undo_logs else undo_log
        self.undo_count += len(undo_log)

    def begin_undo_logs(self, n: int, undo_log: KeptUndoLog) -> None:
        """Keep undo entries of event `n`, the earliest, before those that it has."""
        own = self.take_undo_log(n)
        self.undo_logs = {n: (*undo_log, *own), **self.undo_logs}
        self.undo_count += len(undo_log) + len(own)

    def take_undo_log(self, n: int) -> KeptUndoLog:
        """Remove the undo entries of event `n`, and return them."""
        undo_log = self.undo_logs.pop(n, ())
        self.undo_count -= len(undo_log)
        return undo_log

    def forget_undo_logs(self, n: int) -> int:
        """Forget the undo logs of events up to number `n`; returns the number of undo entries."""
        forgotten = list(takewhile(lambda after: after <= n, self.undo_logs))
        return sum(len(self.take_undo_log(after)) for after in forgotten)

    def own(self) -> Segment:
        """This segment, or a copy if a fork shares it. The contents are not copied."""
        if not self.shared:
            return self
        segment = Segment(self.world_id, self.first_n, self.base)
        segment.events, segment.sizes = self.events.copy(), self.sizes.copy()
        segment.outcomes, segment.restored = self.outcomes.copy(), self.restored.copy()
        segment.undo_logs, segment.undo_count = self.undo_logs.copy(), self.undo_count
        segment.bytes, segment.detached, segment.checkpoint = self.bytes, self.detached, self.checkpoint
        return segment

    def before(self, n: int) -> Segment:
        """This segment, or a copy if a fork shares it, without the events from number `n` on."""
        if n >= self.next_n:
            return self
        segment = self.own()
        while segment.next_n > n:
            segment.drop_newest()
        return segment


def connected(segments: list[Segment]) -> list[Segment] | None:
    """The segments, if each leads to the next."""
    return None if any(segment.detached for segment in segments[1:]) else segments


def followed_by(segments: Sequence[Segment], world_id: str, n: int, base: State | None = None) -> list[Segment]:
    """The segments that hold events, followed by a new one. It takes over the undo logs of those that hold none."""
    empty = [segment for segment in segments if not segment.events]
    known = base if base is not None or not empty else empty[-1].base
    following = Segment(world_id, n, known)
    following.checkpoint = segments[0].checkpoint if len(empty) == len(segments) > 0 else None
    for segment in empty:
        for after, undo_log in segment.undo_logs.items():
            following.keep_undo_log(after, undo_log)
    return [*(segment for segment in segments if segment.events), following]
