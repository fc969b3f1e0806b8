"""The host names by which the assistant endpoint may be called (G91)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.client.response import Response
from giftsim.control.access import Access

PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}


def post_over_network(simulator: Simulator, host: str) -> Response:
    """A message to the endpoint as it comes over a socket, with a `Host` header."""
    headers = {"Authorization": "Bearer ptk_live_default_approver", "Host": host}
    socket_only = {"giftsim.in_process": False}
    return simulator.client.call("POST", "/mcp", body=PING, headers=headers, environ=socket_only)


@pytest.fixture(scope="module", params=[None, "let me in"])
def reachable(request: pytest.FixtureRequest) -> Iterator[Simulator]:
    """A simulator with another host name, with and without a control token."""
    simulator = Simulator(access=Access(token=request.param, host_names=("sim.team.example",)))
    simulator.registry.runtime.origin = "https://gifts.team.example:8443"
    yield simulator
    simulator.close()


@pytest.mark.parametrize(
    "host",
    [
        "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "sim.team.example", "SIM.team.example:1", "192.168.1.5:8080",
        "[fd00::7]:8080", "gifts.team.example:8443", "gifts.team.example",
    ],
)  # fmt: skip
def test_assistants_reach_the_endpoint_by_the_names_of_the_simulator(reachable: Simulator, host: str) -> None:
    assert post_over_network(reachable, host).status == 200


@pytest.mark.parametrize(
    "host",
    ["", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "sim.team.example.evil", "127.1"],
)
def test_a_name_that_leads_here_by_rebinding_is_refused(reachable: Simulator, host: str) -> None:
    response = post_over_network(reachable, host)
    error = response.json()["error"]
    assert (response.status, error["code"]) == (403, -32600)
    assert repr(host) in error["message"]
    assert "--host-name" in error["message"]


def test_in_process_any_name_leads_to_the_endpoint(reachable: Simulator) -> None:
    headers = {"Authorization": "Bearer ptk_live_default_approver", "Host": "gifts.vendor.example"}
    assert reachable.client.call("POST", "/mcp", body=PING, headers=headers).status == 200
