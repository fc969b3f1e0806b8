"""The museum as a service: a small and whole one, from which one learns what a service is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from giftsim.engine.gateway.call import Interface
from giftsim.engine.gateway.other_readings import Answer, reading_of
from giftsim.engine.gateway.record_kind import Kind
from giftsim.engine.gateway.record_search import Search, SearchField
from giftsim.engine.gateway.simulated_service import Credentials, Greeting, Service, Simulated
from giftsim.engine.kernel.definitions import PackageDefinitions, merge_definitions
from giftsim.engine.kernel.state import State
from giftsim.services.museum import museum_settings
from giftsim.services.museum.museum_definitions import DEFINITIONS, seed_museum
from giftsim.services.museum.special_event import SPECIAL_EVENTS, SpecialEvent
from giftsim.services.museum.ticket import TICKETS, Ticket

NAME: Final = "museum"


def _blank_type(answer: Answer) -> None:
    if answer.interface == NAME and answer.status >= 400 and isinstance(answer.body, dict):
        answer.body["type"] = "about:blank"


BLANK_TYPES: Final = reading_of(
    "blank_problem_types", "the `type` of the museum's problems is about:blank (G118)", _blank_type
)

SPECIAL_EVENT = Kind("museum_special_event", SPECIAL_EVENTS, id=lambda row: row.event_id)
TICKET = Kind("museum_ticket", TICKETS, id=lambda row: row.ticket_id)
EVENT_SEARCH: Final[Search[SpecialEvent]] = Search(
    "museum/events",
    SPECIAL_EVENT,
    "a special event",
    "its id, its name, its location and its description",
    text=lambda _, row: (row.event_id, row.name, row.location, row.description),
)
TICKET_SEARCH: Final[Search[Ticket]] = Search(
    "museum/tickets",
    TICKET,
    "a ticket",
    "its id, its address, its confirmation code and its day",
    text=lambda _, row: (row.ticket_id, row.email, row.confirmation_code, row.day),
    at=lambda row: row.bought_ms,
    fields=(
        SearchField("who", "the address of the buyer", "who:zoe@", of=lambda _, row: (row.email,), in_part=True),
        SearchField("kind", "its kind", "kind:general", of=lambda _, row: (row.kind,)),
    ),
)


def _searches() -> Sequence[Search[Any]]:
    return EVENT_SEARCH, TICKET_SEARCH


def _interface() -> Interface:
    from giftsim.services.museum.museum_interface import museum

    return museum()


def _credentials(_state: State, world_id: str) -> dict[str, Any]:
    return {
        NAME: {
            "type": "basic",
            "user": museum_settings.user_name(world_id),
            "password": museum_settings.PASSWORD,
            "headers": {"Authorization": museum_settings.authorization_header(world_id)},
        }
    }


def _name_in_headers(_state: State, world_id: str, headers: Mapping[str, str]) -> str | None:
    return NAME if headers.get("Authorization") == museum_settings.authorization_header(world_id) else None


def _seed(state: State, data: Mapping[str, Any]) -> None:
    with state.transaction():
        seed_museum(state, data.get("museum", {}))


def _interfaces(origin: str, world: str) -> list[tuple[str, str, str]]:
    access = f"user {museum_settings.user_name(world)}, password {museum_settings.PASSWORD}"
    return [("museum API", f"{origin}/v1.1", access)]


MUSEUM: Final = Service(
    name=NAME,
    interfaces={NAME: Simulated("/v1.1", Path(__file__).with_name("contract.yaml"), _interface)},
    definitions=merge_definitions(DEFINITIONS, PackageDefinitions(settings=(BLANK_TYPES.setting,))),
    readings=({BLANK_TYPES.setting.name: BLANK_TYPES},),
    seeds=(_seed,),
    credentials=(Credentials(_credentials, _name_in_headers),),
    greetings=(Greeting(_interfaces),),
    families=(NAME,),
    kinds=(SPECIAL_EVENT, TICKET),
    searches=(_searches,),
    areas=(f"{__package__}.records",),
)
