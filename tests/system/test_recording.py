"""Recordings of calls over HTTP, which get the same bytes when another process replays them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from tests.support.api_clients import WEBHOOK_HOST
from tests.support.orders import RENO, order_body
from tests.support.served_simulator import ROOT, TIMEOUT_S, ServedSimulator
from tests.support.worlds import World

TEAM, PARTNER, MUSEUM = "/api/teams/v1", "/api/external", "/v1.1"
FORWARDED_HOST = "away.partner.example"
NOW = "2027-01-04T09:00:00Z"


FIRST_DIFFERENCE = """\
different: CUT:13: step 3, POST /api/external/webhooks as partner.prepaid
recorded: the response differs
  recorded                                        | now
  status 201                                      | status 201
  content-type: application/json                  | content-type: application/json
  x-ratelimit-limit: 1000000                      | x-ratelimit-limit: 1000000
> x-ratelimit-remaining: 999998                   | x-ratelimit-remaining: 999999
                              ^                   |                             ^
  x-ratelimit-reset: 1799053260                   | x-ratelimit-reset: 1799053260
> x-request-id: req_9bd77cb30abc7c22c302          | x-request-id: req_914b1297ffbbb34f7e0b
                                                  |
  {                                               | {
    "endpoint": {                                 |   "endpoint": {
>     "id": 2,                                    |     "id": 1,
      "url": "https://away.partner.example/gif... |     "url": "https://away.partner.example/gif...
  ...                                             | ...
"""


class RandomCalls:
    """Random calls of clients and testers in one world over HTTP, the same ones for the same seed."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.seed = world, seed
        self.calls = self.draws = 0
        self.orders: list[int] = []

    def pick(self, choices: Any) -> Any:
        """Choose at random."""
        self.draws += 1
        return choices[crc32(f"{self.seed} {self.draws}".encode()) % len(choices)]

    def call(self, name: str | None, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Make a client's call; the response's JSON, or None if the connection is lost or there is no JSON."""
        self.calls += 1
        credential = self.world.credentials[name]["headers"] if name else {"X-Sim-World": self.world.id}
        all_headers = {**credential, **{each.replace("_", "-"): value for each, value in headers.items()}}
        with suppress(OSError, ValueError):
            return self.world.client.call(method, path, body=body, headers=all_headers).json()
        return None

    def subscribe(self, receiver: str) -> None:
        """Subscribe a host that answers by a script, and one that forwards to a real receiver."""
        self.world.set_receiver(WEBHOOK_HOST, script=[{"status": 500}, {"timeout": True}, {"reset": True}])
        self.world.set_receiver(FORWARDED_HOST, mode="forward", to=receiver)
        for host in (WEBHOOK_HOST, FORWARDED_HOST):
            subscription = {"url": f"https://{host}/gifts", "events": ["team_order.claimed", "team_order.shipped"]}
            self.call("partner.prepaid", "POST", f"{PARTNER}/webhooks", subscription)

    def order(self) -> None:
        """Order with one of a few idempotency keys, so that some are used again."""
        body = order_body(idempotency_key=f"key-{self.pick(range(30))}", gift_sender=self.pick(("Ada", "${Ada}")))
        response = self.call(
            self.pick(("partner.prepaid", "partner.net_terms")), "POST", f"{PARTNER}/team-orders", body
        )
        if response and "team_order" in response:
            self.orders.append(response["team_order"]["id"])

    def order_invalid(self) -> None:
        """Send an invalid order, as bytes that JSON data cannot represent."""
        body = self.pick((b'{"a":1,"a":2}', b'{"gift_sender": 1.0}', b"\xff\xfe", b"[]", b'{"gift_sender": "\\ud800"}'))
        self.call(self.pick(("partner.prepaid", "partner.no_funds")), "POST", f"{PARTNER}/team-orders", body)

    def call_unknown(self) -> None:
        """Call with an unknown key, and an unknown route."""
        key = f"Bearer pk_live_{self.world.id}_nobody"
        self.call(None, "GET", f"{PARTNER}/team-orders", Authorization=key)
        self.call("partner.prepaid", self.pick(("GET", "DELETE")), f"{PARTNER}/nothing/%C3%A9?q=%C3%A9")

    def read(self) -> None:
        """Read an order, as JSON and as a table."""
        if self.orders:
            path = f"{PARTNER}/team-orders/{self.pick(self.orders)}"
            self.call("partner.prepaid", "GET", f"{path}{self.pick(('', '?include=claim_links', '/manifest.csv'))}")

    def list_team(self) -> None:
        """Read lists of the team and museum interfaces."""
        self.call("team.live_approver", "GET", f"{TEAM}/{self.pick(('products', 'orders', 'gifts', 'contacts'))}")
        self.call("museum", "GET", f"{MUSEUM}/special-events?startDate=2027-01-01")

    def claim(self) -> None:
        """Claim on the page of a mailed link, or over the control API."""
        links = [link for mail in self.world.mail() for link in mail["links"] if "/claim/" in link]
        if links and self.pick((True, False)):
            path = "/" + self.pick(links).split("/", 3)[3]
            self.call(None, "POST", path, self.pick(({"address": RENO}, {"address": {}})), Accept="application/json")
        elif self.orders:
            claim = {"team_order_id": self.orders[-1], "recipient": 0, "address": RENO}
            self.world.control.post(f"/worlds/{self.world.id}/simulate/claim", claim)

    def order_with_fault(self) -> None:
        """Order with a fault."""
        effects: Any = ({"drop": "after"}, {"drop": "before"}, {"charge": "card_charge_failed"})
        self.world.add_fault(self.pick(effects), match={"interface": "partner"}, when={"first": 1})
        self.order()

    def change_setting(self) -> None:
        """Change a setting."""
        self.world.change_settings(partner__lead_times__production=self.pick(("1h", "1d", "2d")))

    def restore(self) -> None:
        """Take a snapshot, order, and return to the snapshot; then undo a call."""
        self.world.call_control("POST", "/snapshots", {"name": "then"})
        self.order()
        self.world.advance("1d")
        self.world.call_control("POST", "/snapshots/then/restore")
        self.order()
        with suppress(AssertionError):
            self.world.call_control("POST", "/undo", {"count": 1})

    def call_assistant_tool(self) -> None:
        """Call a tool as an assistant."""
        params = {"name": "list_products", "arguments": {}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        accept = "application/json, text/event-stream"
        self.call("team.live_approver", "POST", "/mcp", message, Accept=accept, Mcp_Protocol_Version="2025-06-18")

    def advance(self) -> None:
        """Advance the clock."""
        self.world.advance(self.pick(("90s", "1h", "26h", "3d")))

    def make(self, calls: int) -> None:
        """Make at least so many calls."""
        actions = (
            self.order, self.order, self.order, self.read, self.read, self.order_invalid, self.call_unknown,
            self.list_team, self.claim, self.claim, self.order_with_fault, self.change_setting, self.advance,
            self.advance, self.restore, self.call_assistant_tool,
        )  # fmt: skip
        while self.calls < calls:
            self.pick(actions)()
        self.world.advance("2d")


@pytest.fixture
def start_receiver() -> Iterator[Callable[[Callable[[], object]], str]]:
    """Start receivers that run an action for each delivery and refuse every third; returns their URLs."""
    servers: list[ThreadingHTTPServer] = []

    def start(action: Callable[[], object]) -> str:
        bodies: list[bytes] = []

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                action()
                self.send_response(503 if len(bodies) % 3 == 0 else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), Receiver))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def record_to(file: Path, world: World) -> str:
    """Write the recording of a world to a file; its text."""
    response = world.client.call("GET", f"/_sim/v1/worlds/{world.id}/calls/scenario")
    assert response.status == 200, response.text
    assert response.headers["content-type"] == "application/yaml"
    file.write_bytes(response.body)
    return response.text


def replay(*arguments: str | Path) -> tuple[int, str]:
    """Run `play --exact` in a process with another hash seed; its exit status and output."""
    command = [sys.executable, "run_sim.py", "play", "--exact", *map(str, arguments)]
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "COLUMNS": "100"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=90, check=False)
    return done.returncode, done.stdout + done.stderr


def test_two_hundred_mixed_calls_with_advances_replay_to_the_same_bytes_in_another_process(
    remote_world: Callable[..., World], start_receiver: Callable[[Callable[[], object]], str], tmp_path: Path
) -> None:
    world, file, cut = remote_world(seed=11, now=NOW), tmp_path / "recording.yaml", tmp_path / "cut.yaml"
    calls = RandomCalls(world, 11)
    calls.subscribe(start_receiver(lambda: calls.call("partner.prepaid", "GET", f"{PARTNER}/webhooks/1")))
    calls.make(250)
    text = record_to(file, world)
    assert text.count("- call: ") >= 200
    assert re.search(r"on_delivery:\n +- event: evt_\w+\n +attempt: 1\n +steps:\n +- call: GET /api", text)
    assert "http://127.0.0.1" not in text.partition("\n")[2]  # the first line names the schema for editors
    assert world.id not in text.replace(f"world {world.id}", "")
    status, output = replay(file)
    assert (status, output.partition(",")[0]) == (0, f"same: {file}"), output
    first = re.search(r"(?ms)^  - call: POST /api/external/webhooks$.*?(?=^  - )", text)
    assert first
    cut.write_text(text.replace(first[0], "", 1))
    status, output = replay(cut)
    assert status == 1
    assert output.replace(str(cut), "CUT") == FIRST_DIFFERENCE


@pytest.mark.parametrize("back", ["/snapshots/then/restore", "/reset"])
def test_deliveries_that_a_return_to_an_earlier_state_undoes_are_replayed(
    remote_world: Callable[..., World],
    start_receiver: Callable[[Callable[[], object]], str],
    tmp_path: Path,
    back: str,
) -> None:
    world, file = remote_world(seed=5, now=NOW), tmp_path / "recording.yaml"
    client = RandomCalls(world, 5)
    client.subscribe(start_receiver(lambda: client.call("partner.prepaid", "GET", f"{PARTNER}/webhooks/2")))
    order = client.call("partner.prepaid", "POST", f"{PARTNER}/team-orders", order_body())
    world.simulate("claim", team_order_id=order["team_order"]["id"], recipient=0, address=RENO)
    world.call_control("POST", "/snapshots", {"name": "then"})
    delivered = [row["type"] for row in world.advance("1h")["deliveries"] if FORWARDED_HOST in row["url"]]
    assert delivered == ["team_order.claimed"]
    world.call_control("POST", back)
    client.order()
    record_to(file, world)
    status, output = replay(file)
    assert (status, output.partition(",")[0]) == (0, f"same: {file}"), output


def test_a_recording_of_a_running_clock_replays_with_a_manual_one(
    remote_world: Callable[..., World], tmp_path: Path
) -> None:
    world, file = remote_world(seed=3, clock={"mode": "running", "rate": 50_000}), tmp_path / "recording.yaml"
    calls = RandomCalls(world, 3)
    for _ in range(8):
        calls.order()
        calls.claim()
        calls.read()
    record_to(file, world)
    assert replay(file)[0] == 0, replay(file)[1]


def test_run_records_a_command_and_exits_with_its_status(tmp_path: Path) -> None:
    file, program = tmp_path / "recording.yaml", tmp_path / "client.py"
    program.write_text(
        "import os, urllib.request as u\n"
        "key = os.environ['GIFTSIM_PARTNER_PREPAID']\n"
        "url = os.environ['GIFTSIM_URL'] + '/api/external/team-orders'\n"
        "u.urlopen(u.Request(url, headers={'Authorization': 'Bearer ' + key})).read()\n"
        "raise SystemExit(3)\n"
    )
    command = [sys.executable, "run_sim.py", "run", "--fixture", "empty", "--record", str(file), "--"]
    done = subprocess.run([*command, sys.executable, str(program)], cwd=ROOT, timeout=TIMEOUT_S * 3, check=False)
    assert done.returncode == 3
    assert "  - call: GET /api/external/team-orders\n    as: partner.prepaid\n    recorded:\n" in file.read_text()
    status, output = replay("--json", file)
    assert status == 0
    assert json.loads(output) == [{"file": str(file), "outcome": "same", "steps": 2}]


def test_run_reports_a_command_that_made_no_calls(tmp_path: Path) -> None:
    file = tmp_path / "recording.yaml"
    command = [sys.executable, "run_sim.py", "run", "-q", "--fixture", "bare", "--record", str(file), "--", "true"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, file.exists()) == (0, True)
    assert done.stderr == (
        "the recording is empty: true made no calls to the simulator at $GIFTSIM_URL; give your app that address as the"
        " service's base URL\n"
    )


def test_record_takes_a_recording_from_a_running_simulator(shared_server: ServedSimulator, tmp_path: Path) -> None:
    client, file = shared_server.client, tmp_path / "recording.yaml"
    url = f"http://{client.host}:{client.port}"
    command = [sys.executable, "run_sim.py", "record", "--url", url, "--out", str(file), "--world"]
    done = subprocess.run([*command, "nowhere"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"the simulator at {url} answered 404: there is no world 'nowhere'" in done.stderr
    assert subprocess.run([*command, "default"], cwd=ROOT, check=False).returncode == 0
    assert replay(file)[0] == 0


def test_replay_refuses_an_invalid_file_with_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "recording.yaml"
    file.write_text("scenario: x\nsteps: [{call: GET /x, recordet: {status: 200}}]\n")
    status, output = replay(file)
    assert (status, output) == (
        2,
        f'refused: {file}:2:24: "recordet" is not a member of a call step; did you mean "recorded"?\n',
    )
