"""The verb `crm`: outages, contacts and managed people of CRM providers."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.client.response import Response
from tests.support.worlds import World


def post_crm(world: World, **body: Any) -> Response:
    """The response of the verb."""
    return world.control.post(f"/worlds/{world.id}/simulate/crm", body)


def test_an_outage_lasts_until_it_is_ended(world: World) -> None:
    provider = world.simulate("crm", provider="hubspot", outage=True, message="down")
    assert (provider["outage"], provider["message"], provider["contacts"]) == (True, "down", 0)
    assert world.simulate("crm", provider="hubspot")["outage"] is True
    assert world.simulate("crm", provider="hubspot", message="still down")["message"] == "still down"
    assert world.simulate("crm", provider="salesforce")["outage"] is False
    ended = world.simulate("crm", provider="hubspot", outage=False)
    assert (ended["outage"], ended["message"]) == (False, None)


def test_an_outage_is_part_of_the_worlds_state(world: World) -> None:
    before = world.fingerprint()
    world.simulate("crm", provider="hubspot", outage=True)
    assert world.fingerprint() != before
    world.call_control("POST", "/reset")
    assert world.fingerprint() == before
    assert world.simulate("crm", provider="hubspot")["outage"] is False


def test_contacts_are_added_one_by_one_or_as_a_list(world: World) -> None:
    one = {"id": "1", "name": "Bo", "email": "bo@example.com"}
    assert world.simulate("crm", provider="pipedrive", upsert=one)["contacts"] == 1
    contacts = [one, {**one, "id": "2"}, {**one, "object_type": "lead"}]
    assert world.simulate("crm", provider="pipedrive", upsert=contacts)["contacts"] == 3
    assert world.simulate("crm", provider="pipedrive", team_id="other")["contacts"] == 0


def test_people_are_returned_with_their_managed_fields(world: World) -> None:
    row = {"work_email": "bo@example.com", "first_name": "Bo", "zip": "1"}
    (bo,) = world.simulate("crm", provider="hubspot", people=[row])["people"]
    assert (bo["display_name"], bo["managed_fields"]) == ("Bo", ["first_name", "zip"])
    (again,) = world.simulate("crm", provider="hubspot", people=[{**row, "managed_fields": []}])["people"]
    assert (again["id"], again["managed_fields"]) == (bo["id"], [])


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"provider": "Hub Spot"},
        {"provider": "hubspot", "outages": True},
        {"provider": "hubspot", "upsert": {"id": "1 2", "name": "Bo", "email": "bo@example.com"}},
        {"provider": "hubspot", "upsert": [{"id": "1", "name": "Bo"}]},
        {"provider": "hubspot", "people": [{"first_name": "Bo"}]},
        {"provider": "hubspot", "people": [{"work_email": "bo@example.com", "birthday": "02-30"}]},
        {"provider": "hubspot", "key": "partner.prepaid"},
        {"provider": "hubspot", "key": "team.test", "team_id": "northwind"},
    ],
)
def test_an_invalid_body_is_refused_and_changes_nothing(world: World, body: dict[str, Any]) -> None:
    before = world.fingerprint()
    assert post_crm(world, **body).status == 400
    assert world.fingerprint() == before


def test_an_unknown_team_or_key_is_not_found(world: World) -> None:
    assert post_crm(world, provider="hubspot", team_id=999).json()["error"]["code"] == "team_not_found"
    assert post_crm(world, provider="hubspot", key="team.nobody").json()["error"]["code"] == "key_not_found"
