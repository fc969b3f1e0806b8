"""Lists newest first, page by page from the end, by status, by text, and with counts."""

from __future__ import annotations

from collections import Counter
from typing import Any
from urllib.parse import quote

import pytest

from giftsim.engine.control.pagination import Rows, searched_page
from giftsim.engine.control.search import Searchable
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, email_recipients
from tests.support.team.campaigns import create_campaign, prepared_campaign
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, cancel, create_gift, create_order, reject
from tests.support.worlds import World


@pytest.fixture
def ordered(world: World, partner: PartnerClient) -> World:
    """A world with five orders: 1001 to 1003 collect addresses, 1004 is in progress, 1005 is canceled."""
    for n in range(3):
        partner.create_order(idempotency_key=f"linked-{n}", recipients=email_recipients(1), name=f"Welcome {n}")
    partner.create_order(idempotency_key="addressed", recipients=address_recipients(1), reference="REF-4")
    partner.create_order(idempotency_key="canceled", recipients=email_recipients(1))
    partner.post("/team-orders/1005/cancel", {})
    return world


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients of the team that the named credentials belong to."""
    return TeamClients(world)


def ids(world: World, query: str) -> list[int]:
    return [row["id"] for row in list_orders(world, query)["orders"]]


def list_orders(world: World, query: str) -> Any:
    return world.call_control("GET", f"/orders?{query}")


def test_the_newest_orders_come_first_and_before_pages_back(ordered: World) -> None:
    first = list_orders(ordered, "order=newest&limit=2")
    assert [row["id"] for row in first["orders"]] == [1005, 1004]
    second = list_orders(ordered, f"order=newest&limit=2&before={first['next']}")
    assert [row["id"] for row in second["orders"]] == [1003, 1002]
    last = list_orders(ordered, f"order=newest&limit=2&before={second['next']}")
    assert ([row["id"] for row in last["orders"]], last["next"]) == ([1001], None)


def test_the_oldest_orders_come_first_unless_asked_otherwise(ordered: World) -> None:
    assert ids(ordered, "limit=2") == ids(ordered, "order=oldest&limit=2") == [1001, 1002]
    assert ids(ordered, "after=1&before=4") == [1002, 1003]
    assert ids(ordered, "order=newest&after=1&before=4") == [1003, 1002]


def test_orders_are_filtered_by_status(ordered: World) -> None:
    assert ids(ordered, "status=collecting_addresses&order=newest") == [1003, 1002, 1001]
    assert ids(ordered, "status=canceled") == [1005]
    assert ids(ordered, "status=delivered") == []


def test_a_status_that_orders_do_not_have_is_refused(ordered: World) -> None:
    response = ordered.control.call("GET", f"/worlds/{ordered.id}/orders?status=lost")
    assert response.status == 400
    assert "collecting_addresses" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"welcome 1"', [1002]),
        ("ref-4", [1004]),
        ("1005", [1005]),
        ("@EXAMPLE.com", [1001, 1002, 1003, 1005]),
        ("%", []),
    ],
)
def test_orders_are_found_by_a_text_in_them_or_in_a_recipient(ordered: World, text: str, found: list[int]) -> None:
    assert ids(ordered, f"q={quote(text)}") == found


def test_counts_are_by_status_of_all_that_the_other_filters_let_through(ordered: World) -> None:
    counts = list_orders(ordered, "counts=true&limit=1&status=canceled")["counts"]
    assert {status: count for status, count in counts.items() if count} == {
        "collecting_addresses": 3, "in_progress": 1, "canceled": 1,
    }  # fmt: skip
    assert counts["delivered"] == counts["awaiting_approval"] == 0
    assert list_orders(ordered, 'counts=true&q="welcome%202"')["counts"]["collecting_addresses"] == 1
    assert "counts" not in list_orders(ordered, "limit=1")


def test_the_counts_have_the_orders_of_all_accounts_and_teams(ordered: World, team: TeamClients) -> None:
    approve(ordered, create_order(team.live))
    for _ in range(2):
        cancel(team.live, create_order(team.live))
    for n in range(3):
        ordered.partner("partner.no_funds").create_order(idempotency_key=f"unpaid-{n}")
        create_order(team.live)
    listed = list_orders(ordered, "limit=100&counts=true")
    counted = Counter(row["status"] for row in listed["orders"])
    assert {status: count for status, count in listed["counts"].items() if count} == counted
    assert set(counted) >= {"unpaid", "awaiting_approval", "approved", "canceled"}


def test_a_page_from_the_end_reads_no_row_beyond_it() -> None:
    read: list[int] = []

    def at(number: int) -> str:
        read.append(number)
        return f"row {number}"

    call: Any = type("Query", (), {"query": {"order": "newest", "limit": 2, "before": 50_000}})()
    listed = Searchable[str]("a row", {}, lambda words: lambda row: all(word in row for word in words))
    page = searched_page(call, "rows", Rows(60_000, at), str, listed)
    assert page.body == {"rows": ["row 49999", "row 49998"], "next": 49_998}
    assert read == [49_999, 49_998, 49_997]


def read_order(world: World, order_id: object = 1001) -> Any:
    return world.call_control("GET", f"/orders/{order_id}")


def steps(record: Any) -> list[tuple[str, str]]:
    return [(step["subject"]["kind"], step["status"]) for step in record["timeline"]]


def causes(record: Any, kind: str) -> list[tuple[str, str]]:
    """The status and the cause of each step of a kind of subject."""
    return [
        (step["status"], step["cause"] and f"{step['cause']['kind']}: {step['cause']['text']}")
        for step in record["timeline"]
        if step["subject"]["kind"] == kind
    ]


def test_an_order_has_its_items_recipients_and_money(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(2), name="Welcome")
    order = read_order(world)
    assert (order["order"]["id"], order["order"]["name"], order["recipient_count"]) == (1001, "Welcome", 2)
    assert [item["code"] for item in order["items"]] == ["MUG-01"]
    assert [row["recipient_id"] for row in order["recipients"]] == [200_001, 200_002]
    money = order["money"]
    assert money["charged_cents"] == money["total_cents"] == money["subtotal_cents"] + money["shipping_cents"]
    assert [(charge["status"], charge["amount_cents"]) for charge in money["charges"]] == [
        ("paid", money["total_cents"])
    ]


def test_the_timeline_says_what_made_each_step(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    world.advance("1d")
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.advance("30h")
    world.simulate("shipment", team_order_id=1001, to="shipped")
    order = read_order(world)
    assert causes(order, "order") == [
        ("created", "call: POST /api/external/team-orders"), ("started", "call: POST /api/external/team-orders"),
    ]  # fmt: skip
    assert causes(order, "parcel") == [
        ("submitted", "verb: POST simulate/claim"), ("in_production", "clock: production starts"),
        ("labeled", "verb: POST simulate/shipment"), ("shipped", "verb: POST simulate/shipment"),
    ]  # fmt: skip
    made = order["timeline"][0]["cause"]["call"]
    [call] = [entry for entry in world.call_control("GET", "/calls")["calls"] if entry["seq"] == made]
    assert call["request"]["method"] == "POST"


def test_a_claim_on_the_page_and_an_undone_step_are_told_as_they_were(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    token = read_order(world)["recipients"][0]["claim_link"].rpartition("/")[2]
    world.call_control("POST", "/snapshots", {"name": "before"})
    world.simulate("shipment", team_order_id=1001, to="delivered")
    world.call_control("POST", "/snapshots/before/restore")
    world.claim(token)
    assert causes(read_order(world), "parcel") == [("submitted", "call: the claim page")]


def test_a_verb_that_a_restore_took_back_did_not_do_what_the_clock_did(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.call_control("POST", "/snapshots", {"name": "claimed"})
    world.advance("30h")
    world.call_control("POST", "/snapshots", {"name": "producing"})
    world.call_control("POST", "/snapshots/claimed/restore")
    world.simulate("shipment", team_order_id=1001, to="in_production")
    world.call_control("POST", "/snapshots/producing/restore")
    assert causes(read_order(world), "parcel") == [
        ("submitted", "verb: POST simulate/claim"), ("in_production", "clock: production starts"),
    ]  # fmt: skip


def test_a_fork_knows_the_causes_of_its_origin(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    twin = world.call_control("POST", "/fork", {})["id"]
    order = world.json_of(world.client.call("GET", f"/_sim/v1/worlds/{twin}/orders/1001"))
    assert causes(order, "order")[0] == ("created", "call: POST /api/external/team-orders")


def test_what_is_due_next_says_why(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(2))
    world.simulate("claim", team_order_id=1001, recipient=0)
    due = [(row["kind"], row["because"], row["subject"]["id"]) for row in read_order(world)["due"]]
    assert due == [
        ("shipment.produce", "production starts", 500_001), ("shipment.expire", "the claim link expires", 500_002),
    ]  # fmt: skip


def test_a_refund_is_in_the_money_and_in_the_timeline(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(2))
    partner.post("/team-orders/1001/cancel", {"recipient_ids": [200_002], "reason": "moved away"})
    order = read_order(world)
    [refund] = order["money"]["refunds"]
    assert (refund["ref"], order["money"]["refunded_cents"]) == ("team_order 1001", order["order"]["refunded_cents"])
    assert steps(order)[-2:] == [("parcel", "canceled"), ("refund", "refunded")]
    assert order["timeline"][-2]["detail"].endswith(": moved away")


def test_charges_that_failed_are_listed_too(world: World) -> None:
    world.partner("partner.no_funds").create_order()
    order = read_order(world)
    assert [(row["status"], row["code"]) for row in order["money"]["charges"]] == [
        ("failed", "insufficient_funds_no_card")
    ]
    assert ("charge", "failed") in steps(order)


def test_the_events_of_an_order_are_its_own_newest_first(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    partner.create_order(idempotency_key="other", recipients=email_recipients(1))
    world.simulate("shipment", team_order_id=1001, to="shipped")
    world.simulate("shipment", team_order_id=1002, to="delivered")
    assert [event["type"] for event in read_order(world)["events"]] == ["team_order.shipped", "team_order.claimed"]


def test_a_team_order_has_its_approval_payments_and_events(team: TeamClients) -> None:
    created = create_order(team.live)
    approve(team.world, created)
    order = read_order(team.world, created["id"])
    assert [row["status"] for row in order["money"]["payments"]] == ["settled"]
    assert ("approval", "approved") in steps(order)
    assert ("payment", "settled") in steps(order)
    assert causes(order, "approval")[-1] == ("approved", "verb: POST simulate/approval")
    cancel(team.live, created)
    order = read_order(team.world, created["id"])
    assert order["money"]["refunded_cents"] == order["money"]["charged_cents"]
    assert ("refund", "refunded") in steps(order)


def test_gifts_are_listed_filtered_and_counted(team: TeamClients) -> None:
    first, second, third = (create_gift(team.live, message=f"No. {n}") for n in range(3))
    approve(team.world, second)
    reject(team.world, third)
    listed = team.world.call_control("GET", "/gifts?order=newest&counts=true&limit=2")
    assert [gift["id"] for gift in listed["gifts"]] == [third["id"], second["id"]]
    assert (listed["counts"]["awaiting_approval"], listed["counts"]["sent"], listed["counts"]["rejected"]) == (1, 1, 1)
    sent = team.world.call_control("GET", "/gifts?status=sent")["gifts"]
    assert [(gift["id"], gift["payment_status"], gift["contents"]) for gift in sent] == [
        (second["id"], "paid", "welcome-kit")
    ]
    found = team.world.call_control("GET", "/gifts?q=%22no.%200%22&counts=true")
    assert ([gift["id"] for gift in found["gifts"]], sum(found["counts"].values())) == ([first["id"]], 1)
    assert len(team.world.call_control("GET", "/gifts?q=guest0")["gifts"]) == 3


def test_a_gift_has_its_recipients_timeline_and_events(team: TeamClients) -> None:
    gift = create_gift(team.live, 2)
    approve(team.world, gift)
    team.world.simulate("shipment", gift_id=gift["id"], recipient=1, to="delivered")
    read = team.world.call_control("GET", f"/gifts/{gift['id']}")
    assert (read["gift"]["status"], [row["status"] for row in read["recipients"]]) == (
        "sent",
        ["awaiting", "delivered"],
    )
    assert [event["type"] for event in read["events"]][-1] == "gift.sent"
    assert [step["status"] for step in read["timeline"] if step["subject"]["kind"] == "parcel"] == [
        "submitted", "in_production", "labeled", "shipped", "delivered",
    ]  # fmt: skip


def test_campaigns_are_listed_and_read_with_their_batches(team: TeamClients) -> None:
    campaign = prepared_campaign(team.live, 3)
    create_campaign(team.live, 2, name="Later")
    listed = team.world.call_control("GET", "/campaigns?counts=true&order=newest")
    assert [(row["name"], row["status"], row["batches"]) for row in listed["campaigns"]] == [
        ("Later", "preparing", {"pending": 1}), ("Year's end", "awaiting_approval", {"prepared": 1}),
    ]  # fmt: skip
    assert listed["counts"]["preparing"] == 1
    assert [row["name"] for row in team.world.call_control("GET", "/campaigns?q=LATER")["campaigns"]] == ["Later"]
    read = team.world.call_control("GET", f"/campaigns/{campaign['id']}")
    assert [(batch["number"], batch["status"]) for batch in read["batches"]] == [(1, "prepared")]
    assert read["money"]["total_cents"] == read["campaign"]["total_cents"] > 0
    assert steps(read) == [("campaign", "created"), ("campaign", "prepared"), ("approval", "requested")]


@pytest.mark.parametrize(
    ("path", "code"),
    [("orders/77", "team_order_not_found"), ("orders/20000099", "team_order_not_found"),
     ("gifts/77", "gift_not_found"), ("campaigns/nowhere", "campaign_not_found")],
)  # fmt: skip
def test_a_record_that_is_not_there_is_named(world: World, path: str, code: str) -> None:
    response = world.control.call("GET", f"/worlds/{world.id}/{path}")
    assert (response.status, response.json()["error"]["code"]) == (404, code)


def test_reading_changes_nothing(team: TeamClients) -> None:
    gift, order, campaign = create_gift(team.live), create_order(team.live), prepared_campaign(team.live, 2)
    before = team.world.fingerprint()
    for path in (f"orders/{order['id']}", f"gifts/{gift['id']}", f"campaigns/{campaign['id']}", "gifts", "campaigns"):
        team.world.call_control("GET", f"/{path}")
    assert team.world.fingerprint() == before
