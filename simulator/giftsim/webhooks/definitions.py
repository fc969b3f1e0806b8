"""What this room brings into every world: tables, timers, machines, settings and hooks, for the composition root."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.kernel.setting import Setting
from giftsim.kernel.state import Verb
from giftsim.kernel.state_machine import Machine
from giftsim.kernel.table import TableSpec
from giftsim.webhooks import delivery, dispatch, settings, sourcing
from giftsim.webhooks.attempt import ATTEMPT, WIRE
from giftsim.webhooks.endpoint import ENDPOINT
from giftsim.webhooks.event import EVENT
from giftsim.webhooks.receiver import RECEIVER

SPECS: tuple[TableSpec[Any], ...] = (EVENT, ENDPOINT, RECEIVER, delivery.DELIVERY, ATTEMPT, WIRE)

TIMERS: Mapping[str, Verb] = MappingProxyType(
    {sourcing.SOURCE_TIMER: sourcing.source, delivery.ATTEMPT_TIMER: dispatch.attempt_due}
)

MACHINES: tuple[Machine[Any], ...] = (delivery.MACHINE,)

SETTINGS: Mapping[str, Setting[Any]] = MappingProxyType({choice.name: choice for choice in settings.ALL})

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"emit": sourcing.hear, f"name {delivery.MACHINE.name}": delivery.named}
)
