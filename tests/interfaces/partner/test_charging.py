"""How prepaid keys pay: the wallet first, then the saved card, within the day's limit; and why a charge is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from giftsim.engine.kernel.instants import HOUR, SECOND
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import instant_from_now
from tests.support.orders import email_recipients
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import account_of, ledger_balances, payments, wallet_cents
from tests.support.partner.orders import list_orders
from tests.support.responses import created, status_and_code
from tests.support.worlds import World

Break = Callable[[World], PartnerClient]

LOS_ANGELES = ZoneInfo("America/Los_Angeles")


def fallback_off(world: World) -> PartnerClient:
    world.change_account(wallet_cents=ROW_CENTS - 1, card="good", card_fallback=False)
    return world.partner()


def no_card(world: World) -> PartnerClient:
    world.change_account(wallet_cents=ROW_CENTS - 1, card="none")
    return world.partner()


def credit_used(world: World) -> PartnerClient:
    world.change_account("partner.net_terms", credit_limit_cents=ROW_CENTS - 1)
    return world.partner("partner.net_terms")


def day_spent(world: World) -> PartnerClient:
    world.change_account(daily_limit_cents=ROW_CENTS - 1)
    return world.partner()


def card_declined(world: World) -> PartnerClient:
    world.change_account(wallet_cents=ROW_CENTS - 1, card="declined")
    return world.partner()


REFUSALS = (
    pytest.param(fallback_off, "insufficient_funds", marks=shows("P-7.11")),
    pytest.param(no_card, "insufficient_funds_no_card", marks=shows("P-7.12")),
    pytest.param(credit_used, "credit_limit_exceeded", marks=shows("P-7.13")),
    pytest.param(day_spent, "daily_spend_limit_exceeded", marks=shows("P-7.14")),
    pytest.param(card_declined, "card_charge_failed", marks=shows("P-7.15")),
)


@shows("P-1.5")
def test_the_wallet_pays_first_and_the_card_what_it_does_not_cover(world: World, partner: PartnerClient) -> None:
    world.change_account(wallet_cents=1_000)
    billing = created(partner.create_order())["billing"]
    assert billing["billing_mode"] == "prepaid"
    assert (billing["wallet_cash_cents"], billing["card_charged_cents"]) == (1_000, ROW_CENTS - 1_000)
    assert billing["new_cash_balance_cents"] == wallet_cents(world) == 0
    held = ledger_balances(world)
    assert held["card 501"] == -(ROW_CENTS - 1_000)
    assert held["order 1001"] == ROW_CENTS


@shows("P-1.5")
@pytest.mark.parametrize(("spare_cents", "card_cents"), [(0, 0), (1, 0), (-1, 1), (-ROW_CENTS, ROW_CENTS)])
def test_the_card_pays_the_rest_to_the_cent(
    world: World, partner: PartnerClient, spare_cents: int, card_cents: int
) -> None:
    world.change_account(wallet_cents=ROW_CENTS + spare_cents)
    billing = created(partner.create_order())["billing"]
    assert billing["card_charged_cents"] == card_cents
    assert billing["wallet_cash_cents"] == ROW_CENTS - card_cents
    assert billing["new_cash_balance_cents"] == wallet_cents(world) == max(0, spare_cents)


@shows("P-1.5")
def test_a_wallet_that_covers_all_asks_neither_card_nor_fallback(world: World, partner: PartnerClient) -> None:
    for choices in ({"card": "declined"}, {"card": "none"}, {"card": "good", "card_fallback": False}):
        world.change_account(wallet_cents=ROW_CENTS, **choices)
        assert created(partner.create_order(idempotency_key=str(choices)))["billing"]["card_charged_cents"] == 0


@pytest.mark.parametrize(("breaks", "code"), REFUSALS)
@shows("P-7.16")
def test_a_refused_charge_leaves_an_unpaid_order_and_the_money_whole(world: World, breaks: Break, code: str) -> None:
    partner = breaks(world)
    partner.subscribe("team_order.claimed")
    money = ledger_balances(world)
    answer = partner.create_order()
    assert status_and_code(answer) == (402, code)
    detail = partner.read_order(answer.json()["team_order_id"])
    assert detail["team_order"]["status"] == "unpaid"
    assert ledger_balances(world) == money
    (row,) = list_orders(world)
    assert (row["status"], row["charged_cents"], row["total_cents"]) == ("unpaid", 0, ROW_CENTS)
    (payment,) = payments(world)
    assert (payment["status"], payment["code"]) == ("failed", code)
    world.advance("60d")
    assert (world.mail(), world.events()) == ([], [])


@shows("P-7.11")
def test_a_short_wallet_whose_card_may_not_be_used_stays_untouched(world: World) -> None:
    partner = fallback_off(world)
    assert status_and_code(partner.create_order()) == (402, "insufficient_funds")
    assert wallet_cents(world) == ROW_CENTS - 1
    world.change_account(card_fallback=True)
    billing = created(partner.create_order())["billing"]
    assert (billing["wallet_cash_cents"], billing["card_charged_cents"]) == (ROW_CENTS - 1, 1)


@shows("P-7.15")
@pytest.mark.parametrize("wallet", [0, 1_000])
def test_a_card_that_declines_leaves_the_wallet_whole(world: World, partner: PartnerClient, wallet: int) -> None:
    world.change_account(wallet_cents=wallet, card="declined")
    assert status_and_code(partner.create_order()) == (402, "card_charge_failed")
    assert wallet_cents(world) == wallet
    assert account_of(world)["held_cents"] == 0


@shows("P-7.12")
def test_an_empty_wallet_without_a_card_says_so(world: World) -> None:
    answer = world.partner("partner.no_funds").create_order()
    assert status_and_code(answer) == (402, "insufficient_funds_no_card")
    assert "idempotency_key" in answer.json()["error"]["message"]


@shows("P-7.16")
def test_the_unpaid_order_is_listed_and_costs_nothing(world: World) -> None:
    partner = world.partner("partner.no_funds")
    unpaid = partner.create_order(recipients=email_recipients(3)).json()["team_order_id"]
    assert [row["id"] for row in partner.get("/team-orders?status=unpaid").json()["team_orders"]] == [unpaid]
    canceled = partner.post(f"/team-orders/{unpaid}/cancel", {}).json()
    assert (canceled["refunded_cents"], len(canceled["canceled"])) == (0, 3)
    assert ledger_balances(world)["wallet 502"] == 0


@shows("P-7.14")
def test_the_day_has_a_limit_and_the_next_day_has_it_anew(world: World, partner: PartnerClient) -> None:
    world.change_account(daily_limit_cents=2 * ROW_CENTS - 1)
    created(partner.create_order(idempotency_key="one"))
    assert status_and_code(partner.create_order(idempotency_key="two")) == (402, "daily_spend_limit_exceeded")
    assert wallet_cents(world) == 500_000 - ROW_CENTS
    world.advance("1d")
    created(partner.create_order(idempotency_key="two"))


@shows("P-7.14")
def test_exactly_the_limit_may_be_spent_and_only_charges_that_went_through_count(
    world: World, partner: PartnerClient
) -> None:
    world.change_account(daily_limit_cents=2 * ROW_CENTS, wallet_cents=0, card="declined")
    assert status_and_code(partner.create_order(idempotency_key="zero")) == (402, "card_charge_failed")
    world.change_account(card="good")
    created(partner.create_order(idempotency_key="one"))
    created(partner.create_order(idempotency_key="two"))
    assert status_and_code(partner.create_order(idempotency_key="three")) == (402, "daily_spend_limit_exceeded")


def test_a_refund_gives_the_day_no_room_back(world: World, partner: PartnerClient) -> None:
    world.change_account(daily_limit_cents=ROW_CENTS)
    order = created(partner.create_order(idempotency_key="one"))["team_order"]["id"]
    assert partner.post(f"/team-orders/{order}/cancel", {}).json()["refunded_cents"] == ROW_CENTS
    assert status_and_code(partner.create_order(idempotency_key="two")) == (402, "daily_spend_limit_exceeded")


def test_each_key_of_an_account_has_a_day_of_its_own(world: World, partner: PartnerClient) -> None:
    other = world.partner_with_new_key(account={"id": account_of(world)["account_id"]})
    world.change_account(daily_limit_cents=ROW_CENTS)
    created(partner.create_order())
    created(other.create_order(idempotency_key="one"))
    assert status_and_code(other.create_order(idempotency_key="two")) == (402, "daily_spend_limit_exceeded")
    assert wallet_cents(world) == 500_000 - 2 * ROW_CENTS


def test_there_is_no_limit_unless_one_is_set(world: World, partner: PartnerClient) -> None:
    assert account_of(world)["daily_limit_cents"] is None
    created(partner.create_order(recipients=email_recipients(100)))
    world.change_account(daily_limit_cents=0)
    assert status_and_code(partner.create_order(idempotency_key="two")) == (402, "daily_spend_limit_exceeded")
    world.change_account(daily_limit_cents=None)
    created(partner.create_order(idempotency_key="two"))


def test_the_limit_holds_on_net_terms_too(world: World) -> None:
    world.change_account("partner.net_terms", daily_limit_cents=ROW_CENTS)
    partner = world.partner("partner.net_terms")
    created(partner.create_order())
    assert status_and_code(partner.create_order(idempotency_key="two")) == (402, "daily_spend_limit_exceeded")


def midnight(world: World, hours: int) -> str:
    """The next midnight of Los Angeles, seen from the world's present, that begins a day of so many hours."""
    local = datetime.fromisoformat(world.now).astimezone(LOS_ANGELES)
    day = local.date()
    while True:
        day += timedelta(days=1)
        begin, end = (
            datetime(each.year, each.month, each.day, tzinfo=LOS_ANGELES).astimezone(UTC)
            for each in (day, day + timedelta(days=1))
        )
        if (end - begin) == timedelta(hours=hours):
            return begin.strftime("%Y-%m-%dT%H:%M:%SZ")


@shows("P-7.14")
@pytest.mark.parametrize("hours", [24, 23, 25])
def test_the_day_is_that_of_los_angeles_also_when_its_clocks_change(
    world: World, partner: PartnerClient, hours: int
) -> None:
    world.change_account(daily_limit_cents=ROW_CENTS)
    world.advance(to=midnight(world, hours))
    created(partner.create_order(idempotency_key="first second"))
    world.advance(to=instant_from_now(world, milliseconds=hours * HOUR - SECOND))
    assert status_and_code(partner.create_order(idempotency_key="next day")) == (402, "daily_spend_limit_exceeded")
    world.advance("1s")
    created(partner.create_order(idempotency_key="next day"))
    assert status_and_code(partner.create_order(idempotency_key="too much")) == (402, "daily_spend_limit_exceeded")
