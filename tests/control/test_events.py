"""Events and single deliveries: what became of them, what answered, and how their signatures are verified."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from giftsim.engine.control.pagination import scan
from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.worlds import system_clock
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.downstream_app import run_app
from tests.support.responses import status_and_code
from tests.support.restarts import RestartableSimulator
from tests.support.signatures import verifies
from tests.support.worlds import World


def deliver_claims(world: World, partner: PartnerClient, count: int = 1) -> str:
    """Deliver the claims of new orders to an endpoint; the endpoint's secret."""
    secret = str(partner.subscribe("team_order.claimed")["secret"])
    for i in range(count):
        order = partner.create_order(idempotency_key=f"order {i}").json()["team_order"]["id"]
        world.simulate("claim", team_order_id=order, recipient=0)
    world.advance(until="next")
    return secret


def test_a_receiver_can_be_set_listed_and_deleted(world: World) -> None:
    script = [{"status": 503}, {"timeout": True}]
    receiver = world.set_receiver(mode="capture", script=script, then={"status": 204})
    assert (receiver["host"], receiver["script"], receiver["then"], receiver["used"]) == (
        WEBHOOK_HOST,
        script,
        {"status": 204},
        0,
    )
    world.set_receiver("*", mode="refuse")
    receivers = world.call_control("GET", "/receivers")["receivers"]
    assert [row["host"] for row in receivers] == [WEBHOOK_HOST, "*"]
    assert world.call_control("DELETE", f"/receivers/{WEBHOOK_HOST}") == {"deleted": WEBHOOK_HOST}
    response = world.control.delete(f"/worlds/{world.id}/receivers/{WEBHOOK_HOST}")
    assert status_and_code(response) == (404, "receiver_not_found")


def test_offsets_of_an_outage_count_from_the_start_of_the_world(world: World) -> None:
    start = world.now
    world.advance("10d")
    outage = world.set_receiver(outage={"from": "+3d", "to": "+14d", "status": 502})["outage"]
    assert parse_instant(outage["from"]) == parse_instant(start) + 3 * 86_400_000
    assert outage["status"] == 502


def test_an_invalid_receiver_is_refused_with_the_reason(world: World) -> None:
    path = f"/worlds/{world.id}/receivers/{WEBHOOK_HOST}"
    cases = [
        ({"mode": "forwrd"}, "capture, forward, refuse or hold"),
        ({"mod": "capture"}, "did you mean mode?"),
        ({"mode": "capture", "script": [{"statsu": 1}]}, "did you mean status?"),
        ({"mode": "forward", "to": "http://192.0.2.1:9000"}, "127.0.0.0/8"),
        ({"mode": "forward", "to": "http://169.254.169.254"}, "127.0.0.0/8"),
        ({"mode": "forward"}, "to"),
    ]
    for body, message in cases:
        response = world.control.call("PUT", path, body)
        assert response.status == 400, body
        assert message in response.json()["error"]["message"], body


def test_an_attempt_has_the_exact_body_and_signature_that_were_sent(world: World, partner: PartnerClient) -> None:
    secret = deliver_claims(world, partner)
    (row,) = world.deliveries()
    request = row["request"]
    assert (row["seq"], row["url"], row["attempt"], row["outcome"], row["status"]) == (
        1, f"https://{WEBHOOK_HOST}/gifts", 1, "delivered", 200,
    )  # fmt: skip
    assert request["headers"]["X-Service-Event-Id"] == row["event_id"]
    now_s = parse_instant(row["at"]) // 1000
    assert verifies(secret, request["headers"]["X-Service-Signature"], request["body"].encode(), now_s)


def test_deliveries_are_listed_in_pages_and_filtered_by_type_and_host(world: World, partner: PartnerClient) -> None:
    deliver_claims(world, partner, 5)
    first = world.call_control("GET", "/deliveries?limit=2")
    assert [row["seq"] for row in first["deliveries"]] == [1, 2]
    rest = world.call_control("GET", f"/deliveries?after={first['next']}")
    assert ([row["seq"] for row in rest["deliveries"]], rest["next"]) == ([3, 4, 5], None)
    assert len(world.deliveries("&type=team_order.claimed")) == 5
    assert world.deliveries("&type=team_order.shipped") == []
    assert world.deliveries("&host=other.example") == []


def test_listing_dropped_deliveries_is_refused(world: World, partner: PartnerClient) -> None:
    world.change_settings(webhooks__attempts_kept=2)
    deliver_claims(world, partner, 5)
    assert [row["seq"] for row in world.deliveries()] == [4, 5]
    response = world.control.get(f"/worlds/{world.id}/deliveries?after=1")
    assert status_and_code(response) == (409, "deliveries_dropped")


def test_a_resent_delivery_is_one_more_attempt_and_ends_the_retries(world: World, partner: PartnerClient) -> None:
    world.set_receiver(script=[{"status": 500}])
    deliver_claims(world, partner)
    resent = world.call_control("POST", "/deliveries/1/resend")
    assert (resent["seq"], resent["attempt"], resent["mark"], resent["outcome"]) == (2, 2, "resend", "delivered")
    assert resent["event_id"] == world.deliveries()[0]["event_id"]
    world.advance("30d")
    assert len(world.deliveries()) == 2
    response = world.control.post(f"/worlds/{world.id}/deliveries/77/resend")
    assert status_and_code(response) == (404, "delivery_not_found")


def test_a_delivery_is_resent_to_a_forwarding_receiver_after_the_response(
    world: World, partner: PartnerClient, start_receiver: Callable[..., str]
) -> None:
    deliver_claims(world, partner)
    world.set_receiver(mode="forward", to=start_receiver())
    assert world.call_control("POST", "/deliveries/1/resend")["outcome"] is None
    assert [row["outcome"] for row in world.deliveries()] == ["delivered", "delivered"]


def test_listing_deliveries_waits_for_those_in_flight(
    world: World, partner: PartnerClient, start_receiver: Callable[..., str]
) -> None:
    world.set_receiver(mode="forward", to=start_receiver())
    endpoint = partner.subscribe("team_order.claimed")["endpoint"]["id"]
    partner.post(f"/webhooks/{endpoint}/test")
    for _ in range(5):
        count_before = len(world.deliveries())
        world.call_control("POST", "/snapshots", {"name": "now"})
        partner.post(f"/webhooks/{endpoint}/test")
        rows = world.deliveries()
        assert len(rows) == count_before + 1
        assert all(row["outcome"] == "delivered" for row in rows)


def test_a_request_can_be_signed_again_with_the_current_time(world: World, partner: PartnerClient) -> None:
    secret = deliver_claims(world, partner)
    request = world.call_control("GET", "/deliveries/1/request?sign=now")
    header, body = request["headers"]["X-Service-Signature"], request["body"].encode()
    assert verifies(secret, header, body, int(system_clock.seconds()))
    assert world.call_control("GET", "/deliveries/1/request") == world.deliveries()[0]["request"]
    assert world.control.get(f"/worlds/{world.id}/deliveries/1/request?sign=later").status == 400


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
        "rung": 4, "at": "2027-01-04T11:20:00Z", "because": "1 hour after attempt 3, which failed",
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
