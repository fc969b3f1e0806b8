"""Events and single deliveries: what became of them, what answered, and how their signatures are verified."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from giftsim.control.events import scan
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.downstream_app import run_app
from tests.support.responses import status_and_code
from tests.support.restarts import RestartableSimulator
from tests.support.signatures import verifies
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


def claim_orders(world: World, partner: PartnerClient, count: int = 1) -> str:
    """Orders that are claimed, so that an event of each waits for the hourly run; the endpoint's secret."""
    secret = str(partner.subscribe("team_order.claimed")["secret"])
    for i in range(count):
        order = partner.create_order(idempotency_key=f"order {i}").json()["team_order"]["id"]
        world.simulate("claim", team_order_id=order, recipient=0)
    return secret


def newest(world: World, query: str = "") -> list[dict[str, object]]:
    """The events, newest first."""
    events: list[dict[str, object]] = world.call_control("GET", f"/events?order=newest&limit=3{query}")["events"]
    return events


def test_events_are_listed_newest_first_with_their_status_and_counts(world: World, partner: PartnerClient) -> None:
    world.set_receiver(then={"status": 503})
    claim_orders(world, partner, 2)
    assert [event["status"] for event in newest(world)[:2]] == ["waiting", "waiting"]
    world.advance(until="next")
    page = world.call_control("GET", "/events?order=newest&limit=1&counts=true")
    assert (page["events"][0]["status"], page["counts"]["pending"], page["counts"]["waiting"]) == ("pending", 2, 0)
    older = world.call_control("GET", f"/events?order=newest&limit=1&before={page['next']}")
    assert older["events"][0]["seq"] == page["events"][0]["seq"] - 1
    assert sum(page["counts"].values()) == len(world.rows("events"))


def test_events_are_filtered_by_status_type_and_text(world: World, partner: PartnerClient) -> None:
    world.set_receiver(script=[{"status": 503}])
    claim_orders(world, partner, 2)
    world.advance(until="next")
    assert [event["status"] for event in newest(world, "&status=pending")] == ["pending"]
    assert [event["status"] for event in newest(world, "&status=delivered")] == ["delivered"]
    assert newest(world, "&status=dead") == []
    event_id = str(newest(world)[0]["id"])
    assert [event["id"] for event in newest(world, f"&q={event_id[:12].upper()}")] == [event_id]
    assert newest(world, "&q=nobody-is-called-so") == []
    assert len(newest(world, "&type=team_order.claimed&q=bo@example")) == 2


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_an_event_shows_its_attempts_and_the_rungs_to_come(world: World, partner: PartnerClient) -> None:
    world.set_receiver(script=[{"status": 503}, {"timeout": True}], then={"status": 503})
    claim_orders(world, partner)
    world.advance("80m")
    event = world.call_control("GET", f"/events/{newest(world)[0]['id']}")
    (delivery,) = event["deliveries"]
    assert [(row["rung"], row["outcome"], row["status"]) for row in delivery["attempts"]] == [
        (1, "http_status", 503), (2, "timeout", None), (3, "http_status", 503),
    ]  # fmt: skip
    assert (delivery["status"], delivery["failures"], delivery["host"]) == ("pending", 3, WEBHOOK_HOST)
    assert [row["rung"] for row in delivery["planned"]] == [4, 5, 6, 7, 8, 9]
    assert delivery["planned"][0] == {
        "rung": 4, "at": "2027-01-04T11:20:00Z", "because": "1 hour after rung 3, which failed",
    }  # fmt: skip
    assert delivery["dead_at"] == delivery["planned"][-1]["at"] == "2027-01-08T08:20:00Z"
    assert json.loads(event["body"])["data"] == event["data"]
    world.advance("1w")
    (delivery,) = world.call_control("GET", f"/events/{event['id']}")["deliveries"]
    assert (delivery["status"], delivery["planned"], delivery["dead_at"]) == ("dead", [], "2027-01-08T08:20:00Z")


