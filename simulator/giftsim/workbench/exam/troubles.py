"""What goes wrong: with calls of the app, as effects of faults, and with parcels on their way, as rehearsals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.workbench.exam.drawing import Drawing

CREATE, CANCEL, LIST, SETTLE = "createTeamOrder", "cancelTeamOrder", "listTeamOrders", "settleBalance"

LOST_AFTER: Final = {"drop": "after"}  # the service acts, and its answer is lost
LOST_BEFORE: Final = {"drop": "before"}  # the call never arrives
UNKNOWN_OUTCOME: Final = {"crash": "after_charge"}  # nobody knows whether the order was paid

_SERVER_ERRORS: Final[tuple[Mapping[str, Any], ...]] = (
    {"status": 500, "undocumented": True},
    {"status": 502, "undocumented": True},
    {"status": 504, "undocumented": True},
    {"status": 503, "undocumented": True, "retry_after": 0},
)


def server_error(draw: Drawing) -> Mapping[str, Any]:
    """The service has a trouble of its own."""
    return dict(draw.one_of(*_SERVER_ERRORS))


def any_trouble(draw: Drawing) -> Mapping[str, Any]:
    """A call or its answer is lost, or the service has a trouble."""
    return dict(draw.one_of(LOST_AFTER, LOST_BEFORE, server_error(draw)))


GIVEN_UP: Final = ("parcel-lost", "parcel-returned", "parcel-refused")  # parcels that do not arrive
FOUND, HELD_UP, OUT_OF_ORDER = "parcel-found", "parcel-delayed", "scans-out-of-order"


def any_loss(draw: Drawing) -> str:
    """The rehearsal of a parcel that the carrier does not deliver."""
    return str(draw.one_of(*GIVEN_UP))
