"""Approvals that are outdated or expire, of orders, store orders, gifts and campaigns alike (G57, G168)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.shows import shows
from tests.support.actors import create_actor
from tests.support.responses import expect_error
from tests.support.team.campaigns import prepared_campaign, process, request_processing
from tests.support.team.clients import TeamClients
from tests.support.team.orders import (
    EACH_CENTS,
    create_gift,
    create_order,
    event_types,
    recipient_statuses,
    reload,
    request_approval,
    typed_recipients,
)
from tests.support.team.payments import balance_cents, billing_state
from tests.support.team.webhooks import received_webhooks, subscribe

RISE_CENTS = 200


def _order(team: TeamClients) -> Any:
    order = create_order(team.live, headcount=1, recipients=typed_recipients(1))
    request_approval(team.live, order)
    return team.live.get_json(f"/team-orders/{order['id']}")


def _store_order(team: TeamClients) -> Any:
    kit = [{"merchant_product_id": product, "quantity": 1} for product in (101, 111, 103)]
    return team.live.post_json("/store/orders", {"items": kit, "recipients": typed_recipients(1)})


# Each has a pending approval of 4600 cents: how it is made, the member that names it, and the list it is read in.
SUBJECTS: Mapping[str, tuple[Callable[[TeamClients], Any], str, str]] = {
    "order": (_order, "team_order_id", "team-orders"),
    "store order": (_store_order, "team_order_id", "team-orders"),
    "gift": (lambda team: create_gift(team.live), "gift_id", "gifts"),
    "campaign": (lambda team: prepared_campaign(team.live, 1), "campaign_id", "large-campaigns"),
}
EVERY_SUBJECT = pytest.mark.parametrize("subject", SUBJECTS)
EVERY_NAME = pytest.mark.parametrize("by_approval", [True, False], ids=["by approval id", "by its own id"])


def ask(team: TeamClients, subject: str) -> tuple[Any, Any]:
    """The subject with a pending approval, and that approval as its team reads it."""
    record = SUBJECTS[subject][0](team)
    approval = team.live.get_json(f"/approvals/{record['approval_id']}")
    assert (approval["status"], approval["amount_cents"]) == ("pending", EACH_CENTS)
    return record, approval


def raise_price(team: TeamClients) -> None:
    """Raise the price of the mug, so that each subject costs 4800."""
    team.world.simulate("price", product="mug-01", price_cents=1800 + RISE_CENTS)


def decide(team: TeamClients, subject: str, record: Any, decision: str, *, by_approval: bool) -> Any:
    """Decide by the approval's id or by that of the subject; the approval as the verb shows it."""
    named = {"approval_id": record["approval_id"]} if by_approval else {SUBJECTS[subject][1]: record["id"]}
    return team.world.simulate("approval", **named, decision=decision)


def read(team: TeamClients, subject: str, record: Any) -> Any:
    """The subject as it is now."""
    return team.live.get_json(f"/{SUBJECTS[subject][2]}/{record['id']}")


def decisions(team: TeamClients) -> list[tuple[Any, str]]:
    """The approvals that `approval.decided` named, and what it said of them."""
    bodies = [webhook.body["data"] for webhook in received_webhooks(team.world)]
    return [(data["approval_id"], data["status"]) for data in bodies]


def timeline(team: TeamClients, gift: Any) -> list[tuple[str, str | None]]:
    """The kinds of the entries of a gift's timeline, with the decisions of its approvals."""
    return [(row["kind"], row["decision"]) for row in team.live.get_json(f"/gifts/{gift['id']}/timeline")["data"]]


@shows("T-5.22")
@EVERY_NAME
@EVERY_SUBJECT
def test_a_yes_to_an_old_amount_decides_it_and_pays_nothing(
    team: TeamClients, subject: str, *, by_approval: bool
) -> None:
    subscribe(team.live, "approval.decided")
    record, asked = ask(team, subject)
    before = billing_state(team.live)
    raise_price(team)
    decided = decide(team, subject, record, "approve", by_approval=by_approval)
    assert (decided["id"], decided["amount_cents"]) == (asked["id"], EACH_CENTS)
    assert decisions(team) == [(asked["id"], "approved")]
    assert (billing_state(team.live), team.world.mail()) == (before, [])
    status = {"gift": "awaiting_approval"}.get(subject, "approved")
    now = read(team, subject, record)
    assert (now["status"], now.get("payment_status", "unpaid")) == (status, "unpaid")
    team.world.advance("60d")
    assert read(team, subject, record) == now
    assert billing_state(team.live) == before


