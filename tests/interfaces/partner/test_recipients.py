"""Recipients: what a row may say with and without an address, and every wrong row named at once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now
from tests.support.orders import RENO, address_recipients, claim_tokens, email_recipients
from tests.support.partner.catalogue import ADDRESSES, MUG_CENTS
from tests.support.partner.orders import manifest_rows, order_id, refused_order, shipment_statuses
from tests.support.responses import created, error_code, invalid_recipient_fields
from tests.support.worlds import World

NEED_STATE = ("US", "CA", "AU")
GOOD_ZIPS = {
    "US": ["89501", "89501-1234"], "CA": ["K1A 0B1", "k1a0b1"], "GB": ["M1 1AE", "EC1A 1BB", "SW1A2AA"],
    "AU": ["0800", "2000"], "DE": ["01067", "10117"], "FR": ["01000", "75001"], "NL": ["1012 JS", "1012JS"],
    "IT": ["00184"], "ES": ["01001", "28013"],
}  # fmt: skip
BAD_ZIPS = {
    "US": ["ABC", "8950", "K1A 0B1", "89501-12"], "CA": ["89501", "K1A", "D1A 0B1"], "GB": ["89501", "SW1A", "Q1 1AA"],
    "AU": ["200", "20000", "0100"], "DE": ["1011", "D-10117", "00000"], "FR": ["7500", "99999"],
    "NL": ["1012", "0012 JS", "1012 SS"], "IT": ["0184", "001844"], "ES": ["53001", "2801"],
}  # fmt: skip
BAD_STATES = {"US": ["Nevada", "ON", "XX"], "CA": ["Ontario", "NV"], "AU": ["New South Wales", "XX"]}


def cases(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(country, text) for country, texts in table.items() for text in texts]


def ordered(world: World, partner: PartnerClient, address: dict[str, Any]) -> list[str]:
    """What an order to that address finds wrong with it; nothing if it goes there."""
    answer = partner.create_order(recipients=[{"name": "Bo", "address": address}])
    if answer.status == 201:
        return []
    found = invalid_recipient_fields(answer)
    assert world.call_control("GET", "/orders")["orders"] == []
    return found[0]


def claimed(world: World, partner: PartnerClient, address: dict[str, Any]) -> list[str]:
    """The same on the claim page of an order that may go anywhere."""
    order = created(
        partner.create_order(idempotency_key="page", destination_countries=list(ADDRESSES), return_claim_links=True)
    )
    answer = world.claim(claim_tokens(order)[0], address=address)
    status = partner.read_order(order_id(order))["recipients"][0]["status"]
    if answer.status == 200:
        assert status == "submitted"
        return []
    assert (error_code(answer, 422), status) == ("invalid_claim", "awaiting")
    return [error["field"] for error in answer.json()["errors"]]


def judged(world: World, partner: PartnerClient, of: str, /, **members: Any) -> list[str]:
    """What both find wrong, which must be the same."""
    address = {**ADDRESSES[of], **members}
    found = ordered(world, partner, address)
    assert claimed(world, partner, address) == found
    return found


@shows("P-2.18")
@pytest.mark.parametrize("country", ADDRESSES)
def test_a_good_address_of_each_country_is_taken_and_kept(world: World, partner: PartnerClient, country: str) -> None:
    assert judged(world, partner, country) == []
    order = partner.get("/team-orders").json()["team_orders"][1]
    assert partner.read_order(order["id"])["recipients"][0]["address"] == {"state": None, **ADDRESSES[country]}


@shows("P-2.18")
@pytest.mark.parametrize("country", ADDRESSES)
def test_a_state_is_needed_in_three_countries(world: World, partner: PartnerClient, country: str) -> None:
    assert judged(world, partner, country, state=None) == (["address.state"] if country in NEED_STATE else [])


@shows("P-2.18")
@pytest.mark.parametrize(("country", "state"), cases(BAD_STATES))
def test_there_it_is_one_of_the_countrys_own(world: World, partner: PartnerClient, country: str, state: str) -> None:
    assert judged(world, partner, country, state=state) == ["address.state"]


@shows("P-2.18")
@pytest.mark.parametrize(("country", "text"), cases(GOOD_ZIPS))
def test_a_zip_as_the_country_writes_it_is_taken(world: World, partner: PartnerClient, country: str, text: str) -> None:
    assert judged(world, partner, country, zip=text) == []


@shows("P-2.18")
@pytest.mark.parametrize(("country", "text"), cases(BAD_ZIPS))
def test_a_zip_of_another_form_is_refused(world: World, partner: PartnerClient, country: str, text: str) -> None:
    assert judged(world, partner, country, zip=text) == ["address.zip"]


@shows("P-2.18")
@pytest.mark.parametrize("country", ["JP", "us", "USA", "United States", "GBR", "UK", "AT"])
def test_no_other_country_is_served(world: World, partner: PartnerClient, country: str) -> None:
    assert judged(world, partner, "US", country=country) == ["address.country"]


def test_unknown_members_of_an_address_do_not_matter(world: World, partner: PartnerClient) -> None:
    assert judged(world, partner, "US", address2="Apt 4", phone=7) == []
    order = partner.get("/team-orders").json()["team_orders"][1]
    assert partner.read_order(order["id"])["recipients"][0]["address"] == ADDRESSES["US"]


GOOD_MAILS = ["bo@example.com", "b@e", "bo.berg+gifts@mail.example.com", "BO@EXAMPLE.COM", "o'hara@example.com"]
BAD_MAILS = [
    "", " ", "bo", "bo@", "@example.com", "bo@berg@example.com", "bo berg@example.com", "Bo <bo@example.com>",
    "bo@example..com", "bo@.example.com", "bo@[10.0.0.1]", "bo\n@example.com", "x" * 250 + "@example.com", 7, None, [],
]  # fmt: skip


def wrong(world: World, partner: PartnerClient, *rows: Any) -> dict[int, list[str]]:
    """What is found wrong with the rows; nothing may come of the order."""
    with world.assert_unchanged():
        answer = partner.create_order(recipients=list(rows))
    found = invalid_recipient_fields(answer)
    assert created(partner.create_order()), "the key is not free"
    return found


@shows("P-2.16")
@pytest.mark.parametrize("email", GOOD_MAILS)
def test_a_recipient_without_address_has_name_and_email(world: World, partner: PartnerClient, email: str) -> None:
    order = created(partner.create_order(recipients=[{"name": "Bo", "email": email}]))
    assert [(row["name"], row["email"]) for row in order["recipients"]] == [("Bo", email)]
    assert [mail["to"] for mail in world.mail()] == [email]


@shows("P-2.16")
def test_company_and_message_may_stand_beside(world: World, partner: PartnerClient) -> None:
    row = {"name": "Bo", "email": "bo@example.com", "company": "Berg & Co", "gift_message": "Hi"}
    order = created(partner.create_order(recipients=[row], return_claim_links=True))
    assert manifest_rows(partner, order)[0]["company"] == "Berg & Co"
    shown = world.client.call("GET", f"/claim/{world.id}/{claim_tokens(order)[0]}").json()
    assert shown["message"] == "Hi"


@shows("P-2.16")
@pytest.mark.parametrize("email", BAD_MAILS)
def test_an_email_that_could_be_none_is_refused(world: World, partner: PartnerClient, email: Any) -> None:
    assert wrong(world, partner, {"name": "Bo", "email": email}) == {0: ["email"]}


@shows("P-2.16")
@pytest.mark.parametrize("note", [{}, {"note": 1.0}])
def test_name_and_email_must_be_there(world: World, partner: PartnerClient, note: Any) -> None:
    assert wrong(world, partner, {"name": "Bo", **note}, {"email": "bo@example.com"}, {}) == {
        0: ["email"], 1: ["name"], 2: ["email", "name"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("member", "value"),
    [("name", ""), ("name", "  "), ("name", 7), ("name", None), ("name", "x" * 201), ("name", "Bo\x01"),
     ("company", 7), ("company", "x" * 201), ("gift_message", 7), ("gift_message", "x" * 2001),
     ("gift_message", "\x07"), ("email", "bo")],
)  # fmt: skip
@pytest.mark.parametrize("row", [{"name": "Bo", "email": "bo@example.com"}, {"name": "Bo", "address": RENO}])
def test_one_wrong_member_is_named(world: World, partner: PartnerClient, row: Any, member: str, value: Any) -> None:
    assert wrong(world, partner, {**row, member: value}) == {0: [member]}


@pytest.mark.parametrize(
    ("member", "value"),
    [("quantity", 0), ("quantity", 1001), ("quantity", "2"), ("quantity", 1.5), ("quantity", True),
     ("ship_on", "soon"), ("ship_on", "2027-02-30"), ("ship_on", 7)],
)  # fmt: skip
def test_a_wrong_quantity_or_ship_on_beside_an_address_is_named(
    world: World, partner: PartnerClient, member: str, value: Any
) -> None:
    assert wrong(world, partner, {"name": "Bo", "address": RENO, member: value}) == {0: [member]}


@shows("P-2.17")
def test_a_recipient_with_address_has_all_this(world: World, partner: PartnerClient) -> None:
    row = {"name": "Bo", "company": "Berg", "quantity": 2, "ship_on": date_from_now(world, 3), "address": RENO}
    order = created(partner.create_order(recipients=[row]))
    assert order["team_order"]["address_mode"] != "claim_links"
    (read,) = partner.read_order(order_id(order))["recipients"]
    assert read["address"] == RENO
    assert (read["name"], read["email"]) == ("Bo", None)
    assert read["money"]["subtotal_cents"] == 2 * MUG_CENTS
    (parcel,) = world.call_control("GET", "/parcels")["parcels"]
    assert (parcel["ship_on"], parcel["country"]) == (date_from_now(world, 3), "US")
    assert manifest_rows(partner, order)[0]["company"] == "Berg"


@shows("P-2.17")
@pytest.mark.parametrize("member", ["address1", "city", "state", "zip", "country"])
@pytest.mark.parametrize("value", [None, "", "  ", 7, "gone"])
def test_an_address_in_reno_needs_all_five(world: World, partner: PartnerClient, member: str, value: Any) -> None:
    if value == "gone":
        address = {name: text for name, text in RENO.items() if name != member}
    else:
        address = {**RENO, member: value}
    assert wrong(world, partner, {"name": "Bo", "address": address}) == {0: [f"address.{member}"]}


def test_an_email_beside_an_address_comes_back(partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(1, email="bo@example.com")))
    assert order["recipients"][0]["email"] == "bo@example.com"


@pytest.mark.parametrize("address", ["1 Main St, Reno", 7, [], True])
def test_an_address_is_an_object(world: World, partner: PartnerClient, address: Any) -> None:
    assert wrong(world, partner, {"name": "Bo", "address": address}) == {0: ["address"]}


def test_an_address_of_null_counts_as_absent(partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(2, address=None)))
    assert order["team_order"]["address_mode"] == "claim_links"


@shows("P-2.19", "P-2.20")
@pytest.mark.parametrize("members", [{"quantity": 3}, {"ship_on": "2999-05-01"}, {"quantity": 0}, {"ship_on": "soon"}])
def test_quantity_and_ship_on_are_ignored_on_recipients_with_claim_links(
    world: World, partner: PartnerClient, members: dict[str, Any]
) -> None:
    plain = created(partner.create_order(idempotency_key="plain", recipients=email_recipients(1)))
    order = created(partner.create_order(recipients=email_recipients(1, **members)))
    assert order["totals"] == plain["totals"]
    world.simulate("claim", team_order_id=order["team_order"]["id"], recipient=0)
    world.advance("1d")
    assert shipment_statuses(partner, order) == ["in_production"]
    assert world.rows("parcels")[-1]["ship_on"] is None


@shows("P-2.20")
def test_a_recipients_quantity_multiplies_the_bundle_for_that_one(partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=[*address_recipients(1, quantity=3), *address_recipients(1)]))
    assert order["totals"]["subtotal_cents"] == 4 * MUG_CENTS
    money = [row["money"] for row in partner.read_order(order_id(order))["recipients"]]
    assert [share["subtotal_cents"] for share in money] == [3 * MUG_CENTS, MUG_CENTS]
    assert [share["shipping_cents"] for share in money] == [800, 800]


@shows("P-7.25")
def test_every_wrong_row_is_named_by_its_place(world: World, partner: PartnerClient) -> None:
    rows = address_recipients(3)
    rows[0]["address"]["zip"] = "ABC"
    rows[2] = {"name": "", "quantity": 0, "address": {**RENO, "city": "", "country": "JP"}}
    assert wrong(world, partner, *rows) == {
        0: ["address.zip"],
        2: ["address.city", "address.country", "name", "quantity"],
    }


@shows("P-7.25")
def test_one_wrong_row_of_a_hundred_stops_them_all(world: World, partner: PartnerClient) -> None:
    rows = email_recipients(100)
    rows[99]["email"] = "nobody"
    assert wrong(world, partner, *rows) == {99: ["email"]}


@shows("P-8.2")
@pytest.mark.parametrize(
    "rows", [email_recipients(1), email_recipients(100), address_recipients(1), address_recipients(100)]
)
def test_an_order_has_one_to_a_hundred_recipients(partner: PartnerClient, rows: Any) -> None:
    order = created(partner.create_order(recipients=rows))
    assert [row["name"] for row in order["recipients"]] == [row["name"] for row in rows]
    assert order["team_order"]["recipient_count"] == len(rows)


@shows("P-8.2")
@pytest.mark.parametrize("rows", [email_recipients(101), address_recipients(101)])
def test_a_hundred_and_one_recipients_are_too_many(world: World, partner: PartnerClient, rows: Any) -> None:
    assert refused_order(world, partner, recipients=rows) == "invalid_body"


@pytest.mark.parametrize("row", [None, 7, "Bo", [], ["Bo", "bo@example.com"], True])
def test_a_row_is_an_object(world: World, partner: PartnerClient, row: Any) -> None:
    assert refused_order(world, partner, recipients=[*email_recipients(1), row]) == "invalid_body"


def test_a_setting_refuses_a_parcel_that_ships_after_the_event(world: World, partner: PartnerClient) -> None:
    event = {"date": date_from_now(world, 5)}
    rows = [{"name": f"Person {i}", "ship_on": date_from_now(world, i), "address": RENO} for i in (5, 6)]
    created(partner.create_order(idempotency_key="late", recipients=rows, event=event))
    world.change_settings(partner__ship_on_after_event="refuse")
    answer = partner.create_order(idempotency_key="refused", recipients=rows, event=event)
    assert invalid_recipient_fields(answer) == {1: ["ship_on"]}
    created(partner.create_order(idempotency_key="in time", recipients=rows[:1], event=event))
    created(partner.create_order(idempotency_key="no event", recipients=rows))
