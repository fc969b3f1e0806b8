"""The manifest: an order as CSV that any parser reads back, text for text (B35)."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now, instant_from_now
from tests.support.orders import RENO, address_recipients, claim_tokens, email_recipients
from tests.support.partner.orders import STATUSES, cancel_rows, move_parcels, order_with_statuses
from tests.support.responses import created
from tests.support.worlds import World

in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])

COLUMNS = [
    "recipient_id", "name", "company", "email", "address1", "city", "state", "zip", "country", "claim_status",
    "order_status", "carrier", "tracking_number", "shipped_at", "delivered_at", "items", "subtotal_cents",
    "shipping_cents", "event_fees_cents", "total_cents", "po_number", "reference", "quote_number", "duties_cents",
    "event_date", "rush", "on_time",
]  # fmt: skip
AMOUNTS = ("subtotal_cents", "shipping_cents", "event_fees_cents", "total_cents", "duties_cents")
FORMULAS = ("=", "+", "-", "@", "\t", "\n")
LONDON = {"address1": "10 Downing St", "city": "London", "zip": "SW1A 2AA", "country": "GB"}

FORMULA_TEXTS = ["=1+1", "+1-1", "-1+1", "@SUM(A1)", '=HYPERLINK("https://x.example","y")', "-2+3+cmd|' /C calc'!A0"]
TEXT_COLUMNS = ("name", "company", "address1", "city", "po_number", "reference")

texts = st.text(
    st.one_of(st.sampled_from(",\";'=+-@|"), st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])), max_size=60
).map(lambda text: f"{text}x")


def manifest(partner: PartnerClient, order: int = 1001) -> list[dict[str, str]]:
    """The rows of an order's manifest, read as a strict CSV parser reads them."""
    answer = partner.get(f"/team-orders/{order}/manifest.csv")
    assert answer.status == 200, answer.text
    assert answer.headers["content-type"].startswith("text/csv")
    head, *rows = csv.reader(io.StringIO(answer.body.decode("utf-8"), newline=""), strict=True)
    assert head == COLUMNS
    return [dict(zip(head, row, strict=True)) for row in rows]


def expected(detail: Any, company: str = "") -> list[dict[str, str]]:
    """The cells that follow from a read of the order."""
    order = detail["team_order"]
    event = order["event"] or {"event_date": None, "rush": None}
    about = [order["po_number"], order["reference"], order["quote_number"], 0, event["event_date"], event["rush"]]
    found = []
    for row in detail["recipients"]:
        shipment, money, address = row["shipment"], row["money"], row["address"] or {}
        place = [address.get(name) for name in ("address1", "city", "state", "zip", "country")]
        way = [shipment[name] for name in ("carrier", "tracking_number", "shipped_at", "delivered_at")]
        cells = [row["recipient_id"], row["name"], company, row["email"], *place, row["claim"]["status"], row["status"]]
        cells += [*way, "1 x MUG-01 Stoneware mug", *[money[name] for name in AMOUNTS[:4]], *about]
        found.append(dict(zip(COLUMNS, map(cell, [*cells, row["event"]["on_time"]]), strict=True)))
    return found


def members_with_text(text: str) -> dict[str, Any]:
    """Members of an order to one address that have this text wherever it goes into the manifest."""
    address = {**RENO, "address1": text, "city": text}
    row = {"name": text, "company": text, "email": "=a@b.example", "address": address}
    return {"recipients": [row], "po_number": text, "reference": text}


