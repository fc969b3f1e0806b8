"""What the catalogue of teams brings into every world: its collections; products are the orders' own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulator.domain.team.catalogue.collection import COLLECTIONS
from simulator.kernel.machine import Machine
from simulator.kernel.setting import Setting
from simulator.kernel.state import Verb
from simulator.kernel.table import Spec

SPECS: tuple[Spec[Any], ...] = (COLLECTIONS,)

MACHINES: tuple[Machine[Any], ...] = ()

TIMERS: Mapping[str, Verb] = MappingProxyType({})

SETTINGS: tuple[Setting[Any], ...] = ()

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType({})
