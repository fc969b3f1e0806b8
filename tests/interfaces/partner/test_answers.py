"""What a create answers: the order, its rows, what it costs, and who paid it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now
from tests.support.orders import RENO, address_recipients, email_recipients
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import account_of, ledger_balances
from tests.support.partner.orders import STATUSES, cancel_rows, move_parcels, order_with_statuses, recipient_statuses
from tests.support.responses import created
from tests.support.worlds import World

ORDER_MEMBERS = [
    "address_mode", "claim_expires_at", "destination_countries", "event", "id", "name", "po_number", "printed_card",
    "quote_number", "recipient_count", "reference", "status", "summary", "totals",
]  # fmt: skip
ROW_MEMBERS = ["claim", "email", "name", "recipient_id", "shipment", "status", "status_label"]
SUMMARY_MEMBERS = ["awaiting_address", "canceled", "claimed", "delivered", "expired", "shipped", "total"]
BILLING_MEMBERS = [
    "billing_mode", "card_charged_cents", "new_cash_balance_cents", "payment_transaction_id", "wallet_cash_cents",
]  # fmt: skip
LONDON = {"address1": "10 Downing St", "city": "London", "zip": "SW1A 2AA", "country": "GB"}


def cents(value: Any) -> bool:
    """Whether a JSON value is a whole number of cents."""
    return type(value) is int and value >= 0


@shows("P-4.1", "P-2.21")
def test_a_create_answers_the_order_its_rows_its_totals_and_its_billing(world: World, partner: PartnerClient) -> None:
    answer = partner.create_order(
        name="Welcome", reference="REF-1", po_number="PO-7", card={"message": "Hello"}, destination_countries=["GB"],
        claim_expiry_days=10, event={"date": date_from_now(world, 40), "rush": True},
    )  # fmt: skip
    assert answer.status == 201
    body = answer.json()
    assert sorted(body) == ["billing", "recipients", "team_order", "totals"]
    for order in (body["team_order"], partner.read_order(answer)["team_order"]):
        assert sorted(order) == ORDER_MEMBERS
        assert (order["name"], order["reference"], order["po_number"]) == ("Welcome", "REF-1", "PO-7")
        assert (order["destination_countries"], order["printed_card"], order["recipient_count"]) == (["GB"], True, 1)
        assert (order["event"]["event_date"], order["event"]["rush"]) == (date_from_now(world, 40), True)
        assert order["claim_expires_at"] == f"{date_from_now(world, 10)}{world.now[10:]}"


@shows("P-2.21", "P-2.22")
@pytest.mark.parametrize("recipients", [email_recipients(2), address_recipients(2)])
def test_the_fourteen_members_of_an_order_are_there_when_nothing_was_said(
    partner: PartnerClient, recipients: list[dict[str, Any]]
) -> None:
    answer = partner.create_order(recipients=recipients)
    response, detail = created(answer), partner.read_order(answer)
    for body in (response, detail):
        order = body["team_order"]
        assert sorted(order) == ORDER_MEMBERS
        assert (order["name"], order["reference"], order["po_number"], order["event"]) == (None, None, None, None)
        assert type(order["id"]) is int
        assert type(order["quote_number"]) is str
        assert order["quote_number"]
        assert [type(row["recipient_id"]) for row in body["recipients"]] == [int, int]
    assert response["team_order"] == detail["team_order"]


@shows("P-2.22")
def test_no_two_orders_or_recipients_share_an_id_or_a_quote_number(partner: PartnerClient) -> None:
    orders = [created(partner.create_order(idempotency_key=str(i), recipients=email_recipients(3))) for i in range(4)]
    assert len({order["team_order"]["id"] for order in orders}) == 4
    assert len({order["team_order"]["quote_number"] for order in orders}) == 4
    rows = [row for order in orders for row in order["recipients"]]
    assert len({row["recipient_id"] for row in rows}) == 12
    assert len({row["shipment"]["order_id"] for row in rows}) == 12
    assert len({row["shipment"]["external_id"] for row in rows}) == 12


@shows("P-2.23")
def test_the_address_mode_tells_links_from_addresses(partner: PartnerClient) -> None:
    linked, known = (
        partner.create_order(),
        partner.create_order(idempotency_key="second", recipients=address_recipients()),
    )
    for read in (lambda answer: answer.json(), partner.read_order):
        assert read(linked)["team_order"]["address_mode"] == "claim_links"
        assert read(known)["team_order"]["address_mode"] == "addresses"
    assert created(known)["team_order"]["claim_expires_at"] is None
    assert created(known)["recipients"][0]["claim"] == {"status": "submitted", "expires_at": None}


def test_the_word_for_addresses_is_a_setting_that_leaves_links_alone(world: World, partner: PartnerClient) -> None:
    world.change_settings(partner__address_mode="by_address")
    known, linked = (
        partner.create_order(recipients=address_recipients()),
        partner.create_order(idempotency_key="second"),
    )
    assert created(known)["team_order"]["address_mode"] == "by_address"
    assert created(linked)["team_order"]["address_mode"] == "claim_links"


@shows("P-2.24", "P-3.10")
def test_the_summary_always_has_its_seven_counts(world: World, partner: PartnerClient) -> None:
    for body in (
        created(partner.create_order()),
        partner.read_order(1001),
        order_with_statuses(world, partner, STATUSES),
    ):
        summary = body["team_order"]["summary"]
        assert sorted(summary) == SUMMARY_MEMBERS
        assert all(type(count) is int for count in summary.values())
        assert summary["total"] == sum(count for name, count in summary.items() if name != "total")


@shows("P-2.25")
@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({}, (1800, 800, 0)),
        ({"recipients": email_recipients(3), "open_seats": 2, "destination_countries": ["US", "AU"]}, (9000, 11000, 0)),
        ({"items": [{"sku_code": "MUG-01", "quantity": 2}, {"sku_code": "PEN-01", "quantity": 3}]}, (5400, 800, 0)),
        ({"recipients": [*address_recipients(1, quantity=3), {"name": "Cy", "address": LONDON}]}, (7200, 2600, 0)),
        ({"recipients": email_recipients(3), "event": {"rush": True, "kit_assembly": True}}, (5400, 2400, 3400)),
    ],
)
def test_the_totals_are_whole_cents_that_add_up(
    world: World, partner: PartnerClient, members: dict[str, Any], expected: tuple[int, int, int]
) -> None:
    if "event" in members:
        members = {**members, "event": {"date": date_from_now(world, 30), **members["event"]}}
    answer = partner.create_order(**members)
    top, order = created(answer)["totals"], created(answer)["team_order"]
    parts = (top["subtotal_cents"], top["shipping_cents"], top["event_fees_cents"])
    assert parts == expected
    assert all(cents(value) for value in top.values())
    assert top["total_cents"] == sum(parts)
    assert top == {**order["totals"], "charged_cents": top["charged_cents"]}
    rows = [row["money"] for row in partner.read_order(answer)["recipients"]]
    for name, value in order["totals"].items():
        assert sum(row[name] for row in rows) == value


@shows("P-2.26", "P-2.29", "P-2.30")
@pytest.mark.parametrize(("wallet", "from_wallet", "from_card"), [(9000, 7800, 0), (2000, 2000, 5800), (0, 0, 7800)])
def test_the_wallet_pays_first_and_the_card_the_rest(
    world: World, partner: PartnerClient, wallet: int, from_wallet: int, from_card: int
) -> None:
    world.change_account(wallet_cents=wallet)
    order = created(partner.create_order(recipients=email_recipients(3)))
    charged, billing = order["totals"]["charged_cents"], order["billing"]
    assert charged == order["totals"]["total_cents"] == 3 * ROW_CENTS
    [payment] = world.rows("payments")
    assert billing == {
        "billing_mode": "prepaid",
        "wallet_cash_cents": from_wallet,
        "card_charged_cents": from_card,
        "new_cash_balance_cents": wallet - from_wallet,
        "payment_transaction_id": payment["id"],
    }
    assert billing["wallet_cash_cents"] + billing["card_charged_cents"] == charged
    held = ledger_balances(world)
    assert (account_of(world)["wallet_cents"], held["wallet 501"]) == (wallet - from_wallet, wallet - from_wallet)
    assert (held["card 501"], held["order 1001"]) == (-from_card, charged)


@shows("P-2.26", "P-2.29", "P-2.30")
def test_on_net_terms_the_whole_charge_goes_on_account(world: World) -> None:
    partner = world.partner("partner.net_terms")
    first, second = (created(partner.create_order(idempotency_key=key))["billing"] for key in "ab")
    assert sorted(first) == BILLING_MEMBERS
    assert (first["billing_mode"], first["wallet_cash_cents"], first["card_charged_cents"]) == ("net_terms", 2600, 0)
    assert [row["new_cash_balance_cents"] for row in (first, second)] == [-2600, -5200]
    assert first["payment_transaction_id"] != second["payment_transaction_id"]
    assert account_of(world, "partner.net_terms")["owed_cents"] == 5200


@shows("P-2.27")
def test_the_rows_stand_in_the_order_of_the_request_with_all_their_members(partner: PartnerClient) -> None:
    asked = [{"name": name, "email": f"{name.lower()}@Example.com"} for name in ("Cy", "Al", "Bo")]
    answer = partner.create_order(recipients=asked)
    for body in (created(answer), partner.read_order(answer)):
        rows = body["recipients"]
        assert [{name: row[name] for name in ("name", "email")} for row in rows] == asked
        for row in rows:
            assert set(ROW_MEMBERS) <= set(row)
            assert sorted(row["claim"]) == ["expires_at", "status"]
            assert (row["status"], row["claim"]["status"]) == ("awaiting", "awaiting")
            assert row["claim"]["expires_at"] == body["team_order"]["claim_expires_at"]


@shows("P-2.27")
def test_a_row_of_a_create_has_nothing_else(partner: PartnerClient) -> None:
    rows = created(partner.create_order(recipients=email_recipients(1), open_seats=1))["recipients"]
    assert [sorted(row) for row in rows] == [ROW_MEMBERS, ROW_MEMBERS]
    assert (rows[1]["name"], rows[1]["email"]) == (None, None)


@shows("P-2.27")
def test_an_addressed_recipient_needs_no_email_and_keeps_one(partner: PartnerClient) -> None:
    asked = [*address_recipients(), {"name": "Cy", "email": "cy@example.com", "company": "Cole", "address": RENO}]
    answer = partner.create_order(recipients=asked)
    assert [row["email"] for row in created(answer)["recipients"]] == [None, "cy@example.com"]
    assert [row["email"] for row in partner.read_order(answer)["recipients"]] == [None, "cy@example.com"]


@shows("P-2.28")
def test_a_shipment_waits_for_its_address_and_has_no_number_before_its_label(
    world: World, partner: PartnerClient
) -> None:
    answer = partner.create_order(recipients=email_recipients(1))
    shipment = created(answer)["recipients"][0]["shipment"]
    assert sorted(shipment) == ["awaiting_address", "external_id", "order_id", "status", "tracking_number"]
    assert (type(shipment["order_id"]), type(shipment["external_id"])) == (int, str)
    assert (shipment["status"], shipment["awaiting_address"], shipment["tracking_number"]) == ("awaiting", True, None)
    world.simulate("claim", team_order_id=1001, recipient=0)
    for status in ("submitted", "in_production", "labeled", "shipped", "delivered"):
        if status != "submitted":
            move_parcels(world, created(answer), status)
        now = partner.read_order(answer)["recipients"][0]["shipment"]
        assert (now["status"], now["awaiting_address"]) == (status, False)
        assert (type(now["tracking_number"]) is str) == (status in ("labeled", "shipped", "delivered"))
        assert (now["order_id"], now["external_id"]) == (shipment["order_id"], shipment["external_id"])


@shows("P-2.27")
def test_every_status_has_an_english_phrase_of_its_own(world: World, partner: PartnerClient) -> None:
    detail = order_with_statuses(world, partner, STATUSES)
    assert recipient_statuses(detail) == list(STATUSES)
    labels = [row["status_label"] for row in detail["recipients"]]
    assert len(set(labels)) == len(STATUSES)
    assert all(label[0].isupper() and "_" not in label for label in labels)


@shows("P-2.27", "P-2.28")
def test_claim_and_shipment_agree_with_the_status_of_the_row(world: World, partner: PartnerClient) -> None:
    for row in order_with_statuses(world, partner, STATUSES)["recipients"]:
        status, unentered = row["status"], row["status"] in ("awaiting", "expired")
        assert row["shipment"]["status"] == status
        assert row["shipment"]["awaiting_address"] == unentered
        assert row["claim"]["status"] == (status if unentered or status == "canceled" else "submitted")


@shows("P-2.26")
def test_what_was_charged_stays_as_it_was_when_a_part_is_refunded(world: World, partner: PartnerClient) -> None:
    answer = partner.create_order(recipients=email_recipients(3))
    cancel_rows(partner, created(answer), [0])
    assert partner.read_order(answer)["team_order"]["totals"] == created(answer)["team_order"]["totals"]
    again = partner.create_order(recipients=email_recipients(3))
    assert again.headers["idempotent-replayed"] == "true"
    assert again.json() == created(answer)
    assert account_of(world)["wallet_cents"] == 500_000 - 2 * ROW_CENTS
