"""People to put on a roster, and what tests ask of the answers about them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from giftsim.kernel.instants import local_date, parse_date, parse_instant
from tests.support.responses import expect_status
from tests.support.team.clients import TeamClient
from tests.support.worlds import World

ZONE = "America/Los_Angeles"
UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"

# All that a person can have, as a body says it and as answers show it.
PERSON_FIELDS: dict[str, str] = {
    "first_name": "Cy",
    "last_name": "Cole",
    "start_date": "2024-02-29",
    "birthday": "02-29",
    "department": "Sales",
    "location": "Berlin",
    "country": "DE",
    "zip": "10115",
    "status": "active",
}


def person_row(name: str = "bo", **members: Any) -> dict[str, Any]:
    """A row of an upsert; `work_email` is made of the name unless told."""
    return {"work_email": f"{name}@example.com", "first_name": name.capitalize(), **members}


def person_rows(count: int, **members: Any) -> list[dict[str, Any]]:
    """Rows of so many people."""
    return [person_row(f"p{i}", **members) for i in range(count)]


def upsert_people(face: TeamClient, *rows: dict[str, Any]) -> list[Any]:
    """The people that an upsert of the rows makes or changes, as it shows them."""
    answer = face.post("/people", {"people": list(rows)})
    assert answer.status in (200, 201), answer.text
    return list(answer.json()["data"])


def find_person(face: TeamClient, person_id: int | str) -> Any:
    """A roster entry as the list shows it; it must be there."""
    return next(entry for entry in face.list_all("/people", 100) if entry["id"] == person_id)


def patch_person(face: TeamClient, person_id: int | str, **members: Any) -> Any:
    """A roster entry after a PATCH, which must succeed."""
    return expect_status(face.patch(f"/people/{person_id}", members), 200).json()


def display_names(rows: list[Any]) -> list[str]:
    """Their display names."""
    return [entry["display_name"] for entry in rows]


def person_ids(rows: list[Any]) -> list[int | str]:
    """Their ids."""
    return [entry["id"] for entry in rows]


def today_in_zone(world: World) -> date:
    """The day it is in Los Angeles."""
    return parse_date(local_date(parse_instant(world.now), ZONE))


def month_day_in(world: World, days: int) -> str:
    """The `MM-DD` so many days from today."""
    return (today_in_zone(world) + timedelta(days=days)).isoformat()[5:]
