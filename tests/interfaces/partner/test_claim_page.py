"""The claim page: the form that people fill in, and the same for programs (B17, B52)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, address_recipients, claim_tokens, email_recipients
from tests.support.partner.catalogue import ADDRESSES, BLACK, COLOUR, MUG_LINE, NAVY, SIZE, TEE_LINE
from tests.support.partner.claim_form import choose_country, open_page, order_by_link, parse_claim_form, submit_form
from tests.support.partner.orders import order_id, shipment_statuses
from tests.support.responses import created, error_code
from tests.support.worlds import World

FIELDS = {f"address.{name}": str(text) for name, text in RENO.items()}


def asked(world: World, token: str, **headers: str) -> Response:
    """The page as a program asks for it."""
    return world.client.call("GET", f"/claim/{world.id}/{token}", headers=headers)


def test_a_program_is_told_all_that_the_page_shows(world: World, partner: PartnerClient) -> None:
    order, token = order_by_link(
        partner, items=[TEE_LINE, {**MUG_LINE, "quantity": 2}], gift_message="Hello", destination_countries=["US", "GB"]
    )
    answer = asked(world, token, Accept="application/json")
    assert answer.status == 200
    page = answer.json()
    assert page["items"] == [{"name": "Cotton tee", "quantity": 1}, {"name": "Stoneware mug", "quantity": 2}]
    (choice,) = page.pop("choices")
    assert (choice["variation_id"], [option["option_id"] for option in choice["options"]]) == (
        COLOUR,
        [10221, 10222, 10223],
    )
    assert {name: page[name] for name in ("status", "gift_sender", "message", "countries", "expires_at")} == {
        "status": "awaiting", "gift_sender": "Ada", "message": "Hello", "countries": ["US", "GB"],
        "expires_at": order["team_order"]["claim_expires_at"],
    }  # fmt: skip
    assert asked(world, token).headers["content-type"] == "application/json"
    assert asked(world, token, Accept="*/*").headers["content-type"] == "application/json"


def test_looking_at_the_page_changes_nothing(world: World, partner: PartnerClient) -> None:
    order, token = order_by_link(partner)
    with world.assert_unchanged():
        assert open_page(world, token).status == 200
        assert asked(world, token).status == 200
        assert world.client.call("HEAD", f"/claim/{world.id}/{token}").body == b""
    assert shipment_statuses(partner, order) == ["awaiting"]


def test_a_person_fills_the_form_in_and_the_gift_is_on_its_way(world: World, partner: PartnerClient) -> None:
    order, token = order_by_link(
        partner, items=[TEE_LINE], destination_countries=["CA", "US"], gift_message="Hello\nyou"
    )
    shown = parse_claim_form(open_page(world, token))
    assert (shown.fields, shown.countries) == ({f"selection.{COLOUR}": ""}, {"CA": "Canada", "US": "United States"})
    assert shown.options == {f"selection.{COLOUR}": {str(BLACK): "Black", str(NAVY): "Navy", "10223": "White"}}
    assert "Ada has a gift for you" in shown.text
    assert "Hello\nyou" in shown.text
    form = parse_claim_form(choose_country(world, token, "US"))
    assert list(form.fields) == [
        f"selection.{COLOUR}", "address.country", "address.address1", "address.city", "address.state", "address.zip",
    ]  # fmt: skip
    assert set(form.labels) >= set(form.fields) - {"address.country"}
    assert (form.fields["address.country"], form.fields[f"selection.{COLOUR}"]) == ("US", "")
    assert form.options["address.state"]["US-NV"] == "Nevada"
    thanks = parse_claim_form(submit_form(world, token, {**form.fields, **FIELDS, f"selection.{COLOUR}": str(NAVY)}))
    assert "Thank you" in thanks.text
    (row,) = partner.read_order(order_id(order))["recipients"]
    assert (row["status"], row["address"]) == ("submitted", RENO)
    (event,) = [event for event in world.events() if event["type"] == "team_order.claimed"]
    assert event["subject"]


def test_what_is_wrong_is_said_beside_the_field_and_the_rest_stays_filled_in(
    world: World, partner: PartnerClient
) -> None:
    order, token = order_by_link(partner, items=[TEE_LINE])
    filled = {**FIELDS, "address.zip": "ABC", "address.city": " ", f"selection.{COLOUR}": ""}
    with world.assert_unchanged():
        form = parse_claim_form(submit_form(world, token, filled), 422)
    assert form.invalid == [f"selection.{COLOUR}", "address.city", "address.zip"]
    assert form.errors == [
        "Please correct these 3 fields:", "Colour is missing", "City is missing",
        "ZIP code is not valid for the United States: write it like 94107 or 94107-1234",
    ]  # fmt: skip
    assert {name: form.fields[name] for name in ("address.address1", "address.state", "address.zip")} == {
        "address.address1": "1 Main St", "address.state": "US-NV", "address.zip": "ABC",
    }  # fmt: skip
    right = {**form.fields, "address.zip": "89501", "address.city": "Reno", f"selection.{COLOUR}": str(BLACK)}
    assert submit_form(world, token, right).status == 200
    assert shipment_statuses(partner, order) == ["submitted"]


def test_the_shared_link_asks_who_it_is(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=1, return_claim_links=True))
    token = order["team_order"]["shared_claim_link"].rsplit("/", 1)[1]
    form = parse_claim_form(open_page(world, token))
    assert list(form.fields)[:2] == ["name", "email"]
    assert parse_claim_form(submit_form(world, token, FIELDS), 422).invalid == ["name", "email"]
    assert submit_form(world, token, {**FIELDS, "name": "Cy", "email": "cy@example.com"}).status == 200
    assert partner.read_order(order_id(order))["recipients"][1]["name"] == "Cy"


def test_texts_of_others_are_never_markup(world: World, partner: PartnerClient) -> None:
    evil = "<script>alert(1)</script>\"'>"
    _, token = order_by_link(partner, gift_sender=evil, gift_message=evil)
    shown = parse_claim_form(open_page(world, token))
    again = parse_claim_form(submit_form(world, token, {**FIELDS, "address.zip": evil, "address.city": evil}), 422)
    for form in (shown, again):
        assert "script" not in form.tags
        assert evil in form.text
    assert again.fields["address.city"] == again.fields["address.zip"] == evil


@pytest.mark.parametrize(
    "fields",
    [
        {"address": "x", "address.city": "Reno"}, {"address.city": "Reno", "address": "x"}, {".": "x"}, {"": "x"},
        {"name": "Cy", "name.first": "Cy"}, {"selection": "1", f"selection.{COLOUR}": "2"}, {"address.": "1"},
        {"address.address1.": "x"}, {f"selection.{COLOUR}": "\ud83c\udf81"}, {},
    ],
)  # fmt: skip
def test_a_form_that_no_browser_sends_has_errors(world: World, partner: PartnerClient, fields: dict[str, str]) -> None:
    _, token = order_by_link(partner, items=[TEE_LINE])
    fields = {name: text.encode("utf-16", "surrogatepass").decode("utf-16") for name, text in fields.items()}
    with world.assert_unchanged():
        assert "address.address1" in parse_claim_form(submit_form(world, token, fields), 422).invalid


@pytest.mark.parametrize(
    ("entry", "fields"),
    [
        ({}, ["address"]), ({"address": None}, ["address"]), ({"address": "Reno"}, ["address"]),
        ({"address": {}}, ["address.address1", "address.city", "address.zip", "address.country"]),
        ({"address": {**RENO, "zip": 89501}}, ["address.zip"]),
        ({"address": RENO, "selection": {}}, [f"selection.{COLOUR}"]),
        ({"address": RENO, "selection": [NAVY]}, [f"selection.{COLOUR}"]),
        ({"address": RENO, "selection": {str(COLOUR): 10211}}, [f"selection.{COLOUR}"]),
        ({"address": RENO, "selection": {str(COLOUR): True}}, [f"selection.{COLOUR}"]),
        ({"address": RENO, "selection": {str(COLOUR): NAVY, str(SIZE): 10212}}, [f"selection.{SIZE}"]),
        ({"address": ADDRESSES["GB"]}, ["address.country"]),
    ],
)  # fmt: skip
def test_a_program_is_told_every_wrong_field(
    world: World, partner: PartnerClient, entry: Any, fields: list[str]
) -> None:
    order, token = order_by_link(partner, items=[TEE_LINE])
    entry = {"selection": {str(COLOUR): NAVY}, **entry}
    with world.assert_unchanged():
        answer = world.client.call("POST", f"/claim/{world.id}/{token}", body=entry)
    assert error_code(answer, 422) == "invalid_claim"
    assert [error["field"] for error in answer.json()["errors"]] == fields
    assert world.claim(token, selection={str(COLOUR): NAVY}).json() == {"status": "submitted"}
    assert shipment_statuses(partner, order) == ["submitted"]


@pytest.mark.parametrize(
    "body", ["[", "[]", "7", '{"address": {}, "address": {}}', '{"address": NaN}', '{"name": "\\ud800"}', b"\xff"]
)
def test_a_program_sends_strict_json(world: World, partner: PartnerClient, body: str | bytes) -> None:
    _, token = order_by_link(partner)
    with world.assert_unchanged():
        assert error_code(world.client.call("POST", f"/claim/{world.id}/{token}", body=body), 400) == "invalid_json"


@shows("P-2.10")
def test_a_link_that_does_not_work_says_why(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(3), claim_expiry_days=10, return_claim_links=True))
    used, canceled, expired = claim_tokens(order)
    assert world.claim(used).status == 200
    mine = [order["recipients"][1]["recipient_id"]]
    assert partner.post(f"/team-orders/{order_id(order)}/cancel", {"recipient_ids": mine}).status == 200
    world.advance("10d")
    unpaid = world.partner("partner.no_funds").create_order().json()["team_order_id"]
    (waiting,) = claim_tokens(world.partner("partner.no_funds").read_order(unpaid, "?include=claim_links"))
    found = {used: (410, "claim_used"), canceled: (410, "claim_canceled"), expired: (410, "claim_expired"),
             waiting: (409, "claim_unpaid"), "nonsense": (404, "claim_not_found")}  # fmt: skip
    with world.assert_unchanged():
        for token, (status, said) in found.items():
            assert error_code(asked(world, token), status) == error_code(world.claim(token), status) == said
            for answer in (open_page(world, token), submit_form(world, token, FIELDS)):
                assert "form" not in parse_claim_form(answer, status).tags


def test_a_used_link_stays_used_when_the_parcel_moves_on(world: World, partner: PartnerClient) -> None:
    _, token = order_by_link(partner)
    assert world.claim(token).status == 200
    for _ in range(3):
        world.advance("2d")
        assert (error_code(asked(world, token), 410), error_code(world.claim(token), 410)) == (
            "claim_used",
            "claim_used",
        )


def test_a_world_that_is_not_there_has_no_links(world: World, partner: PartnerClient) -> None:
    _, token = order_by_link(partner)
    assert world.client.call("GET", f"/claim/nowhere/{token}").status == 404
    assert world.client.call("GET", f"/claim/{world.id}/").status == 404


def test_a_token_works_in_its_own_world_alone(world: World, partner: PartnerClient, new_world: Any) -> None:
    _, token = order_by_link(partner)
    other = new_world(seed=2)
    assert error_code(asked(other, token), 404) == "claim_not_found"
    created(other.partner().create_order())
    assert error_code(other.claim(token), 404) == "claim_not_found"


def test_a_broken_request_of_a_browser_is_answered_with_a_page(world: World, partner: PartnerClient) -> None:
    _, token = order_by_link(partner)
    for path in (f"/claim/{world.id}/{token}", "/claim/nowhere/x"):
        for method in ("PUT", "POST"):
            sent = {"Accept": "text/html", "Content-Type": "text/plain"}
            answer = world.client.call(method, path, body="[", headers=sent)
            assert answer.status in (400, 404, 405)
            assert "</html>" in answer.text


def test_a_claim_is_limited_to_64_kibibytes(world: World, partner: PartnerClient) -> None:
    order, token = order_by_link(partner)
    with world.assert_unchanged():
        for fields in ({**FIELDS, "name": "x" * 65_536}, {**FIELDS, **{f"address.f{i}": "x" for i in range(5_000)}}):
            assert parse_claim_form(submit_form(world, token, fields), 400).text.count("larger than 65536 bytes") == 1
        assert error_code(world.claim(token, name="x" * 65_536), 400) == "body_too_large"
    assert submit_form(world, token, {**FIELDS, "note": "x" * 65_000}).status == 200
    assert shipment_statuses(partner, order) == ["submitted"]


def test_the_page_can_be_read_and_posted_only(world: World, partner: PartnerClient) -> None:
    _, token = order_by_link(partner)
    for method in ("PUT", "PATCH", "DELETE"):
        assert error_code(world.client.call(method, f"/claim/{world.id}/{token}"), 405) == "method_not_allowed"


def test_a_claim_is_heard_by_the_endpoints_of_the_account(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    _, token = order_by_link(partner)
    submit_form(world, token, FIELDS)
    world.advance("1h")
    assert [delivery["type"] for delivery in world.deliveries()] == ["team_order.claimed"]


def test_an_order_with_addresses_has_no_page(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(1), return_claim_links=True))
    assert claim_tokens(order) == []
    assert [parcel["claim_link"] for parcel in world.call_control("GET", "/parcels")["parcels"]] == [None]
