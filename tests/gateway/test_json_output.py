"""Every JSON body ends with a newline, and `?pretty` indents it: on every interface, and on the pages beside them."""

from __future__ import annotations

import json

import pytest

from giftsim.build import Simulator
from giftsim.client.in_process import InProcessClient
from tests.support.api_clients import PartnerClient
from tests.support.worlds import World

PATHS = (
    "/_sim/v1/health",
    "/_sim/v1/nothing",
    "/api/external/team-orders",
    "/api/teams/v1/orders",
    "/v1.1/museum-hours",
    "/openapi/partner.json",
    "/openapi/nothing.json",
    "/nothing",
)


@pytest.fixture(name="client")
def _client(simulator: Simulator) -> InProcessClient:
    """A client without a credential."""
    return simulator.client


@pytest.mark.parametrize("path", PATHS)
def test_a_json_body_ends_with_one_newline(client: InProcessClient, path: str) -> None:
    body = client.call("GET", path).body
    assert body.endswith((b"}\n", b"]\n"))
    assert body.count(b"\n") == 1


@pytest.mark.parametrize("path", PATHS)
def test_pretty_indents_the_same_json(client: InProcessClient, path: str) -> None:
    plain = client.call("GET", path).json()
    pretty = client.call("GET", f"{path}?pretty")
    assert without_request_id(pretty.json()) == without_request_id(plain)
    assert pretty.body.decode() == json.dumps(pretty.json(), indent=2, ensure_ascii=False) + "\n"


def test_pretty_is_no_parameter_of_a_call(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    response = partner.get("/team-orders?limit=1&pretty=true")
    assert response.body.startswith(b"{\n  ")
    assert [call["request"]["path"] for call in world.call_control("GET", "/journal")["calls"]][
        -1
    ] == "/api/external/team-orders?limit=1"


def test_another_value_of_pretty_is_an_unknown_parameter(client: InProcessClient) -> None:
    assert client.call("GET", "/_sim/v1/worlds?pretty=maybe").status == 400


def test_head_counts_the_newline(partner: PartnerClient) -> None:
    head = partner.call("HEAD", "/team-orders")
    assert (head.body, head.headers["content-length"]) == (b"", str(len(partner.get("/team-orders").body)))


def without_request_id(body: object) -> object:
    """A body without the request ids, which differ from call to call."""
    if isinstance(body, dict):
        return {name: without_request_id(value) for name, value in body.items() if name != "request_id"}
    return body
