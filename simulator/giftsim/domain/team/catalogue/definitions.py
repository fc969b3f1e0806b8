"""The table of collections; that of products belongs to fulfilment."""

from __future__ import annotations

from giftsim.domain.team.catalogue.collection import COLLECTIONS
from giftsim.kernel.definitions import PackageDefinitions

DEFINITIONS = PackageDefinitions(
    tables=(COLLECTIONS,),
)
