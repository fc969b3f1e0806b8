"""What needs somebody in a world: failures, what waits, faults and outages, and the end of them all (G420)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from giftsim import Simulator
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.large_world import fill_world
from tests.support.orders import address_recipients
from tests.support.responses import error_code
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import ExistingWorld, World

DOWN = {"from": "+1h", "to": "+30d", "status": 503}


def attention(world: World) -> Any:
    """What needs somebody in a world."""
    return world.call_control("GET", "/attention")


def place(world: World, name: str) -> tuple[int, int]:
    """How many records of a list fail, and how many wait."""
    row = next(row for row in attention(world)["places"] if row["place"] == name)
    return row["failed"], row["waiting"]


def needs(world: World) -> list[tuple[str, list[str]]]:
    """The texts of what needs somebody, with the labels of its acts."""
    return [(need["text"], [act["label"] for act in need["acts"]]) for need in attention(world)["needs"]]


def do_first(world: World) -> None:
    """Do the first act of what needs somebody first."""
    act = attention(world)["needs"][0]["acts"][0]
    world.call_control("POST", f"/{act['path']}", act["body"])


def end(world: World, **body: Any) -> Any:
    """End faults and outages."""
    return world.call_control("POST", "/attention/end", body)


def lose_webhooks(world: World, partner: PartnerClient, count: int = 2) -> None:
    """Let some webhooks fail at a receiver that is down."""
    partner.subscribe("team_order.shipped")
    world.set_receiver(outage=DOWN)
    partner.create_order(recipients=address_recipients(count))
    world.advance("5d")
    world.advance(until="next")


def test_a_provider_in_trouble_is_shown_with_its_end(world: World) -> None:
    before = needs(world)
    world.simulate("crm", provider="hubspot", outage=True, message="Maintenance.")
    world.simulate("crm", provider="salesforce", half=True)
    assert needs(world) == [
        ("CRM is down: hubspot", ["End outage"]), ("CRM answers in part: salesforce", ["Answer in full"]), *before,
    ]  # fmt: skip
    assert attention(world)["needs"][0]["note"] == "Maintenance."
    do_first(world)
    do_first(world)
    assert needs(world) == before


def test_a_world_without_calls_is_new_and_needs_nothing(world: World, partner: PartnerClient) -> None:
    found = attention(world)
    assert (found["is_new"], found["faults"], found["outages"], found["needs"]) == (True, [], [], [])
    assert [row["failed"] + row["waiting"] for row in found["places"]] == [0] * len(found["places"])
    partner.get("/team-orders")
    assert attention(world)["is_new"] is False


def test_an_unpaid_order_comes_first_and_its_act_lets_the_payment_succeed(world: World) -> None:
    world.partner().create_order(idempotency_key="claimed")
    poor = world.partner("partner.no_funds")
    poor.create_order(idempotency_key="poor")
    unpaid, unclaimed = attention(world)["needs"]
    assert (unpaid["kind"], unpaid["failed"], unclaimed["kind"], unclaimed["failed"]) == (
        "unpaid",
        True,
        "unclaimed",
        False,
    )
    assert (unpaid["text"], unpaid["note"]) == ("Unpaid: Bo’s stoneware mug", "$26, insufficient funds")
    assert unpaid["about"] == {"kind": "team_order", "id": 1002}
    [act] = unpaid["acts"]
    assert (act["label"], act["path"], act["retry"]) == ("Fund $26 and retry", "simulate/account", True)
    world.call_control("POST", f"/{act['path']}", act["body"])
    assert poor.create_order(idempotency_key="poor").status == 201
    assert place(world, "orders") == (0, 2)
    assert place(world, "calls") == (1, 0)


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({"daily_limit_cents": 1}, "Remove the daily limit and retry"),
        ({"billing_mode": "net_terms", "credit_limit_cents": 1}, "Raise the credit line to $26 and retry"),
    ],
)
def test_each_refusal_of_a_payment_has_its_own_mend(world: World, changes: dict[str, Any], label: str) -> None:
    key = "partner.no_funds"
    world.change_account(key, card="good", **changes)
    poor = world.partner(key)
    assert poor.create_order().status == 402
    [act] = attention(world)["needs"][0]["acts"]
    assert act["label"] == label
    world.call_control("POST", f"/{act['path']}", act["body"])
    assert poor.create_order().status == 201


def test_a_declined_card_needs_only_another_try(world: World, partner: PartnerClient) -> None:
    world.add_fault({"charge": "card_charge_failed"}, when={"first": 1})
    partner.create_order()
    [act] = attention(world)["needs"][0]["acts"]
    assert act == {"label": "Retry", "path": None, "body": {}, "retry": True}


def test_what_waits_for_a_person_can_be_done_as_that_person(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Di", "email": "di@example.com"}])
    create_gift(TeamClients(world).requester)
    assert needs(world) == [
        ("Unclaimed: Di’s stoneware mug", ["Claim as Di"]),
        ("Approval: Guest 0’s stoneware mug and 2 more", ["Approve", "Reject"]),
    ]
    for need in attention(world)["needs"]:
        world.call_control("POST", f"/{need['acts'][0]['path']}", need["acts"][0]["body"])
    assert [text for text, _ in needs(world)] == ["Unclaimed: Guest 0’s stoneware mug and 2 more"]
    assert (place(world, "orders"), place(world, "inbox"), place(world, "gifts")) == ((0, 0), (0, 0), (0, 1))


def test_a_parcel_that_needs_help_is_a_failure_until_it_goes_on(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=address_recipients(1))
    world.simulate("shipment", team_order_id=1001, to="delayed")
    assert needs(world) == [("Parcel delayed: Person 0’s stoneware mug", ["Ship the delayed parcel"])]
    assert place(world, "orders") == (1, 0)
    do_first(world)
    assert place(world, "orders") == (0, 0)
    assert partner.get("/team-orders/1001").json()["team_order"]["status"] == "shipped"


@pytest.mark.parametrize(
    ("event", "need", "label"),
    [
        ("exception", "Parcel delayed", "Deliver the delayed parcel"),
        ("lost", "Parcel rejected", "Find the lost parcel"),
    ],
)
def test_a_parcel_in_trouble_in_transit_is_found(
    world: World, partner: PartnerClient, event: str, need: str, label: str
) -> None:
    partner.create_order(recipients=address_recipients(1))
    world.simulate("shipment", team_order_id=1001, to="shipped")
    world.simulate("parcel", team_order_id=1001, event=event)
    assert needs(world) == [(f"{need}: Person 0’s stoneware mug", [label])]
    do_first(world)
    assert place(world, "orders") == (0, 0)
    assert partner.get("/team-orders/1001").json()["team_order"]["status"] == "delivered"


def test_an_expired_link_needs_a_new_one_for_its_recipient(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": name, "email": "guest@example.com"} for name in ("Bo", "Di")])
    world.advance("31d")
    for recipient in (0, 1):
        [need] = attention(world)["needs"]
        assert need["text"].startswith("Link expired: ")
        [act] = need["acts"]
        assert (act["label"], act["body"]) == ("Send a new link", {"team_order_id": 1001, "recipient": recipient})
        do_first(world)
    assert [labels for _, labels in needs(world)] == [["Claim as Bo"]]


def test_a_rejected_parcel_is_told_without_an_act(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=address_recipients(1))
    world.simulate("shipment", team_order_id=1001, to="rejected")
    assert needs(world) == [("Parcel rejected: Person 0’s stoneware mug", [])]


def test_what_needs_somebody_says_what_the_order_cost(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Di", "email": "di@example.com"}])
    assert attention(world)["needs"][0]["note"] == "$26"
    partner.create_order(idempotency_key="two", recipients=address_recipients(1))
    world.simulate("shipment", team_order_id=1002, to="delayed")
    assert attention(world)["needs"][0]["note"] == "$26"


def test_many_of_one_kind_end_with_a_row_that_counts_the_rest(world: World, partner: PartnerClient) -> None:
    for n in range(5):
        partner.create_order(idempotency_key=f"many-{n}")
    rows = attention(world)["needs"]
    assert [(row["text"], row["count"], row["about"] and row["about"]["id"]) for row in rows] == [
        ("Unclaimed: Bo’s stoneware mug", 1, 1005),
        ("4 more unclaimed", 4, None),
    ]


def test_webhooks_that_wait_are_told_by_host_with_the_outage_that_holds_them(
    world: World, partner: PartnerClient
) -> None:
    lose_webhooks(world, partner)
    found = attention(world)
    [outage] = found["outages"]
    assert (outage["host"], outage["status"]) == (WEBHOOK_HOST, 503)
    [need] = found["needs"]
    assert (need["text"], need["note"]) == (f"2 webhooks wait for {WEBHOOK_HOST}", "Simulated outage, 503")
    assert need["until"] == outage["until"]
    assert place(world, "webhooks") == (2, 0)
    assert found["undelivered"] == {"pending": 2, "given_up": 0}
    [act] = need["acts"]
    assert act["label"] == "End outage and resend"
    assert world.call_control("POST", f"/{act['path']}", act["body"]) == {
        "faults": [],
        "outages": [WEBHOOK_HOST],
        "resent": 2,
    }
    assert (attention(world)["needs"], place(world, "webhooks")) == ([], (0, 0))


def test_webhooks_that_were_given_up_count_as_failed_and_are_sent_again(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    world.set_receiver(then={"status": 500})
    partner.create_order(recipients=address_recipients(1))
    world.advance("5d")
    assert attention(world)["needs"][0]["note"] == "Answered 500"
    world.advance("20d")
    assert place(world, "webhooks") == (1, 0)
    assert needs(world) == [(f"1 webhook was given up for {WEBHOOK_HOST}", ["Resend"])]
    world.set_receiver(then={"status": 200})
    assert end(world, resend=True)["resent"] == 1
    assert place(world, "webhooks") == (0, 0)


def test_end_all_ends_faults_and_outages_as_one_action_that_one_undo_takes_back(
    world: World, partner: PartnerClient
) -> None:
    lose_webhooks(world, partner)
    world.add_fault({"status": 503}, match={"operation": "getStore"}, id="store")
    world.add_fault({"webhook": "duplicate"}, id="twice")
    before, seen = world.fingerprint(), attention(world)
    assert [(fault["id"], fault["title"]) for fault in seen["faults"]] == [
        ("store", "503 at getStore"),
        ("twice", "webhooks: duplicate"),
    ]
    assert {fault["since"] for fault in seen["faults"]} == {world.now}
    assert end(world, resend=True) == {"faults": ["store", "twice"], "outages": [WEBHOOK_HOST], "resent": 2}
    after = attention(world)
    assert (after["faults"], after["outages"], after["needs"]) == ([], [], [])
    [last] = world.call_control("GET", "/undo?all=true&limit=1")["undo"]
    assert last["operation"] == "endAttention"
    world.call_control("POST", "/undo", {"to": last["to"]})
    assert (world.fingerprint(), attention(world)) == (before, seen)


def test_an_outage_that_was_ended_stays_as_one_that_is_over(world: World, partner: PartnerClient) -> None:
    lose_webhooks(world, partner)
    world.set_receiver("later.example", outage={"from": "+90d", "to": "+91d"})
    assert [row["host"] for row in attention(world)["outages"]] == [WEBHOOK_HOST, "later.example"]
    end(world)
    down, later = world.rows("receivers")
    assert (down["outage"]["to"], later["outage"]) == (world.now, None)


def test_only_what_is_named_ends(world: World, partner: PartnerClient) -> None:
    lose_webhooks(world, partner)
    for name in ("one", "two"):
        world.add_fault({"delay_s": 1}, match={"operation": "sendGift"}, id=name)
    assert end(world, faults=["two"], hosts=[]) == {"faults": ["two"], "outages": [], "resent": 0}
    assert end(world, faults=[], hosts=[WEBHOOK_HOST.upper()])["outages"] == [WEBHOOK_HOST]
    assert [fault["id"] for fault in attention(world)["faults"]] == ["one"]


@pytest.mark.parametrize(
    ("body", "status", "code", "named"),
    [
        ({"faults": ["store", "nothing"]}, 404, "fault_not_found", "nothing"),
        ({"hosts": ["nowhere.example"]}, 404, "receiver_not_found", "nowhere.example"),
        ({"hosts": "all"}, 400, "invalid_body", "hosts"),
        ({"resent": True}, 400, "invalid_body", "resend"),
    ],
)
def test_what_does_not_exist_is_named_and_nothing_ends(
    world: World, body: dict[str, Any], status: int, code: str, named: str
) -> None:
    world.set_receiver(outage=DOWN)
    world.add_fault({"status": 503}, match={"operation": "getStore"}, id="store")
    before = attention(world)
    response = world.control.post(f"/worlds/{world.id}/attention/end", body)
    assert error_code(response, status) == code
    assert named in response.json()["error"]["message"]
    assert attention(world) == before


def test_faults_that_are_used_up_or_over_are_not_told(world: World, partner: PartnerClient) -> None:
    world.add_fault({"charge": "card_charge_failed"}, when={"first": 1}, id="once")
    world.add_fault({"status": 503}, match={"operation": "getStore"}, when={"from": "+1h", "to": "+2h"}, id="later")
    assert [fault["id"] for fault in attention(world)["faults"]] == ["once", "later"]
    partner.create_order()
    assert [fault["id"] for fault in attention(world)["faults"]] == ["later"]
    world.advance("3h")
    assert attention(world)["faults"] == []


def test_what_is_on_its_way_or_held_back_is_not_sent_again(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    world.add_fault({"webhook": "hold"}, id="keep")
    partner.create_order(recipients=address_recipients(1))
    world.advance("5d")
    assert place(world, "webhooks") == (0, 1)
    assert end(world, faults=[], resend=True)["resent"] == 0
    assert end(world, resend=True)["resent"] == 0  # it went out when its fault ended
    assert place(world, "webhooks") == (0, 0)


def test_a_world_that_is_played_again_from_its_recording_ends_the_same(
    world: World, partner: PartnerClient, simulator: Simulator
) -> None:
    lose_webhooks(world, partner)
    end(world, resend=True)
    report = simulator.client.call(
        "POST",
        "/_sim/v1/scenarios/play?keep=true",
        body=world.recording.encode(),
        headers={"Content-Type": "application/yaml"},
    ).json()
    played = ExistingWorld(simulator, report["world"])
    assert (report["outcome"], place(played, "webhooks")) == ("passed", (0, 0))
    world.control.delete(f"/worlds/{played.id}")


def test_a_world_without_the_gifting_service_has_attention_too() -> None:
    with closing(Simulator(services=["museum"])) as alone:
        found = alone.client.call("GET", "/_sim/v1/worlds/default/attention").json()
    assert [row["place"] for row in found["places"]] == ["webhooks", "calls"]


def test_a_large_world_is_told_as_fast_as_a_small_one(new_world: Callable[..., World]) -> None:
    """By what is read, not by a clock: no table of a thousand rows is walked."""
    world = new_world(fixture="empty")
    fill_world(world.simulator, 1500, world.id)
    state = world.simulator.registry.worlds[world.id].state
    walked = [table for table in state.tables() if table.next_n > 500]
    for table in walked:
        table.rows = _Unwalkable(table.rows)
    found = attention(world)
    assert {table.name for table in walked} >= {"team orders", "recipients", "charges"}
    assert next(row["waiting"] for row in found["places"] if row["place"] == "orders") > 1000


class _Unwalkable(list[Any]):
    """A list that can be read by number only."""

    def __iter__(self) -> Any:
        raise AssertionError("a large table was walked")
