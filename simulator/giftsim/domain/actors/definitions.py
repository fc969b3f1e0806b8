"""What actors bring into every world: two tables, the timers of their acts, and the hooks by which they are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.actors import schedule
from giftsim.domain.actors.actor import ACTORS
from giftsim.kernel.state import Verb
from giftsim.kernel.table import TableSpec

SPECS: tuple[TableSpec[Any], ...] = (ACTORS, schedule.ACTS)

TIMERS: Mapping[str, Verb] = MappingProxyType({schedule.CLAIM: schedule.happen, schedule.DECIDE: schedule.happen})

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"link_opened": schedule.link_opened, "approval_asked": schedule.approval_asked}
)
