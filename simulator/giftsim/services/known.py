"""The services that there are, and several of them with the engine as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from giftsim.engine import control
from giftsim.engine.definitions import DEFINITIONS
from giftsim.engine.gateway.effect_types import types_in
from giftsim.engine.gateway.faults import effects
from giftsim.engine.gateway.faults.webhook_faults import EVENT_TABLE, EVENT_TABLES, OWNER_INTERFACE
from giftsim.engine.gateway.other_readings import EVERY, READINGS, data_read_otherwise
from giftsim.engine.gateway.own_kinds import KINDS
from giftsim.engine.gateway.record_search import Search
from giftsim.engine.gateway.secret_kinds import WEBHOOK_SECRET, Secrets
from giftsim.engine.gateway.simulated_service import SERVICES, Facts, Service, merge
from giftsim.engine.kernel.definitions import PackageDefinitions, merge_definitions
from giftsim.engine.kernel.signals import connect, connect_key
from giftsim.engine.kernel.state import TIMER_SUBJECT, Definitions, State
from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.problem import ERRORS, Problem
from giftsim.engine.webhooks.fan_out import EVENT_DATA, SENT_AT_ONCE
from giftsim.engine.webhooks.receiver import FORWARD_ALLOWED
from giftsim.engine.worlds.changes import OUTPUTS

if TYPE_CHECKING:
    from giftsim.engine.gateway.documents import Documents


class UnknownService(Problem, status=400, code="invalid_world"):
    """A simulator was asked for a service that there is not, or for none."""


def _gifting() -> Service:
    from giftsim.services.gifting.service import GIFTING

    return GIFTING


def _museum() -> Service:
    from giftsim.services.museum.service import MUSEUM

    return MUSEUM


def _documents() -> Documents:
    from giftsim.services.statements.entry import DOCUMENTS

    return DOCUMENTS


def _searches() -> Sequence[Search[Any]]:
    from giftsim.engine.control.own_searches import SEARCHES

    return SEARCHES


# Each is imported when a simulator has it.
ALL: Final[Mapping[str, Callable[[], Service]]] = {"gifting": _gifting, "museum": _museum}
# What every simulator has, whatever it simulates.
ENGINE: Final = Service(
    name="engine",
    definitions=DEFINITIONS,
    kinds=KINDS,
    searches=(_searches,),
    areas=(control.__name__,),
    readings=(READINGS,),
    secrets=(Secrets((WEBHOOK_SECRET,)),),
    families=("general",),
    effects=types_in(effects),
    read_documents=(_documents,),
)


Wanted = str | Service


def read_services(wanted: Iterable[Wanted] | None) -> tuple[Wanted, ...]:
    """The services with some names in the order of ALL, each once, then those given whole; all of ALL for None.

    UnknownService.
    """
    if wanted is None:
        return tuple(ALL)
    given = tuple(wanted)
    for name in given:
        if isinstance(name, str) and name not in ALL:
            raise UnknownService(f"there is no service {name[:60]!r}; {suggest_name(name, [*ALL])}")
    if not given:
        raise UnknownService(f"name at least one service; there are {', '.join(ALL)}")
    named = (name for name in ALL if name in given)
    return (*named, *(each for each in given if isinstance(each, Service)))


@cache
def merged_service(wanted: tuple[Wanted, ...] = tuple(ALL)) -> Service:
    """Services, by their names or given whole, and the engine, as one."""
    return merge(*(each if isinstance(each, Service) else ALL[each]() for each in wanted), ENGINE)


def contracts_of(service: Service) -> dict[str, Path]:
    """The contract of each interface of a service, and that of the control API."""
    own = {name: interface.contract for name, interface in service.interfaces.items()}
    return {**own, "control": Path(control.__path__[0]) / "contract.yaml"}


def make_definitions(forward_allow: tuple[str, ...] = (), service: Service | None = None) -> Definitions:
    """The definitions that all worlds share. Webhooks may be forwarded to loopback and to `forward_allow`."""
    service = service or merged_service()
    outputs = tuple((output.name, output.kind.table) for output in service.outputs)
    readings = {name: each for table in service.readings for name, each in table.items()}
    connections = (
        connect(SERVICES, service),
        connect(EVERY, lambda: readings),
        connect(OUTPUTS, outputs),
        connect(FORWARD_ALLOWED, lambda: forward_allow),
        *(connect_key(TIMER_SUBJECT, owner, kind.label_of) for owner, kind in service.kind_of_timer.items()),
    )
    owners = _owners(service)
    return merge_definitions(service.definitions, owners, PackageDefinitions(connections=connections)).compiled(ERRORS)


def _owners(service: Service) -> PackageDefinitions:
    """What webhooks and their faults ask about the owners of events and endpoints."""

    def data(state: State, owner: str, kind: str, subject: int, facts: Facts, now_ms: int) -> bytes:
        return data_read_otherwise(state, service.owner(owner).data(state, kind, subject, facts, now_ms))

    tables = tuple(dict.fromkeys(name for owner in service.owners.values() for name in owner.tables))
    return PackageDefinitions(
        connections=(
            connect(EVENT_DATA, data),
            connect(SENT_AT_ONCE, lambda _kind, owner: service.owner(owner).at_once),
            connect(OWNER_INTERFACE, lambda owner: service.owner(owner).interface),
            connect(EVENT_TABLE, lambda event: service.owner(event.owner).table(event)),
            connect(EVENT_TABLES, lambda: tables),
        )
    )
