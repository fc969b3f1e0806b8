"""One charge per order, by the key's billing mode, and what starts when it is paid."""

from __future__ import annotations

from tests.claims import claims
from tests.harness import Face, World, addressed, order_body, people, tokens
from tests.interfaces.partner.scene import MUG_CENTS, charges, code, made, order_id, statuses, wallet

ROW_CENTS = MUG_CENTS + 800


@claims("P-1.1")
def test_five_recipients_are_one_charge(world: World, partner: Face) -> None:
    order = made(partner.order(recipients=people(5)))
    assert order["totals"]["charged_cents"] == order["totals"]["total_cents"] == 5 * ROW_CENTS
    (charge,) = charges(world)
    assert charge["ref"] == order["billing"]["payment_transaction_id"]
    assert sorted(posting["cents"] for posting in charge["postings"]) == [-5 * ROW_CENTS, 5 * ROW_CENTS]
    (payment,) = world.ask("GET", "/payments")["payments"]
    assert (payment["id"], payment["amount_cents"]) == (charge["ref"], 5 * ROW_CENTS)


@claims("P-1.1")
def test_open_seats_belong_to_the_same_charge(world: World, partner: Face) -> None:
    order = made(partner.order(recipients=people(2), open_seats=3))
    assert order["totals"]["charged_cents"] == 5 * ROW_CENTS
    assert len(charges(world)) == 1


@claims("P-1.2")
def test_parcels_with_addresses_start_when_the_order_is_paid_and_not_before(world: World) -> None:
    partner = world.partner("partner.no_funds")
    body = order_body(recipients=addressed(2))
    refusal = partner.post("/team-orders", body)
    assert code(refusal, 402) == "insufficient_funds_no_card"
    unpaid = refusal.json()["team_order_id"]
    world.advance("30d")
    assert statuses(partner, {"team_order": {"id": unpaid}}) == ["submitted"] * 2
    assert [parcel["produced_at"] for parcel in world.ask("GET", "/parcels")["parcels"]] == [None, None]
    world.account("partner.no_funds", wallet_cents=2 * ROW_CENTS)
    order = made(partner.post("/team-orders", body))
    assert order_id(order) == unpaid
    world.advance("23h")
    assert statuses(partner, order) == ["submitted"] * 2
    world.advance("1h")
    assert statuses(partner, order) == ["in_production"] * 2
    world.advance("48h")
    assert statuses(partner, order) == ["shipped"] * 2


@claims("P-1.3")
def test_only_the_recipient_who_claimed_gets_a_parcel(world: World, partner: Face) -> None:
    order = made(partner.order(recipients=people(2), return_claim_links=True, claim_expiry_days=365))
    world.advance("20d")
    assert statuses(partner, order) == ["awaiting", "awaiting"]
    assert world.claim(tokens(order)[0]).status == 200
    world.advance("1d")
    assert statuses(partner, order) == ["in_production", "awaiting"]
    world.advance("300d")
    assert statuses(partner, order) == ["delivered", "awaiting"]
    world.advance("100d")
    assert statuses(partner, order) == ["delivered", "expired"]
    assert [parcel["shipped_at"] is None for parcel in world.ask("GET", "/parcels")["parcels"]] == [False, True]


@claims("P-1.5")
def test_the_wallet_pays_first_and_the_card_what_is_missing(world: World, partner: Face) -> None:
    world.account(wallet_cents=1000)
    order = made(partner.order(recipients=people(1)))
    billing = order["billing"]
    assert (billing["wallet_cash_cents"], billing["card_charged_cents"]) == (1000, ROW_CENTS - 1000)
    assert billing["new_cash_balance_cents"] == wallet(world) == 0
    (charge,) = charges(world)
    assert {posting["account"].split()[0]: posting["cents"] for posting in charge["postings"]} == {
        "wallet": -1000, "card": 1000 - ROW_CENTS, "order": ROW_CENTS,
    }  # fmt: skip


@claims("P-1.5")
def test_a_wallet_that_covers_it_leaves_the_card_alone(world: World, partner: Face) -> None:
    world.account(wallet_cents=ROW_CENTS)
    billing = made(partner.order())["billing"]
    assert (billing["wallet_cash_cents"], billing["card_charged_cents"]) == (ROW_CENTS, 0)
    billing = made(partner.order(idempotency_key="second"))["billing"]
    assert (billing["wallet_cash_cents"], billing["card_charged_cents"]) == (0, ROW_CENTS)


@claims("P-1.6")
def test_net_terms_go_down_to_the_credit_limit_and_no_cent_further(world: World) -> None:
    partner = world.partner("partner.net_terms")
    world.account("partner.net_terms", credit_limit_cents=10_000)
    world.settings(partner__prices__shipping__US=0)
    first = made(partner.order(recipients=people(5)))
    assert first["billing"]["new_cash_balance_cents"] == -9000
    assert first["billing"]["card_charged_cents"] == 0
    chocolates = [{"sku_code": "CHOC-01"}]
    assert code(partner.order(idempotency_key="second", items=chocolates), 402) == "credit_limit_exceeded"
    assert wallet(world, "net_terms") == -9000
    world.simulate("price", product="CHOC-01", price_cents=1000)
    last = made(partner.order(idempotency_key="third", items=chocolates))
    assert last["billing"]["new_cash_balance_cents"] == wallet(world, "net_terms") == -10_000
    world.simulate("price", product="CHOC-01", price_cents=1)
    assert code(partner.order(idempotency_key="fourth", items=chocolates), 402) == "credit_limit_exceeded"


@claims("P-1.7")
def test_settling_brings_balance_and_credit_back(world: World) -> None:
    partner = world.partner("partner.net_terms")
    world.account("partner.net_terms", credit_limit_cents=ROW_CENTS)
    made(partner.order())
    assert code(partner.order(idempotency_key="second"), 402) == "credit_limit_exceeded"
    answer = partner.post("/billing/settle", {})
    assert answer.status == 200
    settled = answer.json()
    assert settled["ok"] is True
    assert (settled["settled_cents"], settled["new_cash_balance_cents"]) == (ROW_CENTS, 0)
    assert wallet(world, "net_terms") == 0
    assert made(partner.order(idempotency_key="third"))["billing"]["new_cash_balance_cents"] == -ROW_CENTS
