"""Paying by key: its power, its ceilings by request and month, and what is checked again at the moment of payment."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.claims import claims
from tests.harness import World
from tests.interfaces.team.money import (
    CRASH,
    advance_to,
    fund,
    funded,
    kit,
    money,
    next_first,
    on_terms,
    order,
    payer,
    unit,
)
from tests.interfaces.team.scene import SCOPES, Team, TeamFace, refused, well

PAYING = ("orders:read", "orders:write", "billing:read", "billing:write", "orders:pay", "catalog:read")


def paid(face: TeamFace, headcount: int = 1, **headers: str | None) -> Any:
    """An order that is made and paid at once."""
    made = well(face.call("POST", "/team-orders", on_terms(headcount), **headers), 201).json()
    assert made["payment_status"] == "paid"
    return made


def over_cap(face: TeamFace, headcount: int = 1) -> None:
    """An order of this size passes the key's month."""
    refused(face.post("/team-orders", on_terms(headcount)), 422, "monthly_cap_exceeded")


def ceiling_key(team: Team, monthly: int) -> TeamFace:
    """A key whose month is bounded and whose requests are not."""
    return payer(team, 1_000_000, monthly)


@claims("T-1.7", "T-5.15")
def test_only_a_live_key_with_the_right_and_both_ceilings_pays(team: Team) -> None:
    before = money(team.live)
    powerless = team.key(*(scope for scope in SCOPES if scope != "orders:pay"))
    refused(powerless.post("/team-orders", on_terms()), 403, "insufficient_scope")
    without = team.key(*SCOPES)
    refused(without.post("/team-orders", on_terms()), 422, "payment_not_permitted")
    refused(team.test.post("/team-orders", on_terms()), 403, "insufficient_scope")
    assert money(team.live) == before
    assert paid(team.live)["invoice_id"] is not None


@claims("T-1.7")
@pytest.mark.parametrize("limits", [None, {"per_request_cents": 1_000_000, "monthly_cents": 1_000_000}])
def test_ceilings_count_as_they_are_now(team: Team, world: World, limits: Any) -> None:
    held = team.live.make("/team-orders", kit())
    world.ask("PATCH", "/keys/team.live_approver", {"pay_limits": limits})
    if limits is None:
        refused(fund(team.live, held), 422, "payment_not_permitted")
    else:
        assert funded(team.live, held)["status"] == "succeeded"


@claims("T-5.16")
def test_a_request_may_reach_its_ceiling_and_not_pass_it(team: Team) -> None:
    face = payer(team, 2 * unit(team), 1_000_000)
    before = money(team.live)
    refused(face.post("/team-orders", on_terms(3)), 422, "spending_ceiling_exceeded")
    assert money(team.live) == before
    paid(face, 2)
    held = face.make("/team-orders", kit(3))
    refused(fund(face, held), 422, "spending_ceiling_exceeded")
    assert order(face, held)["payment_status"] == "unpaid"


@claims("T-5.18", "T-8.6")
def test_a_month_may_be_used_up_and_not_passed_and_is_each_keys_own(team: Team) -> None:
    face, other = (ceiling_key(team, 3 * unit(team)) for _ in range(2))
    paid(face, 2)
    before = money(team.live)
    over_cap(face, 2)
    assert money(team.live) == before
    paid(face)
    over_cap(face)
    paid(other, 3)


def test_above_a_ceiling_an_order_can_be_held_instead(team: Team, world: World) -> None:
    world.settings(on_ceiling="hold")
    face = payer(team, unit(team), 1_000_000)
    made = face.make("/team-orders", on_terms(2))
    assert (made["status"], made["payment_status"]) == ("awaiting_approval", "unpaid")
    held = face.make("/team-orders", kit(2))
    funding = funded(face, held)
    assert (funding["status"], funding["payment_id"]) == ("pending", None)
    assert order(face, held)["payment_status"] == "unpaid"


@claims("T-5.21")
@pytest.mark.parametrize("number", [7, 12, 4, 11])
def test_the_month_turns_over_at_midnight_in_los_angeles_in_summer_and_winter(
    team: Team, world: World, number: int
) -> None:
    face = ceiling_key(team, unit(team))
    advance_to(world, next_first(world))
    midnight = next_first(world, number)
    advance_to(world, midnight - timedelta(days=20))
    paid(face)
    advance_to(world, midnight - timedelta(seconds=1))
    over_cap(face)
    advance_to(world, midnight)
    paid(face)
    over_cap(face)