def test_a_test_of_an_endpoint_is_an_event_without_a_ladder(world: World, partner: PartnerClient) -> None:
    endpoint = partner.subscribe("team_order.claimed")["endpoint"]["id"]
    assert partner.post(f"/webhooks/{endpoint}/test").status in (200, 202)
    (ping,) = world.deliveries()
    event = world.call_control("GET", f"/events/{ping['event_id']}")
    assert (event["deliveries"], event["subject"]) == ([], "a test of an endpoint")
    assert [(row["seq"], row["rung"], row["mark"]) for row in event["pings"]] == [(1, None, "ping")]
    assert world.call_control("GET", "/events?q=" + ping["event_id"])["events"] == []


def test_an_unknown_event_is_not_found(world: World) -> None:
    for path in ("/events/evt_0", "/deliveries?event=evt_0"):
        response = world.control.get(f"/worlds/{world.id}{path}")
        assert status_and_code(response) == (404, "event_not_found")


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_deliveries_are_filtered_by_event_endpoint_and_outcome(world: World, partner: PartnerClient) -> None:
    world.set_receiver(script=[{"status": 503}, {"timeout": True}])
    claim_orders(world, partner, 3)
    world.advance("61m")
    event = world.deliveries()[1]["event_id"]
    cases = [
        ("&outcome=failed", [2, 1]),
        ("&outcome=http_status", [1]),
        ("&outcome=delivered", [3]),
        ("&outcome=in_flight", []),
        (f"&event={event}", [2]),
        ("&endpoint=1", [3, 2, 1]),
        ("&endpoint=2", []),
        ("&endpoint=1&before=3", [2, 1]),
    ]
    for query, expected in cases:
        rows = world.call_control("GET", f"/deliveries?order=newest{query}")["deliveries"]
        assert [row["seq"] for row in rows] == expected, query
    counts = world.call_control("GET", "/deliveries?counts=true")["counts"]
    assert {name: count for name, count in counts.items() if count} == {"http_status": 1, "timeout": 1, "delivered": 1}


def test_one_delivery_shows_the_answer_as_text_with_secrets_redacted(world: World, partner: PartnerClient) -> None:
    world.set_receiver(then={"status": 500, "body": f"{HOSTILE} for whsec_0123456789"})
    claim_orders(world, partner)
    world.advance(until="next")
    delivery = world.call_control("GET", "/deliveries/1")
    assert delivery["answer"] == {"body": f"{HOSTILE} for whsec_***", "cut": False}
    assert (delivery["rung"], delivery["endpoint"], delivery["took_ms"]) == (1, 1, None)
    assert delivery["request"] == world.deliveries()[0]["request"]


def test_a_forwarded_delivery_shows_what_the_app_answered(world: World, partner: PartnerClient) -> None:
    with run_app(lambda _: (422, {"error": "unknown recipient"})) as app:
        world.set_receiver(mode="forward", to=app.url)
        claim_orders(world, partner)
        world.advance(until="next")
    delivery = world.call_control("GET", "/deliveries/1")
    assert json.loads(delivery["answer"]["body"]) == {"error": "unknown recipient"}
    assert delivery["status"] == 422
    assert delivery["took_ms"] >= 0


def test_what_an_app_answered_is_there_after_a_restart(tmp_path: Path) -> None:
    actions = RestartableSimulator(tmp_path / "journal")
    with run_app(lambda _: (500, "on fire")) as app:
        actions.call_control("PUT", f"/receivers/{WEBHOOK_HOST}", {"mode": "forward", "to": app.url})
        hook = {"url": f"https://{WEBHOOK_HOST}/gifts", "events": ["team_order.shipped"]}
        endpoint = actions.call("POST", "/api/external/webhooks", hook).json()["endpoint"]["id"]
        assert actions.call("POST", f"/api/external/webhooks/{endpoint}/test", {}).status == 200
    before = actions.call_control("GET", "/deliveries/1")
    actions.restart()
    assert actions.call_control("GET", "/deliveries/1") == before
    assert before["answer"] == {"body": '"on fire"', "cut": False}
    actions.simulator.close()


