"""The server process: its start, its banner, who may hold the control plane, and its end whatever is under way."""

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
from giftsim.gateway.in_process_client import Answer
from tests.harness import Face, World
from tests.interfaces.partner.till import made
from tests.raw_receiver import receiving
from tests.system.patience import until
from tests.system.served import PATIENCE_S, ROOT, HttpClient, Process, Served, serving

HEALTH = "/_sim/v1/health"
Start = Callable[[World, Face], Callable[[], object]]


def pasted(command: str) -> Answer:
    """What a curl command of the banner gets, without curl."""
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
    found = re.fullmatch(r"http://([\d.]+):(\d+)(/.*)", url)
    assert found
    return HttpClient(found[1], int(found[2])).call(
        method or ("POST" if body else "GET"), found[3], body=body, headers=headers
    )


def test_the_banner_names_addresses_and_a_key_and_its_three_calls_work() -> None:
    process = Process("run_sim.py", "--port", "0")
    lines = [process.line()]
    while "advance" not in lines[-1]:
        lines.append(process.line())
    text = "\n".join(lines)
    assert lines[0].startswith("giftsim ")
    assert "Authorization: Bearer pk_live_default_prepaid" in text
    assert "/api/teams/v1      Authorization: Bearer ptk_live_default_approver" in text
    assert "runs at 1 x real time" in text
    calls = [call.strip() for call in re.findall(r"^  (curl .*?)(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE)]
    answers = [pasted(call) for call in calls]
    assert [answer.status for answer in answers] == [201, 200, 200]
    assert answers[1].json()["mail"][-1]["to"] == "bo@example.com"
    assert pasted(re.search(r"curl -s \S+/worlds/default$", text, re.MULTILINE)[0]).status == 200  # type: ignore[index]
    assert process.end() == (0, "")


def test_with_json_one_line_says_where_it_listens(shared_server: Served) -> None:
    told = shared_server.banner
    assert told["origin"] == f"http://127.0.0.1:{told['port']}"
    assert told["control"] == f"{told['origin']}/_sim/v1"
    assert (told["host"], told["world"]) == ("127.0.0.1", "default")
    health = shared_server.client.call("GET", HEALTH).json()
    assert (health["status"], health["version"]) == ("ready", told["version"])


def test_two_servers_on_port_0_do_not_meet(shared_server: Served) -> None:
    with serving("--fixture", "bare") as other:
        assert other.banner["port"] != shared_server.banner["port"] != 0
        world = other.world(id="only-over-there")
        assert shared_server.client.call("GET", f"/_sim/v1/worlds/{world.id}").status == 404


def test_a_port_that_is_taken_is_one_clear_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "run_sim.py", "--port", port]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == f"Error: cannot listen on 127.0.0.1:{port}: Address already in use\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "--control-token"),
        (["--host", "::"], "--control-token"),
        (["--clock", "fast"], "running@RATE"),
        (["--clock", "running@0"], "running@RATE"),
        (["--clock", "running@1000001"], "running@RATE"),
        (["--now", "tomorrow"], "no instant"),
        (["--fixture", "nosuch"], "there are bare"),
        (["--forward", "hooks"], "HOST=URL"),
        (["--forward", "hooks.partner.example=http://10.0.0.1:9"], "not on this machine"),
        (["--port", "70000"], "--port"),
        (["--sed", "2"], "--seed"),
    ],
)
def test_options_that_make_no_sense_are_refused_without_a_trace(options: list[str], said: str) -> None:
    run = CliRunner().invoke(main, ["--port", "0", "--json", *options])
    assert (run.exit_code, run.stdout) == (2, "")
    assert isinstance(run.exception, SystemExit)
    assert said in run.stderr.splitlines()[-1]


def test_off_loopback_the_control_plane_wants_its_token_and_the_interfaces_their_keys() -> None:
    with serving("--host", "0.0.0.0", "--control-token", "let me in", "--fixture", "empty") as served:
        client = HttpClient("127.0.0.1", served.banner["port"])
        wrong, right = ({"Authorization": f"Bearer {token}"} for token in ("let me out", "let me in"))
        assert client.call("GET", HEALTH).status == 401
        assert client.call("GET", HEALTH, headers=wrong).status == 401
        assert client.call("GET", HEALTH, headers=right).status == 200
        assert client.call("GET", HEALTH, headers={**right, "Host": "sim.example.org"}).status == 200
        assert client.call("DELETE", "/_sim/v1/worlds/default/faults").status == 401
        key = {"Authorization": "Bearer pk_live_default_prepaid"}
        assert client.call("GET", "/api/external/team-orders", headers=key).status == 200


