"""What a world refuses about its time and its existence.

Problem
├── ClockBackwards 409, ClockBusy 409, TooManyEvents 409, WorldGone 409, CallUndone 409
├── InvalidWorld 400, WorldExists 409, TooManyWorlds 409, WorldNotFound 404
└── SnapshotNotFound 404, NothingToUndo 409
"""

from __future__ import annotations

from giftsim.kernel.problem import Problem


class ClockBackwards(Problem):
    """Time only goes forward."""

    status = 409
    code = "clock_backwards"


class ClockBusy(Problem):
    """An advance of this world stands at a delivery (G7)."""

    status = 409
    code = "clock_busy"


class TooManyEvents(Problem):
    """An advance met its bound (G42); what happened until then stands."""

    status = 409
    code = "too_many_events"


class WorldGone(Problem):
    """The world was deleted while the call was under way."""

    status = 409
    code = "world_gone"


class CallUndone(Problem):
    """An undo took the call back while it was held."""

    status = 409
    code = "call_undone"


class InvalidWorld(Problem):
    """The description of a world does not make one."""

    status = 400
    code = "invalid_world"


class WorldExists(Problem):
    """A world with this id is there already."""

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
    """As many worlds as the simulator was told to hold (`--max-worlds`)."""

    status = 409
    code = "too_many_worlds"


class SnapshotNotFound(Problem):
    """The world has no snapshot of this name."""

    status = 404
    code = "snapshot_not_found"


class NothingToUndo(Problem):
    """No client call is left that changed anything and could be taken back (G40)."""

    status = 409
    code = "nothing_to_undo"
