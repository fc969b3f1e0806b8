"""What undos took away from a world, to be brought back as long as nothing new has happened in it (G410)."""

from __future__ import annotations

from collections import deque

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import (
    AnyInput,
    AttemptCompleted,
    CallAbandoned,
    CallResumed,
    ClientCall,
    ControlCall,
    DeliveriesResent,
    TimePassed,
)
from giftsim.engine.log.log import EventLog
from giftsim.engine.log.segment import Segment
from giftsim.engine.worlds.call_log import CallLog
from giftsim.engine.worlds.changes import TakenChanges
from giftsim.engine.worlds.snapshots import Snapshots

MAX_STRETCHES = 8  # undos in a row that can be brought back; each keeps a state, which may be as large as the world


class Stretch(msgspec.Struct):
    """What one undo took away: the events from number `n` on, with the world as it was after them.

    `told_n` is the number of the change that tells the undo.
    """

    n: int
    log: EventLog
    state: State
    calls: CallLog
    snapshots: Snapshots
    changes: TakenChanges
    told_n: int = 0

    def events(self) -> list[AnyInput]:
        """What was taken away, oldest first."""
        return [event for _, event in self.log.newest_first(self.n)][::-1]

    @property
    def is_whole(self) -> bool:
        """Whether the world can have the events again: none is of a parent, or continues a call that began before."""
        return all(
            segment.world_id == self.log.world_id and not (isinstance(event, CallResumed) and event.call < self.n)
            for segment, event in self.log.newest_first(self.n)
        )


class TakenAway:
    """The stretches that undos in a row took away from a world, the newest last: a redo brings that one back.

    They are forgotten once anything new has happened. What an undo itself causes is not new, nor are calls that changed
    nothing, time in which nothing happened, and time that passes again up to `_again_ms`: a redo takes these away.
    """

    def __init__(self) -> None:
        self.stretches: deque[Stretch] = deque(maxlen=MAX_STRETCHES)
        self._checked_n = self._again_ms = 0  # nothing is new before this event

    def keep(self, stretch: Stretch, log: EventLog, again_ms: int = 0) -> None:
        """Keep what an undo has just taken away. `log` is the event log now; time will pass again to `again_ms`."""
        self.stretches.append(stretch)
        self._checked_n, self._again_ms = log.next_n, again_ms

    def last(self, log: EventLog) -> Stretch | None:
        """What a redo brings back. Call it in a world without calls in progress."""
        self.forget_if_new(log)
        return self.stretches[-1] if self.stretches else None

    def forget_if_new(self, log: EventLog) -> None:
        """Forget what was taken away if something new has happened by now."""
        if self.stretches:
            if any(self._is_new(segment, event) for segment, event in log.newest_first(self._checked_n)):
                self.stretches.clear()
            self._checked_n = log.next_n

    def drop_last(self, log: EventLog) -> None:
        """Forget what was brought back. What had been taken away before it can be brought back next."""
        self.stretches.pop()
        self._checked_n, self._again_ms = log.next_n, 0

    def forget(self) -> None:
        """Forget everything."""
        self.stretches.clear()

    def _is_new(self, segment: Segment, event: AnyInput) -> bool:
        match event:
            case ClientCall():
                outcome = segment.outcomes.get(event.n)
                return outcome is None or outcome.wrote  # it is still in progress, or changed something
            case ControlCall():
                return event.n not in segment.outcomes
            case TimePassed():
                return event.to_ms > self._again_ms and (event.fired > 0 or event.from_ms is not None)
        return not isinstance(event, AttemptCompleted | DeliveriesResent | CallAbandoned)
