"""What the museum brings into every world: tables and settings, for the composition root; nothing in it is timed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulator.domain.museum import setting
from simulator.domain.museum.hours import CLOSURES, OPENINGS
from simulator.domain.museum.special_event import EVENTS
from simulator.domain.museum.ticket import TICKETS
from simulator.kernel.machine import Machine
from simulator.kernel.setting import Setting
from simulator.kernel.state import Verb
from simulator.kernel.table import Spec

SPECS: tuple[Spec[Any], ...] = (OPENINGS, CLOSURES, EVENTS, TICKETS)

MACHINES: tuple[Machine[Any], ...] = ()

TIMERS: Mapping[str, Verb] = MappingProxyType({})

SETTINGS: tuple[Setting[Any], ...] = setting.ALL

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType({})