@shows("T-5.22", "T-3.5")
@EVERY_SUBJECT
def test_the_next_yes_pays_the_new_amount(team: TeamClients, subject: str) -> None:
    record, asked = ask(team, subject)
    before = balance_cents(team.live)
    raise_price(team)
    decide(team, subject, record, "approve", by_approval=True)
    if subject == "campaign":
        expect_error(request_processing(team.live, record), 422, "price_changed")
        process(team.live, record, "reprice")
    elif subject != "gift":  # of which a request is made by itself
        request_approval(team.live, record)
    new, old = team.live.list_all("/approvals")[:2]
    assert (old["id"], old["status"]) == (asked["id"], "superseded")
    assert (new["status"], new["amount_cents"]) == ("pending", EACH_CENTS + RISE_CENTS)
    decide(team, subject, read(team, subject, record), "approve", by_approval=False)
    if subject == "campaign":
        process(team.live, record)
    assert balance_cents(team.live) == before - EACH_CENTS - RISE_CENTS


@EVERY_NAME
@EVERY_SUBJECT
def test_a_no_to_an_old_amount_decides_the_approval_that_was_asked(
    team: TeamClients, subject: str, *, by_approval: bool
) -> None:
    subscribe(team.live, "approval.decided")
    record, asked = ask(team, subject)
    raise_price(team)
    rejected = decide(team, subject, record, "reject", by_approval=by_approval)
    assert (rejected["id"], rejected["status"]) == (asked["id"], "rejected")
    assert decisions(team) == [(asked["id"], "rejected")]
    assert len(team.live.list_all("/approvals")) == 1
    assert read(team, subject, record)["status"] == {"campaign": "stopped"}.get(subject, "rejected")


@pytest.mark.parametrize("subject", ["order", "store order"])
def test_a_new_request_at_a_new_price_supersedes_the_pending_approval(team: TeamClients, subject: str) -> None:
    record, asked = ask(team, subject)
    raise_price(team)
    new = request_approval(team.live, record)
    assert (new["status"], new["amount_cents"]) == ("pending", EACH_CENTS + RISE_CENTS)
    assert team.live.get_json(f"/approvals/{asked['id']}")["status"] == "superseded"
    body = {"approval_id": asked["id"], "decision": "approve"}
    refused = team.world.control.post(f"/worlds/{team.world.id}/simulate/approval", body)
    expect_error(refused, 409, "invalid_state")
    before = balance_cents(team.live)
    assert decide(team, subject, record, "approve", by_approval=False)["id"] == new["id"]
    assert balance_cents(team.live) == before - EACH_CENTS - RISE_CENTS


@EVERY_SUBJECT
def test_the_list_of_approvals_says_which_are_outdated(team: TeamClients, subject: str) -> None:
    record, _ = ask(team, subject)
    assert [row["outdated"] for row in team.world.rows("approvals")] == [False]
    raise_price(team)
    assert [row["outdated"] for row in team.world.rows("approvals")] == [True]
    decide(team, subject, record, "reject", by_approval=True)
    assert [row["outdated"] for row in team.world.rows("approvals")] == [False]


def test_a_new_amount_of_a_gift_is_asked_for_at_once(team: TeamClients) -> None:
    gift = create_gift(team.live)
    raise_price(team)
    decided = decide(team, "gift", gift, "approve", by_approval=False)
    assert decided["status"] == "superseded"
    assert event_types(team.world) == ["approval.requested", "approval.decided", "approval.requested"]
    now = reload(team.live, gift)
    assert now["totals"]["total_cents"] == EACH_CENTS + RISE_CENTS
    assert now["approval_id"] != gift["approval_id"]
    assert timeline(team, gift) == [
        ("gift.created", None), ("approval.requested", None), ("approval.decided", "approved"),
        ("approval.requested", None),
    ]  # fmt: skip