def test_an_answered_hold_has_the_body_that_was_given(world: World) -> None:
    world.set_receiver(mode="hold")
    headers = {**world.credentials["team.live_approver"]["headers"], "Idempotency-Key": "hook"}
    hook = {"url": f"https://{WEBHOOK_HOST}/gifts", "events": ["gift.sent"]}
    created = world.json_of(world.client.call("POST", "/api/teams/v1/webhooks", body=hook, headers=headers))
    path = f"/api/teams/v1/webhooks/{created['id']}/test"
    world.json_of(world.client.call("POST", path, body={}, headers={**headers, "Idempotency-Key": "test"}))
    (held,) = world.call_control("GET", "/deliveries/held?wait=true")["held"]
    assert world.call_control("GET", f"/deliveries/{held['seq']}")["answer"] is None
    world.call_control("POST", f"/deliveries/{held['seq']}/answer", {"status": 500, "body": HOSTILE})
    delivery = world.call_control("GET", f"/deliveries/{held['seq']}")
    assert (delivery["answer"]["body"], delivery["outcome"]) == (HOSTILE, "http_status")


def test_a_signature_is_taken_apart_step_by_step(world: World, partner: PartnerClient) -> None:
    secret = claim_orders(world, partner)
    world.advance(until="next")
    delivery = world.call_control("GET", "/deliveries/1")
    steps = delivery["signature"]
    body = delivery["request"]["body"]
    assert steps["header"] == delivery["request"]["headers"]["X-Service-Signature"]
    assert steps["header"] == f"t={steps['timestamp']},v1={steps['given']}"
    assert steps["signed_text"] == f"{steps['timestamp']}.{body}"
    assert (steps["matches"], steps["accepted"], steps["age_s"], steps["secret"]) == (True, True, 0, "whsec_***")
    assert verifies(secret, f"t={steps['timestamp']},v1={steps['expected']}", body.encode(), steps["timestamp"])
    assert secret not in json.dumps(delivery)


@pytest.mark.parametrize(
    ("effect", "matches", "age_s"),
    [("bad_signature", False, 0), ("stale_signature", True, 600), ("future_signature", True, -600)],
)
def test_the_steps_show_what_a_fault_did_to_a_signature(
    world: World, partner: PartnerClient, effect: str, matches: bool, age_s: int
) -> None:
    world.call_control("POST", "/faults", {"effect": {"webhook": effect}})
    claim_orders(world, partner)
    world.advance(until="next")
    steps = world.call_control("GET", "/deliveries/1")["signature"]
    assert (steps["matches"], steps["age_s"], steps["accepted"]) == (matches, age_s, False)


def test_a_secret_of_an_app_is_checked_against_a_delivery(world: World, partner: PartnerClient) -> None:
    secret = claim_orders(world, partner)
    other = partner.subscribe("team_order.shipped", host="other.partner.example")["secret"]
    world.advance(until="next")
    cases = [({}, (True, True, None)), ({"secret": secret}, (True, True, None)),
             ({"secret": other}, (False, False, 2)), ({"secret": "whsec_mine"}, (False, False, None))]  # fmt: skip
    for body, expected in cases:
        steps = world.call_control("POST", "/deliveries/1/verify", body)
        assert (steps["accepted"], steps["own_secret"], steps["secret_of"]) == expected
        assert other not in json.dumps(steps)


def test_reading_events_and_deliveries_changes_no_fingerprint(world: World, partner: PartnerClient) -> None:
    claim_orders(world, partner)
    world.advance(until="next")
    before = world.call_control("GET", "/fingerprint")
    event = newest(world, "&counts=true&status=delivered")[0]["id"]
    for path in (f"/events/{event}", "/deliveries/1", "/deliveries?order=newest&counts=true"):
        world.call_control("GET", path)
    world.call_control("POST", "/deliveries/1/verify", {})
    assert world.call_control("GET", "/fingerprint") == before


def test_an_event_names_the_record_that_it_is_about(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    order = partner.create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    world.simulate("single_order", to="shipped")
    single, claimed = newest(world)[:2]
    assert claimed["about"] == {"kind": "team_order", "id": order}
    assert single["about"]["kind"] == "order"  # type: ignore[index]


def test_a_page_looks_at_a_bounded_number_of_events() -> None:
    rows = [(number, number) for number in range(10, 0, -1)]
    assert scan(rows, lambda number: number < 3, 5, 6) == ([], 5)
    assert scan(rows, lambda number: number < 3, 5, 20) == ([(2, 2), (1, 1)], None)
    assert scan(rows, lambda number: number > 3, 2, 20) == ([(10, 10), (9, 9)], 9)
