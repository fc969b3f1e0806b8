"""Fields managed by a connected provider: writes of others are ignored or refused (A7.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.claims import claims
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.people import find_person, patch_person, person_row, upsert_people
from tests.support.worlds import World

MANAGED = {"department": "Sales", "location": "Berlin", "start_date": None}


def create_managed_person(team: TeamClients, **members: Any) -> Any:
    """Let the provider write a person to the live roster; the person."""
    entry = {"work_email": "bo@example.com", **MANAGED, "managed_fields": list(MANAGED), **members}
    response = team.world.simulate("crm", provider="hubspot", people=[entry])
    return find_person(team.live, response["people"][0]["id"])


def managed_values(entry: Any) -> dict[str, Any]:
    """The managed fields of a person and their values."""
    return {name: entry[name] for name in MANAGED}


@claims("T-2.13")
def test_a_patch_leaves_managed_fields_to_the_provider_and_changes_the_others(team: TeamClients) -> None:
    person = create_managed_person(team)
    assert (person["provider"], person["managed_fields"], managed_values(person)) == ("hubspot", list(MANAGED), MANAGED)
    body = {"department": "Legal", "start_date": "2026-01-01", "location": None, "zip": "1", "first_name": "Bo"}
    response = patch_person(team.live, person["id"], **body)
    assert sorted(response["ignored_fields"]) == ["department", "location", "start_date"]
    assert managed_values(response) == MANAGED
    assert (response["zip"], response["first_name"]) == ("1", "Bo")
    assert find_person(team.live, person["id"]) == {
        name: response[name] for name in response if name != "ignored_fields"
    }


@claims("T-2.13")
def test_an_upsert_leaves_managed_fields_to_the_provider_and_changes_the_others(team: TeamClients) -> None:
    person = create_managed_person(team)
    bo, cy = upsert_people(
        team.live, person_row("bo", department="Legal", zip="1"), person_row("cy", department="Legal")
    )
    assert (bo["id"], bo["ignored_fields"], bo["zip"], managed_values(bo)) == (
        person["id"],
        ["department"],
        "1",
        MANAGED,
    )
    assert (cy["ignored_fields"], cy["department"]) == ([], "Legal")
    assert find_person(team.live, person["id"])["department"] == "Sales"


@claims("T-2.13")
def test_the_provider_can_write_managed_fields(team: TeamClients) -> None:
    person = create_managed_person(team)
    again = create_managed_person(team, department="Support", managed_fields=["department"])
    assert (again["id"], again["department"], again["managed_fields"]) == (person["id"], "Support", ["department"])
    assert patch_person(team.live, person["id"], location="Paris")["location"] == "Paris"


def test_a_managed_email_cannot_be_changed_and_still_identifies_the_person(team: TeamClients) -> None:
    person = create_managed_person(team, managed_fields=["work_email", "zip"])
    assert patch_person(team.live, person["id"], work_email="new@example.com")["ignored_fields"] == ["work_email"]
    response = expect_status(
        team.live.post("/people", {"people": [person_row("bo", work_email="BO@example.com", zip="1")]}), 200
    ).json()
    assert (response["data"][0]["id"], response["data"][0]["ignored_fields"]) == (person["id"], ["zip"])
    response = expect_status(team.live.post("/people", {"people": [person_row("new")]}), 201).json()
    assert response["data"][0]["id"] != person["id"]


def test_a_managed_person_can_be_removed_from_the_roster(team: TeamClients) -> None:
    person = create_managed_person(team)
    expect_status(team.live.delete(f"/people/{person['id']}"), 200)
    assert team.live.list_all("/people") == []


def test_a_setting_refuses_writes_to_managed_fields(team: TeamClients) -> None:
    person = create_managed_person(team)
    team.world.change_settings(people__managed_fields="refuse")
    response = team.live.post(
        "/people", {"people": [person_row("cy"), person_row("bo", location="X", zip="1", department="Y")]}
    )
    rows = expect_error(response, 422, "validation_failed")["details"]
    assert sorted((each["index"], each["field"]) for each in rows) == [(1, "department"), (1, "location")]
    expect_error(team.live.patch(f"/people/{person['id']}", {"location": "X", "zip": "1"}), 422, "validation_failed")
    assert team.live.list_all("/people") == [person]
    assert patch_person(team.live, person["id"], zip="1")["zip"] == "1"


def test_a_provider_can_manage_people_of_a_sandbox(team: TeamClients) -> None:
    response = team.world.simulate(
        "crm", provider="hubspot", key="team.test", people=[{"work_email": "bo@example.com", "zip": "1"}]
    )
    created = find_person(team.test, response["people"][0]["id"])
    assert patch_person(team.test, created["id"], zip="2")["ignored_fields"] == ["zip"]
    assert team.live.list_all("/people") == team.test_second.list_all("/people") == []


@claims("T-2.13")
@pytest.mark.parametrize("fixture", ["default", "roster"])
def test_the_default_fixture_has_managed_people(new_world: Callable[..., World], fixture: str) -> None:
    live: TeamClient = TeamClients(new_world(fixture=fixture)).live
    managed = [entry for entry in live.list_all("/people", 100) if entry["provider"]]
    assert managed
    for entry in managed[:3]:
        response = patch_person(live, entry["id"], **dict.fromkeys(entry["managed_fields"], "Other"), location="Reno")
        assert response["ignored_fields"] == entry["managed_fields"]
        assert {**response, "updated_at": "", "ignored_fields": []} == {
            **entry, "location": "Reno", "updated_at": "", "ignored_fields": [],
        }  # fmt: skip
