"""While the environment has no signing key, webhooks are unavailable and sending waits (P-7.28, B30, G16)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.instants import later, unix_s
from tests.support.partner.webhooks import (
    EVENT_TYPES,
    endpoint_deliveries,
    endpoint_row,
    endpoint_rows,
    fail_host,
    is_valid_signature,
    received_webhooks,
    retry_instants,
    run_next_hour,
    ship_order,
)
from tests.support.worlds import World

MISSING = {"signing_key": "missing"}
KIND = "team_order.shipped"
BODY = {"url": f"https://{WEBHOOK_HOST}/gifts", "events": [KIND]}


def code(answer: Response, status: int = 503) -> str:
    assert answer.status == status, answer.text
    return str(answer.json()["error"]["code"])


def restore(world: World) -> None:
    world.call_control("DELETE", "/faults")


@shows("P-7.28")
def test_without_a_key_endpoints_are_neither_made_nor_tested_and_with_it_they_are(
    world: World, partner: PartnerClient
) -> None:
    partner.subscribe(KIND)
    fault = world.add_fault(MISSING)
    for refused in (partner.post("/webhooks", BODY), partner.post("/webhooks/1/test")):
        assert (code(refused), refused.headers["retry-after"]) == ("webhooks_unavailable", "5")
    assert (len(endpoint_rows(partner)), received_webhooks(world)) == (1, [])
    world.call_control("DELETE", f"/faults/{fault}")
    assert partner.post("/webhooks", BODY).status == 201
    assert partner.post("/webhooks/2/test").json()["ok"] is True


@shows("P-7.28")
def test_the_key_is_missing_whatever_other_fault_a_call_meets_first(world: World, partner: PartnerClient) -> None:
    partner.subscribe(KIND)
    world.add_fault({"delay_s": 0})
    world.add_fault(MISSING)
    assert code(partner.post("/webhooks", BODY)) == "webhooks_unavailable"
    assert code(partner.post("/webhooks/1/test")) == "webhooks_unavailable"
    assert (len(endpoint_rows(partner)), received_webhooks(world)) == (1, [])


@shows("P-7.28")
def test_one_call_alone_may_find_the_key_missing_and_leaves_nothing(new_world: Callable[..., World]) -> None:
    world = new_world()
    partner = world.partner()
    partner.subscribe(KIND)
    for path, body in (("/webhooks", BODY), ("/webhooks/1/test", None)):
        assert code(partner.post(path, body, X_Sim_Fault="signing_key=missing")) == "webhooks_unavailable"
    assert (len(endpoint_rows(partner)), received_webhooks(world)) == (1, [])
    assert partner.post("/webhooks/1/test").status == 200
    undisturbed = new_world().partner()
    undisturbed.subscribe(KIND)
    assert partner.subscribe(KIND) == undisturbed.subscribe(KIND)


def test_reads_and_disabling_still_work_without_a_key(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe(KIND)
    world.add_fault(MISSING)
    assert [row["id"] for row in endpoint_rows(partner)] == [1]
    assert endpoint_deliveries(partner, made) == []
    assert partner.delete("/webhooks/1").json()["endpoint"]["status"] == "disabled"


@pytest.mark.parametrize("by_header", [True, False])
def test_what_is_wrong_with_the_request_itself_is_told_first(
    world: World, partner: PartnerClient, by_header: bool
) -> None:
    partner.subscribe(KIND)
    headers = {"X_Sim_Fault": "signing_key=missing"} if by_header else {}
    if not by_header:
        world.add_fault(MISSING)
    bad_url = partner.post("/webhooks", {**BODY, "url": "https://localhost/"}, **headers)
    assert code(bad_url, 400) == "invalid_url"
    assert code(partner.post("/webhooks", {**BODY, "events": []}, **headers), 400) == "invalid_events"
    assert code(partner.post("/webhooks", b"[", **headers), 400) == "invalid_body"
    assert code(partner.post("/webhooks/9/test", **headers), 404) == "endpoint_not_found"
    for _ in range(9):
        world.call_control("DELETE", "/faults")
        partner.subscribe(KIND)
    if not by_header:
        world.add_fault(MISSING)
    assert code(partner.post("/webhooks", BODY, **headers), 409) == "too_many_endpoints"


def test_sending_waits_for_the_key_and_goes_on_at_once(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe(*EVENT_TYPES)
    ship_order(world, partner, 3)
    world.add_fault(MISSING)
    world.advance("3h")
    assert received_webhooks(world) == []
    assert endpoint_row(partner, made)["pending_count"] == 3
    assert [(row["status"], row["attempts"]) for row in endpoint_deliveries(partner, made)] == [("pending", 0)] * 3
    restore(world)
    assert [(post.at, post.status) for post in received_webhooks(world)] == [(world.now, 200)] * 3
    assert [row["event_id"] for row in endpoint_deliveries(partner, made)] == [
        post.event_id for post in received_webhooks(world)
    ][::-1]
    for post in received_webhooks(world):
        assert is_valid_signature(
            made["secret"], post.headers["X-Service-Signature"], post.text.encode(), unix_s(world.now)
        )


def test_idle_ends_though_deliveries_wait_for_the_key(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe(KIND)
    ship_order(world, partner)
    world.add_fault(MISSING)
    world.advance(until="idle")
    assert world.advance(until="idle")["fired_count"] == 0
    assert (endpoint_row(partner, made)["pending_count"], endpoint_row(partner, made)["dead_count"]) == (1, 0)
    assert endpoint_deliveries(partner, made)[0]["next_attempt_at"] is None


def test_a_retry_that_came_due_meanwhile_is_made_when_the_key_is_back_and_counts_from_there(
    world: World, partner: PartnerClient
) -> None:
    partner.subscribe(KIND)
    fail_host(world)
    ship_order(world, partner)
    first = run_next_hour(world)
    world.advance("6m")
    world.add_fault(MISSING)
    world.advance("1d")
    restore(world)
    back = world.now
    world.advance("14m")
    assert [post.at for post in received_webhooks(world)] == [first, later(first, "5m"), back]
    world.advance(until="idle")
    spans = ["60m", "240m", "600m", "1320m", "2760m", "5640m"]
    assert [post.at for post in received_webhooks(world)][3:] == [later(back, span) for span in spans]


def test_a_retry_that_is_not_due_yet_when_the_key_is_back_keeps_its_time(world: World, partner: PartnerClient) -> None:
    partner.subscribe(KIND)
    fail_host(world)
    ship_order(world, partner)
    first = run_next_hour(world)
    world.add_fault(MISSING)
    world.advance("4m")
    restore(world)
    world.advance("1h")
    assert [post.at for post in received_webhooks(world)] == retry_instants(first)[:3]


def test_an_endpoint_that_was_disabled_meanwhile_gets_nothing(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe(KIND)
    ship_order(world, partner)
    world.add_fault(MISSING)
    world.advance("2h")
    partner.delete("/webhooks/1")
    restore(world)
    world.advance("60d")
    assert received_webhooks(world) == []
    assert [row["status"] for row in endpoint_deliveries(partner, made)] == ["dropped"]


def test_the_key_is_back_when_the_last_of_the_faults_is_gone(world: World, partner: PartnerClient) -> None:
    partner.subscribe(KIND)
    first, second = world.add_fault(MISSING), world.add_fault(MISSING)
    ship_order(world, partner)
    world.advance("2h")
    world.call_control("DELETE", f"/faults/{first}")
    assert received_webhooks(world) == []
    assert code(partner.post("/webhooks/1/test")) == "webhooks_unavailable"
    world.call_control("DELETE", f"/faults/{second}")
    assert [post.type for post in received_webhooks(world)] == [KIND]


def test_a_resend_without_a_key_is_refused(world: World, partner: PartnerClient) -> None:
    partner.subscribe(KIND)
    ship_order(world, partner)
    run_next_hour(world)
    world.add_fault(MISSING)
    answer: Any = world.control.call("POST", f"/worlds/{world.id}/deliveries/1/resend")
    assert code(answer) == "webhooks_unavailable"
    assert len(received_webhooks(world)) == 1


def test_a_fault_for_some_calls_alone_does_not_stop_sending(world: World, partner: PartnerClient) -> None:
    partner.subscribe(KIND)
    world.add_fault(MISSING, match={"operation": "createWebhook"}, when={"first": 1})
    ship_order(world, partner)
    run_next_hour(world)
    assert [post.status for post in received_webhooks(world)] == [200]
    assert partner.post("/webhooks/1/test").status == 200
    assert code(partner.post("/webhooks", BODY)) == "webhooks_unavailable"
    assert partner.post("/webhooks", BODY).status == 201
