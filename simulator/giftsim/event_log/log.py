"""The event log of a world, complete and in order; never shown unredacted (G3).

A world is the same function of its configuration and its events in any process, so recordings, recovery and undo are
one thing: replay events. Each event is appended before it acts. Only the passing of time is appended afterwards, and
before anything else can act.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import msgspec

from giftsim.event_log.call_record import CallRecord
from giftsim.event_log.events import AnyEvent, JournalRecord
from giftsim.kernel.state import State

MAX_EVENTS = 20_000
MAX_BYTES = 32 * 1024 * 1024
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


class Segment:
    """A run of events under one world id. `base` is the state before it, where it is known.

    `outcomes` are those of calls, by event number. `restored` holds the states that restores and resets put in place
    while a call was suspended, by event number.
    """

    def __init__(self, world_id: str, first_n: int, base: State | None = None) -> None:
        self.world_id, self.first_n, self.base = world_id, first_n, base
        self.events: deque[AnyEvent] = deque()
        self.outcomes: dict[int, CallOutcome] = {}
        self.restored: dict[int, State] = {}
        self.bytes = 0

    @property
    def next_n(self) -> int:
        """The number of the event after the last one."""
        return self.first_n + len(self.events)

    def append(self, event: AnyEvent) -> None:
        """Keep an event that has its number."""
        self.events.append(event)
        self.bytes += event.size()

    def drop_oldest(self) -> None:
        """Drop the oldest event. The state before the rest is unknown then."""
        event = self.events.popleft()
        self.bytes -= event.size()
        self.outcomes.pop(event.n, None)
        self.restored.pop(event.n, None)
        self.first_n, self.base = event.n + 1, None

    def before(self, n: int) -> Segment:
        """A copy without the events from number `n` on."""
        segment = Segment(self.world_id, self.first_n, self.base)
        for event in islice(self.events, max(n - self.first_n, 0)):
            segment.append(event)
        segment.outcomes = {known: outcome for known, outcome in self.outcomes.items() if known < n}
        segment.restored = {known: state for known, state in self.restored.items() if known < n}
        return segment


class EventLog:
    """The events of one world in segments: those of its parents, and its own. Beyond a bound the oldest are dropped.

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
        self.segments = _followed_by(inherited, world_id, self.first_n)

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
        segment.events.append(event)
        segment.bytes += event.size()
        if n - self.segments[0].first_n >= MAX_EVENTS or segment.bytes > MAX_BYTES:
            self._make_room()

    def set_outcome(self, n: int, outcome: CallOutcome) -> None:
        """Keep the outcome of call number `n`."""
        segment = self.segments[-1]
        if n < segment.first_n:  # a call that was suspended when the segment began
            segment = next((each for each in reversed(self.segments) if each.first_n <= n), segment)
        segment.outcomes[n] = outcome

    def seal(self) -> tuple[Segment, ...]:
        """All segments so far, for a fork to share; new events go to a new segment."""
        sealed = tuple(segment for segment in self.segments if segment.events or segment.base is not None)
        self.begin_segment(None)
        return sealed

    def start_at(self, first_n: int, n: int, base: State) -> None:
        """Begin with the state before event `n`, as a checkpoint has it."""
        self.first_n, self.checkpoint_n, self.segments = first_n, n, [Segment(self.world_id, n, base)]

    def begin_segment(self, base: State | None) -> None:
        """Go on in a new segment; `base` is the state before it, where it is known."""
        self.segments = _followed_by(self.segments, self.world_id, self.next_n, base)

    def note_restore(self, state: State, *, calls_suspended: bool) -> None:
        """Note that a kept state was put in place; with `calls_suspended`, the events before it still matter."""
        if calls_suspended:
            self.segments[-1].restored[self.next_n - 1] = state
        else:
            self.begin_segment(state)

    def after_reset(self, initial_state: State | None) -> EventLog:
        """The log of the same world after a reset; `initial_state` is that of a fork."""
        fresh = EventLog(self.world_id, self.inherited)
        fresh.write, fresh.first_n, fresh.floor_n = self.write, self.first_n, self.first_n
        if not self.inherited:
            fresh.segments = [Segment(self.world_id, self.first_n, initial_state)]
        return fresh

    def truncate(self, n: int) -> None:
        """Remove the events from number `n` on."""
        self.truncations += 1
        kept = [segment.before(n) for segment in self.segments if segment.first_n < n]
        bases = (segment.base for segment in self.segments if segment.first_n == n and segment.base is not None)
        self.segments = _followed_by(kept, self.world_id, n, next(bases, None))

    def path_to(self, n: int) -> list[Segment] | None:
        """The segments that lead from a known state to event `n`; None when the events to it were dropped.

        The first one has a base, or begins with the world.
        """
        segments = [segment for segment in self.segments if segment.first_n <= n]
        with_base = [i for i, segment in enumerate(segments) if segment.base is not None]
        if with_base:
            return segments[with_base[-1] :]
        return None if self.dropped else segments

    def all(self) -> Iterator[tuple[Segment, AnyEvent]]:
        """Every event that is kept, oldest first, with its segment."""
        for segment in self.segments:
            for event in segment.events:
                yield segment, event

    def _make_room(self) -> None:
        """Drop the oldest event, or the whole oldest segment when it is shared with a parent."""
        first = self.segments[0]
        if len(self.segments) > 1 and (first in self.inherited or not first.events):
            del self.segments[0]
        elif first.events:
            first.drop_oldest()


def _followed_by(segments: Sequence[Segment], world_id: str, n: int, base: State | None = None) -> list[Segment]:
    """The segments that hold events, followed by a new one."""
    empty = [segment for segment in segments if not segment.events]
    known = base if base is not None or not empty else empty[-1].base
    return [*(segment for segment in segments if segment.events), Segment(world_id, n, known)]
