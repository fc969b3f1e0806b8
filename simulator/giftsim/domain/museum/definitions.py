"""What the museum brings into every world: tables and settings, for the composition root; nothing in it is timed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.museum import settings
from giftsim.domain.museum.opening_hours import CLOSURES, OPENINGS
from giftsim.domain.museum.special_event import EVENTS
from giftsim.domain.museum.ticket import TICKETS
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import Verb
from giftsim.kernel.state_machine import Machine
from giftsim.kernel.table import TableSpec

SPECS: tuple[TableSpec[Any], ...] = (OPENINGS, CLOSURES, EVENTS, TICKETS)

MACHINES: tuple[Machine[Any], ...] = ()

TIMERS: Mapping[str, Verb] = MappingProxyType({})

SETTINGS: tuple[Setting[Any], ...] = settings.ALL

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType({})
