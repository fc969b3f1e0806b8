"""What people and contacts bring into every world; nothing of it is timed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.team.people import person, upcoming_dates
from giftsim.domain.team.people.contact import CONNECTIONS, CONTACTS, OUTAGES
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import Verb
from giftsim.kernel.state_machine import Machine
from giftsim.kernel.table import TableSpec

SPECS: tuple[TableSpec[Any], ...] = (person.PEOPLE, CONNECTIONS, CONTACTS, OUTAGES)

MACHINES: tuple[Machine[Any], ...] = ()

TIMERS: Mapping[str, Verb] = MappingProxyType({})

SETTINGS: tuple[Setting[Any], ...] = (*person.SETTINGS, upcoming_dates.WINDOW_DAYS)

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType({})
