"""The lifecycle of a gift: held until approved, then sent, claimed, shipped and delivered, with an event per step."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.instants import later
from tests.support.responses import expect_error
from tests.support.team.clients import TeamClients
from tests.support.team.orders import (
    EACH_CENTS,
    approve,
    approve_and_reload,
    claim,
    create_gift,
    event_types,
    mailed_tokens,
    move_parcels,
    recipient_statuses,
    reference,
    reject,
    reload,
)
from tests.support.team.payments import balance_cents


def timeline(team: TeamClients, record: Any) -> list[tuple[str, Any, str]]:
    """A gift's timeline as (kind, index of the recipient or None, status)."""
    client = team.live if record["livemode"] else team.test
    rows = client.get_json(f"/gifts/{record['id']}/timeline")
    assert rows["next_cursor"] is None
    assert [row["at"] for row in rows["data"]] == sorted(row["at"] for row in rows["data"])
    places = {row["id"]: place for place, row in enumerate(record["recipients"])}
    return [(row["kind"], places.get(row["recipient_id"]), row["status"]) for row in rows["data"]]


def gift_event_types(team: TeamClients) -> list[str]:
    """The types of all events about gifts, in order."""
    return [kind for kind in event_types(team.world) if kind.startswith("gift.")]


@shows("T-1.5")
def test_a_gift_is_held_until_a_human_decides(team: TeamClients) -> None:
    gift, before = create_gift(team.live), balance_cents(team.live)
    approval = team.live.get_json(f"/approvals/{gift['approval_id']}")
    assert (approval["status"], approval["resource_type"], approval["resource_id"], approval["amount_cents"]) == (
        "pending", "gift", gift["id"], EACH_CENTS,
    )  # fmt: skip
    team.world.advance("60d")
    assert reload(team.live, gift) == gift
    assert (balance_cents(team.live), team.world.mail(), event_types(team.world)) == (
        before,
        [],
        ["approval.requested"],
    )


def test_a_gift_that_is_delivered_now_was_shipped_before(team: TeamClients) -> None:
    gift = approve_and_reload(team, create_gift(team.live))
    sent = team.world.now
    for wait, shipped in (("3d", "-48h"), ("1h", "-1h")):
        team.world.advance(wait)
        now = team.world.now
        move_parcels(team.world, gift, "delivered")
        (row,) = reload(team.live, gift)["recipients"]
        assert (row["shipped_at"], row["delivered_at"]) == (later(now, shipped), now)
        moments = [
            (entry["kind"], entry["at"]) for entry in team.live.get_json(f"/gifts/{gift['id']}/timeline")["data"]
        ]
        assert moments[-4:] == [
            ("gift.sent", sent), ("gift.claimed", later(now, shipped)), ("gift.shipped", later(now, shipped)),
            ("gift.delivered", now),
        ]  # fmt: skip
        gift = approve_and_reload(team, create_gift(team.live))
        sent = team.world.now


@shows("T-1.5", "T-6.4", "T-6.10")
def test_approving_pays_and_sends_the_gift(team: TeamClients) -> None:
    before = balance_cents(team.live)
    created = approve_and_reload(team, create_gift(team.live, 3))
    assert (created["status"], created["payment_status"], recipient_statuses(created)) == ("sent", "paid", ["sent"] * 3)
    assert None not in (created["payment_id"], created["receipt_id"])
    assert balance_cents(team.live) == before - 3 * EACH_CENTS
    assert event_types(team.world) == ["approval.requested", "approval.decided", "gift.sent"]
    approval = f"approval {created['approval_id']}"
    assert [row["subject"] for row in team.world.events()] == [approval, approval, f"gift {created['id']}"]
    mail = team.world.mail()
    assert [message["to"] for message in mail] == [f"guest{i}@example.com" for i in range(3)]
    assert {message["kind"] for message in mail} == {"claim_link"}


def test_rejecting_ends_the_gift(team: TeamClients) -> None:
    gift, before = create_gift(team.live, 2), balance_cents(team.live)
    reject(team.world, gift)
    reloaded = reload(team.live, gift)
    assert (reloaded["status"], reloaded["payment_status"], recipient_statuses(reloaded)) == (
        "rejected",
        "unpaid",
        ["rejected"] * 2,
    )
    team.world.advance("60d")
    assert reload(team.live, gift) == reloaded
    assert (balance_cents(team.live), team.world.mail(), gift_event_types(team)) == (before, [], [])
    assert timeline(team, gift) == [
        ("gift.created", None, "awaiting_approval"),
        ("approval.requested", None, "awaiting_approval"),
        ("approval.decided", None, "rejected"),
        ("gift.rejected", None, "rejected"),
    ]


