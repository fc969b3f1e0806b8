"""A gift's yes that cannot be paid: it changes nothing, except that a changed price is put to a new approval (G57)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.support.actors import create_actor
from tests.support.responses import expect_error
from tests.support.team.clients import TeamClients
from tests.support.team.orders import EACH_CENTS, approve_and_reload, create_gift, event_types, reload
from tests.support.team.payments import balance_cents, billing_state

BY_NAME = pytest.mark.parametrize("name", ["approval_id", "gift_id"])
NEW_PRICE_CENTS = 2800  # of the mug, 1000 more than before


def say_yes(team: TeamClients, gift: Any, name: str) -> Any:
    """Approve a gift by its id or by that of its approval; the response, which may be an error."""
    value = gift["id"] if name == "gift_id" else gift["approval_id"]
    return team.world.control.post(f"/worlds/{team.world.id}/simulate/approval", {name: value, "decision": "approve"})


def timeline(team: TeamClients, gift: Any) -> list[str]:
    """The kinds of the entries of a gift's timeline."""
    return [row["kind"] for row in team.live.get_json(f"/gifts/{gift['id']}/timeline")["data"]]


@claims("T-5.24")
@BY_NAME
def test_a_yes_without_funds_changes_nothing(team: TeamClients, name: str) -> None:
    team.world.simulate("team", balance_cents=EACH_CENTS - 1, credit={"credit_limit_cents": EACH_CENTS - 1})
    gift = create_gift(team.live)
    before = (reload(team.live, gift), team.live.list_all("/approvals"), timeline(team, gift), billing_state(team.live))
    events = event_types(team.world)
    for _ in range(2):
        expect_error(say_yes(team, gift, name), 422, "insufficient_balance")
    after = (reload(team.live, gift), team.live.list_all("/approvals"), timeline(team, gift), billing_state(team.live))
    assert (after, event_types(team.world), team.world.mail()) == (before, events, [])
    team.world.simulate("team", balance_cents=EACH_CENTS)
    assert say_yes(team, gift, name).json()["id"] == gift["approval_id"]
    reloaded = reload(team.live, gift)
    assert (reloaded["status"], reloaded["payment_status"], balance_cents(team.live)) == ("sent", "paid", 0)


@claims("T-5.22")
@BY_NAME
def test_a_changed_price_is_put_to_a_new_approval(team: TeamClients, name: str) -> None:
    gift, before = create_gift(team.live), billing_state(team.live)
    team.world.simulate("price", product="mug-01", price_cents=NEW_PRICE_CENTS)
    error = expect_error(say_yes(team, gift, name), 422, "price_changed")
    assert str(EACH_CENTS) in error["message"]
    assert str(EACH_CENTS + 1000) in error["message"]
    assert (billing_state(team.live), team.world.mail()) == (before, [])
    reloaded = reload(team.live, gift)
    assert (reloaded["status"], reloaded["totals"]["total_cents"]) == ("awaiting_approval", EACH_CENTS + 1000)
    new, old = team.live.list_all("/approvals")
    assert (old["id"], old["status"], old["amount_cents"]) == (gift["approval_id"], "superseded", EACH_CENTS)
    assert (new["id"], new["status"], new["amount_cents"]) == (
        reloaded["approval_id"], "pending", EACH_CENTS + 1000,
    )  # fmt: skip
    assert event_types(team.world) == ["approval.requested", "approval.requested"]
    approved = say_yes(team, reloaded, name).json()
    assert (approved["id"], approved["status"]) == (new["id"], "approved")
    assert balance_cents(team.live) == before[0]["balance_cents"] - EACH_CENTS - 1000
    assert timeline(team, gift) == [
        "gift.created", "approval.requested", "approval.requested", "approval.decided", "gift.sent",
    ]  # fmt: skip


@BY_NAME
def test_a_no_needs_no_new_price(team: TeamClients, name: str) -> None:
    gift = create_gift(team.live)
    team.world.simulate("price", product="mug-01", price_cents=NEW_PRICE_CENTS)
    value = gift["id"] if name == "gift_id" else gift["approval_id"]
    rejected = team.world.simulate("approval", **{name: value}, decision="reject")
    assert (rejected["id"], rejected["status"]) == (gift["approval_id"], "rejected")
    assert reload(team.live, gift)["status"] == "rejected"


def test_an_approver_who_acts_alone_approves_the_new_price_next(team: TeamClients) -> None:
    create_actor(team.world, id="boss", approver="gift", decides="approve", after="2h")
    gift = create_gift(team.live)
    team.world.simulate("price", product="mug-01", price_cents=NEW_PRICE_CENTS)
    team.world.advance("2h")
    assert reload(team.live, gift)["status"] == "awaiting_approval"
    (actor,) = team.world.call_control("GET", "/actors")["actors"]
    assert (actor["acted"], actor["refused"], actor["last_refusal"]["code"]) == (0, 1, "price_changed")
    team.world.advance("2h")
    assert reload(team.live, gift)["status"] == "sent"


def test_an_approver_who_acts_alone_and_cannot_pay_leaves_the_approval_pending(team: TeamClients) -> None:
    create_actor(team.world, id="boss", approver="gift", decides="approve", after="2h")
    team.world.simulate("team", balance_cents=0, credit={"credit_limit_cents": 0})
    gift = create_gift(team.live)
    team.world.advance("2h")
    (actor,) = team.world.call_control("GET", "/actors")["actors"]
    assert (actor["refused"], actor["last_refusal"]["code"]) == (1, "insufficient_balance")
    assert team.live.get_json(f"/approvals/{gift['approval_id']}")["status"] == "pending"
    team.world.simulate("team", balance_cents=EACH_CENTS)
    assert approve_and_reload(team, gift)["status"] == "sent"


def test_a_yes_that_magic_gives_at_an_old_price_is_asked_again(team: TeamClients) -> None:
    gift = create_gift(team.live, message="Magic Approved After 1h")
    team.world.simulate("price", product="mug-01", price_cents=NEW_PRICE_CENTS)
    team.world.advance("1h")
    assert reload(team.live, gift)["status"] == "awaiting_approval"
    team.world.advance("1h")
    assert reload(team.live, gift)["status"] == "sent"


def test_a_world_computed_again_from_its_events_has_the_new_approval_too(team: TeamClients) -> None:
    gift = create_gift(team.live)
    team.world.simulate("price", product="mug-01", price_cents=NEW_PRICE_CENTS)
    expect_error(say_yes(team, gift, "gift_id"), 422, "price_changed")
    approvals = team.live.list_all("/approvals")
    create_gift(team.live)
    team.world.call_control("POST", "/undo")
    assert team.live.list_all("/approvals") == approvals
