"""One charge per order, by the key's billing mode, and what starts when it is paid."""

from __future__ import annotations

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, claim_tokens, email_recipients, order_body
from tests.support.partner.catalogue import MUG_CENTS
from tests.support.partner.money import charge_entries, wallet_by_label
from tests.support.partner.orders import order_id, shipment_statuses
from tests.support.responses import created, error_code
from tests.support.worlds import World

ROW_CENTS = MUG_CENTS + 800


@shows("P-1.1")
def test_five_recipients_are_one_charge(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(5)))
    assert order["totals"]["charged_cents"] == order["totals"]["total_cents"] == 5 * ROW_CENTS
    (charge,) = charge_entries(world)
    assert charge["ref"] == order["billing"]["payment_transaction_id"]
    assert sorted(posting["cents"] for posting in charge["postings"]) == [-5 * ROW_CENTS, 5 * ROW_CENTS]
    (payment,) = world.call_control("GET", "/payments")["payments"]
    assert (payment["id"], payment["amount_cents"]) == (charge["ref"], 5 * ROW_CENTS)


@shows("P-1.1")
def test_open_seats_belong_to_the_same_charge(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(2), open_seats=3))
    assert order["totals"]["charged_cents"] == 5 * ROW_CENTS
    assert len(charge_entries(world)) == 1


@shows("P-1.2")
def test_parcels_with_addresses_start_when_the_order_is_paid_and_not_before(world: World) -> None:
    partner = world.partner("partner.no_funds")
    body = order_body(recipients=address_recipients(2))
    refusal = partner.post("/team-orders", body)
    assert error_code(refusal, 402) == "insufficient_funds_no_card"
    unpaid = refusal.json()["team_order_id"]
    world.advance("30d")
    assert shipment_statuses(partner, {"team_order": {"id": unpaid}}) == ["submitted"] * 2
    assert [parcel["produced_at"] for parcel in world.call_control("GET", "/parcels")["parcels"]] == [None, None]
    world.change_account("partner.no_funds", wallet_cents=2 * ROW_CENTS)
    order = created(partner.post("/team-orders", body))
    assert order_id(order) == unpaid
    world.advance("23h")
    assert shipment_statuses(partner, order) == ["submitted"] * 2
    world.advance("1h")
    assert shipment_statuses(partner, order) == ["in_production"] * 2
    world.advance("48h")
    assert shipment_statuses(partner, order) == ["shipped"] * 2


@shows("P-1.3")
def test_only_the_recipient_who_claimed_gets_a_parcel(world: World, partner: PartnerClient) -> None:
    order = created(
        partner.create_order(recipients=email_recipients(2), return_claim_links=True, claim_expiry_days=365)
    )
    world.advance("20d")
    assert shipment_statuses(partner, order) == ["awaiting", "awaiting"]
    assert world.claim(claim_tokens(order)[0]).status == 200
    world.advance("1d")
    assert shipment_statuses(partner, order) == ["in_production", "awaiting"]
    world.advance("300d")
    assert shipment_statuses(partner, order) == ["delivered", "awaiting"]
    world.advance("100d")
    assert shipment_statuses(partner, order) == ["delivered", "expired"]
    assert [parcel["shipped_at"] is None for parcel in world.call_control("GET", "/parcels")["parcels"]] == [
        False,
        True,
    ]


@shows("P-1.5")
def test_the_wallet_pays_first_and_the_card_what_is_missing(world: World, partner: PartnerClient) -> None:
    world.change_account(wallet_cents=1000)
    order = created(partner.create_order(recipients=email_recipients(1)))
    billing = order["billing"]
    assert (billing["wallet_cash_cents"], billing["card_charged_cents"]) == (1000, ROW_CENTS - 1000)
    assert billing["new_cash_balance_cents"] == wallet_by_label(world) == 0
    (charge,) = charge_entries(world)
    assert {posting["account"].split()[0]: posting["cents"] for posting in charge["postings"]} == {
        "wallet": -1000, "card": 1000 - ROW_CENTS, "order": ROW_CENTS,
    }  # fmt: skip


@shows("P-1.5")
def test_a_wallet_that_covers_it_leaves_the_card_alone(world: World, partner: PartnerClient) -> None:
    world.change_account(wallet_cents=ROW_CENTS)
    billing = created(partner.create_order())["billing"]
    assert (billing["wallet_cash_cents"], billing["card_charged_cents"]) == (ROW_CENTS, 0)
    billing = created(partner.create_order(idempotency_key="second"))["billing"]
    assert (billing["wallet_cash_cents"], billing["card_charged_cents"]) == (0, ROW_CENTS)


@shows("P-1.6")
def test_net_terms_go_down_to_the_credit_limit_and_no_cent_further(world: World) -> None:
    partner = world.partner("partner.net_terms")
    world.change_account("partner.net_terms", credit_limit_cents=10_000)
    world.change_settings(partner__prices__shipping__US=0)
    first = created(partner.create_order(recipients=email_recipients(5)))
    assert first["billing"]["new_cash_balance_cents"] == -9000
    assert first["billing"]["card_charged_cents"] == 0
    chocolates = [{"sku_code": "CHOC-01"}]
    assert error_code(partner.create_order(idempotency_key="second", items=chocolates), 402) == "credit_limit_exceeded"
    assert wallet_by_label(world, "net_terms") == -9000
    world.simulate("price", product="CHOC-01", price_cents=1000)
    last = created(partner.create_order(idempotency_key="third", items=chocolates))
    assert last["billing"]["new_cash_balance_cents"] == wallet_by_label(world, "net_terms") == -10_000
    world.simulate("price", product="CHOC-01", price_cents=1)
    assert error_code(partner.create_order(idempotency_key="fourth", items=chocolates), 402) == "credit_limit_exceeded"


@shows("P-1.7")
def test_settling_brings_balance_and_credit_back(world: World) -> None:
    partner = world.partner("partner.net_terms")
    world.change_account("partner.net_terms", credit_limit_cents=ROW_CENTS)
    created(partner.create_order())
    assert error_code(partner.create_order(idempotency_key="second"), 402) == "credit_limit_exceeded"
    answer = partner.post("/billing/settle", {})
    assert answer.status == 200
    settled = answer.json()
    assert settled["ok"] is True
    assert (settled["settled_cents"], settled["new_cash_balance_cents"]) == (ROW_CENTS, 0)
    assert wallet_by_label(world, "net_terms") == 0
    assert created(partner.create_order(idempotency_key="third"))["billing"]["new_cash_balance_cents"] == -ROW_CENTS