@shows("T-4.42", "T-6.5", "T-6.6", "T-6.7")
def test_a_gift_advances_with_the_clock_and_each_step_sends_one_event(team: TeamClients) -> None:
    created, start = approve_and_reload(team, create_gift(team.live)), team.world.now
    (token,) = mailed_tokens(team.world)
    assert team.world.claim(token).status == 200
    assert (reload(team.live, created)["status"], gift_event_types(team)[1:]) == ("claimed", ["gift.claimed"])
    team.world.advance("72h")
    reloaded = reload(team.live, created)
    assert (reloaded["status"], gift_event_types(team)[2:]) == ("shipped", ["gift.shipped"])
    (recipient,) = reloaded["recipients"]
    assert (recipient["shipped_at"], recipient["delivered_at"]) == (team.world.now, None)
    assert None not in (recipient["carrier"], recipient["tracking_number"])
    team.world.advance("48h")
    reloaded = reload(team.live, created)
    assert (reloaded["status"], reloaded["recipients"][0]["delivered_at"]) == ("delivered", team.world.now)
    moments = team.live.get_json(f"/gifts/{created['id']}/timeline")["data"]
    assert [row["at"] for row in moments] == [start] * 5 + [recipient["shipped_at"], team.world.now]
    team.world.advance("60d")
    assert gift_event_types(team) == ["gift.sent", "gift.claimed", "gift.shipped", "gift.delivered"]
    assert timeline(team, created) == [
        ("gift.created", None, "awaiting_approval"),
        ("approval.requested", None, "awaiting_approval"),
        ("approval.decided", None, "awaiting_approval"),
        ("gift.sent", None, "sent"),
        ("gift.claimed", 0, "claimed"),
        ("gift.shipped", 0, "shipped"),
        ("gift.delivered", 0, "delivered"),
    ]


def test_the_status_of_a_send_is_that_of_its_least_advanced_recipient(team: TeamClients) -> None:
    gift = create_gift(team.live, 3)
    approve(team.world, gift)
    statuses = []
    for place, to in ((0, "delivered"), (1, "shipped"), (2, "in_production"), (2, "delivered"), (1, "delivered")):
        move_parcels(team.world, gift, to, recipient=place)
        reloaded = reload(team.live, gift)
        statuses.append((reloaded["status"], recipient_statuses(reloaded)))
    assert statuses == [
        ("sent", ["delivered", "sent", "sent"]),
        ("sent", ["delivered", "shipped", "sent"]),
        ("claimed", ["delivered", "shipped", "claimed"]),
        ("shipped", ["delivered", "shipped", "delivered"]),
        ("delivered", ["delivered", "delivered", "delivered"]),
    ]
    assert [gift_event_types(team).count(f"gift.{step}") for step in ("sent", "claimed", "shipped", "delivered")] == [
        1,
        3,
        3,
        3,
    ]


def test_an_unclaimed_link_expires(team: TeamClients) -> None:
    gift = create_gift(team.live, 2)
    approve(team.world, gift)
    claim(team.world, gift, 1)
    team.world.advance("30d")
    reloaded = reload(team.live, gift)
    assert (reloaded["status"], recipient_statuses(reloaded)) == ("delivered", ["expired", "delivered"])
    assert ("gift.expired", 0, "expired") in timeline(team, gift)
    alone = create_gift(team.live)
    approve(team.world, alone)
    team.world.advance("30d")
    assert reload(team.live, alone)["status"] == "expired"
    team.world.simulate("claim_link", gift_id=alone["id"], recipient=0)
    assert reload(team.live, alone)["status"] == "sent"
    claim(team.world, alone)
    assert reload(team.live, alone)["status"] == "claimed"


def test_a_parcel_rejected_in_production_appears_only_in_the_timeline(team: TeamClients) -> None:
    gift = create_gift(team.live)
    approve(team.world, gift)
    claim(team.world, gift)
    move_parcels(team.world, gift, "rejected")
    reloaded = reload(team.live, gift)
    assert (reloaded["status"], recipient_statuses(reloaded)) == ("canceled", ["canceled"])
    assert gift_event_types(team) == ["gift.sent", "gift.claimed"]
    assert timeline(team, gift)[-1] == ("gift.canceled", 0, "canceled")


