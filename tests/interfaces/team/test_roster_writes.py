"""Writes to the roster by keys that may not read it: they answer with ids and with what was sent (G60)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.claims import claims
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.people import PERSON_FIELDS, person_row, upsert_people

STORED = person_row(**PERSON_FIELDS)


def blind_key(team: TeamClients, cause: str) -> TeamClient:
    """A key that writes to the roster but may not read it, for lack of the role or of the scope."""
    if cause == "role":
        return team.key("people:read", "people:write", role="requester")
    return team.key("people:write", role="approver")


CAUSES = pytest.mark.parametrize("cause", ["role", "scope"])


@claims("T-4.218")
@CAUSES
def test_a_patch_by_who_may_not_read_shows_only_what_was_sent(team: TeamClients, cause: str) -> None:
    (person,) = upsert_people(team.live, STORED)
    response = expect_status(blind_key(team, cause).patch(f"/people/{person['id']}", {"department": "Legal"}), 200)
    assert response.json() == {"id": person["id"], "department": "Legal", "livemode": True}
    (reloaded,) = [row for row in team.live.list_all("/people") if row["id"] == person["id"]]
    assert reloaded == {
        **{name: value for name, value in person.items() if name != "ignored_fields"}, "department": "Legal",
    }  # fmt: skip


@CAUSES
def test_an_empty_patch_by_who_may_not_read_shows_the_id_alone(team: TeamClients, cause: str) -> None:
    (person,) = upsert_people(team.live, STORED)
    response = blind_key(team, cause).patch(f"/people/{person['id']}", {"work_email": "new@example.com"})
    assert expect_status(response, 200).json() == {"id": person["id"], "livemode": True}


@claims("T-4.218")
@CAUSES
def test_an_upsert_by_who_may_not_read_shows_only_what_was_sent(team: TeamClients, cause: str) -> None:
    (person,) = upsert_people(team.live, STORED)
    rows = [{"work_email": STORED["work_email"], "zip": None}, person_row("new", department="Legal")]
    response = expect_status(blind_key(team, cause).post("/people", {"people": rows}), 201)
    known, new = response.json()["data"]
    assert known == {"id": person["id"], "zip": None, "livemode": True}
    assert new == {"id": new["id"], "first_name": "New", "department": "Legal", "livemode": True}
    assert (response.json()["created"], response.json()["updated"]) == (1, 1)


@CAUSES
@pytest.mark.parametrize("refuse", [False, True])
def test_who_may_not_read_does_not_learn_what_a_provider_manages(team: TeamClients, cause: str, refuse: bool) -> None:
    managed = {"work_email": "ada@example.com", "first_name": "Ada", "managed_fields": ["first_name"]}
    team.world.simulate("crm", provider="hubspot", people=[managed])
    (person,) = [row for row in team.live.list_all("/people") if row["first_name"] == "Ada"]
    if refuse:
        team.world.change_settings(people__managed_fields="refuse")
    response = blind_key(team, cause).patch(f"/people/{person['id']}", {"first_name": "Bea"})
    if refuse:
        expect_error(response, 422, "validation_failed")
        assert person["provider"] not in response.text
    else:
        assert expect_status(response, 200).json() == {"id": person["id"], "first_name": "Bea", "livemode": True}


def test_where_the_roster_needs_no_role_a_requester_sees_the_person(team: TeamClients) -> None:
    (person,) = upsert_people(team.live, STORED)
    team.world.change_settings(roster_role_paths=[])
    written = blind_key(team, "role").patch(f"/people/{person['id']}", {}).json()
    assert written == {**person, "updated_at": written["updated_at"]}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from([*PERSON_FIELDS, "nickname", "provider"]), st.none() | st.just("Zz")))
def test_no_answer_to_who_may_not_read_holds_more_than_was_sent(team: TeamClients, sent: dict[str, Any]) -> None:
    upsert_people(team.live, STORED)
    response = blind_key(team, "role").post("/people", {"people": [{"work_email": STORED["work_email"], **sent}]})
    if response.status == 200:
        (row,) = response.json()["data"]
        assert {name: value for name, value in row.items() if name not in ("id", "livemode")} == {
            name: value for name, value in sent.items() if name in PERSON_FIELDS
        }
    else:
        expect_error(response, 422, "validation_failed")
