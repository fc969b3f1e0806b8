"""The server process: start, banner, access to the test-control API, and a stop at any moment."""

from __future__ import annotations

import json
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.client import HTTPException
from typing import Any

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.engine.client.response import Response
from tests.support.api_clients import PartnerClient
from tests.support.http_receiver import http_receiver
from tests.support.museum import basic_auth
from tests.support.responses import created
from tests.support.served_simulator import ROOT, TIMEOUT_S, HttpClient, PythonProcess, ServedSimulator, serve_simulator
from tests.support.waiting import wait_until
from tests.support.worlds import World

HEALTH = "/_sim/v1/health"
Start = Callable[[World, PartnerClient], Callable[[], object]]


def run_curl(command: str) -> Response:
    """Send the request of a curl command from the banner, without curl."""
    words = shlex.split(command.replace("\\\n", " "))
    assert words[:2] == ["curl", "-s"]
    url, method, headers, body = "", "", {}, None
    options = iter(words[2:])
    for word in options:
        if word == "-H":
            name, _, value = next(options).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = next(options)
        elif word == "-X":
            method = next(options)
        else:
            url = word
    match = re.fullmatch(r"http://([\d.]+):(\d+)(/.*)", url)
    assert match
    return HttpClient(match[1], int(match[2])).call(
        method or ("POST" if body else "GET"), match[3], body=body, headers=headers
    )


def auth_header(user: str, password: str) -> str:
    """The header line of a user name and password."""
    return f"Authorization: {basic_auth(user, password)['Authorization']}"


def test_the_banner_has_addresses_a_key_and_calls_that_lead_to_a_delivered_mug() -> None:
    process = PythonProcess("run_sim.py", "--port", "0")
    lines = [process.line()]
    while "team-orders/" not in lines[-1]:
        lines.append(process.line())
    text = "\n".join(lines)
    assert lines[0].startswith("giftsim ")
    assert "Authorization: Bearer pk_live_default_prepaid" in text
    assert "/api/teams/v1      Authorization: Bearer ptk_live_default_approver" in text
    assert "runs at 1 x real time" in text
    museum = re.search(r"museum API +(\S+) +user (\S+), password (\S+)", text)
    assert museum, text
    hours = run_curl(f"curl -s {museum[1]}/museum-hours -H '{auth_header(museum[2], museum[3])}'")
    assert (hours.status, len(hours.json())) == (200, 10)
    calls = [call.strip() for call in re.findall(r"^  (curl .*?)(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE)]
    responses = [run_curl(call) for call in calls]
    assert [response.status for response in responses] == [201, 200, 200, 200]
    order, own = responses[0].json()["team_order"], responses[-1].json()
    assert (own["team_order"]["id"], own["recipients"][0]["status"]) == (order["id"], "delivered")
    assert run_curl(re.search(r"curl -s \S+/worlds/default$", text, re.MULTILINE)[0]).status == 200  # type: ignore[index]
    assert process.end() == (0, "")


def test_with_json_one_line_has_the_address(shared_server: ServedSimulator) -> None:
    banner = shared_server.banner
    assert banner["origin"] == f"http://127.0.0.1:{banner['port']}"
    assert banner["control"] == f"{banner['origin']}/_sim/v1"
    assert (banner["host"], banner["world"]) == ("127.0.0.1", "default")
    health = shared_server.client.call("GET", HEALTH).json()
    assert (health["status"], health["version"]) == ("ready", banner["version"])


def test_two_servers_on_port_0_have_worlds_of_their_own(shared_server: ServedSimulator) -> None:
    with serve_simulator("--fixture", "bare") as other:
        assert other.banner["port"] != shared_server.banner["port"] != 0
        world = other.world(id="only-over-there")
        assert shared_server.client.call("GET", f"/_sim/v1/worlds/{world.id}").status == 404


def test_a_port_in_use_is_reported_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "run_sim.py", "--port", port]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    message = f"Error: cannot listen on 127.0.0.1:{port}: Address already in use"
    assert (
        run.stderr
        == f'{message}; try `make run ARGS="serve --port {int(port) + 1}"` (see docs/reference/command-line.md)\n'
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--host", "0.0.0.0"], "--control-token"),
        (["--host", "::"], "--control-token"),
        (["--clock", "fast"], "running@RATE"),
        (["--clock", "running@0"], "running@RATE"),
        (["--clock", "running@1000001"], "running@RATE"),
        (["--now", "tomorrow"], "not an instant"),
        (["--fixture", "nosuch"], "there are bare"),
        (["--forward", "hooks"], "HOST=URL"),
        (["--forward", "hooks.partner.example=http://10.0.0.1:9"], "not on this machine"),
        (["--port", "70000"], "--port"),
        (["--sed", "2"], "--seed"),
        (["--host", "0.0.0.0", "--control-token", "let me in"], "needs 16 characters or more, and this one has 9"),
    ],
)
def test_invalid_options_are_refused_without_a_traceback(options: list[str], message: str) -> None:
    run = CliRunner().invoke(main, ["--port", "0", "--json", *options])
    assert (run.exit_code, run.stdout) == (2, "")
    assert isinstance(run.exception, SystemExit)
    assert message in run.stderr.splitlines()[-1]


