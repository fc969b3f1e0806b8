"""Faults of the claim page and of assistants' tool calls."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.client.response import Response
from giftsim.engine.worlds import system_clock
from tests.support.api_clients import PartnerClient
from tests.support.faults import fault_counts
from tests.support.orders import RENO, claim_tokens
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

CLAIM = {"interface": "claim"}


@pytest.fixture
def token(partner: PartnerClient) -> str:
    """A claim link that works."""
    return str(claim_tokens(partner.create_order(return_claim_links=True).json())[0])


def shipment_statuses(partner: PartnerClient) -> list[str]:
    """The shipment statuses of the order."""
    return [row["shipment"]["status"] for row in partner.read_order(1001)["recipients"]]


@pytest.mark.parametrize(("drop", "status"), [("before", "awaiting"), ("after", "submitted")])
def test_a_guest_can_lose_the_connection_before_or_after_the_claim(
    world: World, partner: PartnerClient, token: str, drop: str, status: str
) -> None:
    world.add_fault({"drop": drop}, match={**CLAIM, "operation": "enterClaim"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        world.claim(token)
    assert shipment_statuses(partner) == [status]
    assert world.claim(token).status == (200 if drop == "before" else 410)
    assert fault_counts(world) == [(2, 1)]


def test_a_claim_can_fail_with_an_injected_status(world: World, partner: PartnerClient, token: str) -> None:
    world.add_fault({"status": 503, "code": "down", "retry_after": 9}, match=CLAIM, when={"first": 2})
    response = world.claim(token)
    assert (response.status, response.json()["error"]["code"], response.headers["retry-after"]) == (503, "down", "9")
    page = world.client.call("POST", f"/claim/{world.id}/{token}", body="name=Bo", headers={
        "Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html",
    })  # fmt: skip
    assert (page.status, page.headers["content-type"].partition(";")[0]) == (503, "text/html")
    assert shipment_statuses(partner) == ["awaiting"]
    assert world.claim(token).status == 200


def test_a_delayed_claim_does_not_count_as_waiting_afterwards(
    world: World, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    delays: list[float] = []
    monkeypatch.setattr(system_clock, "sleep", lambda span_s, *_: delays.append(span_s))
    world.add_fault({"delay_s": {"from": 1, "to": 2}}, match=CLAIM)
    assert [world.claim(token).status for _ in range(300)] == [200, *[410] * 299]  # more than may wait at once
    assert len(delays) == 300
    assert 1 <= delays[0] <= 2


def test_a_claim_that_is_undone_before_its_late_answer_still_gets_it(
    world: World, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_clock, "sleep", lambda *_: world.control.post(f"/worlds/{world.id}/undo", {"count": 1}))
    world.add_fault({"delay_s": 1}, match=CLAIM)
    assert world.client.call("POST", f"/claim/{world.id}/{token}", body={}).status == 422
    assert fault_counts(world) == []  # the undo took the fault back, and the claim after it


def test_a_claim_whose_answer_was_lost_can_be_undone(world: World, partner: PartnerClient, token: str) -> None:
    world.add_fault({"drop": "after"}, match=CLAIM, when={"first": 1})
    with pytest.raises(ConnectionError):
        world.claim(token)
    assert world.control.post(f"/worlds/{world.id}/undo", {"count": 1}).status == 200
    assert shipment_statuses(partner) == ["awaiting"]


def test_a_fault_without_a_match_does_not_hit_the_claim_page(world: World, token: str) -> None:
    world.add_fault({"drop": "before"})
    assert world.claim(token).status == 200
    assert fault_counts(world) == [(0, 0)]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"effect": {"hold": True}}, "the claim page has only the effects drop, delay_s, status"),
        ({"effect": {"charge": "card_charge_failed"}}, "the claim page has only the effects drop, delay_s, status"),
        ({"effect": {"webhook": "duplicate"}}, "the claim page has only the effects drop, delay_s, status"),
        ({"effect": {"status": 200}}, "400 to 599"),
        ({"effect": {"drop": "after"}, "match": {"operation": "enterclaim"}}, "did you mean enterClaim?"),
        (
            {"effect": {"drop": "after"}, "match": {"credential": "partner.prepaid"}},
            "guests of the claim page",
        ),
    ],
)
def test_a_fault_that_can_do_nothing_to_a_claim_is_refused(world: World, body: Any, message: str) -> None:
    body["match"] = {**CLAIM, **body.get("match", {})}
    response = world.control.post(f"/worlds/{world.id}/faults", body)
    assert response.status == 400
    assert message in response.json()["error"]["message"]


def test_faults_hit_the_same_claims_after_a_restore(world: World, partner: PartnerClient, token: str) -> None:
    world.call_control("POST", "/snapshots", {"name": "open"})
    runs = []
    for _ in range(2):
        world.add_fault({"status": 503}, match=CLAIM, when={"first": 1})
        runs.append([world.claim(token, address={**RENO}).status for _ in range(2)])
        world.call_control("POST", "/snapshots/open/restore")
    assert runs == [[503, 200]] * 2
    assert partner.get("/team-orders").status == 200


def call_tool(world: World, tool: str, arguments: Any, **headers: str) -> Response:
    """A tool call of an assistant."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    sent_headers = {
        **TeamClients(world).live.headers,
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    return world.client.call("POST", "/mcp", body=message, headers=sent_headers)


@pytest.mark.parametrize("by_header", [True, False])
def test_a_tool_call_is_hit_by_the_faults_of_its_operation(world: World, by_header: bool) -> None:
    headers = {"X_Sim_Fault": "status=503; retry_after=3"} if by_header else {}
    if not by_header:
        world.add_fault({"status": 503}, match={"interface": "team", "operation": "listPeople"})
    refused = call_tool(world, "listPeople", {}, **headers).json()["result"]
    assert refused["isError"] is True
    assert "service_unavailable" in str(refused)
    assert call_tool(world, "getTeam", {}).json()["result"]["isError"] is False


def test_an_assistant_can_lose_its_response(world: World) -> None:
    body = {"collection": "welcome-kit", "headcount": 1}
    with pytest.raises(ConnectionError):
        call_tool(world, "createTeamOrder", {"idempotency_key": "one", "body": body}, X_Sim_Fault="drop=after")
    again = call_tool(world, "createTeamOrder", {"idempotency_key": "one", "body": body}).json()["result"]
    assert [order["id"] for order in TeamClients(world).live.list_all("/team-orders")] == [
        again["structuredContent"]["id"]
    ]


def test_magic_values_act_through_an_assistant_too(world: World) -> None:
    body = {"collection": "welcome-kit", "headcount": 1, "po_number": "Magic Unavailable"}
    assert "service_unavailable" in str(
        call_tool(world, "createTeamOrder", {"idempotency_key": "one", "body": body}).json()["result"]
    )


def test_a_guest_is_not_told_that_an_error_was_injected(world: World, token: str) -> None:
    world.change_settings(faults__named=False)
    world.add_fault({"status": 503}, id="the-planned-one", match=CLAIM)
    answer = world.claim(token)
    assert (answer.status, answer.json()["error"]["message"]) == (503, "Service Unavailable")
