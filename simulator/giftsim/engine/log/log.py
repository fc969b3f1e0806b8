"""The event log of a world, complete and in order; never shown unredacted (G3).

A world is the same function of its configuration and its events in any process, so recordings, recovery and undo are
one thing: replay events. Each event is appended before it acts. Only the passing of time is appended afterwards, and
before anything else can act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from typing import cast

from msgspec.structs import replace

from giftsim.engine.kernel.state import State, UndoLog
from giftsim.engine.kernel.table import Undo
from giftsim.engine.kernel.touched import Touched
from giftsim.engine.log.change_numbers import ChangeNumbers
from giftsim.engine.log.inputs import AnyInput, JournalRecord
from giftsim.engine.log.segment import CallOutcome, CheckpointMark, KeptUndoLog, Segment, connected, followed_by

MAX_EVENTS = 20_000
MAX_BYTES = 32 * 1024 * 1024
MAX_UNDO_ENTRIES = 200_000  # undo entries of a world that are kept for undo; each takes some 150 bytes
MAX_BASES = 8  # restored and replaced states that a log keeps for undo; each may be as large as the world
MAX_CHECKPOINTS = 100  # marks that a log keeps; an undo may return to before the newest
NEVER = 2**63  # the number of no event
NO_RESPONSE = 0  # instead of a status: the connection was dropped


class EventLog:
    """The events of one world in segments: those of its parents, and its own.

    Beyond a bound of events, or of the bytes that they and their responses take in memory, the oldest are dropped.

    `write` appends to the journal file, with the world's id. `checkpoints` are the newest there, each based on the one
    before. `truncations` counts undos, which go back to event `floor_n` at most. Events begin with number `first_n`.
    The undo logs are known from event `known_from` on. Of those since event `_forgotten_from` that were forgotten,
    `_forgotten` has what they touched; None if that is not known. `forgets` grows with it.
    """

    def __init__(self, world_id: str, inherited: tuple[Segment, ...] = (), *, floor_n: int = 0) -> None:
        self.world_id, self.inherited = world_id, inherited
        self.write: Callable[[str, JournalRecord], object] | None = None
        self.checkpoints: list[CheckpointMark] = []
        self.truncations = 0
        self.first_n = inherited[-1].next_n if inherited else 1
        self.floor_n, self.known_from = floor_n, 0
        self._forgotten: Touched | None = None
        self._forgotten_from, self.forgets = NEVER, 0
        self._replaced: list[int] = []
        self._changes = ChangeNumbers(self.first_n, MAX_EVENTS)
        self.replace_segments(followed_by(inherited, world_id, self.first_n))

    def replace_segments(self, segments: list[Segment]) -> None:
        """Go on with other segments."""
        self.segments = segments
        self._earlier_bytes = sum(segment.bytes for segment in segments[:-1])
        self._count_undo_entries()

    @property
    def bytes(self) -> int:
        """About how many bytes of memory the events, their responses and the rest take."""
        return self._earlier_bytes + self.segments[-1].bytes

    @property
    def dropped(self) -> int:
        """How many events at the beginning were dropped."""
        return self.segments[0].first_n - 1

    @property
    def next_n(self) -> int:
        """The number of the next event."""
        segment = self.segments[-1]
        return segment.first_n + len(segment.events)

    def add(self, event: AnyInput, change_n: int = 0) -> None:
        """Number an event, write it to the journal file, and keep it. It comes after change `change_n` of the feed."""
        segment = self.segments[-1]
        event.n = n = segment.first_n + len(segment.events)
        if self.write is not None:
            self.write(self.world_id, event)
        segment.append(event)
        self._changes.add(change_n)
        if n - self.segments[0].first_n >= MAX_EVENTS or self._earlier_bytes + segment.bytes > MAX_BYTES:
            self._make_room()

    def change_before(self, n: int) -> int:
        """The number of the last change before event `n`: negative for events before this process, or of a parent."""
        return self._changes.before(n, self.next_n)

    def begin_changes(self) -> None:
        """Count changes from here on: the feed of the world is new."""
        self._changes.begin(self.next_n)

    def set_outcome(self, n: int, outcome: CallOutcome) -> int:
        """Keep the outcome of call number `n`, unless the call was dropped meanwhile; the bytes of both together."""
        segment = self.segments[-1]
        if n >= segment.first_n:
            total = segment.set_outcome(n, outcome)
        else:  # a call that was suspended when the segment began
            earlier = next((each for each in reversed(self.segments) if each.first_n <= n < each.next_n), None)
            total = earlier.set_outcome(n, outcome) if earlier else outcome.size()
            self._earlier_bytes += outcome.size() if earlier else 0
        if self._earlier_bytes + segment.bytes > MAX_BYTES:
            self._make_room()
        return total

    def keep_undo_log(self, n: int, undo_log: UndoLog | None) -> None:
        """Keep the undo log of event `n`, the last one or the one before it; None if it is not known.

        Beyond a bound, the oldest undo entries are forgotten.
        """
        if undo_log is None:
            self._forget_undo_logs(n)
            self._forgotten, self.forgets = None, self.forgets + 1
        elif undo_log:
            self._undo_count += len(undo_log)
            self.segments[-1].keep_undo_log(n, tuple(undo_log))
            if self._undo_count > MAX_UNDO_ENTRIES:
                self._forget_oldest_undo_entries()

    def replace_state(self, former: State) -> None:
        """Note that another state was put in place of `former` after the last event."""
        n = self.next_n - 1
        self.keep_undo_log(n, [former])
        self._replaced.append(n)
        if len(self._replaced) > MAX_BASES:
            self._forget_undo_logs(self._replaced.pop(0))

    def replaced_states(self) -> dict[int, State]:
        """The states that restores and resets replaced and that are still kept, by the number of the event."""
        logs = (item for segment in self.segments for item in segment.undo_logs.items())
        return {n: entry for n, undo_log in logs for entry in undo_log if isinstance(entry, State)}

    def undo_log_since(self, n: int) -> Iterator[Undo | State] | None:
        """The undo entries since event `n` was added, newest first; None if not all of them are known."""
        if n < self.known_from:
            return None
        return (
            entry
            for segment in reversed(self.segments)
            for after in reversed(segment.undo_logs)
            if after >= n
            for entry in reversed(segment.undo_logs[after])
        )

    def _forget_oldest_undo_entries(self) -> None:
        """Forget one in 200 of the undo entries: so few that the call that does it takes hardly longer than others."""
        left = self._undo_count - MAX_UNDO_ENTRIES * 199 // 200
        for segment in self.segments:
            for n, undo_log in segment.undo_logs.items():
                left -= len(undo_log)
                if left <= 0:
                    self._forget_undo_logs(n)
                    return

    def _forget_undo_logs(self, n: int) -> None:
        """Forget the undo logs of events up to number `n`."""
        self.known_from = max(self.known_from, n + 1)
        for i, segment in enumerate(self.segments):
            if next(iter(segment.undo_logs), n + 1) <= n:
                self._note_forgotten(segment, n)
                own = self.segments[i] = segment.own()
                self._undo_count -= own.forget_undo_logs(n)

    def _note_forgotten(self, segment: Segment, n: int) -> None:
        """Note what the undo logs of a segment up to event `n` touched, before they are forgotten."""
        for after, undo_log in segment.undo_logs.items():
            if after > n:
                return
            if after >= self._forgotten_from and self._forgotten is not None:
                self.forgets += 1
                if not _add(self._forgotten, undo_log):
                    self._forgotten = None

    def _count_undo_entries(self) -> None:
        self._undo_count = sum(segment.undo_count for segment in self.segments)

    def seal(self) -> tuple[Segment, ...]:
        """All segments so far, for a fork to share; new events go to a new segment."""
        sealed = tuple(segment for segment in self.segments if segment.events or segment.base is not None)
        for segment in sealed:
            segment.shared = True
        self.begin_segment(None)
        return sealed

    def touched_since(self, n: int) -> Touched | None:
        """The rows and timers touched since event `n` was added; None if unknown or if the state was replaced."""
        touched = Touched()
        if self.known_from > n:
            if self._forgotten is None or self._forgotten_from > n:
                return None
            touched = self._forgotten.copy()
        for segment in self.segments:
            for after, undo_log in segment.undo_logs.items():
                if after >= n and not _add(touched, undo_log):
                    return None
        return touched

    def add_checkpoint(self, mark: CheckpointMark, forgets: int, *, is_based: bool) -> None:
        """Note a checkpoint. `forgets` is that of its moment; `is_based` says that it is based on the last one."""
        self.checkpoints = [*self.checkpoints[1 - MAX_CHECKPOINTS :], mark] if is_based else [mark]
        if forgets == self.forgets:
            self._forgotten, self._forgotten_from = Touched(), mark.n - 1

    def shorten(self, mark: CheckpointMark, at: int, rows: int) -> None:
        """Note that the line at byte `at` of the file has the whole state of a checkpoint, which has `rows` rows."""
        place = self.checkpoints.index(mark)
        self.checkpoints = [
            *self.checkpoints[:place],
            *(replace(each, whole=at, rows=rows + each.rows - mark.rows) for each in self.checkpoints[place:]),
        ]

    def start_at(self, first_n: int, mark: CheckpointMark, base: State) -> None:
        """Begin with the state that a checkpoint has."""
        self.first_n = first_n
        self.add_checkpoint(mark, self.forgets, is_based=False)
        self.replace_segments([Segment(self.world_id, mark.n, base)])
        self.segments[0].checkpoint = self.world_id, mark.at

    @property
    def earlier(self) -> tuple[str, int] | None:
        """The checkpoint after events that can be undone and are only in the journal file; None if there are none."""
        first = self.segments[0]
        return first.checkpoint if first.first_n > self.floor_n else None

    def forget_earlier(self) -> None:
        """Begin with the first event that is kept: those before it cannot be read."""
        first = self.segments[0] = self.segments[0].own()
        first.checkpoint = None

    def prepend(self, earlier: EventLog) -> None:
        """Put the events of an earlier log first, which uses that log up. ValueError if there is a gap."""
        first = self.segments[0].own()
        n = first.first_n
        if earlier.next_n < n:
            raise ValueError(f"the log ends at event {earlier.next_n - 1}, and does not lead to event {n}")
        earlier.truncate(n)
        *older, last = earlier.segments
        if leading := last.take_undo_log(n - 1):
            first.begin_undo_logs(n - 1, leading)
        first.checkpoint = None if older else last.checkpoint
        self.floor_n, self.inherited = earlier.floor_n, ()
        self.known_from = earlier.known_from if self.known_from <= n else self.known_from
        self._replaced = [*earlier._replaced, *self._replaced]
        self.replace_segments([*older, first, *self.segments[1:]])
        while len(self._replaced) > MAX_BASES:
            self._forget_undo_logs(self._replaced.pop(0))
        while self._undo_count > MAX_UNDO_ENTRIES:
            self._forget_oldest_undo_entries()
        self._bound_bases()
        self._make_room()

    def fork(self, world_id: str) -> EventLog:
        """The log of a fork: it shares all events so far."""
        fork = EventLog(world_id, self.seal(), floor_n=self.floor_n)
        fork.known_from, fork._replaced = self.known_from, self._replaced.copy()
        return fork

    def kept(self) -> EventLog:
        """This log as it is now, for a redo: what is truncated here stays there. Events come next to neither."""
        for segment in self.segments:
            segment.shared = True
        kept = copy(self)
        kept.segments, kept._replaced = self.segments.copy(), self._replaced.copy()
        kept._changes = self._changes.copy()
        kept._forgotten = self._forgotten and self._forgotten.copy()
        return kept

    def go_on_after(self, log: EventLog, n: int, change_n: int, shift: int) -> None:
        """Go on in place of `log`, from which the events from number `n` on had been removed.

        The numbers of the changes from `change_n` on, the last one before these events, have grown by `shift`.
        """
        self.truncations = log.truncations + 1
        self.checkpoints = [mark for mark in log.checkpoints if mark.n <= n]
        self._changes.shift(self.next_n - n, change_n, shift)
        self.begin_segment(None)

    def begin_segment(self, base: State | None) -> None:
        """Go on in a new segment; `base` is the state before it, where it is known."""
        self.replace_segments(followed_by(self.segments, self.world_id, self.next_n, base))
        self._bound_bases()

    def note_restore(self, state: State, *, calls_suspended: bool) -> None:
        """Note that a kept state was put in place; with `calls_suspended`, the events before it still matter."""
        if calls_suspended:
            restored = self.segments[-1].restored
            restored[self.next_n - 1] = state
            if len(restored) > MAX_BASES:
                del restored[next(iter(restored))]
        else:
            self.begin_segment(state)

    def after_reset(self, initial_state: State | None) -> EventLog:
        """The log of the same world after a reset; `initial_state` is that of a fork."""
        fresh = EventLog(self.world_id, self.inherited)
        fresh.write, fresh.first_n = self.write, self.first_n
        fresh.floor_n = fresh.known_from = fresh._changes.feed_n = self.first_n
        if not self.inherited:
            fresh.replace_segments([Segment(self.world_id, self.first_n, initial_state)])
        return fresh

    def truncate(self, n: int) -> None:
        """Remove the events from number `n` on."""
        self.truncations += 1
        self._changes.drop(self.next_n - n)
        self.checkpoints = [mark for mark in self.checkpoints if mark.n <= n]
        bases = (segment.base for segment in self.segments if segment.first_n == n and segment.base is not None)
        base = next(bases, None)
        kept = [segment.before(n) for segment in self.segments if segment.first_n < n]
        leading = [
            segment.undo_logs[n - 1] for segment in self.segments if segment.first_n == n and n - 1 in segment.undo_logs
        ]
        self._replaced = [replaced for replaced in self._replaced if replaced < n]
        segments = followed_by(kept, self.world_id, n, base)
        if not kept:
            segments[0].checkpoint = self.segments[0].checkpoint
        if leading:
            segments[-1].keep_undo_log(n - 1, tuple(entry for undo_log in leading for entry in undo_log))
        self.replace_segments(segments)

    def path_to(self, n: int) -> list[Segment] | None:
        """The segments that lead from a known state to event `n`; None when the events to it were dropped.

        The first one has a base, or begins with the world.
        """
        segments = [segment for segment in self.segments if segment.first_n <= n]
        with_base = [i for i, segment in enumerate(segments) if segment.base is not None]
        if with_base:
            return connected(segments[with_base[-1] :])
        return None if self.dropped else connected(segments)

    def all(self) -> Iterator[tuple[Segment, AnyInput]]:
        """Every event that is kept, oldest first, with its segment."""
        for segment in self.segments:
            for event in segment.events:
                yield segment, event

    def newest_first(self, n: int) -> Iterator[tuple[Segment, AnyInput]]:
        """Every event from number `n` on, newest first, with its segment."""
        for segment in reversed(self.segments):
            if segment.next_n <= n:
                return
            for event in reversed(segment.events):
                if event.n < n:
                    return
                yield segment, event

    def _make_room(self) -> None:
        """Drop the oldest events until the rest is within the bounds."""
        segments = self.segments
        while self.next_n - segments[0].first_n > MAX_EVENTS or self.bytes > MAX_BYTES:
            if len(segments) > 1 and not segments[0].events:
                del segments[0]
                self._earlier_bytes = self._earlier_bytes if len(segments) > 1 else 0
                continue
            first = segments[0] = segments[0].own()
            if first.first_n >= self._forgotten_from:
                self._note_forgotten(first, first.first_n)
            before = first.bytes
            self._undo_count -= first.drop_oldest()
            self._earlier_bytes -= before - first.bytes if len(segments) > 1 else 0
        self.known_from = max(self.known_from, segments[0].first_n)
        if self.inherited and segments[0] is not self.inherited[0]:
            self.inherited = ()  # a reset does not bring back what was dropped

    def _bound_bases(self) -> None:
        """Keep the last restored states only. Undo does not replay to what was before them."""
        with_base = [i for i, segment in enumerate(self.segments) if segment.base is not None]
        for i in with_base[:-MAX_BASES]:
            segment = self.segments[i] = self.segments[i].own()
            segment.base, segment.detached = None, True


def _add(touched: Touched, undo_log: KeptUndoLog) -> bool:
    """Add what an undo log touched; False if the state was replaced."""
    if any(isinstance(entry, State) for entry in undo_log):
        return False
    touched.add(cast("tuple[Undo, ...]", undo_log))
    return True