RIGHT = "let me in to all worlds"


def test_off_loopback_the_test_control_api_requires_its_token_and_the_interfaces_only_keys() -> None:
    with serve_simulator("--host", "0.0.0.0", "--control-token", RIGHT, "--fixture", "empty") as served:
        client = HttpClient("127.0.0.1", served.banner["port"])
        wrong, right = ({"Authorization": f"Bearer {token}"} for token in ("let me out", RIGHT))
        assert served.banner["origin"] == f"http://127.0.0.1:{served.banner['port']}"
        assert client.call("GET", HEALTH).status == 401
        assert client.call("GET", HEALTH, headers=wrong).status == 401
        assert client.call("GET", HEALTH, headers=right).status == 200
        assert client.call("GET", HEALTH, headers={**right, "Host": "sim.example.org"}).status == 200
        assert client.call("DELETE", "/_sim/v1/worlds/default/faults").status == 401
        key = {"Authorization": "Bearer pk_live_default_prepaid"}
        assert client.call("GET", "/api/external/team-orders", headers=key).status == 200


def test_on_loopback_other_host_names_and_web_pages_are_refused() -> None:
    with serve_simulator("--fixture", "bare", "--host-name", "sim.example.org") as served:
        client, own = served.client, f"localhost:{served.banner['port']}"
        cases: dict[str, tuple[dict[str, str], int, str]] = {
            "by address": ({}, 200, ""),
            "by name": ({"Host": own}, 200, ""),
            "by the name that was added": ({"Host": "sim.example.org"}, 200, ""),
            "its own page": ({"Host": own, "Origin": f"http://{own}"}, 200, ""),
            "a rebound DNS name": ({"Host": "evil.example"}, 403, "foreign_host"),
            "the name of the client library": ({"Host": "giftsim.example"}, 403, "foreign_host"),
            "a page elsewhere": ({"Host": own, "Origin": "https://evil.example"}, 403, "foreign_origin"),
            "a page without an origin": ({"Host": own, "Origin": "null"}, 403, "foreign_origin"),
        }
        for name, (headers, status, code) in cases.items():
            response = client.call("GET", HEALTH, headers=headers)
            assert response.status == status, name
            assert code in response.text, name
        foreign = client.call("POST", "/_sim/v1/worlds", body={"id": "theirs"}, headers={"Host": "evil.example"})
        assert (foreign.status, client.call("GET", "/_sim/v1/worlds/theirs").status) == (403, 404)


