"""Builders and operations of people on a roster."""

from __future__ import annotations

from typing import Any

from tests.support.responses import expect_status
from tests.support.team.clients import TeamClient

# Every member that a body can set and that responses show.
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
    """A row of an upsert. `work_email` follows from the name by default."""
    return {"work_email": f"{name}@example.com", "first_name": name.capitalize(), **members}


def person_rows(count: int, **members: Any) -> list[dict[str, Any]]:
    """Rows of an upsert of so many people."""
    return [person_row(f"p{i}", **members) for i in range(count)]


def upsert_people(client: TeamClient, *rows: dict[str, Any]) -> list[Any]:
    """Create or update people; the people."""
    response = client.post("/people", {"people": list(rows)})
    assert response.status in (200, 201), response.text
    return list(response.json()["data"])


def find_person(client: TeamClient, person_id: int | str) -> Any:
    """The person with this id in the list of people."""
    return next(person for person in client.list_all("/people", 100) if person["id"] == person_id)


def patch_person(client: TeamClient, person_id: int | str, **members: Any) -> Any:
    """Change a person, which must succeed; the person."""
    return expect_status(client.patch(f"/people/{person_id}", members), 200).json()


def display_names(rows: list[Any]) -> list[str]:
    """Their display names."""
    return [person["display_name"] for person in rows]


def person_ids(rows: list[Any]) -> list[int | str]:
    """Their ids."""
    return [person["id"] for person in rows]
