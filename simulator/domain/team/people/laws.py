"""What people and contacts bring into every world; nothing of it is timed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulator.domain.team.people import person, upcoming
from simulator.domain.team.people.contact import CONNECTIONS, CONTACTS, OUTAGES
from simulator.kernel.machine import Machine
from simulator.kernel.setting import Setting
from simulator.kernel.state import Verb
from simulator.kernel.table import Spec

SPECS: tuple[Spec[Any], ...] = (person.PEOPLE, CONNECTIONS, CONTACTS, OUTAGES)

MACHINES: tuple[Machine[Any], ...] = ()

TIMERS: Mapping[str, Verb] = MappingProxyType({})

SETTINGS: tuple[Setting[Any], ...] = (*person.SETTINGS, upcoming.WINDOW_DAYS)

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType({})
