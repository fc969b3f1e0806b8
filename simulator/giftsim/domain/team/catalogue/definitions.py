"""What the catalogue of teams adds to every world: its collections; products belong to fulfilment."""

from __future__ import annotations

from giftsim.domain.team.catalogue.collection import COLLECTIONS
from giftsim.kernel.definitions import PackageDefinitions

DEFINITIONS = PackageDefinitions(
    tables=(COLLECTIONS,),
)
