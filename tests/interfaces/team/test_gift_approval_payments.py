"""A gift's yes that cannot be paid, though its price is still the same, changes nothing (G57)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.actors import create_actor
from tests.support.responses import expect_error
from tests.support.team.clients import TeamClients
from tests.support.team.orders import EACH_CENTS, approve_and_reload, create_gift, event_types, reload
from tests.support.team.payments import balance_cents, billing_state

BY_NAME = pytest.mark.parametrize("name", ["approval_id", "gift_id"])


def say_yes(team: TeamClients, gift: Any, name: str) -> Any:
    """Approve a gift by its id or by that of its approval; the response, which may be an error."""
    value = gift["id"] if name == "gift_id" else gift["approval_id"]
    return team.world.control.post(f"/worlds/{team.world.id}/simulate/approval", {name: value, "decision": "approve"})


def timeline(team: TeamClients, gift: Any) -> list[str]:
    """The kinds of the entries of a gift's timeline."""
    return [row["kind"] for row in team.live.get_json(f"/gifts/{gift['id']}/timeline")["data"]]


@shows("T-5.24")
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