def cell(value: Any) -> str:
    """A value of JSON as the manifest writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


@shows("P-4.8", "P-4.9")
def test_the_cells_are_what_a_read_shows(world: World, partner: PartnerClient) -> None:
    order_with_statuses(
        world,
        partner,
        STATUSES,
        po_number="PO-7",
        reference="REF-1",
        event={"date": date_from_now(world, 3), "rush": True},
    )
    detail = partner.read_order(1001)
    assert manifest(partner) == expected(detail)
    assert [row["order_status"] for row in manifest(partner)] == list(STATUSES)
    world.advance("9d")
    assert manifest(partner) == expected(partner.read_order(1001))
    assert {row["on_time"] for row in manifest(partner)} == {"true", "false", ""}


@shows("P-4.8", "P-4.9")
@pytest.mark.parametrize(
    "members",
    [
        {"recipients": email_recipients(3, company="Cole"), "open_seats": 2},
        {"recipients": [{"name": "Cy", "company": "Cole", "address": LONDON}, *address_recipients(1, company="Cole")]},
    ],
)
def test_a_header_and_a_row_per_recipient_in_the_order_of_the_request(
    partner: PartnerClient, members: dict[str, Any]
) -> None:
    created(partner.create_order(**members))
    seats = members.get("open_seats", 0)
    rows = manifest(partner)
    wanted = expected(partner.read_order(1001), "Cole")
    for seat in wanted[len(wanted) - seats :] if seats else []:
        seat["company"] = ""
    assert rows == wanted
    assert [row["name"] for row in rows] == [row["name"] for row in members["recipients"]] + [""] * seats


@shows("P-4.9")
def test_dates_and_tracking_come_as_they_become_known(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients()))
    [row] = manifest(partner)
    assert [row[name] for name in COLUMNS[11:15]] == [""] * 4
    world.advance("1h")
    move_parcels(world, order, "shipped")
    shipped = instant_from_now(world)
    world.advance("1h")
    move_parcels(world, order, "delivered")
    [row] = manifest(partner)
    assert (row["shipped_at"], row["delivered_at"]) == (shipped, instant_from_now(world))
    assert row["carrier"]
    assert row["tracking_number"] == partner.read_order(1001)["recipients"][0]["shipment"]["tracking_number"]


@shows("P-2.7", "P-4.9")
def test_every_row_lists_the_whole_bundle(partner: PartnerClient) -> None:
    fixed = {"merchant_product_id": 102, "fixed_options": {"1021": 10212, "1022": 10222}, "quantity": 2}
    created(partner.create_order(items=[{"sku_code": "PEN-01", "quantity": 3}, fixed], recipients=email_recipients(2)))
    [items] = {row["items"] for row in manifest(partner)}
    assert len(manifest(partner)) == 2
    assert items == "3 x PEN-01 Ballpoint pen; 2 x TEE-01-M-NAVY Cotton tee (Size: M, Colour: Navy)"


@shows("P-2.5", "P-4.9")
def test_an_item_that_was_ordered_by_product_is_named_by_its_sku(world: World, partner: PartnerClient) -> None:
    tee = {"merchant_product_id": 102, "fixed_options": {"1021": 10212}, "choice_variation_ids": [1022]}
    created(partner.create_order(items=[{"merchant_product_id": 101}, tee]))
    mug = "1 x MUG-01 Stoneware mug"
    assert [row["items"] for row in manifest(partner)] == [f"{mug}; 1 x tee-01 Cotton tee (Size: M)"]
    world.simulate("claim", team_order_id=1001, recipient=0, selection={"1022": 10222})
    bought = "1 x TEE-01-M-NAVY Cotton tee (Size: M, Colour: Navy)"
    assert [row["items"] for row in manifest(partner)] == [f"{mug}; {bought}"]
    created(partner.create_order(idempotency_key="by sku", items=[{"sku_code": "TEE-01-M-NAVY"}]))
    assert [row["items"] for row in manifest(partner, 1002)] == [bought]


@shows("P-4.9")
def test_the_money_of_a_row_has_its_part_of_the_fees(world: World, partner: PartnerClient) -> None:
    created(
        partner.create_order(
            recipients=address_recipients(2), event={"date": date_from_now(world, 30), "kit_assembly": True}
        )
    )
    row = manifest(partner)[0]
    assert [row[name] for name in AMOUNTS] == ["1800", "800", "300", "2900", "0"]
    assert (row["event_date"], row["rush"], row["on_time"]) == (date_from_now(world, 30), "false", "")


@shows("P-4.9")
@pytest.mark.parametrize("name", ['Bo, "the" Second of Berg', '"', ",", "'quoted'", "Ünï ☃ 😀", '""",""'])
def test_commas_and_quotes_survive(partner: PartnerClient, name: str) -> None:
    created(partner.create_order(recipients=[{"name": name, "email": "bo@example.com"}]))
    assert manifest(partner)[0]["name"] == partner.read_order(1001)["recipients"][0]["name"] == name


@shows("P-4.9")
@in_one_world
@given(first=texts, second=texts)
def test_any_text_comes_back_from_the_file(partner: PartnerClient, first: str, second: str) -> None:
    total = partner.get("/team-orders?limit=1").json()["total"]
    rows = [{"name": name, "email": "bo@example.com"} for name in (first, second)]
    order = created(partner.create_order(idempotency_key=str(total), recipients=rows))["team_order"]["id"]
    assert [row["name"] for row in manifest(partner, order)] == [first, second]


