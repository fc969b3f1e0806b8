"""Contacts of connected CRMs: searched by name and company, by provider; outages (A7.11, A8.5)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import create_gift
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


@shows("T-2.13")
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


@shows("T-2.13")
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


@shows("T-2.13")
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


@shows("T-2.13")
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


SECRETS = (
    "sentinel.7q@hidden.example",
    "http://giftsim.example/claim/default/5e6f70a1b2c3d4e5f607",
    "5e6f70a1b2c3d4e5f607",
)


def contact_rows(count: int) -> list[dict[str, Any]]:
    """Rows of so many contacts, whose names sort by number."""
    return [{"id": str(i), "name": f"Client {i:02}", "email": f"client{i}@example.com"} for i in range(count)]


def upsert_contacts(team: TeamClients, provider: str, *rows: dict[str, Any], **members: Any) -> Any:
    """Create or update contacts of a provider, as the outside world."""
    return team.world.simulate("crm", provider=provider, upsert=list(rows), **members)


def found_names(team: TeamClients, query: str = "") -> list[str]:
    """The names that a search finds."""
    response = team.live.get_json(f"/contacts{query}")
    assert response["next_cursor"] is None
    return [row["display_name"] for row in response["data"]]


@shows("T-1.9", "T-2.15", "T-2.20")
def test_a_contact_whose_id_is_an_address_is_shown_with_another_that_a_gift_takes_too(team: TeamClients) -> None:
    ids = ("ann@example.com", "bo%40example.com")
    upsert_contacts(team, "hubspot", *[{"id": each, "name": each[:2], "email": "x@example.com"} for each in ids])
    found = team.live.get_json("/contacts")["data"]
    shown = [row["id"] for row in found]
    assert len({*shown, *ids}) == 4
    for contact_id in (*shown, *ids):
        crm = {"provider": "hubspot", "id": contact_id, "object_type": "contact"}
        gift = create_gift(team.live, recipients=[{"crm": crm}])
        row = team.live.get_json(f"/gifts/{gift['id']}")["recipients"][0]
        expected = contact_id if contact_id in shown else shown[ids.index(contact_id)]
        assert (row["crm"]["id"], row["name"]) == (expected, found[shown.index(expected)]["display_name"])
    unknown = {"crm": {"provider": "hubspot", "id": "[removed]", "object_type": "contact"}}
    body = {"recipients": [unknown], "gift": {"collection_slug": "welcome-kit"}}
    expect_error(team.live.post("/gifts", body), 422, "validation_failed")


@shows("T-4.30", "T-4.32")
def test_a_search_matches_part_of_a_name_or_company_and_never_an_email(team: TeamClients) -> None:
    rows = [
        {"id": "1", "name": "Zoe Alder", "email": "zoe@example.com", "company": "Birch & Sons", "title": "Buyer"},
        {"id": "2", "name": "Ann Birch", "email": "ann@example.com"},
        {"id": "3", "name": "Max Cobalt", "email": "birch@birch.example"},
    ]
    upsert_contacts(team, "hubspot", *rows)
    assert found_names(team) == ["Ann Birch", "Max Cobalt", "Zoe Alder"]
    assert found_names(team, "?q=bIrCh") == ["Ann Birch", "Zoe Alder"]
    assert found_names(team, "?q=Max%20Cobalt") == ["Max Cobalt"]
    assert found_names(team, "?q=nobody") == found_names(team, "?q=example.com") == []
    assert team.live.get_json("/contacts?q=zoe")["data"] == [
        {"provider": "hubspot", "id": "1", "object_type": "contact", "display_name": "Zoe Alder",
         "company": "Birch & Sons", "title": "Buyer"}
    ]  # fmt: skip


@shows("T-4.33")
def test_a_search_can_be_limited_to_one_provider(team: TeamClients) -> None:
    upsert_contacts(team, "hubspot", {"id": "1", "name": "Ann", "email": "ann@example.com"})
    upsert_contacts(team, "salesforce", {"id": "1", "name": "Bo", "email": "bo@example.com", "object_type": "lead"})
    assert found_names(team) == ["Ann", "Bo"]
    assert found_names(team, "?provider=hubspot") == ["Ann"]
    assert found_names(team, "?provider=salesforce") == ["Bo"]
    assert found_names(team, "?provider=salesforce&q=ann") == []
    assert (
        found_names(team, "?provider=pipedrive")
        == found_names(team, "?provider=Hubspot")
        == found_names(team, "?provider=")
        == []
    )


@shows("T-4.34")
def test_a_search_returns_up_to_fifty_contacts_by_default(team: TeamClients) -> None:
    upsert_contacts(team, "hubspot", *contact_rows(40))
    assert len(found_names(team)) == 40
    upsert_contacts(team, "salesforce", *contact_rows(20))
    assert len(found_names(team)) == 50
    names = sorted(f"Client {i:02}" for i in (*range(40), *range(20)))
    for limit in (1, 2, 25, 49, 50):
        assert found_names(team, f"?limit={limit}") == names[:limit]


@shows("T-4.34")
@pytest.mark.parametrize("limit", ["0", "51", "-1", "1.5", "abc", "", "1e1", "1&limit=2"])
def test_a_limit_out_of_bounds_is_refused(team: TeamClients, limit: str) -> None:
    upsert_contacts(team, "hubspot", *contact_rows(3))
    expect_error(team.live.get(f"/contacts?limit={limit}"), 400, "invalid_parameter")


def test_a_search_shows_the_present_contact(team: TeamClients) -> None:
    upsert_contacts(team, "hubspot", *contact_rows(2))
    upsert_contacts(
        team,
        "hubspot",
        {"id": "0", "name": "Renamed", "email": "r@example.com"},
        {**contact_rows(1)[0], "object_type": "lead"},
    )
    assert found_names(team) == ["Client 00", "Client 01", "Renamed"]


@shows("T-4.30")
def test_keys_of_a_team_share_its_contacts_and_no_other_team_has_them(team: TeamClients) -> None:
    upsert_contacts(team, "hubspot", *contact_rows(1))
    upsert_contacts(team, "hubspot", {"id": "9", "name": "Foreign", "email": "f@example.com"}, team_id="other")
    for client in (team.live, team.requester, team.test, team.test_second):
        assert [row["display_name"] for row in client.get_json("/contacts")["data"]] == ["Client 00"]
    assert [row["display_name"] for row in team.other.get_json("/contacts")["data"]] == ["Foreign"]


@shows("T-7.7")
def test_an_outage_of_a_provider_fails_only_its_own_searches(team: TeamClients) -> None:
    upsert_contacts(team, "hubspot", *contact_rows(2))
    upsert_contacts(team, "salesforce", {"id": "1", "name": "Bo", "email": "bo@example.com"})
    before = team.live.get_json("/contacts")
    team.world.simulate("crm", provider="hubspot", outage=True)
    expect_error(team.live.get("/contacts?provider=hubspot"), 503, "provider_unavailable")
    expect_error(team.test.get("/contacts?provider=hubspot&q=x"), 503, "provider_unavailable")
    assert found_names(team) == found_names(team, "?provider=salesforce") == ["Bo"]
    assert team.other.get_json("/contacts?provider=salesforce")["data"] == []
    team.world.simulate("crm", provider="hubspot", outage=False)
    assert team.live.get_json("/contacts") == before
    assert len(found_names(team, "?provider=hubspot")) == 2


def test_a_search_of_all_providers_says_which_it_left_out(team: TeamClients) -> None:
    upsert_contacts(team, "salesforce", {"id": "1", "name": "Bo", "email": "bo@example.com"})
    assert team.live.get_json("/contacts")["unavailable_providers"] == []
    upsert_contacts(team, "others", *contact_rows(1), team_id="other")
    for provider in ("salesforce", "hubspot", "others"):
        team.world.simulate("crm", provider=provider, outage=True)
    found = team.live.get_json("/contacts?q=bo")
    assert (found["data"], found["unavailable_providers"]) == ([], ["hubspot", "salesforce"])
    team.world.simulate("crm", provider="salesforce", outage=False)
    assert team.live.get_json("/contacts?limit=1")["unavailable_providers"] == ["hubspot"]
    assert team.live.get_json("/contacts?provider=salesforce")["unavailable_providers"] == []


@shows("T-1.12")
@pytest.mark.parametrize(
    "spell",
    [str, quote, lambda text: quote(text, safe=""), lambda text: b64encode(text.encode()).decode(),
     lambda text: f'{{"email":"{text}"}}', lambda text: text.replace("@", " @ "), str.upper],
)  # fmt: skip
def test_the_error_message_of_a_provider_is_redacted(team: TeamClients, spell: Callable[[str], str]) -> None:
    spelled = [spell(secret) for secret in SECRETS]
    message = f"Timeout after 30 seconds for {spelled[0]}, see {spelled[1]} or <{spelled[2]}>."
    team.world.simulate("crm", provider="hubspot", outage=True, message=message)
    response = team.live.get("/contacts?provider=hubspot")
    error = expect_error(response, 503, "provider_unavailable")
    assert "Timeout after 30 seconds for" in error["message"]
    for secret in (*SECRETS, *spelled, "hidden.example", "HIDDEN.EXAMPLE", "7q", "claim/"):
        assert secret not in response.text
        assert secret not in response.text.replace(" ", "")


def test_the_default_fixture_has_contacts_of_both_providers(new_world: Callable[..., World]) -> None:
    team = TeamClients(new_world(fixture="default"))
    for provider in ("hubspot", "salesforce"):
        found = team.live.get_json(f"/contacts?provider={provider}")["data"]
        assert len(found) > 25
        assert {row["object_type"] for row in found} == {"contact", "lead"}
    others = team.other.get_json("/contacts")["data"]
    assert others
    assert not {row["id"] for row in others} & {row["id"] for row in team.live.get_json("/contacts")["data"]}


def test_the_empty_fixture_has_connections_without_contacts(team: TeamClients) -> None:
    assert found_names(team) == []
    for provider in ("hubspot", "salesforce"):
        assert expect_status(team.live.get(f"/contacts?provider={provider}"), 200).json()["data"] == []
        team.world.simulate("crm", provider=provider, outage=True)
        expect_error(team.live.get(f"/contacts?provider={provider}"), 503, "provider_unavailable")
