"""The verb `crm`: providers go out and come back, hold contacts, and manage people on a roster."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.gateway.in_process_client import Response
from tests.support.worlds import World


def ask(world: World, **body: Any) -> Response:
    """The verb, as it answers."""
    return world.control.post(f"/worlds/{world.id}/simulate/crm", body)


def test_an_outage_lasts_until_it_is_ended(world: World) -> None:
    told = world.simulate("crm", provider="hubspot", outage=True, message="down")
    assert (told["outage"], told["message"], told["contacts"]) == (True, "down", 0)
    assert world.simulate("crm", provider="hubspot")["outage"] is True
    assert world.simulate("crm", provider="hubspot", message="still down")["message"] == "still down"
    assert world.simulate("crm", provider="salesforce")["outage"] is False
    ended = world.simulate("crm", provider="hubspot", outage=False)
    assert (ended["outage"], ended["message"]) == (False, None)


def test_an_outage_is_part_of_the_world(world: World) -> None:
    before = world.fingerprint()
    world.simulate("crm", provider="hubspot", outage=True)
    assert world.fingerprint() != before
    world.call_control("POST", "/reset")
    assert world.fingerprint() == before
    assert world.simulate("crm", provider="hubspot")["outage"] is False


def test_contacts_come_one_by_one_or_many_at_once_and_connect_their_provider(world: World) -> None:
    one = {"id": "1", "name": "Bo", "email": "bo@example.com"}
    assert world.simulate("crm", provider="pipedrive", upsert=one)["contacts"] == 1
    told = world.simulate("crm", provider="pipedrive", upsert=[one, {**one, "id": "2"}, {**one, "object_type": "lead"}])
    assert told["contacts"] == 3
    assert world.simulate("crm", provider="pipedrive", team_id="other")["contacts"] == 0


def test_people_are_told_by_id_with_what_is_managed(world: World) -> None:
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
def test_a_body_that_says_no_such_thing_is_refused(world: World, body: dict[str, Any]) -> None:
    before = world.fingerprint()
    assert ask(world, **body).status == 400
    assert world.fingerprint() == before


def test_an_unknown_team_or_key_is_not_found(world: World) -> None:
    assert ask(world, provider="hubspot", team_id=999).json()["error"]["code"] == "team_not_found"
    assert ask(world, provider="hubspot", key="team.nobody").json()["error"]["code"] == "key_not_found"
