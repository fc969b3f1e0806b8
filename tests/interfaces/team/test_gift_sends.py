"""Gift sends: who a gift may go to, what may be in it, and what the answer tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.claims import claims
from tests.interfaces.team.company import enroll, row
from tests.interfaces.team.scene import Team, fields, refused, well
from tests.interfaces.team.shop import EACH_CENTS, KIT, KIT_CENTS, NOBODY, PARCEL_CENTS, gift, gift_body, guests

MENU = [
    {"label": "Tea", "items": [{"item_slug": "tea-01"}]},
    {"label": "Coffee", "items": [{"merchant_product_id": 126, "quantity": 2}]},
]
CONTACT = {"id": "901", "object_type": "contact", "name": "Cy Cole", "email": "cy.secret@example.com"}


def sent(team: Team, *recipients: dict[str, Any]) -> Any:
    """A welcome kit for these recipients, as its read shows it."""
    made = team.live.make("/gifts", {"recipients": list(recipients), "gift": {"collection_slug": KIT}})
    return team.live.got(f"/gifts/{made['id']}")


def leaves(node: Any) -> Iterator[Any]:
    """Every value of an answer that is no object and no array."""
    if isinstance(node, dict | list):
        for value in node.values() if isinstance(node, dict) else node:
            yield from leaves(value)
    else:
        yield node


@claims("T-4.35", "T-4.38", "T-1.13")
def test_the_answer_has_identifiers_and_status_alone(team: Team) -> None:
    made = team.live.make("/gifts", gift_body(2, message="Welcome!"))
    assert made == {
        "id": made["id"],
        "status": "awaiting_approval",
        "approval_id": made["approval_id"],
        "recipients": [{"id": each["id"], "status": "awaiting_approval"} for each in made["recipients"]],
        "livemode": True,
    }
    assert all(value in ("awaiting_approval", True) or isinstance(value, int) for value in leaves(made))
    assert [each["id"] for each in team.live.listed("/gifts")] == [made["id"]]
    assert team.live.got(f"/gifts/{made['id']}")["id"] == made["id"]


@claims("T-4.44", "T-2.16", "T-2.19")
def test_a_gift_is_what_was_asked_for_but_the_emails(team: Team) -> None:
    made = gift(team.live, 2, message="Welcome!")
    assert made == {
        "id": made["id"],
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
            for i, each in enumerate(made["recipients"])
        ],
        "totals": {
            "subtotal_cents": 2 * KIT_CENTS, "shipping_cents": 2 * PARCEL_CENTS, "total_cents": 2 * EACH_CENTS,
            "currency": "USD",
        },
        "approval_id": made["approval_id"],
        "rule_id": None,
        "invoice_id": None,
        "receipt_id": None,
        "payment_id": None,
        "livemode": True,
        "created_at": team.world.now,
    }  # fmt: skip
    assert "@" not in team.live.get(f"/gifts/{made['id']}").text


@claims("T-2.14")
def test_a_gift_goes_to_a_person_of_the_roster(team: Team) -> None:
    (person,) = enroll(team.live, row("bo", last_name="Berg"))
    made = sent(team, {"person_id": person["id"]})
    (recipient,) = made["recipients"]
    assert (recipient["person_id"], recipient["name"]) == (person["id"], "Bo Berg")
    assert recipient["id"] != person["id"]
    team.world.simulate("approval", gift_id=made["id"], decision="approve")
    assert [letter["to"] for letter in team.world.mail()] == ["bo@example.com"]


@claims("T-2.14")
def test_a_person_who_is_not_on_the_team_s_roster_is_nobody(team: Team) -> None:
    (theirs,) = enroll(team.other, row("theirs"))
    (tested,) = enroll(team.test, row("tested"))
    for person_id in (theirs["id"], tested["id"], 99_999_999, NOBODY):
        answer = team.live.post("/gifts", {**gift_body(), "recipients": [{"person_id": person_id}]})
        assert fields(answer) == ["recipients[0].person_id"]
    assert team.live.listed("/gifts") == []


def test_a_gift_may_follow_a_person_to_their_country(team: Team) -> None:
    people = enroll(team.live, row("bo", country="DE"), row("cy", country="JP"))
    made = sent(team, *[{"person_id": person["id"]} for person in people])
    assert made["totals"]["shipping_cents"] == 2 * 1600
    team.world.simulate("approval", gift_id=made["id"], decision="approve")
    berlin = {"address1": "Unter den Linden 1", "city": "Berlin", "zip": "10117", "country": "DE"}
    team.world.simulate("claim", gift_id=made["id"], recipient=0, address=berlin)
    assert team.live.got(f"/gifts/{made['id']}")["recipients"][0]["status"] == "claimed"


def test_who_leaves_the_roster_keeps_the_gift(team: Team) -> None:
    (person,) = enroll(team.live, row("bo"))
    made = sent(team, {"person_id": person["id"]})
    well(team.live.delete(f"/people/{person['id']}"), 200)
    assert team.live.got(f"/gifts/{made['id']}") == made


@claims("T-2.15")
def test_a_gift_goes_to_a_contact_of_a_crm(team: Team) -> None:
    team.world.simulate("crm", provider="hubspot", upsert=CONTACT)
    reference = {"provider": "hubspot", "id": "901", "object_type": "contact"}
    made = sent(team, {"crm": reference})
    assert [(each["crm"], each["name"]) for each in made["recipients"]] == [(reference, "Cy Cole")]
    assert "secret" not in team.live.get(f"/gifts/{made['id']}").text
    team.world.simulate("approval", gift_id=made["id"], decision="approve")
    assert [letter["to"] for letter in team.world.mail()] == ["cy.secret@example.com"]


@claims("T-2.15")
@pytest.mark.parametrize("missing", ["provider", "id", "object_type"])
def test_a_contact_is_named_by_all_three(team: Team, missing: str) -> None:
    team.world.simulate("crm", provider="hubspot", upsert=CONTACT)
    reference = {"provider": "hubspot", "id": "901", "object_type": "contact"}
    for bad in ({name: reference[name] for name in reference if name != missing}, {**reference, missing: 901}):
        body = {**gift_body(), "recipients": [{"crm": bad}]}
        assert fields(team.live.post("/gifts", body)) == [f"recipients[0].crm.{missing}"]
    assert team.live.listed("/gifts") == []


@claims("T-2.20")
def test_a_contact_is_looked_up_in_the_key_s_own_team(team: Team) -> None:
    team.world.simulate("crm", provider="hubspot", upsert=CONTACT, key="team.other_team")
    for provider, contact, kind, field in (
        ("hubspot", "901", "contact", "crm"), ("hubspot", "902", "contact", "crm"), ("hubspot", "901", "lead", "crm"),
        ("salesforce", "901", "contact", "crm"), ("pipedrive", "901", "contact", "crm.provider"),
    ):  # fmt: skip
        reference = {"provider": provider, "id": contact, "object_type": kind}
        body = {**gift_body(), "recipients": [{"crm": reference}]}
        assert fields(team.live.post("/gifts", body)) == [f"recipients[0].{field}"]
        if (provider, contact, kind) == ("hubspot", "901", "contact"):
            well(team.other.post("/gifts", body), 201)
    assert team.live.listed("/gifts") == []


@claims("T-1.12")
def test_while_the_provider_is_out_what_needs_it_is_503_and_others_go_on(team: Team) -> None:
    for provider in ("hubspot", "salesforce"):
        team.world.simulate("crm", provider=provider, upsert=CONTACT)
    said = "lookup of cy.secret@example.com failed, see https://claim.example/claim/w/token123"
    team.world.simulate("crm", provider="hubspot", outage=True, message=said)
    there = {"crm": {"provider": "hubspot", "id": "901", "object_type": "contact"}}
    answer = team.live.post("/gifts", {**gift_body(), "recipients": [*guests(1), there]})
    error = refused(answer, 503, "provider_unavailable")
    for secret in ("cy.secret", "example", "token123"):
        assert secret not in error["message"]
    assert team.live.listed("/gifts") == []
    well(team.live.post("/gifts", gift_body()), 201)
    sent(team, {"crm": {**there["crm"], "provider": "salesforce"}})
    team.world.simulate("crm", provider="hubspot", outage=False)
    sent(team, there)


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
def test_a_recipient_takes_exactly_one_form(team: Team, recipient: dict[str, Any]) -> None:
    enroll(team.live, row("bo"))
    team.world.simulate("crm", provider="hubspot", upsert={**CONTACT, "id": "1"})
    assert fields(team.live.post("/gifts", {**gift_body(), "recipients": [recipient]})) == ["recipients[0]"]
    assert team.live.listed("/gifts") == []


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
def test_a_recipient_that_is_malformed_is_named_and_not_echoed(team: Team, recipient: Any, field: str) -> None:
    answer = team.live.post("/gifts", {**gift_body(), "recipients": [*guests(1), recipient]})
    assert fields(answer) == [f"recipients[1].{field}"]
    assert "at home" not in answer.text


def test_all_recipients_that_are_wrong_are_named_at_once(team: Team) -> None:
    found = [{"person_id": 99_999}, *guests(1), {"crm": {"provider": "hubspot", "id": "1", "object_type": "contact"}}]
    answer = team.live.post("/gifts", {**gift_body(), "recipients": found})
    assert fields(answer) == ["recipients[0].person_id", "recipients[2].crm"]


@claims("T-8.3")
@pytest.mark.parametrize(("count", "status"), [(0, 422), (1, 201), (50, 201), (51, 422)])
def test_a_send_has_one_to_fifty_recipients(team: Team, count: int, status: int) -> None:
    answer = well(team.live.post("/gifts", gift_body(count)), status)
    assert len(team.live.listed("/gifts")) == (status == 201)
    if status == 201:
        assert len(answer.json()["recipients"]) == count


@claims("T-2.18")
@pytest.mark.parametrize(
    ("content", "cents"),
    [
        ({"collection_slug": KIT}, KIT_CENTS),
        ({"item_slug": "mug-01"}, 1800),
        ({"items": [{"item_slug": "mug-01", "quantity": 2}, {"merchant_product_id": 103}]}, 2 * 1800 + 600),
    ],
)
def test_each_way_to_name_the_goods_is_enough(team: Team, content: dict[str, Any], cents: int) -> None:
    made = gift(team.live, gift=content)
    assert made["totals"]["subtotal_cents"] == cents
    items = [
        {"item_slug": "mug-01", "merchant_product_id": 101, "quantity": 2},
        {"item_slug": "pen-01", "merchant_product_id": 103, "quantity": 1},
    ]
    expected = {"collection_slug": None, "item_slug": None, "items": None, **content}
    assert made["gift"] == ({**expected, "items": items} if "items" in content else expected)


@claims("T-2.18")
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
def test_goods_that_are_not_named_once_or_not_sold_are_refused(team: Team, content: Any, field: str) -> None:
    assert fields(team.live.post("/gifts", {**gift_body(), "gift": content})) == [field]
    assert team.live.listed("/gifts") == []


@claims("T-2.19")
@pytest.mark.parametrize("message", [5, ["x"], {"text": "x"}, "x" * 2001, "bell\x07"])
def test_a_message_is_text(team: Team, message: Any) -> None:
    assert fields(team.live.post("/gifts", gift_body(message=message))) == ["message"]
    assert gift(team.live, message="two\nlines\tand a tab")["message"] == "two\nlines\tand a tab"


@claims("T-2.44")
def test_a_menu_goes_with_bundle_mode(team: Team) -> None:
    assert fields(team.live.post("/gifts", gift_body(gift_choices=MENU))) == ["body"]
    assert team.live.listed("/gifts") == []
    made = gift(team.live, mode="bundle", gift_choices=MENU)
    assert made["gift_choices"] == [
        {"label": "Tea", "items": [{"item_slug": "tea-01", "merchant_product_id": 127, "quantity": 1}]},
        {"label": "Coffee", "items": [{"item_slug": "coff-01", "merchant_product_id": 126, "quantity": 2}]},
    ]
    assert made["totals"]["subtotal_cents"] == KIT_CENTS + 2 * 1700


@claims("T-2.3", "T-1.14", "T-4.39")
def test_gifts_belong_to_their_space(team: Team) -> None:
    live, test = gift(team.live), gift(team.test)
    assert (live["livemode"], test["livemode"]) == (True, False)
    assert [isinstance(made["id"], str) for made in (live, test)] == [False, True]
    assert isinstance(test["recipients"][0]["id"], str)
    assert (team.live.listed("/gifts"), team.test.listed("/gifts")) == ([live], [test])
    assert (team.other.listed("/gifts"), team.test_second.listed("/gifts")) == ([], [])
    for face, made in ((team.test, live), (team.other, live), (team.live, test), (team.test_second, test)):
        for path in ("", "/timeline"):
            refused(face.get(f"/gifts/{made['id']}{path}"), 404, "not_found")


@claims("T-4.39", "T-4.41")
def test_gifts_are_listed_newest_first_in_pages_of_at_most_fifty(team: Team) -> None:
    made = [gift(team.live) for _ in range(31)][::-1]
    assert team.live.got("/gifts?limit=50") == {"data": made, "next_cursor": None}
    first = team.live.got("/gifts")
    assert first["data"] == made[:25]
    assert team.live.got(f"/gifts?cursor={first['next_cursor']}") == {"data": made[25:], "next_cursor": None}
    for limit in (1, 30, 31, 32):
        assert team.live.listed("/gifts", limit) == made
    for bad in ("0", "51", "-1", "abc"):
        refused(team.live.get(f"/gifts?limit={bad}"), 400, "invalid_parameter")
    refused(team.live.get(f"/team-orders?cursor={first['next_cursor']}"), 400, "invalid_cursor")


@claims("T-4.208")
def test_a_repeated_send_is_one_gift(team: Team) -> None:
    first = team.live.post("/gifts", gift_body(), Idempotency_Key="k")
    again = team.live.post("/gifts", gift_body(), Idempotency_Key="k")
    assert (again.status, again.body) == (201, first.body)
    refused(team.live.post("/gifts", gift_body(2), Idempotency_Key="k"), 409, "idempotency_key_reused")
    assert (len(team.live.listed("/gifts")), len(team.live.listed("/approvals"))) == (1, 1)