def test_an_approver_who_acts_alone_approves_the_new_price_of_a_gift_next(team: TeamClients) -> None:
    create_actor(team.world, id="boss", approver="gift", decides="approve", after="2h")
    gift, before = create_gift(team.live), balance_cents(team.live)
    raise_price(team)
    team.world.advance("2h")
    assert (reload(team.live, gift)["status"], balance_cents(team.live)) == ("awaiting_approval", before)
    (actor,) = team.world.call_control("GET", "/actors")["actors"]
    assert (actor["acted"], actor["refused"]) == (1, 0)
    team.world.advance("2h")
    assert reload(team.live, gift)["status"] == "sent"


def test_a_yes_that_magic_gives_at_an_old_price_is_asked_again(team: TeamClients) -> None:
    gift = create_gift(team.live, message="Magic Approved After 1h")
    raise_price(team)
    team.world.advance("1h")
    assert reload(team.live, gift)["status"] == "awaiting_approval"
    team.world.advance("1h")
    assert reload(team.live, gift)["status"] == "sent"


def test_a_gift_that_is_not_paid_by_its_approval_is_sent_at_any_price(team: TeamClients) -> None:
    team.world.change_settings(approvals__pay_on_approve=False)
    gift, before = create_gift(team.live), balance_cents(team.live)
    raise_price(team)
    assert decide(team, "gift", gift, "approve", by_approval=False)["status"] == "approved"
    assert recipient_statuses(reload(team.live, gift)) == ["sent"]
    assert balance_cents(team.live) == before


@EVERY_SUBJECT
def test_an_approval_that_nobody_decides_tells_that_it_has_expired(team: TeamClients, subject: str) -> None:
    team.world.change_settings(approvals__expire_days=3)
    subscribe(team.live, "approval.decided")
    record, asked = ask(team, subject)
    before = read(team, subject, record)
    team.world.advance(to=asked["expires_at"])
    expired = team.live.get_json(f"/approvals/{asked['id']}")
    assert (expired["status"], expired["decided_at"]) == ("canceled", asked["expires_at"])
    assert decisions(team) == [(asked["id"], "canceled")]
    assert read(team, subject, record) == before
    team.world.advance("30d")
    assert decisions(team) == [(asked["id"], "canceled")]


@EVERY_SUBJECT
def test_after_an_approval_has_expired_a_person_can_ask_again(team: TeamClients, subject: str) -> None:
    team.world.change_settings(approvals__expire_days=3)
    record, asked = ask(team, subject)
    team.world.advance("3d")
    named = {SUBJECTS[subject][1]: record["id"]}
    again = team.world.simulate("approval", **named, decision="ask", note="Still wanted")
    assert again["id"] != asked["id"]
    assert (again["status"], again["note"]) == ("pending", "Still wanted")
    assert team.world.simulate("approval", **named, decision="ask") == again
    assert event_types(team.world) == ["approval.requested", "approval.decided", "approval.requested"]
    assert team.world.simulate("approval", **named, decision="approve")["id"] == again["id"]


def test_who_asks_names_what_is_to_be_approved(team: TeamClients) -> None:
    gift = create_gift(team.live)
    body = {"approval_id": gift["approval_id"], "decision": "ask"}
    error = expect_error(
        team.world.control.post(f"/worlds/{team.world.id}/simulate/approval", body), 400, "invalid_body"
    )
    assert "gift_id" in error["message"]


@pytest.mark.parametrize(("decision", "told"), [("approve", "approved"), ("reject", "rejected"), (None, "canceled")])
def test_the_timeline_of_a_gift_says_what_was_decided(team: TeamClients, decision: str | None, told: str) -> None:
    team.world.change_settings(approvals__expire_days=3)
    gift = create_gift(team.live)
    if decision is None:
        team.world.advance("3d")
    else:
        decide(team, "gift", gift, decision, by_approval=True)
    after = {"approved": [("gift.sent", None)], "rejected": [("gift.rejected", None)]}.get(told, [])
    assert timeline(team, gift) == [
        ("gift.created", None), ("approval.requested", None), ("approval.decided", told), *after,
    ]  # fmt: skip


def test_the_timeline_of_the_console_keeps_a_decision_that_was_superseded(team: TeamClients) -> None:
    gift = create_gift(team.live)
    raise_price(team)
    decide(team, "gift", gift, "approve", by_approval=True)
    steps = team.world.call_control("GET", f"/gifts/{gift['id']}")["timeline"]
    told = [step["status"] for step in steps if step["subject"] == {"kind": "approval", "id": gift["approval_id"]}]
    assert told == ["requested", "approved"]
