"""Refunds of partners and teams that are pending, done or failed, and cards that were closed since (G441, G442)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from tests.support.api_clients import PartnerClient
from tests.support.orders import email_recipients
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import account_of, ledger_balances, wallet_cents
from tests.support.partner.orders import cancel_rows, order_id
from tests.support.responses import created
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, cancel, create_order, reload
from tests.support.team.payments import balance_cents, net_terms_order_body
from tests.support.worlds import World, temporary_world

LATER = {"refunds.settle_after": "3d"}


def by_card(world: World, partner: PartnerClient, rows: int = 2, wallet: int = 0) -> Any:
    """A paid order of which the wallet paid these cents, and the card the rest."""
    world.change_account(wallet_cents=wallet, card="good", card_fallback=True)
    return created(partner.create_order(recipients=email_recipients(rows)))


def refund(world: World, order: Any, outcome: str) -> list[Any]:
    """Decide the refunds of an order."""
    return list(world.simulate("refund", team_order_id=order_id(order), outcome=outcome)["refunds"])


def refusal(world: World, outcome: str, **body: Any) -> tuple[int, str]:
    """The status and the message of a refused decision; nothing changes."""
    before = world.fingerprint()
    path = f"/_sim/v1/worlds/{world.id}/simulate/refund"
    answer = world.client.call("POST", path, body={"outcome": outcome, **body})
    assert world.fingerprint() == before
    return answer.status, answer.json()["error"]["message"]


def on_card(world: World) -> int:
    """What the card has paid, without what it got back."""
    return -ledger_balances(world)[f"card {account_of(world)['account_id']}"]


def test_a_refund_is_done_at_once(world: World, partner: PartnerClient) -> None:
    order = by_card(world, partner, wallet=100)
    assert on_card(world) == 2 * ROW_CENTS - 100
    cancel_rows(partner, order)
    assert (wallet_cents(world), on_card(world)) == (100, 0)
    status, message = refusal(world, "done", team_order_id=order_id(order))
    assert (status, "refunds.settle_after" in message) == (409, True)


def test_a_refund_that_takes_time_arrives_by_itself(world: World, partner: PartnerClient) -> None:
    world.change_settings(**LATER)
    order = by_card(world, partner, wallet=100)
    canceled = cancel_rows(partner, order, [0])
    assert canceled["canceled"][0]["refund"] == {
        "wallet_cents": 100, "card_cents": ROW_CENTS - 100, "total_cents": ROW_CENTS,
    }  # fmt: skip
    assert (
        partner.call("GET", f"/team-orders/{order_id(order)}").json()["recipients"][0]["money"]["refunded_cents"]
        == ROW_CENTS
    )
    assert (wallet_cents(world), on_card(world)) == (0, 2 * ROW_CENTS - 100)
    world.advance("3d")
    assert (wallet_cents(world), on_card(world)) == (100, ROW_CENTS)


def test_the_verb_ends_the_wait_once(world: World, partner: PartnerClient) -> None:
    world.change_settings(**LATER)
    order = by_card(world, partner)
    cancel_rows(partner, order)
    [done] = refund(world, order, "done")
    assert (done["status"], done["card_cents"], done["about"]) == (
        "done", 2 * ROW_CENTS, {"kind": "team_order", "id": order_id(order)},
    )  # fmt: skip
    assert on_card(world) == 0
    assert refusal(world, "done", team_order_id=order_id(order))[0] == 409
    world.advance("10d")
    assert on_card(world) == 0


@pytest.mark.parametrize("later", [True, False])
def test_what_a_closed_card_sends_back_is_in_the_wallet(world: World, partner: PartnerClient, later: bool) -> None:
    if later:
        world.change_settings(**LATER)
    order = by_card(world, partner)
    cancel_rows(partner, order)
    world.change_account(card="none")
    [failed] = refund(world, order, "failed")
    assert (failed["status"], failed["closed"], wallet_cents(world)) == ("failed", True, 2 * ROW_CENTS)
    assert on_card(world) == 2 * ROW_CENTS
    for outcome in ("failed", "done"):
        assert refusal(world, outcome, team_order_id=order_id(order))[0] == 409
    assert ledger_balances(world)[f"order {order_id(order)}"] == 0


def test_a_refund_that_was_done_later_can_come_back_too(world: World, partner: PartnerClient) -> None:
    world.change_settings(**LATER)
    order = by_card(world, partner, rows=3)
    for row in (0, 1):
        cancel_rows(partner, order, [row])
        refund(world, order, "done")
    world.change_settings(**{"refunds.settle_after": "0s"})
    cancel_rows(partner, order, [2])
    failed = refund(world, order, "failed")
    assert [row["card_cents"] for row in failed] == [ROW_CENTS] * 3
    assert (wallet_cents(world), on_card(world)) == (3 * ROW_CENTS, 3 * ROW_CENTS)


def test_a_refund_of_the_wallet_alone_that_fails_can_arrive_later(world: World, partner: PartnerClient) -> None:
    world.change_settings(**LATER)
    world.change_account(wallet_cents=2 * ROW_CENTS)
    order = created(partner.create_order(recipients=email_recipients(2)))
    cancel_rows(partner, order)
    [failed] = refund(world, order, "failed")
    assert (failed["status"], failed["closed"], wallet_cents(world)) == ("failed", False, 0)
    world.advance("10d")
    assert wallet_cents(world) == 0
    refund(world, order, "done")
    assert wallet_cents(world) == 2 * ROW_CENTS
    assert refusal(world, "failed", team_order_id=order_id(order))[0] == 409


@pytest.mark.parametrize("later", [True, False])
def test_with_the_setting_the_wallet_gets_what_a_closed_card_paid(
    world: World, partner: PartnerClient, later: bool
) -> None:
    world.change_settings(**{"refunds.closed_card": "wallet", **(LATER if later else {})})
    order = by_card(world, partner, wallet=100)
    if later:
        cancel_rows(partner, order, [0])  # while the card is there
        world.change_account(card="none")
        world.advance("3d")
        assert (wallet_cents(world), on_card(world)) == (ROW_CENTS, 2 * ROW_CENTS - 100)
        return
    world.change_account(card="none")
    for row in (0, 1):
        [canceled] = cancel_rows(partner, order, [row])["canceled"]
        assert canceled["refund"] == {"wallet_cents": ROW_CENTS, "card_cents": 0, "total_cents": ROW_CENTS}
    assert wallet_cents(world) == 2 * ROW_CENTS


def test_a_team_order_is_paid_until_its_refund_has_arrived(team: TeamClients) -> None:
    team.world.change_settings(**LATER)
    before, order = balance_cents(team.live), create_order(team.live)
    approve(team.world, order)
    paid = balance_cents(team.live)
    assert cancel(team.live, order)["payment_status"] == "paid"
    [failed] = refund(team.world, {"team_order": order}, "failed")
    assert failed["status"] == "failed"
    team.world.advance("5d")
    assert (reload(team.live, order)["payment_status"], balance_cents(team.live)) == ("paid", paid)
    refund(team.world, {"team_order": order}, "done")
    assert (reload(team.live, order)["payment_status"], balance_cents(team.live)) == ("refunded", before)
    entry = team.live.get_json(f"/statements/{team.world.now[:7]}")["entries"][-1]
    assert (entry["kind"], entry["amount_cents"]) == ("refund", before - paid)


def test_what_is_taken_off_an_open_invoice_is_taken_off_at_once(team: TeamClients) -> None:
    team.world.change_settings(**LATER)
    owed = team.live.get_json("/credit-terms")["outstanding_cents"]
    order = team.live.post_json("/team-orders", net_terms_order_body())
    assert cancel(team.live, order)["payment_status"] == "refunded"
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == owed


def test_a_decision_names_one_order_that_exists(world: World) -> None:
    assert refusal(world, "done")[0] == 400
    assert refusal(world, "done", team_order_id=999)[0] == 404
    assert refusal(world, "done", gift_id=999)[0] == 404


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients with the credentials of a new world's team."""
    return TeamClients(world)


