"""What subscriptions bring into every world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulator.domain.team.hearing import subscription
from simulator.kernel.machine import Machine
from simulator.kernel.setting import Setting
from simulator.kernel.state import Verb
from simulator.kernel.table import Spec

SPECS: tuple[Spec[Any], ...] = (subscription.SUBSCRIPTIONS,)

MACHINES: tuple[Machine[Any], ...] = ()

TIMERS: Mapping[str, Verb] = MappingProxyType({})

SETTINGS: tuple[Setting[Any], ...] = (subscription.MOST,)

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType({"thresholds": subscription.thresholds})
