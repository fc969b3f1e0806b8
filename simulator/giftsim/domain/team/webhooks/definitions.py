"""What subscriptions bring into every world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.team.webhooks import subscription
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import Verb
from giftsim.kernel.state_machine import Machine
from giftsim.kernel.table import TableSpec

SPECS: tuple[TableSpec[Any], ...] = (subscription.SUBSCRIPTIONS,)

MACHINES: tuple[Machine[Any], ...] = ()

TIMERS: Mapping[str, Verb] = MappingProxyType({})

SETTINGS: tuple[Setting[Any], ...] = (subscription.MOST,)

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType({"thresholds": subscription.thresholds})
