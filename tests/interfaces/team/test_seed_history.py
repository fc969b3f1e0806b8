"""The history of the default world's showcase team: a record in every status, and a consistent ledger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.responses import expect_error
from tests.support.team.clients import TEAM_CONTRACT, TeamClient, TeamClients
from tests.support.worlds import World

ORDER_STATES = set(TEAM_CONTRACT.document["components"]["schemas"]["TeamOrderStatus"]["enum"])
GIFT_STATES = set(TEAM_CONTRACT.document["components"]["schemas"]["GiftStatus"]["enum"])
SEND = {"key": "team.live_approver", "ago": "2d", "order": {"collection": "welcome-kit", "headcount": 1}}


@pytest.fixture
def showcase(new_world: Callable[..., World]) -> TeamClient:
    """A client of the showcase team of a new default world."""
    return TeamClients(new_world(fixture="default")).with_credential("team.showcase")


def test_the_showcase_has_a_record_in_every_status(showcase: TeamClient) -> None:
    orders, gifts = showcase.list_all("/team-orders"), showcase.list_all("/gifts")
    assert {order["status"] for order in orders} == ORDER_STATES
    assert {order["payment_status"] for order in orders} == {"paid", "unpaid", "refunded"}
    assert {order["source"] for order in orders} == {"team", "store"}
    assert {gift["status"] for gift in gifts} == GIFT_STATES - {"canceled"}
    assert {row["status"] for row in showcase.list_all("/approvals")} >= {"pending", "approved", "rejected"}


def test_the_showcase_history_is_in_order_and_in_the_past(showcase: TeamClient) -> None:
    now = showcase.world.now
    for path in ("/team-orders", "/gifts", "/approvals"):
        created = [row["created_at"] for row in showcase.list_all(path)]
        assert created == sorted(created, reverse=True)
        assert created[0] <= now
    for gift in showcase.list_all("/gifts"):
        at = [row["at"] for row in showcase.get_json(f"/gifts/{gift['id']}/timeline")["data"]]
        assert at == sorted(at)
        assert at[-1] <= now


def test_the_showcase_balance_matches_its_paid_records(showcase: TeamClient) -> None:
    sent = [*showcase.list_all("/team-orders"), *showcase.list_all("/gifts")]
    paid_cents = sum(row["totals"]["total_cents"] for row in sent if row["payment_status"] == "paid")
    assert showcase.get_json("/billing/balance")["balance_cents"] == 4_000_000 - paid_cents


def test_the_named_credentials_start_without_records(showcase: TeamClient) -> None:
    team = TeamClients(showcase.world)
    for client in (team.live, team.other, team.test, team.test_second):
        assert [client.list_all(path) for path in ("/team-orders", "/gifts", "/approvals")] == [[], [], []]


def test_the_showcase_records_advance_with_the_clock(showcase: TeamClient) -> None:
    showcase.world.advance("60d")
    left = {order["status"] for order in showcase.list_all("/team-orders")}
    assert left == {"awaiting_approval", "approved", "delivered", "rejected", "canceled"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"key": "team.nobody"}, "there is no key team.nobody"),
        ({"ago": "soon"}, "not a duration"),
        ({"order": {"collection": "no-such-kit", "headcount": 1}}, "collection"),
        ({"then": [{"after": "3d", "do": "approve"}]}, "is in the future"),
        ({"then": [{"after": "1d", "do": "shipped"}]}, "not paid"),
        ({"then": [{"after": "1d", "do": "explode"}]}, "explode"),
        ({"then": [{"after": "-1d", "do": "approve"}]}, "not a duration"),
        ({"ago": "-1d"}, "not a duration"),
        ({"order": None}, "none of order, gift and store"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_fixture_with_an_impossible_history_is_refused(world: World, change: dict[str, Any], message: str) -> None:
    fixture = {"extends": "empty", "sends": [{**SEND, **change}]}
    response = world.control.post("/worlds", {"fixture": fixture})
    error = expect_error(response, 400, "invalid_world")
    assert "sends" in error["message"]
    assert message in error["message"]


def test_a_fixture_can_define_its_own_history_of_sends(new_world: Callable[..., World]) -> None:
    then = [{"after": "1h", "do": "approve", "note": "Yes"}, {"after": "2h", "do": "claim", "country": "US"}]
    team = TeamClients(new_world(fixture={"extends": "empty", "sends": [{**SEND, "then": then}]}))
    (order,) = team.live.list_all("/team-orders")
    assert (order["status"], order["payment_status"]) == ("in_production", "paid")
    assert team.live.list_all("/approvals")[0]["decision_note"] == "Yes"
