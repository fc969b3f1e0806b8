"""What actors bring into every world: two tables, the timers of their acts, and the hooks by which they are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulator.domain.actors import acting
from simulator.domain.actors.actor import ACTORS
from simulator.kernel.state import Verb
from simulator.kernel.table import Spec

SPECS: tuple[Spec[Any], ...] = (ACTORS, acting.ACTS)

TIMERS: Mapping[str, Verb] = MappingProxyType({acting.CLAIM: acting.happen, acting.DECIDE: acting.happen})

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"link_opened": acting.link_opened, "approval_asked": acting.approval_asked}
)