def test_on_loopback_foreign_names_and_pages_are_refused() -> None:
    with serving("--fixture", "bare", "--host-name", "sim.example.org") as served:
        client, own = served.client, f"localhost:{served.banner['port']}"
        cases: dict[str, tuple[dict[str, str], int, str]] = {
            "by address": ({}, 200, ""),
            "by name": ({"Host": own}, 200, ""),
            "by the name that was added": ({"Host": "sim.example.org"}, 200, ""),
            "its own page": ({"Host": own, "Origin": f"http://{own}"}, 200, ""),
            "a rebound name": ({"Host": "evil.example"}, 403, "foreign_host"),
            "the name of the client library": ({"Host": "giftsim.example"}, 403, "foreign_host"),
            "a page elsewhere": ({"Host": own, "Origin": "https://evil.example"}, 403, "foreign_origin"),
            "a page of nobody": ({"Host": own, "Origin": "null"}, 403, "foreign_origin"),
        }
        for name, (headers, status, code) in cases.items():
            answer = client.call("GET", HEALTH, headers=headers)
            assert answer.status == status, name
            assert code in answer.text, name
        foreign = client.call("POST", "/_sim/v1/worlds", body={"id": "theirs"}, headers={"Host": "evil.example"})
        assert (foreign.status, client.call("GET", "/_sim/v1/worlds/theirs").status) == (403, 404)


def test_the_default_world_is_as_the_options_say() -> None:
    options = ("--clock", "manual", "--now", "2031-05-06T07:08:09Z", "--seed", "12", "--fixture", "empty")
    with serving(*options, "--forward", "hooks.partner.example=http://127.0.0.1:9000") as served:
        world = served.client.call("GET", "/_sim/v1/worlds/default").json()
        assert (world["now"], world["seed"], world["fixture"]) == ("2031-05-06T07:08:09Z", 12, "empty")
        assert world["clock"] == {"mode": "manual", "rate": None}
        (row,) = served.client.call("GET", "/_sim/v1/worlds/default/receivers").json()["receivers"]
        assert (row["host"], row["mode"], row["to"]) == ("hooks.partner.example", "forward", "http://127.0.0.1:9000")


def test_links_are_written_for_the_address_that_people_use() -> None:
    with serving("--public-url", "https://gifts.example.org", "--fixture", "empty") as served:
        world = served.world()
        assert world.about["urls"]["partner"] == "https://gifts.example.org/api/external"
        made(world.partner().order())
        assert world.mail()[0]["links"][0].startswith("https://gifts.example.org/claim/")


# What can be under way when the process is told to end; each makes a call that does not come back by itself.
def advancing(world: World, _: Face) -> Callable[[], object]:
    return lambda: world.advance("2h")


def resending(world: World, _: Face) -> Callable[[], object]:
    world.receiver(mode="capture")
    world.advance("2h")
    forward(world)
    return lambda: world.ask("POST", "/deliveries/1/resend")


def pinging(_: World, partner: Face) -> Callable[[], object]:
    return lambda: partner.post("/webhooks/1/test")


def running(world: World, _: Face) -> Callable[[], object]:
    return lambda: world.ask("PUT", "/clock", {"mode": "running", "rate": 1_000_000})


def forward(world: World) -> None:
    world.receiver(mode="forward", to=world.about["receiver"])


@pytest.mark.parametrize(
    ("start", "ending"),
    [
        (advancing, signal.SIGTERM),
        (resending, signal.SIGTERM),
        (pinging, signal.SIGINT),
        (running, signal.SIGTERM),
    ],
)
def test_it_ends_at_once_and_silently_with_a_delivery_in_flight(start: Start, ending: signal.Signals) -> None:
    arrived = threading.Event()

    def never_answer(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        arrived.set()
        connection.recv(1)

    process = Process("run_sim.py", "--port", "0", "--json", "--fixture", "empty")
    world = Served(process).world()
    with receiving(never_answer) as machine:
        world.about["receiver"] = f"http://127.0.0.1:{machine.port}"
        forward(world)
        partner = world.partner()
        partner.subscribe("team_order.claimed")
        made(partner.order())
        world.simulate("claim", team_order_id=1001, recipient=0)
        call = start(world, partner)
        threading.Thread(target=lambda: quietly(call), daemon=True).start()
        assert arrived.wait(PATIENCE_S)
        assert ended(process, ending) == (0, "")


def quietly(call: Callable[[], object]) -> None:
    """Make a call whose connection the other side will break."""
    with suppress(OSError, HTTPException, AssertionError, json.JSONDecodeError):
        call()


def ended(process: Process, by: signal.Signals) -> tuple[int, str]:
    """Send the signal, and wait for what `end` gives."""
    process.child.send_signal(by)
    with suppress(subprocess.TimeoutExpired):
        process.child.wait(timeout=5)
    return process.end()


def test_it_ends_at_once_with_calls_parked() -> None:
    process = Process("run_sim.py", "--port", "0", "--json", "--fixture", "empty")
    world = Served(process).world()
    world.fault({"hold": True}, when={"first": 4})
    world.fault({"delay_s": 100})
    for n in range(8):
        call = partial(world.partner().order, idempotency_key=f"parked {n}")
        threading.Thread(target=partial(quietly, call), daemon=True).start()
    until(lambda: sum(row["hits"] for row in world.ask("GET", "/faults")["faults"]) == 8)
    assert ended(process, signal.SIGTERM) == (0, "")
