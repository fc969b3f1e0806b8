"""Faults beyond the three interfaces: on the page where guests claim, and on the tools of assistants."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.gateway.in_process_client import Response
from giftsim.worlds import system_clock
from tests.control.test_faults import hits
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, claim_tokens
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

CLAIM = {"interface": "claim"}


@pytest.fixture
def token(partner: PartnerClient) -> str:
    """A claim link that works."""
    return str(claim_tokens(partner.create_order(return_claim_links=True).json())[0])


def shipments(partner: PartnerClient) -> list[str]:
    """Where the parcels of the order stand."""
    return [row["shipment"]["status"] for row in partner.read_order(1001)["recipients"]]


@pytest.mark.parametrize(("drop", "status"), [("before", "awaiting"), ("after", "submitted")])
def test_a_guest_can_lose_the_connection_before_or_after_the_claim(
    world: World, partner: PartnerClient, token: str, drop: str, status: str
) -> None:
    world.add_fault({"drop": drop}, match={**CLAIM, "operation": "enterClaim"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        world.claim(token)
    assert shipments(partner) == [status]
    assert world.claim(token).status == (200 if drop == "before" else 410)
    assert hits(world) == [(2, 1)]


def test_a_claim_can_be_refused_for_now(world: World, partner: PartnerClient, token: str) -> None:
    world.add_fault({"status": 503, "code": "down", "retry_after": 9}, match=CLAIM, when={"first": 2})
    answer = world.claim(token)
    assert (answer.status, answer.json()["error"]["code"], answer.headers["retry-after"]) == (503, "down", "9")
    page = world.client.call("POST", f"/claim/{world.id}/{token}", body="name=Bo", headers={
        "Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html",
    })  # fmt: skip
    assert (page.status, page.headers["content-type"].partition(";")[0]) == (503, "text/html")
    assert shipments(partner) == ["awaiting"]
    assert world.claim(token).status == 200


def test_a_claim_can_be_slow_and_gives_its_place_back(
    world: World, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spans: list[float] = []
    monkeypatch.setattr(system_clock, "sleep", spans.append)
    world.add_fault({"delay_s": {"from": 1, "to": 2}}, match=CLAIM)
    assert [world.claim(token).status for _ in range(300)] == [200, *[410] * 299]  # more than may wait at once
    assert len(spans) == 300
    assert 1 <= spans[0] <= 2


def test_a_fault_for_everybody_leaves_the_claim_page_alone(world: World, token: str) -> None:
    world.add_fault({"drop": "before"})
    assert world.claim(token).status == 200
    assert hits(world) == [(0, 0)]


@pytest.mark.parametrize(
    ("body", "said"),
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
def test_what_cannot_act_on_the_claim_page_is_refused(world: World, body: Any, said: str) -> None:
    body["match"] = {**CLAIM, **body.get("match", {})}
    answer = world.control.post(f"/worlds/{world.id}/faults", body)
    assert answer.status == 400
    assert said in answer.json()["error"]["message"]


def test_faults_of_a_claim_are_played_again_as_they_were(world: World, partner: PartnerClient, token: str) -> None:
    world.call_control("POST", "/snapshots", {"name": "open"})
    seen = []
    for _ in range(2):
        world.add_fault({"status": 503}, match=CLAIM, when={"first": 1})
        seen.append([world.claim(token, address={**RENO}).status for _ in range(2)])
        world.call_control("POST", "/snapshots/open/restore")
    assert seen == [[503, 200]] * 2
    assert partner.get("/team-orders").status == 200


def called(world: World, tool: str, arguments: Any, **headers: str) -> Response:
    """A tool call of an assistant."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    told = {**TeamClients(world).live.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return world.client.call("POST", "/mcp", body=message, headers=told)


@pytest.mark.parametrize("by_header", [True, False])
def test_a_tool_of_an_assistant_meets_what_its_operation_meets(world: World, by_header: bool) -> None:
    headers = {"X_Sim_Fault": "status=503; retry_after=3"} if by_header else {}
    if not by_header:
        world.add_fault({"status": 503}, match={"interface": "team", "operation": "listPeople"})
    refused = called(world, "listPeople", {}, **headers).json()["result"]
    assert refused["isError"] is True
    assert "service_unavailable" in str(refused)
    assert called(world, "getTeam", {}).json()["result"]["isError"] is False


def test_an_assistant_can_lose_its_answer(world: World) -> None:
    body = {"collection": "welcome-kit", "headcount": 1}
    with pytest.raises(ConnectionError):
        called(world, "createTeamOrder", {"body": body}, X_Sim_Fault="drop=after")
    again = called(world, "createTeamOrder", {"body": body}).json()["result"]
    assert [order["id"] for order in TeamClients(world).live.list_all("/team-orders")] == [
        again["structuredContent"]["id"]
    ]


def test_magic_acts_through_an_assistant_too(world: World) -> None:
    body = {"collection": "welcome-kit", "headcount": 1, "po_number": "Magic Unavailable"}
    assert "service_unavailable" in str(called(world, "createTeamOrder", {"body": body}).json()["result"])
