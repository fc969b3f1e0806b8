"""Seats without names: one shared link, mailed to the person who approved, is claimed seat by seat."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, create_order, mailed_tokens, recipient_statuses, reload
from tests.support.team.payments import fund, net_terms_order_body

APPROVER = "approver@example.com"


def claim_seat(team: TeamClients, token: str, name: str) -> Any:
    """Claim a seat through the shared link; the response."""
    return team.world.claim(token, name=name, email=f"{name.lower()}@example.com")


@pytest.mark.parametrize("seats", [1, 3])
def test_each_claim_of_the_shared_link_fills_a_seat_of_an_order_for_a_headcount(team: TeamClients, seats: int) -> None:
    order = create_order(team.live, headcount=seats, recipients=None)
    approve(team.world, order)
    (mail,) = team.world.mail()
    assert (mail["to"], mail["kind"]) == (APPROVER, "shared_claim_link")
    (token,) = mailed_tokens(team.world)
    for filled in range(seats):
        expect_status(claim_seat(team, token, f"Guest{filled}"), 200)
        assert [row["name"] for row in reload(team.live, order)["recipients"]] == [
            f"Guest{each}" for each in range(filled + 1)
        ]
    assert recipient_statuses(reload(team.live, order)) == ["submitted"] * seats
    assert claim_seat(team, token, "Late").status == 409
    team.world.advance(until="idle")
    assert reload(team.live, order)["status"] == "delivered"


def test_a_store_order_without_recipients_is_claimed_by_its_link(team: TeamClients) -> None:
    order = team.live.post_json("/store/orders", {"items": [{"merchant_product_id": 101}]})
    approve(team.world, order)
    (token,) = mailed_tokens(team.world)
    expect_status(claim_seat(team, token, "Bo"), 200)
    assert [row["name"] for row in reload(team.live, order)["recipients"]] == ["Bo"]


def test_the_link_is_mailed_to_the_user_who_approved(team: TeamClients) -> None:
    order = create_order(team.live, headcount=3)
    approval = team.world.simulate("approval", team_order_id=order["id"], decision="approve", user="owner")
    assert approval["decided_by"] == "owner"
    assert [(mail["to"], mail["kind"]) for mail in team.world.mail()] == [
        ("guest0@example.com", "claim_link"), ("guest1@example.com", "claim_link"),
        ("owner@example.com", "shared_claim_link"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("user", "status", "code"), [("member", 409, "invalid_state"), ("stranger", 404, "member_not_found")]
)
def test_only_an_approver_or_owner_of_the_team_can_be_the_one_who_approves(
    team: TeamClients, user: str, status: int, code: str
) -> None:
    order = create_order(team.live, recipients=None)
    before = team.world.fingerprint()
    body = {"team_order_id": order["id"], "decision": "approve", "user": user}
    expect_error(team.world.control.call("POST", f"/worlds/{team.world.id}/simulate/approval", body), status, code)
    assert (team.world.fingerprint(), reload(team.live, order)) == (before, order)


def test_an_order_paid_on_terms_has_its_link_mailed_to_the_team_s_approver(team: TeamClients) -> None:
    team.live.post_json("/team-orders", net_terms_order_body(2))
    fund(team.live, create_order(team.live, recipients=None))
    assert [(mail["to"], mail["kind"]) for mail in team.world.mail()] == [(APPROVER, "shared_claim_link")] * 2


def test_no_answer_of_the_team_interface_holds_the_link(team: TeamClients) -> None:
    order = create_order(team.live, recipients=None)
    approve(team.world, order)
    (token,) = mailed_tokens(team.world)
    for path in (
        "/team-orders",
        f"/team-orders/{order['id']}",
        f"/team-orders/{order['id']}/manifest.csv",
        "/approvals",
    ):
        assert token not in team.live.get(path).text


@claims("T-1.16")
def test_a_test_order_s_link_is_not_mailed(team: TeamClients) -> None:
    order = create_order(team.test, recipients=None)
    approve(team.world, order)
    team.test.post_json("/sandbox/events", {"type": "team_order.shipped", "resource_id": order["id"]}, 200)
    assert team.world.mail() == []


def test_an_order_whose_recipients_all_have_names_has_no_shared_link(team: TeamClients) -> None:
    approve(team.world, create_order(team.live))
    assert [mail["kind"] for mail in team.world.mail()] == ["claim_link"] * 2
