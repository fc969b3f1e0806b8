"""While the environment has no signing key, webhooks are unavailable and sending waits (P-7.28, B30, G16)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.gateway.in_process_client import Answer
from tests.claims import claims
from tests.harness import HOOKS, Face, World
from tests.interfaces.partner.inbox import (
    KINDS,
    detail,
    failing,
    inbox,
    is_genuine,
    later,
    listed,
    row_of,
    run_hour,
    rungs,
    shipped,
    unix_s,
)

MISSING = {"signing_key": "missing"}
KIND = "team_order.shipped"
BODY = {"url": f"https://{HOOKS}/gifts", "events": [KIND]}


def code(answer: Answer, status: int = 503) -> str:
    assert answer.status == status, answer.text
    return str(answer.json()["error"]["code"])


def restore(world: World) -> None:
    world.ask("DELETE", "/faults")


@claims("P-7.28")
def test_without_a_key_endpoints_are_neither_made_nor_tested_and_with_it_they_are(world: World, partner: Face) -> None:
    partner.subscribe(KIND)
    fault = world.fault(MISSING)
    assert code(partner.post("/webhooks", BODY)) == "webhooks_unavailable"
    assert code(partner.post("/webhooks/1/test")) == "webhooks_unavailable"
    assert (len(listed(partner)), inbox(world)) == (1, [])
    world.ask("DELETE", f"/faults/{fault}")
    assert partner.post("/webhooks", BODY).status == 201
    assert partner.post("/webhooks/2/test").json()["ok"] is True


@claims("P-7.28")
def test_the_key_is_missing_whatever_other_fault_a_call_meets_first(world: World, partner: Face) -> None:
    partner.subscribe(KIND)
    world.fault({"delay_s": 0})
    world.fault(MISSING)
    assert code(partner.post("/webhooks", BODY)) == "webhooks_unavailable"
    assert code(partner.post("/webhooks/1/test")) == "webhooks_unavailable"
    assert (len(listed(partner)), inbox(world)) == (1, [])


@claims("P-7.28")
def test_one_call_alone_may_find_the_key_missing_and_leaves_nothing(new_world: Callable[..., World]) -> None:
    world = new_world()
    partner = world.partner()
    partner.subscribe(KIND)
    for path, body in (("/webhooks", BODY), ("/webhooks/1/test", None)):
        assert code(partner.post(path, body, X_Sim_Fault="signing_key=missing")) == "webhooks_unavailable"
    assert (len(listed(partner)), inbox(world)) == (1, [])
    assert partner.post("/webhooks/1/test").status == 200
    undisturbed = new_world().partner()
    undisturbed.subscribe(KIND)
    assert partner.subscribe(KIND) == undisturbed.subscribe(KIND)


def test_reads_and_disabling_still_work_without_a_key(world: World, partner: Face) -> None:
    made = partner.subscribe(KIND)
    world.fault(MISSING)
    assert [row["id"] for row in listed(partner)] == [1]
    assert detail(partner, made) == []
    assert partner.delete("/webhooks/1").json()["endpoint"]["status"] == "disabled"


@pytest.mark.parametrize("by_header", [True, False])
def test_what_is_wrong_with_the_request_itself_is_told_first(world: World, partner: Face, by_header: bool) -> None:
    partner.subscribe(KIND)
    headers = {"X_Sim_Fault": "signing_key=missing"} if by_header else {}
    if not by_header:
        world.fault(MISSING)
    bad_url = partner.post("/webhooks", {**BODY, "url": "https://localhost/"}, **headers)
    assert code(bad_url, 400) == "invalid_url"
    assert code(partner.post("/webhooks", {**BODY, "events": []}, **headers), 400) == "invalid_events"
    assert code(partner.post("/webhooks", b"[", **headers), 400) == "invalid_body"
    assert code(partner.post("/webhooks/9/test", **headers), 404) == "endpoint_not_found"
    for _ in range(9):
        world.ask("DELETE", "/faults")
        partner.subscribe(KIND)
    if not by_header:
        world.fault(MISSING)
    assert code(partner.post("/webhooks", BODY, **headers), 409) == "too_many_endpoints"


def test_sending_waits_for_the_key_and_goes_on_at_once(world: World, partner: Face) -> None:
    made = partner.subscribe(*KINDS)
    shipped(world, partner, 3)
    world.fault(MISSING)
    world.advance("3h")
    assert inbox(world) == []
    assert row_of(partner, made)["pending_count"] == 3
    assert [(row["status"], row["attempts"]) for row in detail(partner, made)] == [("pending", 0)] * 3
    restore(world)
    assert [(post.at, post.status) for post in inbox(world)] == [(world.now, 200)] * 3
    assert [row["event_id"] for row in detail(partner, made)] == [post.event_id for post in inbox(world)][::-1]
    for post in inbox(world):
        assert is_genuine(made["secret"], post.headers["X-Service-Signature"], post.text.encode(), unix_s(world.now))


def test_idle_ends_though_deliveries_wait_for_the_key(world: World, partner: Face) -> None:
    made = partner.subscribe(KIND)
    shipped(world, partner)
    world.fault(MISSING)
    world.advance(until="idle")
    assert world.advance(until="idle")["fired_count"] == 0
    assert (row_of(partner, made)["pending_count"], row_of(partner, made)["dead_count"]) == (1, 0)
    assert detail(partner, made)[0]["next_attempt_at"] is None


def test_a_retry_that_came_due_meanwhile_is_made_when_the_key_is_back_and_counts_from_there(
    world: World, partner: Face
) -> None:
    partner.subscribe(KIND)
    failing(world)
    shipped(world, partner)
    first = run_hour(world)
    world.advance("6m")
    world.fault(MISSING)
    world.advance("1d")
    restore(world)
    back = world.now
    world.advance("14m")
    assert [post.at for post in inbox(world)] == [first, later(first, "5m"), back]
    world.advance(until="idle")
    spans = ["60m", "240m", "600m", "1320m", "2760m", "5640m"]
    assert [post.at for post in inbox(world)][3:] == [later(back, span) for span in spans]


def test_a_retry_that_is_not_due_yet_when_the_key_is_back_keeps_its_time(world: World, partner: Face) -> None:
    partner.subscribe(KIND)
    failing(world)
    shipped(world, partner)
    first = run_hour(world)
    world.fault(MISSING)
    world.advance("4m")
    restore(world)
    world.advance("1h")
    assert [post.at for post in inbox(world)] == rungs(first)[:3]


def test_an_endpoint_that_was_disabled_meanwhile_gets_nothing(world: World, partner: Face) -> None:
    made = partner.subscribe(KIND)
    shipped(world, partner)
    world.fault(MISSING)
    world.advance("2h")
    partner.delete("/webhooks/1")
    restore(world)
    world.advance("60d")
    assert inbox(world) == []
    assert [row["status"] for row in detail(partner, made)] == ["dropped"]


def test_the_key_is_back_when_the_last_of_the_faults_is_gone(world: World, partner: Face) -> None:
    partner.subscribe(KIND)
    first, second = world.fault(MISSING), world.fault(MISSING)
    shipped(world, partner)
    world.advance("2h")
    world.ask("DELETE", f"/faults/{first}")
    assert inbox(world) == []
    assert code(partner.post("/webhooks/1/test")) == "webhooks_unavailable"
    world.ask("DELETE", f"/faults/{second}")
    assert [post.type for post in inbox(world)] == [KIND]


def test_a_resend_without_a_key_is_refused(world: World, partner: Face) -> None:
    partner.subscribe(KIND)
    shipped(world, partner)
    run_hour(world)
    world.fault(MISSING)
    answer: Any = world.control.call("POST", f"/worlds/{world.id}/deliveries/1/resend")
    assert code(answer) == "webhooks_unavailable"
    assert len(inbox(world)) == 1


def test_a_fault_for_some_calls_alone_does_not_stop_sending(world: World, partner: Face) -> None:
    partner.subscribe(KIND)
    world.fault(MISSING, match={"operation": "createWebhook"}, when={"first": 1})
    shipped(world, partner)
    run_hour(world)
    assert [post.status for post in inbox(world)] == [200]
    assert partner.post("/webhooks/1/test").status == 200
    assert code(partner.post("/webhooks", BODY)) == "webhooks_unavailable"
    assert partner.post("/webhooks", BODY).status == 201
