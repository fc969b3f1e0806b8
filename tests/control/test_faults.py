"""Faults: created, matched, counted and deleted through the control API."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.faults import fault_counts
from tests.support.responses import status_and_code
from tests.support.team import webhooks as team_webhooks
from tests.support.team.clients import TeamClients
from tests.support.worlds import World


def test_a_fault_is_shown_as_given_with_its_hits(world: World, partner: PartnerClient) -> None:
    given = {
        "match": {"operation": "createTeamOrder"},
        "when": {"calls": [2]},
        "effect": {"charge": "card_charge_failed"},
    }
    fault = world.call_control("POST", "/faults", {"id": "mine", **given})
    assert fault == {"id": "mine", **given, "calls": 0, "hits": 0}
    statuses = [partner.create_order(idempotency_key=f"{i}").status for i in range(3)]
    assert statuses == [201, 402, 201]
    assert fault_counts(world) == [(3, 1)]


def test_faults_match_a_credential_by_name_or_by_key(world: World) -> None:
    for credential in ("partner.net_terms", world.credentials["partner.net_terms"]["value"]):
        fault = world.add_fault({"status": 429}, match={"credential": credential})
        assert world.partner("partner.net_terms").get("/team-orders").status == 429
        assert world.partner().get("/team-orders").status == 200
        world.call_control("DELETE", f"/faults/{fault}")
    assert world.partner("partner.net_terms").get("/team-orders").status == 200


def test_faults_match_calls_to_the_museum(world: World, partner: PartnerClient) -> None:
    world.add_fault({"status": 401}, match={"credential": "museum"}, when={"first": 1})
    request = {"method": "GET", "path": "/v1.1/museum-hours", "headers": world.credentials["museum"]["headers"]}
    assert partner.get("/team-orders").status == 200
    assert [world.client.call(**request).status for _ in range(2)] == [401, 200]
    assert [row["credential"] for row in world.call_control("GET", "/usage")["usage"]] == ["partner.prepaid", "museum"]


def test_a_charge_fault_hits_the_next_charge(world: World, partner: PartnerClient) -> None:
    world.add_fault({"charge": "insufficient_funds"}, when={"first": 1})
    assert partner.get("/team-orders").status == 200
    assert status_and_code(partner.create_order()) == (402, "insufficient_funds")
    assert partner.create_order().status == 201


def test_a_fault_hits_only_within_its_period(world: World, partner: PartnerClient) -> None:
    world.add_fault({"status": 503}, match={"operation": "createTeamOrder"}, when={"from": "+1d", "to": "+2d"})
    statuses = []
    for i in range(3):
        statuses.append(partner.create_order(idempotency_key=f"{i}").status)
        world.advance("1d")
    assert statuses == [201, 503, 201]


def test_a_fault_can_hit_every_nth_call_or_by_chance(world: World, partner: PartnerClient) -> None:
    world.add_fault({"status": 429}, when={"every": 3})
    assert [partner.get("/team-orders").status for _ in range(6)] == [200, 200, 429, 200, 200, 429]
    world.call_control("DELETE", "/faults")
    world.add_fault({"status": 429}, when={"probability": 0.5})
    statuses = [partner.get("/team-orders").status for _ in range(60)]
    assert 10 < statuses.count(429) < 50


def test_the_oldest_of_several_faults_acts(world: World, partner: PartnerClient) -> None:
    world.add_fault({"status": 429}, when={"first": 1})
    world.add_fault({"status": 401})
    assert [partner.get("/team-orders").status for _ in range(2)] == [429, 401]


def test_one_fault_or_all_faults_can_be_deleted(world: World) -> None:
    ids = [world.add_fault({"status": 429}) for _ in range(3)]
    assert world.call_control("DELETE", f"/faults/{ids[1]}") == {"deleted": ids[1]}
    assert status_and_code(world.control.delete(f"/worlds/{world.id}/faults/{ids[1]}")) == (404, "fault_not_found")
    assert world.call_control("DELETE", "/faults") == {"deleted": [ids[0], ids[2]]}
    assert world.call_control("GET", "/faults") == {"faults": [], "next": None}


def test_a_fault_that_could_never_act_is_refused_with_the_reason(world: World) -> None:
    path = f"/worlds/{world.id}/faults"
    cases = [
        ({"effect": {}}, "one of charge"),
        ({"effect": {"hold": True, "drop": "before"}}, "one of charge"),
        ({"effect": {"chrage": "x"}}, "did you mean charge?"),
        ({"effect": {"drop": "middle"}}, "drop"),
        ({"effect": {"delay_s": 121}}, "delay_s"),
        ({"effect": {"charge": "no_such_code"}}, "charge"),
        ({"effect": {"hold": True}, "match": {"operation": "createTeamOrders"}}, "did you mean createTeamOrder?"),
        ({"effect": {"hold": True}, "match": {"interface": "patner"}}, "did you mean partner?"),
        ({"effect": {"hold": True}, "match": {"credential": "partner.prepayd"}}, "did you mean partner.prepaid?"),
        ({"effect": {"hold": True}, "when": {"from": "soon"}}, "when.from"),
        ({"effect": {"webhook": "duplicate"}, "match": {"operation": "createTeamOrder"}}, "operation"),
        ({"effect": {"hold": True}, "when": {"every": 0}}, "every"),
    ]
    for body, message in cases:
        response = world.control.post(path, body)
        assert response.status == 400, body
        assert message in response.json()["error"]["message"], response.json()["error"]["message"]
    world.add_fault({"hold": True}, id="once")
    assert status_and_code(world.control.post(path, {"id": "once", "effect": {"hold": True}})) == (400, "invalid_fault")
    world.call_control("DELETE", "/faults")


@pytest.mark.parametrize(("end", "orders"), [("delete one", 1), ("delete all", 1), ("reset", 0), ("restore", 0)])
def test_a_held_call_continues_when_its_fault_is_removed(
    world: World, partner: PartnerClient, end: str, orders: int
) -> None:
    world.call_control("POST", "/snapshots", {"name": "before"})
    partner.create_order()
    fault = world.add_fault({"hold": True})
    answers: list[Any] = []
    caller = threading.Thread(target=lambda: answers.append(partner.get("/team-orders").json()))
    caller.start()
    while fault_counts(world) != [(1, 1)]:
        pass
    assert world.now
    calls = {
        "delete one": ("DELETE", f"/faults/{fault}"),
        "delete all": ("DELETE", "/faults"),
        "reset": ("POST", "/reset"),
        "restore": ("POST", "/snapshots/before/restore"),
    }
    assert answers == []
    world.call_control(*calls[end])
    caller.join(60)
    assert [answer["total"] for answer in answers] == [orders]  # what it reads is the world as it is now


def test_webhooks_wait_while_the_signing_key_is_missing(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    fault = world.add_fault({"signing_key": "missing"})
    world.advance("5h")
    assert world.deliveries() == []
    response = partner.post("/webhooks", {"url": f"https://{WEBHOOK_HOST}/x", "events": ["order.shipped"]})
    assert status_and_code(response) == (503, "webhooks_unavailable")
    world.call_control("DELETE", f"/faults/{fault}")
    assert [row["outcome"] for row in world.deliveries()] == ["delivered"]


def test_a_signing_key_missing_for_some_calls_does_not_affect_others(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.add_fault({"signing_key": "missing"}, when={"first": 1})
    body = {"url": f"https://{WEBHOOK_HOST}/x", "events": ["order.shipped"]}
    assert status_and_code(partner.post("/webhooks", body)) == (503, "webhooks_unavailable")
    assert partner.post("/webhooks", body).status == 201
    world.advance("1h")
    assert [row["outcome"] for row in world.deliveries()] == ["delivered"]


def test_deliveries_can_be_duplicated_and_wrongly_signed(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.create_order(recipients=[{"name": name, "email": f"{name}@example.com"} for name in "ab"])
    world.add_fault({"webhook": "duplicate"}, when={"first": 1}, match={"credential": "partner.prepaid"})
    world.add_fault({"webhook": "bad_signature"}, match={"credential": "partner.net_terms"})
    for i in range(2):
        world.simulate("claim", team_order_id=1001, recipient=i)
    world.advance("1h")
    rows = world.deliveries()
    assert [row["mark"] for row in rows] == [None, "duplicate", None]
    assert rows[0]["event_id"] == rows[1]["event_id"] != rows[2]["event_id"]
    assert fault_counts(world) == [(2, 1), (0, 0)]


def test_webhooks_of_a_call_are_sent_although_its_response_is_lost(
    world: World, start_receiver: Callable[..., str]
) -> None:  # fmt: skip
    received = threading.Event()
    team = TeamClients(world)
    world.set_receiver(team_webhooks.HOST, mode="forward", to=start_receiver(received.set))
    team_webhooks.subscribe(team.live, "approval.requested")
    with pytest.raises(ConnectionError):
        team.live.post(
            "/gifts",
            {"recipients": [{"name": "Bo", "email": "bo@example.com"}], "gift": {"collection_slug": "welcome-kit"}},
            X_Sim_Fault="drop=after",
        )
    assert received.wait(60)


def test_faults_are_part_of_snapshots_and_fingerprints(world: World) -> None:
    before = world.fingerprint()
    world.call_control("POST", "/snapshots", {"name": "calm"})
    world.add_fault({"status": 503})
    assert world.fingerprint() != before
    world.call_control("POST", "/snapshots/calm/restore")
    assert fault_counts(world) == []


def partner_operation(choices: Any, name: str) -> Any:
    """An operation of the partner interface among the choices."""
    named = ("partner", name)
    return next(each for each in choices["operations"] if (each["interface"], each["operation"]) == named)


def test_the_choices_of_a_fault_are_those_that_are_taken(world: World) -> None:
    choices = world.call_control("GET", "/faults/choices")
    assert set(choices["interfaces"]) == {"partner", "team", "museum", "claim"}
    names = {effect["name"] for effect in choices["effects"]}
    assert names == {"status", "charge", "drop", "crash", "delay_s", "hold", "webhook", "signing_key"}
    for effect in choices["effects"]:
        for value in effect["values"]:
            fault = world.call_control("POST", "/faults", {"effect": {effect["name"]: value}})
            assert fault["effect"] == {effect["name"]: value}
    create = partner_operation(choices, "createTeamOrder")
    assert (create["method"], create["path"]) == ("POST", "/api/external/team-orders")
    assert "charge" in create["effects"]
    assert "charge" not in partner_operation(choices, "listTeamOrders")["effects"]
    assert "partner.prepaid" in choices["credentials"]
    assert "team_order.shipped" in choices["events"]
    assert choices["hosts"] == []


def test_the_errors_of_an_operation_can_be_injected(world: World) -> None:
    create = partner_operation(world.call_control("GET", "/faults/choices"), "createTeamOrder")
    match = {"interface": "partner", "operation": "createTeamOrder"}
    injected = 0
    for error in create["errors"]:
        for code in error["codes"]:
            effect = {"status": error["status"], "code": code}
            world.call_control("POST", "/faults", {"match": match, "effect": effect})
            injected += 1
    assert injected > 5


def refused_fault(world: World, effect: dict[str, Any], **rest: Any) -> str:
    """The message of the refusal of a fault."""
    answer = world.control.call("POST", f"/worlds/{world.id}/faults", {"effect": effect, **rest})
    assert (answer.status, answer.json()["error"]["code"]) == (400, "invalid_fault"), answer.text
    return str(answer.json()["error"]["message"])


def test_a_status_that_no_operation_of_a_name_has_is_refused_with_what_each_interface_has(world: World) -> None:
    assert refused_fault(world, {"status": 418}, match={"operation": "createTeamOrder"}) == (
        "team createTeamOrder documents the errors 400, 401, 403, 404, 409, 422, 429, 503, not 418, and partner"
        " createTeamOrder documents the errors 400, 401, 403, 404, 409, 429, 500, 503, not 418; say undocumented: true"
        " to get it"
    )
    message = refused_fault(world, {"status": 402}, match={"operation": "createTeamOrder"})
    assert "and the 402 of partner createTeamOrder has members that this effect cannot give; use the effect" in message
    only = refused_fault(world, {"status": 418}, match={"operation": "createTeamOrder", "interface": "partner"})
    assert only.startswith("createTeamOrder documents the errors 400, 401, 403, 404, 409, 429, 500, 503, not 418; ")
    by_key = refused_fault(
        world, {"status": 418}, match={"operation": "createTeamOrder", "credential": "partner.prepaid"}
    )
    assert by_key == only


def test_a_fault_by_an_operation_of_two_interfaces_acts_on_both(world: World, partner: PartnerClient) -> None:
    world.add_fault({"status": 503}, match={"operation": "createTeamOrder"})
    assert partner.create_order().status == 503
    assert TeamClients(world).live.post("/team-orders", {"collection": "welcome-kit", "headcount": 1}).status == 503


def test_a_fault_whose_period_is_over_is_refused(world: World) -> None:
    start = world.now
    world.advance("5d")
    message = refused_fault(world, {"status": 503}, when={"from": "+1d", "to": "+2d"})
    assert f"the clock is at {world.now}; " in message
    assert message.endswith(f"an offset such as +3d counts from the world's start, {start}")
    assert refused_fault(world, {"status": 503}, when={"to": "2020-01-01T00:00:00Z"}).startswith("when.to: 2020-01-01T")
    assert refused_fault(world, {"status": 503}, when={"to": world.now}).startswith(f"when.to: {world.now} has passed")
    for to in ("+7d", "+8d"):
        message = refused_fault(world, {"status": 503}, when={"from": "+8d", "to": to})
        assert message == "when.to: a fault must end after it begins"
    world.add_fault({"status": 503}, when={"from": "+1d", "to": "+6d"})


def test_an_outage_that_is_over_is_refused_unless_the_receiver_had_it(world: World) -> None:
    world.set_receiver(outage={"from": "+1d", "to": "+2d"})
    start = world.now
    world.advance("5d")
    path = f"/worlds/{world.id}/receivers/other.partner.example"
    refused = world.control.call("PUT", path, {"outage": {"from": "+3d", "to": "+4d"}})
    assert (refused.status, refused.json()["error"]["code"]) == (400, "invalid_receiver")
    assert f"an offset such as +3d counts from the world's start, {start}" in refused.json()["error"]["message"]
    assert world.set_receiver(outage={"from": "+1d", "to": "+2d"}, mode="refuse")["mode"] == "refuse"
    assert world.control.call("PUT", path, {"outage": {"from": "+3d", "to": "+6d"}}).status == 200
