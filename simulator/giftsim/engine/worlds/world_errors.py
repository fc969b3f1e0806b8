"""Errors about a world's time and existence.

Problem
├── ClockBackwards 409, EndOfCalendar 409, ClockBusy 409, TooManyEvents 409, WorldGone 409, CallUndone 409
├── InvalidWorld 400, WorldExists 409, TooManyWorlds 409, DefaultWorldStays 409, WorldNotFound 404
├── SnapshotNotFound 404, NothingToUndo 409, NothingToRedo 409, NoAdvance 409
└── DeliveriesInFlight 503, DeliveryEnded 503
"""

from __future__ import annotations

from giftsim.engine.problem import Problem


class EndOfCalendar(Problem, status=409, code="end_of_calendar"):
    """An advance would go beyond the year 9999, the last that has an instant (G355)."""


class ClockBackwards(Problem, status=409, code="clock_backwards"):
    """The clock cannot go to an instant in the past, or beyond the calendar."""


class ClockBusy(Problem, status=409, code="clock_busy"):
    """An advance of this world waits at a delivery (G7)."""


class TooManyEvents(Problem, status=409, code="too_many_events"):
    """An advance reached its bound of events (G42). What happened until then stays."""


class WorldGone(Problem, status=409, code="world_gone"):
    """The world was deleted while the call was in progress."""


class CallUndone(Problem, status=409, code="call_undone"):
    """An undo removed the call while it was held."""


class DeliveriesInFlight(Problem, status=503, code="deliveries_in_flight"):
    """Deliveries are on their way for longer than a call waits for them (G80)."""


class DeliveryEnded(Problem, status=503, code="service_unavailable"):
    """The delivery that a call waited for ended with a reset of its world (G80)."""


class InvalidWorld(Problem, status=400, code="invalid_world"):
    """The description of a world is invalid."""


class WorldExists(Problem, status=409, code="world_exists"):
    """A world with this id exists already."""


class WorldNotFound(Problem, status=404, code="world_not_found"):
    """No world has this id."""


class DefaultWorldStays(Problem, status=409, code="default_world_stays"):
    """The default world cannot be deleted; reset it instead (G11)."""


class TooManyWorlds(Problem, status=409, code="too_many_worlds"):
    """The simulator has as many worlds as `--max-worlds` allows."""


class SnapshotNotFound(Problem, status=404, code="snapshot_not_found"):
    """The world has no snapshot of this name."""


class NothingToUndo(Problem, status=409, code="nothing_to_undo"):
    """No client call that changed anything is left to undo (G40)."""


class NothingToRedo(Problem, status=409, code="nothing_to_redo"):
    """No undo took anything away, or something new has happened since (G410)."""


class NoAdvance(Problem, status=409, code="no_advance"):
    """No advance of the world is under way that could be canceled."""