steps = st.lists(
    st.tuples(st.sampled_from(["cancel", "done", "failed", "wait", "close", "save"]), st.integers(0, 3)),
    min_size=3,
    max_size=14,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(steps=steps, wallet=st.integers(0, 5 * ROW_CENTS), later=st.booleans(), to_wallet=st.booleans())
def test_every_cent_of_an_order_comes_back_once(
    simulator: Simulator, steps: list[tuple[str, int]], wallet: int, later: bool, to_wallet: bool
) -> None:
    with temporary_world(simulator) as world:
        partner = world.partner()
        closed_card = "wallet" if to_wallet else "card"
        world.change_settings(**{"refunds.closed_card": closed_card, **(LATER if later else {})})
        order = by_card(world, partner, rows=4, wallet=wallet)
        left, name = {0, 1, 2, 3}, order_id(order)
        for step, row in [*steps, ("done", 0)]:
            if step == "cancel" and row in left:
                left.discard(row)
                cancel_rows(partner, order, [row])
            elif step in ("done", "failed"):
                path = f"/_sim/v1/worlds/{world.id}/simulate/refund"
                answer = world.client.call("POST", path, body={"outcome": step, "team_order_id": name})
                assert answer.status in (200, 409)
            elif step == "wait":
                world.advance("1d")
            elif step in ("close", "save"):
                world.change_account(card="none" if step == "close" else "good")
            balances = ledger_balances(world)
            kept = balances[f"order {name}"]
            assert wallet_cents(world) - on_card(world) + kept == wallet
            assert kept >= len(left) * ROW_CENTS
        assert ledger_balances(world)[f"order {name}"] == len(left) * ROW_CENTS