def test_a_sent_or_rejected_gift_cannot_be_decided_again(team: TeamClients) -> None:
    done, tested, refused_ = create_gift(team.live), create_gift(team.test), create_gift(team.live)
    approve(team.world, done)
    approve(team.world, tested)
    reject(team.world, refused_)
    for record in (done, tested, refused_):
        body = {"gift_id": record["id"], "decision": "approve"}
        response = team.world.control.post(f"/worlds/{team.world.id}/simulate/approval", body)
        expect_error(response, 409, "invalid_state")


@shows("T-1.10", "T-1.9")
def test_no_response_contains_a_claim_link_or_an_email(team: TeamClients) -> None:
    gift = create_gift(team.live, message="See you")
    approve(team.world, gift)
    claim(team.world, gift)
    (token,) = mailed_tokens(team.world)
    responses = [
        team.live.get(path).text
        for path in ("/gifts", f"/gifts/{gift['id']}", f"/gifts/{gift['id']}/timeline", "/approvals", "/team-orders")
    ]
    for text in responses:
        for secret in (token, "/claim/", "@", "guest0"):
            assert secret not in text


@shows("T-1.16", "T-1.17")
def test_an_approved_test_gift_is_sent_without_mail_or_money(team: TeamClients) -> None:
    gift, before = create_gift(team.test), team.live.get_json("/billing/balance")
    approve(team.world, gift)
    reloaded = reload(team.test, gift)
    assert (reloaded["status"], reloaded["payment_status"], reloaded["livemode"]) == ("sent", "unpaid", False)
    team.world.advance("60d")
    assert reload(team.test, gift) == reloaded
    assert (team.world.mail(), team.live.get_json("/billing/balance")) == ([], before)


@pytest.mark.parametrize("verb", ["claim", "shipment"])
def test_a_held_gift_cannot_be_moved_by_simulation(team: TeamClients, verb: str) -> None:
    for record, client in ((create_gift(team.live), team.live), (create_gift(team.test), team.test)):
        body = {"gift_id": record["id"], "recipient": 0, **({"to": "shipped"} if verb == "shipment" else {})}
        assert team.world.control.post(f"/worlds/{team.world.id}/simulate/{verb}", body).status == 409
        assert reload(client, record) == record


def test_a_simulation_needs_a_recipient_of_the_gift(team: TeamClients) -> None:
    gift, other = create_gift(team.live), create_gift(team.live)
    approve(team.world, gift)
    path = f"/worlds/{team.world.id}/simulate/claim"
    for who in ({"recipient": 1}, {"recipient_id": other["recipients"][0]["id"]}, {"recipient_id": "x" * 36}):
        expect_error(team.world.control.post(path, {"gift_id": gift["id"], **who}), 404, "recipient_not_found")
    several = create_gift(team.live, 2)
    expect_error(team.world.control.post(path, {"gift_id": several["id"]}), 400, "invalid_body")
    approve(team.world, other)
    team.world.simulate("claim", gift_id=other["id"])
    assert reload(team.live, other)["status"] == "claimed"
    team.world.simulate("claim", gift_id=gift["id"], recipient_id=gift["recipients"][0]["id"])
    assert reload(team.live, gift)["status"] == "claimed"


@pytest.mark.parametrize("verb", ["claim_link", "claim"])
@pytest.mark.parametrize("back", [False, True])
def test_a_gift_that_is_delivered_stays_so_unless_it_may_go_back(team: TeamClients, verb: str, back: bool) -> None:
    team.world.change_settings(**{"status.back_from_delivered": back})
    gift = approve_and_reload(team, create_gift(team.live, 2))
    move_parcels(team.world, gift, "delivered", recipient=0)
    team.world.advance("31d")
    delivered = reload(team.live, gift)
    assert (delivered["status"], recipient_statuses(delivered)) == ("delivered", ["delivered", "expired"])
    team.world.simulate(verb, **reference(gift), recipient=1)
    status = {"claim_link": "sent", "claim": "claimed"}[verb] if back else "delivered"
    assert reload(team.live, gift)["status"] == status
    move_parcels(team.world, gift, "delivered", recipient=1)
    delivered = reload(team.live, gift)
    assert (delivered["status"], recipient_statuses(delivered)) == ("delivered", ["delivered"] * 2)
    events = event_types(team.world)
    assert events.count("gift.delivered") == 2
    assert events.count("gift.shipped") == 2