def test_options_configure_the_default_world() -> None:
    options = ("--clock", "manual", "--now", "2031-05-06T07:08:09Z", "--seed", "12", "--fixture", "empty")
    with serve_simulator(*options, "--forward", "hooks.partner.example=http://127.0.0.1:9000") as served:
        world = served.client.call("GET", "/_sim/v1/worlds/default").json()
        assert (world["now"], world["seed"], world["fixture"]) == ("2031-05-06T07:08:09Z", 12, "empty")
        assert world["clock"] == {"mode": "manual", "rate": None}
        (row,) = served.client.call("GET", "/_sim/v1/worlds/default/receivers").json()["receivers"]
        assert (row["host"], row["mode"], row["to"]) == ("hooks.partner.example", "forward", "http://127.0.0.1:9000")


def test_links_have_the_public_url() -> None:
    with serve_simulator("--public-url", "https://gifts.example.org", "--fixture", "empty") as served:
        world = served.world()
        assert world.description["urls"]["partner"] == "https://gifts.example.org/api/external"
        created(world.partner().create_order())
        assert world.mail()[0]["links"][0].startswith("https://gifts.example.org/claim/")


# What may be in progress when the process is stopped; each returns a call that would not return by itself.
def start_advance(world: World, _: PartnerClient) -> Callable[[], object]:
    return lambda: world.advance("2h")


def start_resend(world: World, _: PartnerClient) -> Callable[[], object]:
    world.set_receiver(mode="capture")
    world.advance("2h")
    forward(world)
    return lambda: world.call_control("POST", "/deliveries/1/resend")


def start_ping(_: World, partner: PartnerClient) -> Callable[[], object]:
    return lambda: partner.post("/webhooks/1/test")


def start_clock(world: World, _: PartnerClient) -> Callable[[], object]:
    return lambda: world.call_control("PUT", "/clock", {"mode": "running", "rate": 1_000_000})


def forward(world: World) -> None:
    world.set_receiver(mode="forward", to=world.description["receiver"])


@pytest.mark.parametrize(
    ("start", "ending"),
    [
        (start_advance, signal.SIGTERM),
        (start_resend, signal.SIGTERM),
        (start_ping, signal.SIGINT),
        (start_clock, signal.SIGTERM),
    ],
)
def test_the_server_stops_at_once_and_silently_with_a_delivery_in_flight(start: Start, ending: signal.Signals) -> None:
    arrived = threading.Event()

    def never_respond(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        arrived.set()
        connection.recv(1)

    process = PythonProcess("run_sim.py", "--port", "0", "--json", "--fixture", "empty")
    world = ServedSimulator(process).world()
    with http_receiver(never_respond) as machine:
        world.description["receiver"] = f"http://127.0.0.1:{machine.port}"
        forward(world)
        partner = world.partner()
        partner.subscribe("team_order.claimed")
        created(partner.create_order())
        world.simulate("claim", team_order_id=1001, recipient=0)
        call = start(world, partner)
        threading.Thread(target=lambda: call_ignoring_errors(call), daemon=True).start()
        assert arrived.wait(TIMEOUT_S)
        assert stop(process, ending) == (0, "")


def call_ignoring_errors(call: Callable[[], object]) -> None:
    """Make a call whose connection the server will close."""
    with suppress(OSError, HTTPException, AssertionError, json.JSONDecodeError):
        call()


def stop(process: PythonProcess, by: signal.Signals) -> tuple[int, str]:
    """Send a signal and wait until the process ends; its exit status and stderr."""
    process.child.send_signal(by)
    with suppress(subprocess.TimeoutExpired):
        process.child.wait(timeout=20)
    return process.end()


def test_the_server_stops_at_once_with_held_calls() -> None:
    process = PythonProcess("run_sim.py", "--port", "0", "--json", "--fixture", "empty")
    world = ServedSimulator(process).world()
    world.add_fault({"hold": True}, when={"first": 4})
    world.add_fault({"delay_s": 100})
    for n in range(8):
        call = partial(world.partner().create_order, idempotency_key=f"held {n}")
        threading.Thread(target=partial(call_ignoring_errors, call), daemon=True).start()
    wait_until(lambda: sum(row["hits"] for row in world.call_control("GET", "/faults")["faults"]) == 8)
    assert stop(process, signal.SIGTERM) == (0, "")
