"""Gift sends: their contents, the response to a create, and reading them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import UNKNOWN_ID
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClients
from tests.support.team.orders import EACH_CENTS, KIT, KIT_CENTS, PARCEL_CENTS, create_gift, gift_body, typed_recipients
from tests.support.team.people import person_row, upsert_people

MENU = [
    {"label": "Tea", "items": [{"item_slug": "tea-01"}]},
    {"label": "Coffee", "items": [{"merchant_product_id": 126, "quantity": 2}]},
]


def leaves(node: Any) -> Iterator[Any]:
    """Every value in a JSON document that is neither an object nor an array."""
    if isinstance(node, dict | list):
        for value in node.values() if isinstance(node, dict) else node:
            yield from leaves(value)
    else:
        yield node


@shows("T-4.35", "T-4.38", "T-1.13")
def test_the_response_has_only_ids_and_a_status(team: TeamClients) -> None:
    gift = team.live.post_json("/gifts", gift_body(2, message="Welcome!"))
    assert gift == {
        "id": gift["id"],
        "status": "awaiting_approval",
        "approval_id": gift["approval_id"],
        "recipients": [{"id": each["id"], "status": "awaiting_approval"} for each in gift["recipients"]],
        "livemode": True,
    }
    assert all(value in ("awaiting_approval", True) or isinstance(value, int) for value in leaves(gift))
    assert [each["id"] for each in team.live.list_all("/gifts")] == [gift["id"]]
    assert team.live.get_json(f"/gifts/{gift['id']}")["id"] == gift["id"]


@shows("T-4.44", "T-2.16", "T-2.19")
def test_a_gift_shows_everything_requested_except_emails(team: TeamClients) -> None:
    gift = create_gift(team.live, 2, message="Welcome!")
    assert gift == {
        "id": gift["id"],
        "status": "awaiting_approval",
        "payment_status": "unpaid",
        "gift": {"collection_slug": KIT, "item_slug": None, "items": None},
        "message": "Welcome!",
        "mode": None,
        "gift_choices": [],
        "recipients": [
            {
                "id": each["id"], "name": f"Guest {i}", "person_id": None, "crm": None, "status": "awaiting_approval",
                "carrier": None, "tracking_number": None, "shipped_at": None, "delivered_at": None,
            }
            for i, each in enumerate(gift["recipients"])
        ],
        "totals": {
            "subtotal_cents": 2 * KIT_CENTS, "shipping_cents": 2 * PARCEL_CENTS, "total_cents": 2 * EACH_CENTS,
            "currency": "USD",
        },
        "approval_id": gift["approval_id"],
        "rule_id": None,
        "invoice_id": None,
        "receipt_id": None,
        "payment_id": None,
        "livemode": True,
        "created_at": team.world.now,
    }  # fmt: skip
    assert "@" not in team.live.get(f"/gifts/{gift['id']}").text


@shows("T-8.3")
@pytest.mark.parametrize(("count", "status"), [(0, 422), (1, 201), (50, 201), (51, 422)])
def test_a_send_has_one_to_fifty_recipients(team: TeamClients, count: int, status: int) -> None:
    response = expect_status(team.live.post("/gifts", gift_body(count)), status)
    assert len(team.live.list_all("/gifts")) == (status == 201)
    if status == 201:
        assert len(response.json()["recipients"]) == count


@shows("T-2.18")
@pytest.mark.parametrize(
    ("content", "cents"),
    [
        ({"collection_slug": KIT}, KIT_CENTS),
        ({"item_slug": "mug-01"}, 1800),
        ({"items": [{"item_slug": "mug-01", "quantity": 2}, {"merchant_product_id": 103}]}, 2 * 1800 + 600),
    ],
)
def test_a_gift_is_a_collection_an_item_or_a_list_of_items(
    team: TeamClients, content: dict[str, Any], cents: int
) -> None:
    gift = create_gift(team.live, gift=content)
    assert gift["totals"]["subtotal_cents"] == cents
    items = [
        {"item_slug": "mug-01", "merchant_product_id": 101, "quantity": 2},
        {"item_slug": "pen-01", "merchant_product_id": 103, "quantity": 1},
    ]
    expected = {"collection_slug": None, "item_slug": None, "items": None, **content}
    assert gift["gift"] == ({**expected, "items": items} if "items" in content else expected)


@shows("T-2.18")
@pytest.mark.parametrize(
    ("content", "field"),
    [
        ({}, "gift"),
        ({"collection_slug": KIT, "item_slug": "mug-01"}, "gift"),
        ({"collection_slug": KIT, "items": [{"item_slug": "mug-01"}]}, "gift"),
        ({"collection_slug": "no-such-kit"}, "gift.collection_slug"),
        ({"item_slug": "no-such-item"}, "gift.item_slug"),
        ({"item_slug": "next-01"}, "gift.item_slug"),
        ({"items": []}, "gift.items"),
        ({"items": [{}]}, "gift.items[0]"),
        ({"items": [{"item_slug": "mug-01", "merchant_product_id": 101}]}, "gift.items[0]"),
        ({"items": [{"item_slug": "mug-01", "quantity": 0}]}, "gift.items[0].quantity"),
        ({"items": [{"item_slug": "mug-01"}, {"item_slug": "no-such-item"}]}, "gift.items[1].item_slug"),
        ({"items": [{"merchant_product_id": 999}]}, "gift.items[0].merchant_product_id"),
    ],
)
def test_a_gift_needs_exactly_one_existing_choice_of_goods(team: TeamClients, content: Any, field: str) -> None:
    assert invalid_fields(team.live.post("/gifts", {**gift_body(), "gift": content})) == [field]
    assert team.live.list_all("/gifts") == []


@shows("T-2.19")
@pytest.mark.parametrize("message", [5, ["x"], {"text": "x"}, "x" * 2001, "bell\x07"])
def test_a_message_must_be_text(team: TeamClients, message: Any) -> None:
    assert invalid_fields(team.live.post("/gifts", gift_body(message=message))) == ["message"]
    assert create_gift(team.live, message="two\nlines\tand a tab")["message"] == "two\nlines\tand a tab"


@shows("T-2.44")
def test_gift_choices_need_bundle_mode(team: TeamClients) -> None:
    assert invalid_fields(team.live.post("/gifts", gift_body(gift_choices=MENU))) == ["body"]
    assert team.live.list_all("/gifts") == []
    gift = create_gift(team.live, mode="bundle", gift_choices=MENU)
    assert gift["gift_choices"] == [
        {"label": "Tea", "items": [{"item_slug": "tea-01", "merchant_product_id": 127, "quantity": 1}]},
        {"label": "Coffee", "items": [{"item_slug": "coff-01", "merchant_product_id": 126, "quantity": 2}]},
    ]
    assert gift["totals"]["subtotal_cents"] == KIT_CENTS + 2 * 1700


@shows("T-2.3", "T-1.14", "T-4.39")
def test_gifts_belong_to_their_tenant(team: TeamClients) -> None:
    live, test = create_gift(team.live), create_gift(team.test)
    assert (live["livemode"], test["livemode"]) == (True, False)
    assert [isinstance(record["id"], str) for record in (live, test)] == [False, True]
    assert isinstance(test["recipients"][0]["id"], str)
    assert (team.live.list_all("/gifts"), team.test.list_all("/gifts")) == ([live], [test])
    assert (team.other.list_all("/gifts"), team.test_second.list_all("/gifts")) == ([], [])
    for client, record in ((team.test, live), (team.other, live), (team.live, test), (team.test_second, test)):
        for path in ("", "/timeline"):
            expect_error(client.get(f"/gifts/{record['id']}{path}"), 404, "not_found")


@shows("T-4.39", "T-4.41")
def test_gifts_are_listed_newest_first_in_pages_of_at_most_fifty(team: TeamClients) -> None:
    gift = [create_gift(team.live) for _ in range(31)][::-1]
    assert team.live.get_json("/gifts?limit=50") == {"data": gift, "next_cursor": None}
    first = team.live.get_json("/gifts")
    assert first["data"] == gift[:25]
    assert team.live.get_json(f"/gifts?cursor={first['next_cursor']}") == {"data": gift[25:], "next_cursor": None}
    for limit in (1, 30, 31, 32):
        assert team.live.list_all("/gifts", limit) == gift
    for bad in ("0", "51", "-1", "abc"):
        expect_error(team.live.get(f"/gifts?limit={bad}"), 400, "invalid_parameter")
    expect_error(team.live.get(f"/team-orders?cursor={first['next_cursor']}"), 400, "invalid_cursor")


@shows("T-4.208")
def test_a_repeated_send_creates_one_gift(team: TeamClients) -> None:
    first = team.live.post("/gifts", gift_body(), Idempotency_Key="k")
    again = team.live.post("/gifts", gift_body(), Idempotency_Key="k")
    assert (again.status, again.body) == (201, first.body)
    expect_error(team.live.post("/gifts", gift_body(2), Idempotency_Key="k"), 409, "idempotency_key_reused")
    assert (len(team.live.list_all("/gifts")), len(team.live.list_all("/approvals"))) == (1, 1)


CONTACT = {"id": "901", "object_type": "contact", "name": "Cy Cole", "email": "cy.secret@example.com"}


def create_gift_to(team: TeamClients, *recipients: dict[str, Any]) -> Any:
    """Send a welcome kit to these recipients; the gift."""
    gift = team.live.post_json("/gifts", {"recipients": list(recipients), "gift": {"collection_slug": KIT}})
    return team.live.get_json(f"/gifts/{gift['id']}")


@shows("T-2.14")
def test_a_gift_goes_to_a_person_of_the_roster(team: TeamClients) -> None:
    (person,) = upsert_people(team.live, person_row("bo", last_name="Berg"))
    gift = create_gift_to(team, {"person_id": person["id"]})
    (recipient,) = gift["recipients"]
    assert (recipient["person_id"], recipient["name"]) == (person["id"], "Bo Berg")
    assert recipient["id"] != person["id"]
    team.world.simulate("approval", gift_id=gift["id"], decision="approve")
    assert [message["to"] for message in team.world.mail()] == ["bo@example.com"]


@shows("T-2.14")
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


@shows("T-2.15")
def test_a_gift_goes_to_a_contact_of_a_crm(team: TeamClients) -> None:
    team.world.simulate("crm", provider="hubspot", upsert=CONTACT)
    reference = {"provider": "hubspot", "id": "901", "object_type": "contact"}
    gift = create_gift_to(team, {"crm": reference})
    assert [(each["crm"], each["name"]) for each in gift["recipients"]] == [(reference, "Cy Cole")]
    assert "secret" not in team.live.get(f"/gifts/{gift['id']}").text
    team.world.simulate("approval", gift_id=gift["id"], decision="approve")
    assert [message["to"] for message in team.world.mail()] == ["cy.secret@example.com"]


@shows("T-2.15")
@pytest.mark.parametrize("missing", ["provider", "id", "object_type"])
def test_a_contact_is_identified_by_provider_id_and_type(team: TeamClients, missing: str) -> None:
    team.world.simulate("crm", provider="hubspot", upsert=CONTACT)
    reference = {"provider": "hubspot", "id": "901", "object_type": "contact"}
    for bad in ({name: reference[name] for name in reference if name != missing}, {**reference, missing: 901}):
        body = {**gift_body(), "recipients": [{"crm": bad}]}
        assert invalid_fields(team.live.post("/gifts", body)) == [f"recipients[0].crm.{missing}"]
    assert team.live.list_all("/gifts") == []


@shows("T-2.20")
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


@shows("T-1.12")
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


@shows("T-2.17", "T-2.16")
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


@shows("T-2.16")
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
