"""What this room brings into every world: tables, timers, machines, settings and hooks, for the composition root."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulator.kernel.machine import Machine
from simulator.kernel.setting import Setting
from simulator.kernel.state import Verb
from simulator.kernel.table import Spec
from simulator.webhooks import delivery, dispatch, setting, sourcing
from simulator.webhooks.attempt import ATTEMPT, WIRE
from simulator.webhooks.endpoint import ENDPOINT
from simulator.webhooks.event import EVENT
from simulator.webhooks.receiver import RECEIVER

SPECS: tuple[Spec[Any], ...] = (EVENT, ENDPOINT, RECEIVER, delivery.DELIVERY, ATTEMPT, WIRE)

TIMERS: Mapping[str, Verb] = MappingProxyType(
    {sourcing.SOURCE_TIMER: sourcing.source, delivery.ATTEMPT_TIMER: dispatch.attempt_due}
)

MACHINES: tuple[Machine[Any], ...] = (delivery.MACHINE,)

SETTINGS: Mapping[str, Setting[Any]] = MappingProxyType({choice.name: choice for choice in setting.ALL})

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"emit": sourcing.hear, f"name {delivery.MACHINE.name}": delivery.named}
)
