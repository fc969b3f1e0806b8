"""Several processes behind HAProxy, by the configuration that `giftsim serve haproxy` prints (G136)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import DOCS, page
from tests.docs.shell_session import environment
from tests.support.free_ports import free_ports
from tests.support.museum import basic_auth
from tests.support.orders import order_body
from tests.support.responses import created, status_and_code
from tests.support.served_simulator import HttpClient
from tests.support.sharded_simulator import ShardedSimulator, printed, sharded_simulator
from tests.support.tools import require_tool
from tests.support.waiting import TIMEOUT_S, wait_until
from tests.support.worlds import World

MANY = 3
ORDERS = "/api/external/team-orders"
PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "getTeam", "arguments": {}}}


@pytest.fixture(scope="module")
def haproxy() -> str:
    return require_tool("haproxy", "haproxy")


@pytest.fixture(scope="module")
def sharded(haproxy: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShardedSimulator]:
    """Processes that no test kills, with a proxy in front."""
    with sharded_simulator(haproxy, tmp_path_factory.mktemp("sharded"), MANY, "--", "--fixture", "empty") as sharded:
        yield sharded


def in_its_process(sharded: ShardedSimulator, world_id: str) -> HttpClient:
    """A client of the process that has a world, past the proxy."""
    return HttpClient("127.0.0.1", sharded.client.port + sharded.process_of(world_id))


def calls(sharded: ShardedSimulator, world_id: str) -> int:
    """How many calls the one process that should have a world has in its log."""
    log = in_its_process(sharded, world_id).call("GET", f"/_sim/v1/worlds/{world_id}/calls?limit=1000").json()
    return len(log["calls"])


def worlds_of_all_processes(sharded: ShardedSimulator) -> Iterator[World]:
    """One world in each process, by ids that a user could choose."""
    numbers = set(range(1, sharded.many + 1))
    for number in range(100):
        name = f"team-{number}"
        if sharded.process_of(name) in numbers:
            numbers.remove(sharded.process_of(name))
            yield sharded.world(id=name)


@pytest.fixture(scope="module")
def everywhere(sharded: ShardedSimulator) -> list[World]:
    return list(worlds_of_all_processes(sharded))


def basic(user: str) -> dict[str, str]:
    return basic_auth(user, "museum-pass")


# Ways in which a call names its world; each sends a call that the log of that world has.
WAYS: dict[str, Callable[[HttpClient, str], Any]] = {
    "partner key": lambda http, w: http.call("GET", ORDERS, headers={"Authorization": f"Bearer pk_live_{w}_prepaid"}),
    "small bearer": lambda http, w: http.call("GET", ORDERS, headers={"Authorization": f"bearer pk_live_{w}_prepaid"}),
    "unknown key": lambda http, w: http.call("GET", ORDERS, headers={"Authorization": f"Bearer pk_live_{w}_nobody"}),
    "team key": lambda http, w: team(http, {"Authorization": f"Bearer ptk_live_{w}_approver"}),
    "test key": lambda http, w: team(http, {"Authorization": f"Bearer ptk_test_{w}_first"}),
    "API key header": lambda http, w: team(http, {"X-API-Key": f"ptk_live_{w}_approver"}),
    "partner key beside an API key": lambda http, w: team(
        http, {"Authorization": "Bearer pk_live_default_prepaid", "X-API-Key": f"ptk_live_{w}_approver"}
    ),
    "session": lambda http, w: team(http, {"Authorization": f"Session sess_{w}_owner"}),
    "cookie": lambda http, w: team(http, {"Cookie": f"theme=dark; session=sess_{w}_owner"}),
    "museum user": lambda http, w: http.call("GET", "/v1.1/museum-hours", headers=basic(f"museum.{w}")),
    "X-Sim-World": lambda http, w: http.call("GET", ORDERS, headers={"X-Sim-World": w}),
    "X-Sim-World at the museum": lambda http, w: http.call("GET", "/v1.1/museum-hours", headers={"X-Sim-World": w}),
    "key before X-Sim-World": lambda http, w: http.call(
        "GET", ORDERS, headers={"Authorization": f"Bearer pk_live_{w}_prepaid", "X-Sim-World": "default"}
    ),
    "assistant": lambda http, w: http.call("POST", "/mcp", body=PING, headers=mcp_headers(w)),
}


def team(http: HttpClient, headers: dict[str, str]) -> Any:
    return http.call("GET", "/api/teams/v1/team", headers=headers)


def mcp_headers(world_id: str) -> dict[str, str]:
    return {"Authorization": f"Bearer ptk_live_{world_id}_approver", "Accept": "application/json, text/event-stream"}


@pytest.mark.parametrize("way", WAYS)
def test_a_call_goes_to_the_process_that_has_its_world(
    sharded: ShardedSimulator, everywhere: list[World], way: str
) -> None:
    for world in everywhere:
        fork_id = world.call_control("POST", "/fork")["id"]
        for world_id in (world.id, fork_id):
            before = calls(sharded, world_id)
            WAYS[way](sharded.client, world_id)
            assert calls(sharded, world_id) == before + 1, world_id


def test_worlds_are_made_where_their_calls_go(sharded: ShardedSimulator) -> None:
    unnamed = [sharded.world() for _ in range(12)]
    assert len({sharded.process_of(world.id) for world in unnamed}) > 1
    for world in [*unnamed, *(sharded.world(id=f"mine-{n}") for n in range(6))]:
        assert in_its_process(sharded, world.id).call("GET", f"/_sim/v1/worlds/{world.id}").status == 200
        assert created(world.partner().create_order())["team_order"]["id"] == 1001


def test_the_id_of_a_new_world_is_found_wherever_it_is_in_the_body(sharded: ShardedSimulator) -> None:
    nested = {"fixture": {"extends": "bare", "notes": {"id": "not-this-one"}}, "id": "after-a-nested-id"}
    padded = " " * 3_000_000 + json.dumps({"settings": {}, "id": "after-much-text", "fixture": "bare"})
    assert status_and_code(sharded.client.call("POST", "/_sim/v1/worlds", body=nested)) == (400, "invalid_world")
    made = sharded.client.call("POST", "/_sim/v1/worlds", body=padded, headers={"Content-Type": "application/json"})
    assert (made.status, made.json()["id"]) == (201, "after-much-text")
    assert sharded.client.call("GET", "/_sim/v1/worlds/after-much-text").status == 200


def test_a_body_in_chunks_has_its_id_found_too(sharded: ShardedSimulator) -> None:
    connection = HTTPConnection(sharded.client.host, sharded.client.port, timeout=TIMEOUT_S)
    body = iter([b'{"fixture": "bare", ', b'"id": "in-', b'chunks"}'])
    connection.request("POST", "/_sim/v1/worlds", body, {"Content-Type": "application/json"}, encode_chunked=True)
    assert connection.getresponse().status == 201
    connection.close()
    assert sharded.client.call("GET", "/_sim/v1/worlds/in-chunks").status == 200


def test_a_scenario_is_played_anywhere_and_its_kept_world_is_found(sharded: ShardedSimulator) -> None:
    scenario = "scenario: Kept\nfixture: bare\nsteps:\n- fork: copy\n- advance: 1h\n  in: copy\n"
    for _ in range(6):
        report = sharded.client.call(
            "POST", "/_sim/v1/scenarios/play?keep=true", body=scenario, headers={"Content-Type": "application/yaml"}
        ).json()
        assert report["outcome"] == "passed"
        assert sharded.client.call("GET", f"/_sim/v1/worlds/{report['world']}").status == 200


def test_the_list_of_worlds_says_whose_worlds_it_has(sharded: ShardedSimulator) -> None:
    for world in worlds_of_all_processes_again(sharded):
        prefix = sharded.client.call("GET", "/_sim/v1/health", headers={"X-Sim-World": world}).json()["process"]
        listed = sharded.client.call("GET", "/_sim/v1/worlds?limit=1000", headers={"X-Sim-World": prefix}).json()
        assert listed["process"] == prefix
        assert world in [each["id"] for each in listed["worlds"]]


def worlds_of_all_processes_again(sharded: ShardedSimulator) -> Iterator[str]:
    return (sharded.world().id for _ in range(4))


def test_claim_links_lead_through_the_proxy_to_their_world(sharded: ShardedSimulator) -> None:
    origin = f"http://127.0.0.1:{sharded.client.port}"
    for world in (sharded.world() for _ in range(4)):
        created(world.partner().create_order())
        link = world.mail()[0]["links"][0]
        assert link.startswith(f"{origin}/claim/{world.id}/")
        path = link.removeprefix(origin)
        for spelling in (path, path.replace("-", "%2D", 1)):
            assert sharded.client.call("GET", spelling, headers={"Accept": "text/html"}).status == 200


def test_a_dropped_connection_is_dropped_by_the_proxy_too(sharded: ShardedSimulator) -> None:
    world = sharded.world()
    with pytest.raises(RemoteDisconnected):
        world.partner().post("/team-orders", order_body(), X_Sim_Fault="drop=after")
    assert world.partner().get("/team-orders").json()["total"] == 1


def test_a_wrong_call_is_answered_by_giftsim_and_byte_for_byte(sharded: ShardedSimulator) -> None:
    world = sharded.world(id="same-bytes")
    direct = in_its_process(sharded, world.id)
    for method, path in (
        ("GET", "/nothing"),
        ("PUT", ORDERS),
        ("GET", "/_sim/v1/worlds/same-bytes/clock"),
        ("GET", ORDERS),
    ):
        answers = [
            client.call(method, path, headers={"Authorization": "Bearer pk_live_same-bytes_prepaid"})
            for client in (sharded.client, direct)
        ]
        assert len({(answer.status, without_request_id(answer.json())) for answer in answers}) == 1, path


def without_request_id(data: Any) -> str:
    if isinstance(data.get("error"), dict):
        data["error"].pop("request_id", None)
    return json.dumps(data)


def test_a_call_is_held_through_the_proxy_and_released_from_another_connection(sharded: ShardedSimulator) -> None:
    world = sharded.world()
    fault = world.add_fault({"hold": True}, when={"first": 1})
    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(world.partner().create_order)
        wait_until(lambda: world.call_control("GET", "")["counts"]["held"] == 1)
        assert not held.done()
        world.call_control("DELETE", f"/faults/{fault}")
        assert held.result(TIMEOUT_S).status == 201


def test_the_configuration_has_no_warnings(haproxy: str, tmp_path: Path) -> None:
    file = tmp_path / "haproxy.cfg"
    file.write_text(printed("--processes", "16"))
    check = subprocess.run([haproxy, "-c", "-dW", "-f", str(file)], capture_output=True, text=True, check=False)
    assert (check.returncode, check.stderr) == (0, "")


def test_the_commands_of_the_page_run_and_print_what_it_says(haproxy: str, tmp_path: Path) -> None:
    assert haproxy
    guide = page(DOCS / "how-to" / "run-for-a-team.md")
    port = free_ports(4)
    code = "\n".join(["set -eu", *(block.code for block in guide.blocks("sh haproxy"))])
    for said, used in enumerate(range(port, port + 4), 8080):
        code = code.replace(str(said), str(used))
    (tmp_path / ".venv").symlink_to(sys.prefix)
    done = subprocess.run(
        ["bash"], input=code, cwd=tmp_path, env=environment(tmp_path, active=True), capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for block in guide.blocks("text haproxy"):
        for line in block.code.splitlines():
            assert re.sub(r"808(\d)", lambda match: str(port + int(match[1])), line) in done.stdout
    assert [line.split()[0] for line in done.stdout.splitlines()[-3:]] == ["p1a", "p2c", "p3f"]
