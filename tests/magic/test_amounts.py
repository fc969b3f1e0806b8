"""Magic amounts: the bank pays deposit invoices of these amounts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from giftsim.magic.amounts import AMOUNTS, Amount
from tests.support.team.campaigns import raise_price
from tests.support.team.clients import TeamClients
from tests.support.team.payments import key_with_limits, net_terms_order_body, unit_cents
from tests.support.worlds import World


@pytest.mark.parametrize("row", AMOUNTS)
def test_the_bank_pays_a_deposit_invoice_of_a_magic_amount(world: World, row: Amount) -> None:
    team = TeamClients(world)
    invoice_ids = [
        team.live.post_json("/deposit-invoices", {"amount_cents": cents})["id"] for cents in (row.cents, row.cents + 5)
    ]
    subjects = [
        timer["subject"] for timer in world.call_control("GET", "/timers")["timers"] if timer["kind"] == "magic.invoice"
    ]
    assert subjects == [f"invoice {invoice_ids[0]}"]
    world.advance(f"{row.after_ms // 1000}s")
    statuses = {invoice["id"]: invoice["status"] for invoice in team.live.list_all("/invoices")}
    assert [statuses[invoice_id] for invoice_id in invoice_ids] == ["paid", "open"]


def test_an_invoice_paid_before_its_timer_is_paid_once(world: World) -> None:
    team = TeamClients(world)
    before = team.live.get_json("/billing/balance")["balance_cents"]
    invoice_id = team.live.post_json("/deposit-invoices", {"amount_cents": AMOUNTS[1].cents})["id"]
    world.simulate("invoice", invoice_id=invoice_id, outcome="paid")
    world.advance("2d")
    assert team.live.get_json("/billing/balance")["balance_cents"] == before + AMOUNTS[1].cents


def test_an_invoice_on_terms_of_a_magic_amount_is_paid_by_nobody(world: World) -> None:
    team, row = TeamClients(world), AMOUNTS[0]
    world.simulate("team", credit={"credit_limit_cents": 2 * row.cents})
    raise_price(world, team.live, row.cents - unit_cents(team))
    key_with_limits(team, row.cents, row.cents).post_json("/team-orders", net_terms_order_body())
    world.advance("2d")
    invoices = [(invoice["amount_cents"], invoice["status"]) for invoice in team.live.list_all("/invoices")]
    assert invoices == [(row.cents, "open")]


def test_amounts_are_ordinary_when_the_setting_is_off(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"magic_values": False})
    team = TeamClients(world)
    team.live.post_json("/deposit-invoices", {"amount_cents": AMOUNTS[0].cents})
    world.advance("1h")
    assert [invoice["status"] for invoice in team.live.list_all("/invoices")] == ["open"]
