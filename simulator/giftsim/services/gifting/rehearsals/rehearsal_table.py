"""All rehearsals, in the order of the page that lists them."""

from __future__ import annotations

from typing import Final

from giftsim.engine.gateway.rehearsal import Rehearsal
from giftsim.services.gifting.rehearsals import money_rehearsals, parcel_rehearsals, people_rehearsals

REHEARSALS: Final[tuple[Rehearsal, ...]] = (
    *parcel_rehearsals.REHEARSALS,
    *money_rehearsals.REHEARSALS,
    *people_rehearsals.REHEARSALS,
)
