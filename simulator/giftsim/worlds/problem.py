"""Errors about a world's time and existence.

Problem
├── ClockBackwards 409, ClockBusy 409, TooManyEvents 409, WorldGone 409, CallUndone 409
├── InvalidWorld 400, WorldExists 409, TooManyWorlds 409, DefaultWorldStays 409, WorldNotFound 404
├── SnapshotNotFound 404, NothingToUndo 409, NoAdvance 409
└── DeliveriesInFlight 503, DeliveryEnded 503
"""

from __future__ import annotations

from giftsim.problem import Problem


class ClockBackwards(Problem):
    """The clock cannot go to an instant in the past, or beyond the calendar."""

    status = 409
    code = "clock_backwards"


class ClockBusy(Problem):
    """An advance of this world waits at a delivery (G7)."""

    status = 409
    code = "clock_busy"


class TooManyEvents(Problem):
    """An advance reached its bound of events (G42). What happened until then stays."""

    status = 409
    code = "too_many_events"


class WorldGone(Problem):
    """The world was deleted while the call was in progress."""

    status = 409
    code = "world_gone"


class CallUndone(Problem):
    """An undo removed the call while it was held."""

    status = 409
    code = "call_undone"


class DeliveriesInFlight(Problem):
    """Deliveries are on their way for longer than a call waits for them (G80)."""

    status = 503
    code = "deliveries_in_flight"


class DeliveryEnded(Problem):
    """The delivery that a call waited for ended with a reset of its world (G80)."""

    status = 503
    code = "service_unavailable"


class InvalidWorld(Problem):
    """The description of a world is invalid."""

    status = 400
    code = "invalid_world"


class WorldExists(Problem):
    """A world with this id exists already."""

    status = 409
    code = "world_exists"


class WorldNotFound(Problem):
    """No world has this id."""

    status = 404
    code = "world_not_found"


class DefaultWorldStays(Problem):
    """The default world cannot be deleted; reset it instead (G11)."""

    status = 409
    code = "default_world_stays"


class TooManyWorlds(Problem):
    """The simulator has as many worlds as `--max-worlds` allows."""

    status = 409
    code = "too_many_worlds"


class SnapshotNotFound(Problem):
    """The world has no snapshot of this name."""

    status = 404
    code = "snapshot_not_found"


class NothingToUndo(Problem):
    """No client call that changed anything is left to undo (G40)."""

    status = 409
    code = "nothing_to_undo"


class NoAdvance(Problem):
    """No advance of the world is under way that could be canceled."""

    status = 409
    code = "no_advance"
