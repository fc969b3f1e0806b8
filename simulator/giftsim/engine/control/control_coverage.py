"""Coverage: what an app has met in a world, or in all worlds of this process."""

from __future__ import annotations

from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response


def get_coverage(call: Call) -> Response:
    """Return the coverage of a world. Its lock is held only while its logs are read."""
    keeper = services_of(call).coverage()
    with current_state(call.world):
        met = keeper.met_in(call.world)
    return Response(200, keeper.report(met, with_next=call.query["next"]))


def get_whole_coverage(call: Call) -> Response:
    """Return the coverage of all worlds together, with those that were deleted since coverage is kept."""
    keeper = services_of(call).coverage()
    return Response(200, keeper.report(keeper.met_in_all(), with_next=call.query["next"]))
