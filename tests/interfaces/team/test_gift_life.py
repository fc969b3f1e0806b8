"""What becomes of a gift: held until a human decides, then sent, claimed, shipped and delivered, told at every step."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.interfaces.team.scene import Team, refused
from tests.interfaces.team.shop import (
    EACH_CENTS,
    again,
    approve,
    approved,
    balance_cents,
    claim,
    gift,
    kinds,
    move,
    reject,
    statuses,
    tokens,
)


def history(team: Team, made: Any) -> list[tuple[str, Any, str]]:
    """A gift's timeline as (kind, the recipient's place or None, status)."""
    face = team.live if made["livemode"] else team.test
    rows = face.got(f"/gifts/{made['id']}/timeline")
    assert rows["next_cursor"] is None
    assert [row["at"] for row in rows["data"]] == sorted(row["at"] for row in rows["data"])
    places = {row["id"]: place for place, row in enumerate(made["recipients"])}
    return [(row["kind"], places.get(row["recipient_id"]), row["status"]) for row in rows["data"]]


def told(team: Team) -> list[str]:
    """What was told of gifts."""
    return [kind for kind in kinds(team.world) if kind.startswith("gift.")]


@claims("T-1.5")
def test_a_gift_is_held_until_a_human_decides(team: Team) -> None:
    made, before = gift(team.live), balance_cents(team)
    approval = team.live.got(f"/approvals/{made['approval_id']}")
    assert (approval["status"], approval["resource_type"], approval["resource_id"], approval["amount_cents"]) == (
        "pending", "gift", made["id"], EACH_CENTS,
    )  # fmt: skip
    team.world.advance("60d")
    assert again(team.live, made) == made
    assert (balance_cents(team), team.world.mail(), kinds(team.world)) == (before, [], ["approval.requested"])


@claims("T-1.5", "T-6.4", "T-6.10")
def test_a_yes_pays_the_gift_and_sends_it(team: Team) -> None:
    before = balance_cents(team)
    made = approved(team, gift(team.live, 3))
    assert (made["status"], made["payment_status"], statuses(made)) == ("sent", "paid", ["sent"] * 3)
    assert None not in (made["payment_id"], made["receipt_id"])
    assert balance_cents(team) == before - 3 * EACH_CENTS
    assert kinds(team.world) == ["approval.requested", "approval.decided", "gift.sent"]
    approval = f"approval {made['approval_id']}"
    assert [row["subject"] for row in team.world.events()] == [approval, approval, f"gift {made['id']}"]
    mail = team.world.mail()
    assert [letter["to"] for letter in mail] == [f"guest{i}@example.com" for i in range(3)]
    assert {letter["kind"] for letter in mail} == {"claim_link"}


def test_a_no_ends_the_gift(team: Team) -> None:
    made, before = gift(team.live, 2), balance_cents(team)
    reject(team, made)
    now = again(team.live, made)
    assert (now["status"], now["payment_status"], statuses(now)) == ("rejected", "unpaid", ["rejected"] * 2)
    team.world.advance("60d")
    assert again(team.live, made) == now
    assert (balance_cents(team), team.world.mail(), told(team)) == (before, [], [])
    assert history(team, made) == [
        ("gift.created", None, "awaiting_approval"),
        ("approval.requested", None, "awaiting_approval"),
        ("approval.decided", None, "rejected"),
        ("gift.rejected", None, "rejected"),
    ]


@claims("T-4.42", "T-6.5", "T-6.6", "T-6.7")
def test_a_gift_goes_its_way_by_the_clock_and_every_step_is_told_once(team: Team) -> None:
    made, start = approved(team, gift(team.live)), team.world.now
    (token,) = tokens(team.world)
    assert team.world.claim(token).status == 200
    assert (again(team.live, made)["status"], told(team)[1:]) == ("claimed", ["gift.claimed"])
    team.world.advance("72h")
    now = again(team.live, made)
    assert (now["status"], told(team)[2:]) == ("shipped", ["gift.shipped"])
    (recipient,) = now["recipients"]
    assert (recipient["shipped_at"], recipient["delivered_at"]) == (team.world.now, None)
    assert None not in (recipient["carrier"], recipient["tracking_number"])
    team.world.advance("48h")
    now = again(team.live, made)
    assert (now["status"], now["recipients"][0]["delivered_at"]) == ("delivered", team.world.now)
    moments = team.live.got(f"/gifts/{made['id']}/timeline")["data"]
    assert [row["at"] for row in moments] == [start] * 5 + [recipient["shipped_at"], team.world.now]
    team.world.advance("60d")
    assert told(team) == ["gift.sent", "gift.claimed", "gift.shipped", "gift.delivered"]
    assert history(team, made) == [
        ("gift.created", None, "awaiting_approval"),
        ("approval.requested", None, "awaiting_approval"),
        ("approval.decided", None, "awaiting_approval"),
        ("gift.sent", None, "sent"),
        ("gift.claimed", 0, "claimed"),
        ("gift.shipped", 0, "shipped"),
        ("gift.delivered", 0, "delivered"),
    ]


def test_the_send_is_as_far_as_the_least_advanced_that_goes_on(team: Team) -> None:
    made = gift(team.live, 3)
    approve(team, made)
    seen = []
    for place, to in ((0, "delivered"), (1, "shipped"), (2, "in_production"), (2, "delivered"), (1, "delivered")):
        move(team, made, to, recipient=place)
        now = again(team.live, made)
        seen.append((now["status"], statuses(now)))
    assert seen == [
        ("sent", ["delivered", "sent", "sent"]),
        ("sent", ["delivered", "shipped", "sent"]),
        ("claimed", ["delivered", "shipped", "claimed"]),
        ("shipped", ["delivered", "shipped", "delivered"]),
        ("delivered", ["delivered", "delivered", "delivered"]),
    ]
    assert [told(team).count(f"gift.{step}") for step in ("sent", "claimed", "shipped", "delivered")] == [1, 3, 3, 3]


def test_a_link_that_nobody_uses_expires(team: Team) -> None:
    made = gift(team.live, 2)
    approve(team, made)
    claim(team, made, 1)
    team.world.advance("30d")
    now = again(team.live, made)
    assert (now["status"], statuses(now)) == ("delivered", ["expired", "delivered"])
    assert ("gift.expired", 0, "expired") in history(team, made)
    alone = gift(team.live)
    approve(team, alone)
    team.world.advance("30d")
    assert again(team.live, alone)["status"] == "expired"
    team.world.simulate("claim_link", gift_id=alone["id"], recipient=0)
    assert again(team.live, alone)["status"] == "sent"
    claim(team, alone)
    assert again(team.live, alone)["status"] == "claimed"


def test_a_parcel_that_production_rejects_is_told_in_the_timeline_alone(team: Team) -> None:
    made = gift(team.live)
    approve(team, made)
    claim(team, made)
    move(team, made, "rejected")
    now = again(team.live, made)
    assert (now["status"], statuses(now)) == ("rejected", ["rejected"])
    assert told(team) == ["gift.sent", "gift.claimed"]
    assert history(team, made)[-1] == ("gift.rejected", 0, "rejected")


def test_a_yes_that_cannot_be_paid_sends_nothing_until_it_can(team: Team) -> None:
    team.world.simulate("team", balance_cents=0, credit={"credit_limit_cents": 0})
    made = gift(team.live)
    now = approved(team, made)
    assert (now["status"], now["payment_status"]) == ("awaiting_approval", "unpaid")
    assert (team.world.mail(), told(team)) == ([], [])
    team.world.simulate("team", balance_cents=EACH_CENTS)
    now = approved(team, made)
    assert (now["status"], now["payment_status"]) == ("sent", "paid")
    assert (len(team.world.mail()), told(team), balance_cents(team)) == (1, ["gift.sent"], 0)
    assert [row["status"] for row in team.live.listed("/approvals")] == ["approved", "approved"]


def test_changed_prices_are_asked_about_anew(team: Team) -> None:
    made, before = gift(team.live), balance_cents(team)
    team.world.simulate("price", product="mug-01", price_cents=2800)
    decided = approve(team, made)
    assert decided["id"] != made["approval_id"]
    assert decided["amount_cents"] == EACH_CENTS + 1000
    assert team.live.got(f"/approvals/{made['approval_id']}")["status"] == "superseded"
    assert balance_cents(team) == before - EACH_CENTS - 1000
    assert again(team.live, made)["totals"]["total_cents"] == EACH_CENTS + 1000


def test_what_is_sent_or_rejected_is_not_decided_again(team: Team) -> None:
    done, tested, refused_ = gift(team.live), gift(team.test), gift(team.live)
    approve(team, done)
    approve(team, tested)
    reject(team, refused_)
    for made in (done, tested, refused_):
        body = {"gift_id": made["id"], "decision": "approve"}
        answer = team.world.control.post(f"/worlds/{team.world.id}/simulate/approval", body)
        refused(answer, 409, "invalid_state")


@claims("T-1.10", "T-1.9")
def test_no_answer_of_the_team_tells_a_link_or_an_address(team: Team) -> None:
    made = gift(team.live, message="See you")
    approve(team, made)
    claim(team, made)
    (token,) = tokens(team.world)
    answers = [
        team.live.get(path).text
        for path in ("/gifts", f"/gifts/{made['id']}", f"/gifts/{made['id']}/timeline", "/approvals", "/team-orders")
    ]
    for text in answers:
        for secret in (token, "/claim/", "@", "guest0"):
            assert secret not in text


@claims("T-1.16", "T-1.17")
def test_a_test_gift_that_a_human_approves_is_sent_without_mail_or_money(team: Team) -> None:
    made, before = gift(team.test), team.live.got("/billing/balance")
    approve(team, made)
    now = again(team.test, made)
    assert (now["status"], now["payment_status"], now["livemode"]) == ("sent", "unpaid", False)
    team.world.advance("60d")
    assert again(team.test, made) == now
    assert (team.world.mail(), team.live.got("/billing/balance")) == ([], before)


@pytest.mark.parametrize("verb", ["claim", "shipment"])
def test_a_verb_does_not_move_what_is_held(team: Team, verb: str) -> None:
    for made, face in ((gift(team.live), team.live), (gift(team.test), team.test)):
        body = {"gift_id": made["id"], "recipient": 0, **({"to": "shipped"} if verb == "shipment" else {})}
        assert team.world.control.post(f"/worlds/{team.world.id}/simulate/{verb}", body).status == 409
        assert again(face, made) == made


def test_a_verb_names_a_recipient_of_the_gift(team: Team) -> None:
    made, other = gift(team.live), gift(team.live)
    approve(team, made)
    path = f"/worlds/{team.world.id}/simulate/claim"
    for who in ({"recipient": 1}, {"recipient_id": other["recipients"][0]["id"]}, {"recipient_id": "x" * 36}):
        refused(team.world.control.post(path, {"gift_id": made["id"], **who}), 404, "recipient_not_found")
    several = gift(team.live, 2)
    refused(team.world.control.post(path, {"gift_id": several["id"]}), 400, "invalid_body")
    approve(team, other)
    team.world.simulate("claim", gift_id=other["id"])
    assert again(team.live, other)["status"] == "claimed"
    team.world.simulate("claim", gift_id=made["id"], recipient_id=made["recipients"][0]["id"])
    assert again(team.live, made)["status"] == "claimed"