@claims("T-5.19")
def test_a_reserved_payment_counts_and_settles_when_the_provider_does(team: Team, world: World) -> None:
    world.settings(payments__settle_after="3h")
    face = ceiling_key(team, 3 * unit(team))
    made = face.make("/team-orders", on_terms(2))
    assert (made["payment_status"], made["invoice_id"]) == ("reserved", None)
    over_cap(face, 2)
    face.make("/team-orders", on_terms())
    world.advance("3h")
    assert order(face, made)["payment_status"] == "paid"
    assert len(face.listed("/invoices")) == 2


@claims("T-5.19")
def test_a_reserved_payment_that_fails_gives_its_room_back(team: Team, world: World) -> None:
    world.settings(payments__settle_after="3h")
    face = ceiling_key(team, 2 * unit(team))
    made = face.make("/team-orders", on_terms(2))
    assert world.simulate("payment", team_order_id=made["id"], outcome="failed")["status"] == "failed"
    assert order(face, made)["payment_status"] == "unpaid"
    assert face.make("/team-orders", on_terms(2))["payment_status"] == "reserved"


@claims("T-5.20")
def test_a_payment_without_a_known_outcome_counts_until_it_is_told(team: Team, world: World) -> None:
    face = ceiling_key(team, 2 * unit(team))
    advance_to(world, next_first(world))
    with pytest.raises(ConnectionError):
        face.post("/team-orders", on_terms(2), **CRASH)
    [made] = face.listed("/team-orders")
    assert made["payment_status"] == "uncertain"
    world.advance("2d")
    over_cap(face)
    world.simulate("payment", payment_id=made["payment_id"], outcome="failed")
    paid(face, 2)


def test_an_uncertain_create_is_neither_repeated_nor_forgotten(team: Team, world: World) -> None:
    with pytest.raises(ConnectionError):
        team.live.post("/team-orders", on_terms(), Idempotency_Key="once", **CRASH)
    again = team.live.post("/team-orders", on_terms(), Idempotency_Key="once")
    refused(again, 409, "idempotency_in_progress")
    assert again.headers["retry-after"]
    [made] = team.live.listed("/team-orders")
    world.simulate("payment", team_order_id=made["id"], outcome="settled")
    answer = well(team.live.post("/team-orders", on_terms(), Idempotency_Key="once"), 201)
    assert answer.json()["id"] == made["id"]
    assert answer.json()["payment_status"] == "paid"
    assert len(team.live.listed("/invoices")) == 1


@claims("T-5.22")
@pytest.mark.parametrize("to", [1, 900_000])
def test_a_price_that_has_changed_is_not_paid_as_it_was(team: Team, world: World, to: int) -> None:
    held = team.live.make("/team-orders", kit())
    world.simulate("price", product="mug-01", price_cents=to)
    before = money(team.live)
    refused(fund(team.live, held), 422, "price_changed")
    assert money(team.live) == before


@claims("T-5.23")
def test_an_order_whose_proof_is_not_signed_is_not_paid(team: Team) -> None:
    before = money(team.live)
    branded = {"collection": "branded-kit", "headcount": 1}
    refused(team.live.post("/team-orders", {**branded, "payment_method": "net_terms"}), 422, "proof_not_signed")
    assert money(team.live) == before
    held = team.live.make("/team-orders", branded)
    refused(fund(team.live, held), 422, "proof_not_signed")
    assert order(team.live, held)["payment_status"] == "unpaid"


@claims("T-5.24")
def test_a_balance_that_was_drained_does_not_pay_and_does_not_go_below_nothing(team: Team, world: World) -> None:
    held = team.live.make("/team-orders", kit())
    world.simulate("team", balance_cents=unit(team) - 1, credit={"status": "suspended"})
    world.simulate("approval", team_order_id=held["id"], decision="approve")
    assert order(team.live, held)["payment_status"] == "unpaid"
    assert team.live.got("/billing/balance")["balance_cents"] == unit(team) - 1


@claims("T-5.25")
@pytest.mark.parametrize("cut", [{"status": "suspended"}, {"status": "none"}, {"credit_limit_cents": 1}])
def test_terms_that_were_cut_after_the_order_was_made_pay_nothing(team: Team, world: World, cut: Any) -> None:
    held = team.live.make("/team-orders", kit())
    world.simulate("team", credit=cut)
    before = money(team.live)
    refused(fund(team.live, held), 422, "credit_unavailable")
    assert money(team.live) == before
    assert order(team.live, held)["payment_status"] == "unpaid"


def test_a_refused_payment_leaves_no_order_and_its_key_free(team: Team, world: World) -> None:
    world.simulate("team", credit={"credit_limit_cents": 0})
    refused(team.live.post("/team-orders", on_terms(), Idempotency_Key="one"), 422, "credit_unavailable")
    assert team.live.listed("/team-orders") == []
    world.simulate("team", credit={"credit_limit_cents": 1_000_000})
    paid(team.live, Idempotency_Key="one")
