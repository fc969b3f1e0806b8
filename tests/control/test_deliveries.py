"""Receivers and deliveries."""

from __future__ import annotations

from collections.abc import Callable

from giftsim.kernel.instants import parse_instant
from giftsim.worlds import system_clock
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.responses import status_and_code
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
    outage = world.set_receiver(outage={"from": "+3d", "to": "+4d", "status": 502})["outage"]
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
