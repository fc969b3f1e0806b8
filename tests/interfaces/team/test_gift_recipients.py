"""Recipients of a gift: a person of the roster, a contact of a CRM, or a typed recipient; exactly one of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.support.api_clients import UNKNOWN_ID
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClients
from tests.support.team.orders import KIT, gift_body, typed_recipients
from tests.support.team.people import person_row, upsert_people

CONTACT = {"id": "901", "object_type": "contact", "name": "Cy Cole", "email": "cy.secret@example.com"}


def create_gift_to(team: TeamClients, *recipients: dict[str, Any]) -> Any:
    """Send a welcome kit to these recipients; the gift."""
    gift = team.live.post_json("/gifts", {"recipients": list(recipients), "gift": {"collection_slug": KIT}})
    return team.live.get_json(f"/gifts/{gift['id']}")


@claims("T-2.14")
def test_a_gift_goes_to_a_person_of_the_roster(team: TeamClients) -> None:
    (person,) = upsert_people(team.live, person_row("bo", last_name="Berg"))
    gift = create_gift_to(team, {"person_id": person["id"]})
    (recipient,) = gift["recipients"]
    assert (recipient["person_id"], recipient["name"]) == (person["id"], "Bo Berg")
    assert recipient["id"] != person["id"]
    team.world.simulate("approval", gift_id=gift["id"], decision="approve")
    assert [message["to"] for message in team.world.mail()] == ["bo@example.com"]


@claims("T-2.14")
def test_a_person_of_another_roster_is_refused(team: TeamClients) -> None:
    (other_person,) = upsert_people(team.other, person_row("theirs"))
    (tested,) = upsert_people(team.test, person_row("tested"))
    for person_id in (other_person["id"], tested["id"], 99_999_999, UNKNOWN_ID):
        response = team.live.post("/gifts", {**gift_body(), "recipients": [{"person_id": person_id}]})
        assert invalid_fields(response) == ["recipients[0].person_id"]
    assert team.live.list_all("/gifts") == []


def test_a_gift_can_ship_to_the_country_of_the_person(team: TeamClients) -> None:
    people = upsert_people(team.live, person_row("bo", country="DE"), person_row("cy", country="JP"))
    gift = create_gift_to(team, *[{"person_id": person["id"]} for person in people])
    assert gift["totals"]["shipping_cents"] == 2 * 1600
    team.world.simulate("approval", gift_id=gift["id"], decision="approve")
    berlin = {"address1": "Unter den Linden 1", "city": "Berlin", "zip": "10117", "country": "DE"}
    team.world.simulate("claim", gift_id=gift["id"], recipient=0, address=berlin)
    assert team.live.get_json(f"/gifts/{gift['id']}")["recipients"][0]["status"] == "claimed"


def test_a_person_removed_from_the_roster_keeps_the_gift(team: TeamClients) -> None:
    (person,) = upsert_people(team.live, person_row("bo"))
    gift = create_gift_to(team, {"person_id": person["id"]})
    expect_status(team.live.delete(f"/people/{person['id']}"), 200)
    assert team.live.get_json(f"/gifts/{gift['id']}") == gift


@claims("T-2.15")
def test_a_gift_goes_to_a_contact_of_a_crm(team: TeamClients) -> None:
    team.world.simulate("crm", provider="hubspot", upsert=CONTACT)
    reference = {"provider": "hubspot", "id": "901", "object_type": "contact"}
    gift = create_gift_to(team, {"crm": reference})
    assert [(each["crm"], each["name"]) for each in gift["recipients"]] == [(reference, "Cy Cole")]
    assert "secret" not in team.live.get(f"/gifts/{gift['id']}").text
    team.world.simulate("approval", gift_id=gift["id"], decision="approve")
    assert [message["to"] for message in team.world.mail()] == ["cy.secret@example.com"]


@claims("T-2.15")
@pytest.mark.parametrize("missing", ["provider", "id", "object_type"])
def test_a_contact_is_identified_by_provider_id_and_type(team: TeamClients, missing: str) -> None:
    team.world.simulate("crm", provider="hubspot", upsert=CONTACT)
    reference = {"provider": "hubspot", "id": "901", "object_type": "contact"}
    for bad in ({name: reference[name] for name in reference if name != missing}, {**reference, missing: 901}):
        body = {**gift_body(), "recipients": [{"crm": bad}]}
        assert invalid_fields(team.live.post("/gifts", body)) == [f"recipients[0].crm.{missing}"]
    assert team.live.list_all("/gifts") == []


@claims("T-2.20")
def test_a_contact_of_another_team_is_refused(team: TeamClients) -> None:
    team.world.simulate("crm", provider="hubspot", upsert=CONTACT, key="team.other_team")
    for provider, contact, kind, field in (
        ("hubspot", "901", "contact", "crm"), ("hubspot", "902", "contact", "crm"), ("hubspot", "901", "lead", "crm"),
        ("salesforce", "901", "contact", "crm"), ("pipedrive", "901", "contact", "crm.provider"),
    ):  # fmt: skip
        reference = {"provider": provider, "id": contact, "object_type": kind}
        body = {**gift_body(), "recipients": [{"crm": reference}]}
        assert invalid_fields(team.live.post("/gifts", body)) == [f"recipients[0].{field}"]
        if (provider, contact, kind) == ("hubspot", "901", "contact"):
            expect_status(team.other.post("/gifts", body), 201)
    assert team.live.list_all("/gifts") == []


@claims("T-1.12")
def test_an_outage_of_a_provider_fails_only_sends_to_its_contacts(team: TeamClients) -> None:
    for provider in ("hubspot", "salesforce"):
        team.world.simulate("crm", provider=provider, upsert=CONTACT)
    reason = "lookup of cy.secret@example.com failed, see https://claim.example/claim/w/token123"
    team.world.simulate("crm", provider="hubspot", outage=True, message=reason)
    there = {"crm": {"provider": "hubspot", "id": "901", "object_type": "contact"}}
    response = team.live.post("/gifts", {**gift_body(), "recipients": [*typed_recipients(1), there]})
    error = expect_error(response, 503, "provider_unavailable")
    for secret in ("cy.secret", "example", "token123"):
        assert secret not in error["message"]
    assert team.live.list_all("/gifts") == []
    expect_status(team.live.post("/gifts", gift_body()), 201)
    create_gift_to(team, {"crm": {**there["crm"], "provider": "salesforce"}})
    team.world.simulate("crm", provider="hubspot", outage=False)
    create_gift_to(team, there)


@claims("T-2.17", "T-2.16")
@pytest.mark.parametrize(
    "recipient",
    [
        {},
        {"name": "Bo"},
        {"email": "bo@example.com"},
        {"person_id": 60_001, "email": "bo@example.com"},
        {"person_id": 60_001, "name": "Bo", "email": "bo@example.com"},
        {"person_id": 60_001, "crm": {"provider": "hubspot", "id": "1", "object_type": "contact"}},
        {"crm": {"provider": "hubspot", "id": "1", "object_type": "contact"}, "name": "Bo"},
    ],
)
def test_a_recipient_takes_exactly_one_form(team: TeamClients, recipient: dict[str, Any]) -> None:
    upsert_people(team.live, person_row("bo"))
    team.world.simulate("crm", provider="hubspot", upsert={**CONTACT, "id": "1"})
    assert invalid_fields(team.live.post("/gifts", {**gift_body(), "recipients": [recipient]})) == ["recipients[0]"]
    assert team.live.list_all("/gifts") == []


@claims("T-2.16")
@pytest.mark.parametrize(
    ("recipient", "field"),
    [
        ({"name": "Bo", "email": "bo at home"}, "email"),
        ({"name": " ", "email": "bo@example.com"}, "name"),
        ({"name": 7, "email": "bo@example.com"}, "name"),
        ({"name": "Bo", "email": 7}, "email"),
        ({"person_id": "x"}, "person_id"),
        ({"person_id": 1.5}, "person_id"),
    ],
)
def test_a_malformed_recipient_is_reported_and_not_echoed(team: TeamClients, recipient: Any, field: str) -> None:
    response = team.live.post("/gifts", {**gift_body(), "recipients": [*typed_recipients(1), recipient]})
    assert invalid_fields(response) == [f"recipients[1].{field}"]
    assert "at home" not in response.text


def test_all_invalid_recipients_are_reported_at_once(team: TeamClients) -> None:
    matches = [
        {"person_id": 99_999},
        *typed_recipients(1),
        {"crm": {"provider": "hubspot", "id": "1", "object_type": "contact"}},
    ]
    response = team.live.post("/gifts", {**gift_body(), "recipients": matches})
    assert invalid_fields(response) == ["recipients[0].person_id", "recipients[2].crm"]
