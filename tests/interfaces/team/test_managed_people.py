"""Fields that a connected provider manages stay the provider's, whoever writes to them (A7.7)."""

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


def hire(team: TeamClients, **members: Any) -> Any:
    """A person as the provider writes them to the live roster."""
    entry = {"work_email": "bo@example.com", **MANAGED, "managed_fields": list(MANAGED), **members}
    answer = team.world.simulate("crm", provider="hubspot", people=[entry])
    return find_person(team.live, answer["people"][0]["id"])


def kept(entry: Any) -> dict[str, Any]:
    """The managed fields of an entry."""
    return {name: entry[name] for name in MANAGED}


@claims("T-2.13")
def test_a_patch_leaves_managed_fields_to_the_provider_and_changes_the_others(team: TeamClients) -> None:
    made = hire(team)
    assert (made["provider"], made["managed_fields"], kept(made)) == ("hubspot", list(MANAGED), MANAGED)
    body = {"department": "Legal", "start_date": "2026-01-01", "location": None, "zip": "1", "first_name": "Bo"}
    answer = patch_person(team.live, made["id"], **body)
    assert sorted(answer["ignored_fields"]) == ["department", "location", "start_date"]
    assert kept(answer) == MANAGED
    assert (answer["zip"], answer["first_name"]) == ("1", "Bo")
    assert find_person(team.live, made["id"]) == {name: answer[name] for name in answer if name != "ignored_fields"}


@claims("T-2.13")
def test_an_upsert_leaves_managed_fields_to_the_provider_and_changes_the_others(team: TeamClients) -> None:
    made = hire(team)
    bo, cy = upsert_people(
        team.live, person_row("bo", department="Legal", zip="1"), person_row("cy", department="Legal")
    )
    assert (bo["id"], bo["ignored_fields"], bo["zip"], kept(bo)) == (made["id"], ["department"], "1", MANAGED)
    assert (cy["ignored_fields"], cy["department"]) == ([], "Legal")
    assert find_person(team.live, made["id"])["department"] == "Sales"


@claims("T-2.13")
def test_the_providers_own_writes_go_through(team: TeamClients) -> None:
    made = hire(team)
    again = hire(team, department="Support", managed_fields=["department"])
    assert (again["id"], again["department"], again["managed_fields"]) == (made["id"], "Support", ["department"])
    assert patch_person(team.live, made["id"], location="Paris")["location"] == "Paris"


def test_a_managed_email_cannot_be_changed_and_still_finds_the_person(team: TeamClients) -> None:
    made = hire(team, managed_fields=["work_email", "zip"])
    assert patch_person(team.live, made["id"], work_email="new@example.com")["ignored_fields"] == ["work_email"]
    answer = expect_status(
        team.live.post("/people", {"people": [person_row("bo", work_email="BO@example.com", zip="1")]}), 200
    ).json()
    assert (answer["data"][0]["id"], answer["data"][0]["ignored_fields"]) == (made["id"], ["zip"])
    answer = expect_status(team.live.post("/people", {"people": [person_row("new")]}), 201).json()
    assert answer["data"][0]["id"] != made["id"]


def test_a_person_of_a_provider_may_be_taken_off_the_roster(team: TeamClients) -> None:
    made = hire(team)
    expect_status(team.live.delete(f"/people/{made['id']}"), 200)
    assert team.live.list_all("/people") == []


def test_writes_to_managed_fields_are_refused_where_a_world_says_so(team: TeamClients) -> None:
    made = hire(team)
    team.world.change_settings(people__managed_fields="refuse")
    answer = team.live.post(
        "/people", {"people": [person_row("cy"), person_row("bo", location="X", zip="1", department="Y")]}
    )
    rows = expect_error(answer, 422, "validation_failed")["details"]
    assert sorted((each["index"], each["field"]) for each in rows) == [(1, "department"), (1, "location")]
    expect_error(team.live.patch(f"/people/{made['id']}", {"location": "X", "zip": "1"}), 422, "validation_failed")
    assert team.live.list_all("/people") == [made]
    assert patch_person(team.live, made["id"], zip="1")["zip"] == "1"


def test_a_provider_may_manage_people_of_a_sandbox(team: TeamClients) -> None:
    answer = team.world.simulate(
        "crm", provider="hubspot", key="team.test", people=[{"work_email": "bo@example.com", "zip": "1"}]
    )
    made = find_person(team.test, answer["people"][0]["id"])
    assert patch_person(team.test, made["id"], zip="2")["ignored_fields"] == ["zip"]
    assert team.live.list_all("/people") == team.test_second.list_all("/people") == []


@claims("T-2.13")
@pytest.mark.parametrize("fixture", ["default", "roster"])
def test_the_made_up_company_has_people_whom_a_provider_manages(new_world: Callable[..., World], fixture: str) -> None:
    live: TeamClient = TeamClients(new_world(fixture=fixture)).live
    managed = [entry for entry in live.list_all("/people", 100) if entry["provider"]]
    assert managed
    for entry in managed[:3]:
        answer = patch_person(live, entry["id"], **dict.fromkeys(entry["managed_fields"], "Other"), location="Reno")
        assert answer["ignored_fields"] == entry["managed_fields"]
        assert {**answer, "updated_at": "", "ignored_fields": []} == {
            **entry, "location": "Reno", "updated_at": "", "ignored_fields": [],
        }  # fmt: skip
