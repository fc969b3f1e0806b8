"""The event log of a world, complete and in order; never shown unredacted (G3).

A world is the same function of its configuration and its events in any process, so recordings, recovery and undo are
one thing: replay events. Each event is appended before it acts. Only the passing of time is appended afterwards, and
before anything else can act.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

import msgspec

from giftsim.event_log.call_record import RECORD_BYTES, CallRecord
from giftsim.event_log.events import AnyEvent, JournalRecord
from giftsim.kernel.state import State

MAX_EVENTS = 20_000
MAX_BYTES = 32 * 1024 * 1024
MAX_BASES = 8  # restored states that a log keeps for undo; each may be as large as the world
NO_RESPONSE = 0  # instead of a status: the connection was dropped


class CallOutcome(msgspec.Struct, gc=False):
    """The outcome of a call in this process: its record in the call log, and whether it changed the state (`wrote`).

    `kind` is the content type of the response; `opaque` bodies hold no placeholders. Calls without a record (control
    calls, claims) have the `status` of an unsuccessful response.
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
    while a call was suspended, by event number. `bytes` is what all of it takes in memory, about, and `sizes` what each
    event does. A `shared` segment belongs to a fork too, and is not changed any more. The events before a `detached`
    segment do not lead to it: it began with a state that is not kept any more.
    """

    def __init__(self, world_id: str, first_n: int, base: State | None = None) -> None:
        self.world_id, self.first_n, self.base = world_id, first_n, base
        self.events: deque[AnyEvent] = deque()
        self.sizes: deque[int] = deque()
        self.outcomes: dict[int, CallOutcome] = {}
        self.restored: dict[int, State] = {}
        self.bytes = 0
        self.shared = self.detached = False

    @property
    def next_n(self) -> int:
        """The number of the event after the last one."""
        return self.first_n + len(self.events)

    def append(self, event: AnyEvent) -> None:
        """Keep an event that has its number."""
        size = event.size()
        self.events.append(event)
        self.sizes.append(size)
        self.bytes += size

    def set_outcome(self, n: int, outcome: CallOutcome) -> int:
        """Keep the outcome of call number `n`; its size."""
        size = outcome.size()
        self.outcomes[n] = outcome
        self.sizes[n - self.first_n] += size
        self.bytes += size
        return size

    def drop_oldest(self) -> None:
        """Drop the oldest event. The state before the rest is unknown then."""
        self.events.popleft()
        self._forget(self.first_n, self.sizes.popleft())
        self.first_n, self.base = self.first_n + 1, None

    def drop_newest(self) -> None:
        """Drop the newest event."""
        self.events.pop()
        self._forget(self.next_n, self.sizes.pop())

    def _forget(self, n: int, size: int) -> None:
        self.bytes -= size
        self.outcomes.pop(n, None)
        self.restored.pop(n, None)

    def own(self) -> Segment:
        """This segment, or a copy if a fork shares it. The contents are not copied."""
        if not self.shared:
            return self
        segment = Segment(self.world_id, self.first_n, self.base)
        segment.events, segment.sizes = self.events.copy(), self.sizes.copy()
        segment.outcomes, segment.restored = self.outcomes.copy(), self.restored.copy()
        segment.bytes, segment.detached = self.bytes, self.detached
        return segment

    def before(self, n: int) -> Segment:
        """This segment, or a copy if a fork shares it, without the events from number `n` on."""
        if n >= self.next_n:
            return self
        segment = self.own()
        while segment.next_n > n:
            segment.drop_newest()
        return segment


class EventLog:
    """The events of one world in segments: those of its parents, and its own.

    Beyond a bound of events, or of the bytes that they and their responses take in memory, the oldest are dropped.

    `write` appends to the journal file, with the world's id. The last checkpoint there precedes event
    `checkpoint_n`, when the world had `checkpoint_rows` records. `truncations` counts undos, which go back to event
    `floor_n` at most. Events begin with number `first_n`.
    """

    def __init__(self, world_id: str, inherited: tuple[Segment, ...] = (), *, floor_n: int = 0) -> None:
        self.world_id, self.inherited = world_id, inherited
        self.write: Callable[[str, JournalRecord], None] | None = None
        self.truncations = self.checkpoint_n = self.checkpoint_rows = 0
        self.first_n = inherited[-1].next_n if inherited else 1
        self.floor_n = floor_n
        self.replace_segments(_followed_by(inherited, world_id, self.first_n))

    def replace_segments(self, segments: list[Segment]) -> None:
        """Go on with other segments."""
        self.segments = segments
        self._earlier_bytes = sum(segment.bytes for segment in segments[:-1])

    @property
    def bytes(self) -> int:
        """What the events, their responses and the rest take in memory, about."""
        return self._earlier_bytes + self.segments[-1].bytes

    @property
    def dropped(self) -> int:
        """How many events at the beginning were dropped."""
        return self.segments[0].first_n - 1

    @property
    def next_n(self) -> int:
        """The number of the next event."""
        return self.segments[-1].next_n

    def add(self, event: AnyEvent) -> None:
        """Number an event, write it to the journal file, and keep it."""
        segment = self.segments[-1]
        event.n = n = segment.first_n + len(segment.events)
        if self.write is not None:
            self.write(self.world_id, event)
        segment.append(event)
        if n - self.segments[0].first_n >= MAX_EVENTS or self._earlier_bytes + segment.bytes > MAX_BYTES:
            self._make_room()

    def set_outcome(self, n: int, outcome: CallOutcome) -> None:
        """Keep the outcome of call number `n`, unless the call was dropped meanwhile."""
        segment = self.segments[-1]
        if n >= segment.first_n:
            segment.set_outcome(n, outcome)
        else:  # a call that was suspended when the segment began
            earlier = next((each for each in reversed(self.segments) if each.first_n <= n < each.next_n), None)
            self._earlier_bytes += earlier.set_outcome(n, outcome) if earlier else 0
        if self._earlier_bytes + segment.bytes > MAX_BYTES:
            self._make_room()

    def seal(self) -> tuple[Segment, ...]:
        """All segments so far, for a fork to share; new events go to a new segment."""
        sealed = tuple(segment for segment in self.segments if segment.events or segment.base is not None)
        for segment in sealed:
            segment.shared = True
        self.begin_segment(None)
        return sealed

    def start_at(self, first_n: int, n: int, base: State) -> None:
        """Begin with the state before event `n`, as a checkpoint has it."""
        self.first_n, self.checkpoint_n = first_n, n
        self.replace_segments([Segment(self.world_id, n, base)])

    def begin_segment(self, base: State | None) -> None:
        """Go on in a new segment; `base` is the state before it, where it is known."""
        self.replace_segments(_followed_by(self.segments, self.world_id, self.next_n, base))
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
        fresh.write, fresh.first_n, fresh.floor_n = self.write, self.first_n, self.first_n
        if not self.inherited:
            fresh.replace_segments([Segment(self.world_id, self.first_n, initial_state)])
        return fresh

    def truncate(self, n: int) -> None:
        """Remove the events from number `n` on."""
        self.truncations += 1
        bases = (segment.base for segment in self.segments if segment.first_n == n and segment.base is not None)
        base = next(bases, None)
        kept = [segment.before(n) for segment in self.segments if segment.first_n < n]
        self.replace_segments(_followed_by(kept, self.world_id, n, base))

    def path_to(self, n: int) -> list[Segment] | None:
        """The segments that lead from a known state to event `n`; None when the events to it were dropped.

        The first one has a base, or begins with the world.
        """
        segments = [segment for segment in self.segments if segment.first_n <= n]
        with_base = [i for i, segment in enumerate(segments) if segment.base is not None]
        if with_base:
            return _connected(segments[with_base[-1] :])
        return None if self.dropped else _connected(segments)

    def all(self) -> Iterator[tuple[Segment, AnyEvent]]:
        """Every event that is kept, oldest first, with its segment."""
        for segment in self.segments:
            for event in segment.events:
                yield segment, event

    def _make_room(self) -> None:
        """Drop the oldest events until the rest is within the bounds."""
        segments = self.segments
        while self.next_n - segments[0].first_n > MAX_EVENTS or self.bytes > MAX_BYTES:
            if len(segments) > 1 and not segments[0].events:
                self.replace_segments(segments[1:])
                segments = self.segments
                continue
            first = segments[0] = segments[0].own()
            before = first.bytes
            first.drop_oldest()
            self._earlier_bytes -= before - first.bytes if len(segments) > 1 else 0
        if self.inherited and segments[0] is not self.inherited[0]:
            self.inherited = ()  # a reset does not bring back what was dropped

    def _bound_bases(self) -> None:
        """Keep the last restored states only. Undo does not replay to what was before them."""
        with_base = [i for i, segment in enumerate(self.segments) if segment.base is not None]
        for i in with_base[:-MAX_BASES]:
            segment = self.segments[i] = self.segments[i].own()
            segment.base, segment.detached = None, True


def _connected(segments: list[Segment]) -> list[Segment] | None:
    """The segments, if each leads to the next."""
    return None if any(segment.detached for segment in segments[1:]) else segments


def _followed_by(segments: Sequence[Segment], world_id: str, n: int, base: State | None = None) -> list[Segment]:
    """The segments that hold events, followed by a new one."""
    empty = [segment for segment in segments if not segment.events]
    known = base if base is not None or not empty else empty[-1].base
    return [*(segment for segment in segments if segment.events), Segment(world_id, n, known)]
