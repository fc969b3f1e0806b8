"""What the museum adds to every world; nothing in it is timed."""

from __future__ import annotations

from giftsim.domain.museum import settings
from giftsim.domain.museum.opening_hours import CLOSURES, OPENINGS
from giftsim.domain.museum.special_event import EVENTS
from giftsim.domain.museum.ticket import TICKETS
from giftsim.kernel.definitions import PackageDefinitions

DEFINITIONS = PackageDefinitions(
    tables=(OPENINGS, CLOSURES, EVENTS, TICKETS),
    settings=settings.ALL,
)
