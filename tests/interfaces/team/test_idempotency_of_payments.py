"""Idempotency keys of payments without an outcome: remembered until it is known, and a day longer (C5, G58)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from giftsim.client.response import Response
from giftsim.domain.team.billing.payment import FIRST_ID
from tests.claims import claims
from tests.support.responses import expect_error, expect_status
from tests.support.team.campaigns import approved_campaign, request_processing
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_order
from tests.support.team.payments import CRASH, net_terms_order_body, request_funding

KEY = {"Idempotency_Key": "k"}


@dataclass
class Paying:
    """A call that pays, which a test repeats with one Idempotency-Key, and the same with another payload."""

    send: Callable[..., Response]
    send_other: Callable[..., Response]
    status: int


def _order(team: TeamClients) -> Paying:
    body, other = net_terms_order_body(), net_terms_order_body(2)
    return Paying(
        lambda **headers: team.live.post("/team-orders", body, **headers),
        lambda **headers: team.live.post("/team-orders", other, **headers),
        201,
    )


def _funding(team: TeamClients) -> Paying:
    order, other = create_order(team.live), create_order(team.live)
    return Paying(
        lambda **headers: request_funding(team.live, order, **headers),
        lambda **headers: request_funding(team.live, other, **headers),
        201,
    )


def _batch(team: TeamClients) -> Paying:
    campaign = approved_campaign(team)
    return Paying(
        lambda **headers: request_processing(team.live, campaign, **headers),
        lambda **headers: request_processing(team.live, campaign, "stop", **headers),
        202,
    )


@pytest.fixture(params=[_order, _funding, _batch], ids=["order", "funding", "batch"])
def paying(request: pytest.FixtureRequest, team: TeamClients, small_batches: None) -> Paying:
    """A call that pays: a new order on terms, a funding on terms, or a batch of a campaign."""
    made: Paying = request.param(team)
    return made


def charge_statuses(team: TeamClients) -> list[str]:
    """The status of every charge, in order; `sent` is one whose outcome is not known."""
    return [row["status"] for row in team.world.rows("payments")]


def lose_response(paying: Paying) -> None:
    """Send the call, whose payment is made and whose response is lost."""
    with pytest.raises(ConnectionError):
        paying.send(**KEY, **CRASH)


def decide(team: TeamClients, outcome: str) -> None:
    """Let the outcome of the first payment be known."""
    assert charge_statuses(team) == ["sent"]
    team.world.simulate("payment", payment_id=FIRST_ID, outcome=outcome)


@claims("T-4.208", "T-4.209")
def test_a_key_is_remembered_while_the_outcome_of_its_payment_is_unknown(team: TeamClients, paying: Paying) -> None:
    lose_response(paying)
    for span in ("23h", "2h", "60d"):
        team.world.advance(span)
        expect_error(paying.send(**KEY), 409, "idempotency_in_progress")
        expect_error(paying.send_other(**KEY), 409, "idempotency_key_reused")
    assert charge_statuses(team) == ["sent"]


@claims("T-4.208", "T-4.209")
def test_a_key_is_remembered_for_a_day_after_its_payment_is_known(team: TeamClients, paying: Paying) -> None:
    lose_response(paying)
    team.world.advance("3d")
    decide(team, "settled")
    made = observed(team)
    team.world.advance("23h")
    expect_error(paying.send_other(**KEY), 409, "idempotency_key_reused")
    first = expect_status(paying.send(**KEY), paying.status)
    assert paying.send(**KEY).body == first.body
    assert observed(team) == made


@claims("T-4.208")
def test_a_key_whose_payment_has_failed_pays_once_more_within_a_day(team: TeamClients, paying: Paying) -> None:
    lose_response(paying)
    team.world.advance("3d")
    decide(team, "failed")
    count = len(team.live.list_all("/team-orders"))
    team.world.advance("23h")
    expect_error(paying.send_other(**KEY), 409, "idempotency_key_reused")
    expect_status(paying.send(**KEY), paying.status)
    assert len(team.live.list_all("/team-orders")) == count
    assert charge_statuses(team) == ["failed", "paid"]


def test_a_key_is_forgotten_a_day_after_its_payment_is_known(team: TeamClients) -> None:
    order = _order(team)
    lose_response(order)
    team.world.advance("3d")
    decide(team, "settled")
    team.world.advance("24h")
    expect_status(order.send_other(**KEY), 201)
    assert len(team.live.list_all("/team-orders")) == 2


def test_a_key_lives_for_its_setting_after_the_outcome(team: TeamClients) -> None:
    order = _order(team)
    lose_response(order)
    team.world.change_settings(idempotency__lifetime="1h")
    team.world.advance("3d")
    decide(team, "settled")
    team.world.advance("59m")
    expect_status(order.send(**KEY), 201)
    team.world.advance("2h")
    expect_status(order.send_other(**KEY), 201)


def test_a_stored_response_is_replayed_while_a_payment_is_reserved(team: TeamClients) -> None:
    team.world.change_settings(payments__settle_after="5d")
    order = _order(team)
    first = expect_status(order.send(**KEY), 201)
    team.world.advance("4d")
    assert order.send(**KEY).body == first.body
    team.world.advance("47h")
    assert order.send(**KEY).body == first.body
    team.world.advance("1h")
    expect_status(order.send_other(**KEY), 201)


def test_a_restored_world_waits_for_the_outcome_again(team: TeamClients) -> None:
    order = _order(team)
    lose_response(order)
    team.world.call_control("POST", "/snapshots", {"name": "uncertain"})
    team.world.advance("3d")
    decide(team, "failed")
    team.world.call_control("POST", "/snapshots/uncertain/restore")
    team.world.advance("3d")
    expect_error(order.send(**KEY), 409, "idempotency_in_progress")


def observed(team: TeamClients) -> Any:
    """What must not change when a paid call is repeated: orders, their payments and the ledger."""
    return [team.live.list_all("/team-orders"), team.world.rows("payments"), team.world.rows("ledger")]
