"""What teams bring into every world, merged from their rooms: tables, machines, timers, settings and hooks.

Teams, members and sessions themselves stand among the domain's tables, since keys are bound to them. A room adds itself
to ROOMS, and to SEEDS if it plants a section of the fixture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from giftsim.domain.team import settings
from giftsim.domain.team.billing import definitions as billing_laws
from giftsim.domain.team.billing import seed as billing_seed
from giftsim.domain.team.catalogue import definitions as catalogue_laws
from giftsim.domain.team.catalogue import seed as catalogue_seed
from giftsim.domain.team.orders import definitions as orders_laws
from giftsim.domain.team.orders import seed as orders_seed
from giftsim.domain.team.people import definitions as people_laws
from giftsim.domain.team.people import seed as people_seed
from giftsim.domain.team.programs import definitions as programs_laws
from giftsim.domain.team.programs import seed as programs_seed
from giftsim.domain.team.studio import definitions as studio_laws
from giftsim.domain.team.webhooks import definitions as hearing_laws
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import State, Verb
from giftsim.kernel.state_machine import Machine
from giftsim.kernel.table import TableSpec

ROOMS: tuple[Any, ...] = (
    billing_laws,
    catalogue_laws,
    hearing_laws,
    orders_laws,
    people_laws,
    programs_laws,
    studio_laws,
)

SEEDS: tuple[Callable[[State, Mapping[str, Any]], None], ...] = (
    billing_seed.plant,
    catalogue_seed.plant,
    people_seed.plant,
    orders_seed.plant,
    programs_seed.plant,
)

SPECS: tuple[TableSpec[Any], ...] = tuple(spec for room in ROOMS for spec in room.SPECS)

MACHINES: tuple[Machine[Any], ...] = tuple(machine for room in ROOMS for machine in room.MACHINES)

TIMERS: dict[str, Verb] = {kind: verb for room in ROOMS for kind, verb in room.TIMERS.items()}

PERPETUAL: frozenset[str] = frozenset(programs_laws.PERPETUAL)

SETTINGS: tuple[Setting[Any], ...] = (*settings.ALL, *(entry for room in ROOMS for entry in room.SETTINGS))

HOOKS: dict[str, Callable[..., Any]] = {name: hook for room in ROOMS for name, hook in room.HOOKS.items()}


def plant(state: State, data: Mapping[str, Any]) -> None:
    """Put the rooms' sections of a fixture into a state that has its teams, keys and catalogue, in the order of SEEDS.

    Each seed takes its own transactions.
    """
    for seed in SEEDS:
        seed(state, data)