@shows("P-2.3", "P-4.9")
@pytest.mark.parametrize("text", FORMULA_TEXTS)
def test_texts_come_out_as_they_went_in(partner: PartnerClient, text: str) -> None:
    created(partner.create_order(**members_with_text(text)))
    [cells] = manifest(partner)
    assert [cells[name] for name in TEXT_COLUMNS] == [text] * len(TEXT_COLUMNS)
    assert cells["email"] == "=a@b.example"
    assert partner.read_order(1001)["team_order"]["reference"] == text


@pytest.mark.parametrize("text", FORMULA_TEXTS)
def test_a_world_may_have_formulas_neutralized(world: World, partner: PartnerClient, text: str) -> None:
    created(partner.create_order(**members_with_text(text)))
    world.change_settings(partner__manifest_neutralized=True)
    [cells] = manifest(partner)
    assert [cells[name] for name in TEXT_COLUMNS] == [f"'{text}"] * len(TEXT_COLUMNS)
    assert cells["email"] == "'=a@b.example"
    assert not [name for name in COLUMNS if cells[name].startswith(FORMULAS)]
    assert partner.read_order(1001)["team_order"]["reference"] == text


@pytest.mark.parametrize(("neutralized", "name"), [(False, "=1+1"), (True, "'=1+1")])
def test_the_name_of_an_open_seats_claimant_is_a_text_like_others(
    world: World, partner: PartnerClient, neutralized: bool, name: str
) -> None:
    world.change_settings(partner__manifest_neutralized=neutralized)
    order = created(partner.create_order(open_seats=1, return_claim_links=True))["team_order"]
    claimed = world.claim(order["shared_claim_link"].rsplit("/", 1)[1], name="=1+1", email="cy@example.com")
    assert claimed.status == 200, claimed.text
    assert [row["name"] for row in manifest(partner)] == ["Bo", name]


def test_neutralizing_leaves_texts_with_signs_inside_alone(world: World, partner: PartnerClient) -> None:
    world.change_settings(partner__manifest_neutralized=True)
    text = "PO-7 = 1+1 @ -5"
    created(
        partner.create_order(po_number=text, reference=text, recipients=[{"name": text, "email": "a-b+c@b.example"}])
    )
    [row] = manifest(partner)
    assert [row[name] for name in ("name", "po_number", "reference")] == [text] * 3
    assert row["email"] == "a-b+c@b.example"


@shows("P-4.9")
def test_numbers_are_written_as_numbers(world: World, partner: PartnerClient) -> None:
    world.change_account(wallet_cents=0)
    order = created(
        partner.create_order(recipients=address_recipients(2), event={"date": date_from_now(world, 30), "rush": True})
    )
    cancel_rows(partner, order, [0])
    for row, shown in zip(manifest(partner), partner.read_order(1001)["recipients"], strict=True):
        assert int(row["recipient_id"]) == shown["recipient_id"]
        assert [row[name] for name in AMOUNTS[:4]] == [str(shown["money"][name]) for name in AMOUNTS[:4]]
        assert all(re.fullmatch(r"-?\d+", row[name]) for name in AMOUNTS)


@shows("P-1.8")
def test_no_claim_link_stands_in_it(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(2), open_seats=1, return_claim_links=True))
    secret = [*claim_tokens(order), order["team_order"]["shared_claim_link"].rsplit("/", 1)[1]]
    assert len(secret) == 3
    for query in ("", "?include=claim_links"):
        text = partner.get(f"/team-orders/1001/manifest.csv{query}").text
        assert not [token for token in secret if token in text]
        assert "/claim/" not in text


@shows("P-2.3")
def test_reference_and_purchase_order_stand_in_every_row(partner: PartnerClient) -> None:
    created(partner.create_order(recipients=email_recipients(2), reference="REF-1", po_number="PO-7"))
    quote = partner.read_order(1001)["team_order"]["quote_number"]
    found = {(row["reference"], row["po_number"], row["quote_number"]) for row in manifest(partner)}
    assert found == {("REF-1", "PO-7", quote)}


def test_it_is_offered_as_a_file_of_its_own(partner: PartnerClient) -> None:
    created(partner.create_order())
    headers = partner.get("/team-orders/1001/manifest.csv").headers
    assert headers["content-type"] == "text/csv; charset=utf-8"
    assert headers["content-disposition"] == 'attachment; filename="team-order-1001.csv"'
