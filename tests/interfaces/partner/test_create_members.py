"""What a create body may say of the order as a whole, and where that comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim import Simulator
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now
from tests.support.orders import RENO, address_recipients, claim_tokens, email_recipients, order_body
from tests.support.partner.catalogue import ADDRESSES, MUG_LINE
from tests.support.partner.orders import manifest_rows, order_id, refused_order
from tests.support.responses import created, error_code
from tests.support.worlds import World, temporary_world

COUNTRIES = ("US", "CA", "GB", "AU", "DE", "FR", "NL", "IT", "ES")


def page(world: World, token: str) -> Any:
    """What the claim page tells a program."""
    answer = world.client.call("GET", f"/claim/{world.id}/{token}", headers={"Accept": "application/json"})
    assert answer.status == 200, answer.text
    return answer.json()


@shows("P-2.1")
@pytest.mark.parametrize("key", [None, 7, True, "", [], {}, "two\nlines", "x" * 256])
def test_an_order_needs_an_idempotency_key_that_is_text(world: World, partner: PartnerClient, key: Any) -> None:
    assert refused_order(world, partner, idempotency_key=key) == "invalid_body"


@shows("P-2.1")
def test_an_idempotency_key_of_null_is_none(world: World, partner: PartnerClient) -> None:
    with world.assert_unchanged():
        answer = partner.post("/team-orders", {**order_body(), "idempotency_key": None})
    assert answer.status == 400


@shows("P-2.2", "P-2.3")
def test_name_reference_and_po_number_come_back_wherever_the_order_is_read(
    world: World, partner: PartnerClient
) -> None:
    said = {"name": "Welcome kits", "reference": "REF-1001", "po_number": "PO-77"}
    partner.subscribe("team_order.claimed")
    order = created(partner.create_order(**said))
    (listed,) = partner.get("/team-orders").json()["team_orders"]
    for shown in (order["team_order"], partner.read_order(order_id(order))["team_order"], listed):
        assert {member: shown[member] for member in said} == said
    (row,) = manifest_rows(partner, order)
    assert (row["reference"], row["po_number"]) == ("REF-1001", "PO-77")
    world.simulate("claim", team_order_id=order_id(order), recipient=0)
    world.advance("1h")
    (event,) = world.events()
    assert event["data"]["team_order"]["name"] == "Welcome kits"
    assert event["data"]["team_order"]["reference"] == "REF-1001"


@shows("P-2.2", "P-2.3")
def test_names_that_were_not_given_are_null(partner: PartnerClient) -> None:
    shown = partner.read_order(order_id(created(partner.create_order())))["team_order"]
    assert [shown[member] for member in ("name", "reference", "po_number")] == [None, None, None]


@shows("P-2.9")
@pytest.mark.parametrize("country", COUNTRIES)
def test_each_of_nine_countries_can_be_a_destination(world: World, partner: PartnerClient, country: str) -> None:
    order = created(partner.create_order(destination_countries=[country], return_claim_links=True))
    assert order["team_order"]["destination_countries"] == [country]
    assert page(world, claim_tokens(order)[0])["countries"] == [country]
    assert world.claim(claim_tokens(order)[0], address=ADDRESSES[country]).status == 200
    assert partner.read_order(order_id(order))["recipients"][0]["address"]["country"] == country


@shows("P-2.9")
@pytest.mark.parametrize(
    "countries",
    [["JP"], ["usa"], ["us"], ["US", "JP"], "US", [], ["US", "US"], [7], {"US": 1}, ["United States"], [""]],
)
def test_no_other_destination_is_taken(world: World, partner: PartnerClient, countries: Any) -> None:
    assert refused_order(world, partner, destination_countries=countries) == "invalid_body"


def test_all_nine_destinations_come_back_in_the_order_of_the_request(partner: PartnerClient) -> None:
    wanted = list(reversed(COUNTRIES))
    assert created(partner.create_order(destination_countries=wanted))["team_order"]["destination_countries"] == wanted


def test_links_go_to_the_united_states_unless_the_order_or_the_setting_says_more(
    world: World, partner: PartnerClient
) -> None:
    assert created(partner.create_order())["team_order"]["destination_countries"] == ["US"]
    world.change_settings(partner__destination_countries=["GB", "DE"])
    assert created(partner.create_order(idempotency_key="b"))["team_order"]["destination_countries"] == ["GB", "DE"]
    order = created(partner.create_order(idempotency_key="c", destination_countries=["FR"]))
    assert order["team_order"]["destination_countries"] == ["FR"]


def test_orders_with_addresses_show_the_countries_found_there(partner: PartnerClient) -> None:
    rows = [{"name": code, "address": ADDRESSES[code]} for code in ("GB", "US", "GB")]
    order = created(partner.create_order(recipients=rows, destination_countries=["ES"]))
    assert order["team_order"]["destination_countries"] == ["GB", "US"]
    assert partner.read_order(order_id(order))["team_order"]["destination_countries"] == ["GB", "US"]


@shows("P-2.11")
def test_a_recipients_own_message_replaces_that_of_the_order(world: World, partner: PartnerClient) -> None:
    rows = [*email_recipients(1), *email_recipients(1, gift_message="Just for you\nand nobody else")]
    order = created(
        partner.create_order(gift_sender="Ada & Co", gift_message="To all", recipients=rows, return_claim_links=True)
    )  # fmt: skip
    pages = [page(world, token) for token in claim_tokens(order)]
    assert [shown["message"] for shown in pages] == ["To all", "Just for you\nand nobody else"]
    assert [shown["gift_sender"] for shown in pages] == ["Ada & Co"] * 2
    assert {mail["subject"] for mail in world.mail()} == {"Ada & Co has a gift for you"}


@shows("P-2.11")
def test_without_any_message_the_page_has_none(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(return_claim_links=True))
    assert page(world, claim_tokens(order)[0])["message"] is None


@shows("P-2.12")
@pytest.mark.parametrize("recipients", [email_recipients(2), address_recipients(2)])
def test_a_card_is_printed_for_every_parcel(world: World, partner: PartnerClient, recipients: Any) -> None:
    order = created(partner.create_order(recipients=recipients, card={"message": "Thank you", "sender": "Ada"}))
    assert order["team_order"]["printed_card"] is True
    assert partner.read_order(order_id(order))["team_order"]["printed_card"] is True
    cards = [parcel["card"] for parcel in world.call_control("GET", "/parcels")["parcels"]]
    assert cards == [{"size": "5x7", "message": "Thank you", "sender": "Ada"}] * 2


@shows("P-2.12")
def test_without_a_card_none_is_printed(world: World, partner: PartnerClient) -> None:
    assert created(partner.create_order())["team_order"]["printed_card"] is False
    assert [parcel["card"] for parcel in world.call_control("GET", "/parcels")["parcels"]] == [None]


@shows("P-2.12")
@pytest.mark.parametrize("card", [{}, {"message": "", "sender": " "}, {"size": "5x7"}])
def test_a_card_without_text_is_not_printed(world: World, partner: PartnerClient, card: dict[str, str]) -> None:
    world.change_settings(partner__gift_sender_required="with_message_or_card")
    order = created(partner.create_order(card=card, gift_sender=None))
    assert order["team_order"]["printed_card"] is False
    assert world.rows("parcels")[0]["card"] is None
    for member in ("message", "sender"):
        answer = partner.create_order(idempotency_key=member, card={member: "Ada"})
        assert created(answer)["team_order"]["printed_card"] is True


@shows("P-2.13")
@pytest.mark.parametrize(("rush", "told"), [(True, True), (False, False), (None, False)])
def test_the_event_comes_back_under_its_names(
    world: World, partner: PartnerClient, rush: bool | None, told: bool
) -> None:
    event = {"date": date_from_now(world, 30), **({} if rush is None else {"rush": rush})}
    order = created(partner.create_order(event=event))
    shown = order["team_order"]["event"]
    assert (shown["event_date"], shown["rush"]) == (date_from_now(world, 30), told)
    assert type(shown["fees_cents"]) is int
    read = partner.read_order(order_id(order))["team_order"]["event"]
    assert {member: read[member] for member in ("event_date", "rush", "fees_cents")} == {
        member: shown[member] for member in ("event_date", "rush", "fees_cents")
    }


@shows("P-2.13")
def test_without_an_event_there_is_none(partner: PartnerClient) -> None:
    assert created(partner.create_order())["team_order"]["event"] is None


def test_rush_halves_the_way(world: World, partner: PartnerClient) -> None:
    plain = created(partner.create_order(recipients=address_recipients(1)))
    rush = created(
        partner.create_order(
            idempotency_key="b", recipients=address_recipients(1), event={"date": date_from_now(world, 9), "rush": True}
        )
    )
    world.advance("60h")
    found = [partner.read_order(order_id(order))["recipients"][0]["status"] for order in (plain, rush)]
    assert found == ["labeled", "delivered"]


def test_the_word_for_orders_with_addresses_is_a_setting(world: World, partner: PartnerClient) -> None:
    world.change_settings(partner__address_mode="shipping_addresses")
    order = created(partner.create_order(recipients=address_recipients(1)))
    assert order["team_order"]["address_mode"] == "shipping_addresses"
    assert partner.read_order(order_id(order))["team_order"]["address_mode"] == "shipping_addresses"
    assert created(partner.create_order(idempotency_key="b"))["team_order"]["address_mode"] == "claim_links"
    world.advance("1d")
    assert partner.read_order(order_id(order))["recipients"][0]["status"] == "in_production"


def test_that_word_cannot_be_the_one_for_links(world: World) -> None:
    answer = world.control.call("PATCH", f"/worlds/{world.id}/settings", {"partner.address_mode": "claim_links"})
    assert answer.status == 400


Body = dict[str, Any]


def mixed(body: Body) -> None:
    body["recipients"].append({"name": "Cy", "email": "cy@example.com"})


def bad_row(body: Body) -> None:
    body["recipients"][0]["quantity"] = 0


# One flaw for each code, in the order in which they are told; every one can be put on top of the others.
FLAWS: dict[str, tuple[int, Callable[[Body], object]]] = {
    "invalid_body": (400, lambda body: body.update(claim_expiry_days="ten")),
    "items_required": (400, lambda body: body.update(items=[])),
    "invalid_item": (400, lambda body: body["items"].append({"sku_code": "MUG-01", "quantity": 0})),
    "recipients_required": (400, lambda body: body.update(recipients=[])),
    "mixed_address_modes": (400, mixed),
    "gift_sender_required": (400, lambda body: body.pop("gift_sender")),
    "invalid_event": (400, lambda body: body.update(event={"date": "soon"})),
    "sku_not_found": (404, lambda body: body["items"].append({"sku_code": "GONE-01"})),
    "invalid_recipients": (422, bad_row),
    "personalization_review_required": (409, lambda body: body["items"].append({"sku_code": "ENGR-01"})),
}
# What empties a list is done last, or the others would fill it again.
LAST = ("items_required", "recipients_required")


def flawed(names: set[str]) -> Body:
    """A good order to two addresses with these flaws."""
    rows = [{"name": name, "address": dict(RENO)} for name in ("Bo", "Di")]
    body = order_body(items=[dict(MUG_LINE)], recipients=rows)
    for name in sorted(FLAWS, key=lambda name: name in LAST):
        if name in names:
            FLAWS[name][1](body)
    return body


@pytest.mark.parametrize("note", [1, 1.0, None])
@pytest.mark.parametrize("name", FLAWS)
def test_each_flaw_alone_has_its_code_whatever_else_is_in_the_body(world: World, name: str, note: float | None) -> None:
    partner = world.partner("partner.no_funds")
    with world.assert_unchanged():
        assert error_code(partner.post("/team-orders", {**flawed({name}), "note": note}), FLAWS[name][0]) == name


def test_without_a_flaw_the_charge_decides(world: World) -> None:
    assert (
        error_code(world.partner("partner.no_funds").post("/team-orders", flawed(set())), 402)
        == "insufficient_funds_no_card"
    )


@given(names=st.sets(st.sampled_from(list(FLAWS)), min_size=1))
def test_of_several_flaws_the_first_in_the_table_is_told(simulator: Simulator, names: set[str]) -> None:
    first = next(name for name in FLAWS if name in names)
    with temporary_world(simulator) as world, world.assert_unchanged():
        answer = world.partner("partner.no_funds").post("/team-orders", flawed(names))
    assert error_code(answer, FLAWS[first][0]) == first


def test_the_key_is_judged_before_the_body(world: World, partner: PartnerClient) -> None:
    broken = "{"
    assert partner.client.call("POST", "/api/external/team-orders", body=broken).status == 401
    assert error_code(world.partner("partner.unbound").post("/team-orders", broken), 403) == "forbidden_no_account"
    assert (
        error_code(world.partner("partner.no_capability").post("/team-orders", broken), 403) == "forbidden_capability"
    )
    assert error_code(partner.post("/team-orders", broken), 400) == "invalid_body"


def test_a_used_idempotency_key_is_told_before_what_is_wrong_with_the_new_body(
    world: World, partner: PartnerClient
) -> None:
    created(partner.create_order())
    with world.assert_unchanged():
        for name, (_, spoil) in FLAWS.items():
            body = order_body(items=[dict(MUG_LINE)], recipients=[{"name": "Bo", "address": dict(RENO)}])
            spoil(body)
            answer = partner.post("/team-orders", body)
            assert error_code(answer, 409) == "idempotency_payload_mismatch", name


def test_json_that_cannot_be_read_is_told_before_the_used_key(partner: PartnerClient) -> None:
    created(partner.create_order())
    assert error_code(partner.post("/team-orders", '{"idempotency_key": "first", "name": NaN}')) == "invalid_body"


def test_an_unknown_product_is_told_before_its_options_can_be(partner: PartnerClient) -> None:
    unknown = {"merchant_product_id": 999, "fixed_options": {"1": 2}}
    assert error_code(partner.create_order(items=[unknown]), 404) == "sku_not_found"
    assert error_code(partner.create_order(items=[unknown, {"merchant_product_id": 102}])) == "invalid_item"


def test_a_review_is_asked_for_before_the_wallet_is_looked_at(world: World) -> None:
    partner = world.partner("partner.no_funds")
    engraved = [{"sku_code": "ENGR-01"}]
    with world.assert_unchanged():
        assert error_code(partner.create_order(items=engraved), 409) == "personalization_review_required"
    world.simulate("personalization", product="ENGR-01")
    assert error_code(partner.create_order(items=engraved), 402) == "insufficient_funds_no_card"


def test_a_retry_of_an_unpaid_order_is_not_judged_anew(world: World) -> None:
    partner = world.partner("partner.no_funds")
    body = order_body(event={"date": date_from_now(world, 0)})
    assert partner.post("/team-orders", body).status == 402
    world.advance("2d")
    world.change_account("partner.no_funds", card="good")
    assert created(partner.post("/team-orders", body))["team_order"]["event"]["event_date"] == date_from_now(world, -2)


@pytest.mark.parametrize(
    ("members", "name"),
    [
        ({"currency": "EUR"}, "currency"),
        ({"recipients": [{"name": "Bo", "address": {**RENO, "address2": "Floor 3"}}]}, "address2"),
    ],
)
def test_a_currency_or_a_second_line_is_an_unknown_member(
    world: World, partner: PartnerClient, members: dict[str, Any], name: str
) -> None:
    assert name not in str(partner.read_order(partner.create_order(**members)))
    world.change_settings(strict_bodies=True)
    refused = partner.create_order(idempotency_key="strict", **members)
    assert refused.status in (400, 422)
    assert name in refused.text
