"""What the catalogue of teams brings into every world: its collections; products are the orders' own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.team.catalogue.collection import COLLECTIONS
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import Verb
from giftsim.kernel.state_machine import Machine
from giftsim.kernel.table import TableSpec

SPECS: tuple[TableSpec[Any], ...] = (COLLECTIONS,)

MACHINES: tuple[Machine[Any], ...] = ()

TIMERS: Mapping[str, Verb] = MappingProxyType({})

SETTINGS: tuple[Setting[Any], ...] = ()

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType({})
