"""`serve --processes N`: processes and HAProxy from one command, and processes on several machines (G265)."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.engine.client.over_http import HttpClient as EncryptedClient
from tests.support.responses import created
from tests.support.served_simulator import ROOT, HttpClient, PythonProcess
from tests.support.tools import require_tool
from tests.support.waiting import TIMEOUT_S, wait_until
from tests.support.worlds import World

MANY = 3
COMPOSE = ROOT / "examples" / "compose"


class Served:
    """A group of processes, usable in place of a simulator."""

    def __init__(self, process: PythonProcess) -> None:
        self.process, self.banner = process, json.loads(process.line())
        self.client = HttpClient("127.0.0.1", self.banner["port"])

    def world(self, **config: Any) -> World:
        return World(cast(Simulator, self), **{"fixture": "empty", **config})

    def cli(self, *arguments: str) -> str:
        """What a command prints that calls it."""
        done = CliRunner(env={"GIFTSIM_URL": self.banner["origin"]}).invoke(main, arguments, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout


@contextmanager
def serve(*options: str, environment: dict[str, str] | None = None) -> Iterator[Served]:
    require_tool("haproxy", "haproxy")
    words = ("serve", "--processes", str(MANY), "--port", "0", "--json", "--fixture", "empty", *options)
    process = PythonProcess("run_sim.py", *words, environment=environment)
    try:
        yield Served(process)
    finally:
        status, errors = process.end()
    assert (status, [line for line in errors.splitlines() if "starts again" not in line]) == (0, [])


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serve("--max-worlds", "40") as served:
        yield served


def worlds_everywhere(served: Served) -> list[World]:
    """Worlds of every process: one that was slow to answer HAProxy gets its first calls a moment later."""
    worlds: dict[str, World] = {}

    def every_process_has_one() -> bool:
        world = served.world()
        if worlds.setdefault(world.id.partition("--")[0], world) is not world:
            world.call_control("DELETE", "")
        return len(worlds) == MANY

    wait_until(every_process_has_one)
    return list(worlds.values())


def test_worlds_of_all_processes_have_one_address(served: Served) -> None:
    for world in worlds_everywhere(served):
        order = created(world.partner().create_order())["team_order"]["id"]
        fork = world.call_control("POST", "/fork")["id"]
        assert served.client.call("GET", f"/_sim/v1/worlds/{fork}/orders/{order}").status == 200
        assert world.mail()[0]["links"][0].startswith(served.banner["origin"])


def test_a_call_is_held_and_released(served: Served) -> None:
    for world in worlds_everywhere(served)[:MANY]:
        fault = world.add_fault({"hold": True}, when={"first": 1})
        with ThreadPoolExecutor(1) as pool:
            held = pool.submit(world.partner().create_order)
            wait_until(lambda world=world: world.call_control("GET", "")["counts"]["held"] == 1)  # type: ignore[misc]
            world.call_control("DELETE", f"/faults/{fault}")
            assert held.result(TIMEOUT_S).status == 201


def test_commands_add_up_over_all_processes(served: Served) -> None:
    ids = {world.id for world in worlds_everywhere(served)}
    listed = [row["id"] for row in json.loads(served.cli("worlds", "--json"))]
    assert ids < set(listed)
    assert len(listed) == len(set(listed))


def test_coverage_adds_up_over_all_processes() -> None:
    with serve("--coverage") as served:
        worlds = {world.id.partition("--")[0]: world for world in worlds_everywhere(served)}
        calls = ("/team-orders", "/webhooks", "/balance")
        for world, path in zip(worlds.values(), calls, strict=True):
            world.partner().get(path)
        met = set(json.loads(served.cli("coverage", "--json"))["areas"]["operations"]["met"])
        assert {"listTeamOrders", "listWebhooks"} <= met


def test_a_trace_of_a_world_of_each_process(served: Served, tmp_path: Path) -> None:
    for number, world in enumerate(worlds_everywhere(served)[:MANY]):
        file = tmp_path / f"{number}.html"
        served.cli("trace", "-w", world.id, "--out", str(file))
        assert world.id in file.read_text(encoding="utf-8")


def is_there(world: World) -> bool:
    with suppress(OSError):  # also when its process breaks off
        return world.simulator.client.call("GET", f"/_sim/v1/worlds/{world.id}").status == 200
    return False


def test_a_process_that_is_killed_starts_again_with_its_worlds(tmp_path: Path) -> None:
    with serve("--journal", str(tmp_path / "kept.journal")) as served:
        worlds = worlds_everywhere(served)
        for world in worlds:
            created(world.partner().create_order())
        prefix, pid = next(iter(served.banner["processes"].items()))
        os.kill(pid, signal.SIGKILL)
        mine = next(world for world in worlds if world.id.startswith(f"{prefix}--"))
        wait_until(lambda: is_there(mine))
        assert mine.partner().get("/team-orders").json()["total"] == 1
    assert {file.name for file in tmp_path.iterdir()} == {f"kept-{each}.journal" for each in served.banner["processes"]}


def test_nothing_is_left_of_a_command_that_is_killed(tmp_path: Path) -> None:
    require_tool("haproxy", "haproxy")
    marks = {"TMPDIR": str(tmp_path), "GIFTSIM_STATE": str(tmp_path / "state")}
    words = ("serve", "--processes", str(MANY), "--port", "0", "--json", "--https")
    process = PythonProcess("run_sim.py", *words, environment=marks)
    ports = [json.loads(process.line())["port"]]
    ports += [int(text) for text in re.findall(r"127\.0\.0\.1:(\d+)", next(tmp_path.glob("*/haproxy.cfg")).read_text())]
    assert (len(set(ports)), all(map(is_listening, ports))) == (MANY + 1, True)
    process.child.kill()
    wait_until(lambda: not any(map(is_listening, ports)))
    process.end()
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def is_listening(port: int) -> bool:
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    return False


def test_https_ends_in_the_proxy(tmp_path: Path) -> None:
    state = {"GIFTSIM_STATE": str(tmp_path)}
    with serve("--https", environment=state) as served:
        assert served.banner["origin"].startswith("https://127.0.0.1:")
        context = ssl.create_default_context(cafile=tmp_path / "authority" / "ca.pem")
        with closing(EncryptedClient(served.banner["origin"], timeout_s=TIMEOUT_S, context=context)) as client:
            assert client.call("GET", "/_sim/v1/health").status == 200
            assert client.call("POST", "/_sim/v1/worlds", body={}).status == 201


def test_without_haproxy_the_message_says_what_to_install() -> None:
    done = CliRunner(env={"PATH": ""}).invoke(main, ["serve", "--processes", "2", "--port", "0"])
    assert done.exit_code == 2
    assert "--processes needs HAProxy 2.6 or newer, which is not on this machine: apt-get install" in " ".join(
        done.stderr.split()
    )


def test_a_port_that_is_taken_is_named() -> None:
    require_tool("haproxy", "haproxy")
    with serve() as served:
        port = str(served.banner["port"])
        done = subprocess.run(
            [sys.executable, "run_sim.py", "serve", "--processes", "2", "--port", port],
            cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--processes", "2", "--worlds-prefix", "a"], "--worlds-prefix cannot take effect: --processes chooses one"),
        (["--processes", "2", "--host", "0.0.0.0"], "it requires --control-token-file"),
        (["--processes", "2", "--fixture", "absent"], "process p1a did not start"),
    ],
)
def test_what_cannot_be_served_is_refused(options: list[str], message: str) -> None:
    require_tool("haproxy", "haproxy")
    done = subprocess.run(
        [sys.executable, "run_sim.py", "serve", "--port", "0", *options],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode in (1, 2)
    assert message in " ".join(done.stderr.split())


AT = [word for number in range(1, 4) for word in ("--at", f"giftsim-{number}:8080")]
OF_COMPOSE = [
    *AT,
    "--bind",
    "0.0.0.0:8080",
    "--public-url",
    "http://127.0.0.1:8080",
    "--",
    "--control-token-file",
    "token",
]


def test_the_configuration_of_the_compose_file_is_what_the_command_prints() -> None:
    done = CliRunner().invoke(main, ["serve", "haproxy", *OF_COMPOSE], catch_exceptions=False)
    assert (COMPOSE / "haproxy.cfg").read_text(encoding="utf-8") == done.stdout


def test_the_compose_file_starts_the_processes_of_the_configuration() -> None:
    import yaml

    services = yaml.safe_load((COMPOSE / "three-hosts.yaml").read_text(encoding="utf-8"))["services"]
    done = CliRunner().invoke(
        main, ["serve", "haproxy", *OF_COMPOSE[:6], "--commands", *OF_COMPOSE[6:]], catch_exceptions=False
    )
    for line in done.stdout.splitlines():
        host, _, command = line.removesuffix(" &").partition("$ giftsim ")
        words = command.split()
        assert services[host]["environment"]["GIFTSIM_WORLDS_PREFIX"] == words[words.index("--worlds-prefix") + 1]


def namespaces(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, timeout=TIMEOUT_S)


@pytest.fixture
def hosts() -> Iterator[dict[str, str]]:
    """Three hosts on this machine, which are network namespaces, and a fourth with a bridge between them: by name."""
    require_tool("ip", "iproute2")
    mark = f"gs{os.getpid() % 100000}"
    names = {f"{mark}n{number}": f"10.213.7.{number}" for number in range(1, 5)}
    bridge = f"{mark}n4"  # the fourth host has the bridge too
    try:
        namespaces("netns", "add", bridge)
        namespaces("-n", bridge, "link", "add", "br0", "type", "bridge")
        namespaces("-n", bridge, "addr", "add", f"{names[bridge]}/24", "dev", "br0")
        namespaces("-n", bridge, "link", "set", "br0", "up")
        namespaces("-n", bridge, "link", "set", "lo", "up")
        for name in list(names)[:3]:
            namespaces("netns", "add", name)
            port = f"p{name[-1]}"
            namespaces("-n", bridge, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
            namespaces("-n", bridge, "link", "set", port, "master", "br0", "up")
            namespaces("-n", name, "addr", "add", f"{names[name]}/24", "dev", "eth0")
            for link in ("lo", "eth0"):
                namespaces("-n", name, "link", "set", link, "up")
    except subprocess.CalledProcessError as error:
        remove(names)
        pytest.skip(f"no network namespaces here: {error.stderr.decode().strip()}")
    yield names
    remove(names)


def remove(names: dict[str, str]) -> None:
    for name in names:
        subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)


def call_from(host: str, url: str, method: str, path: str, body: str | None = None) -> Any:
    """Call from a host of the network, with a program that is not kept to loopback addresses as this one is."""
    words = [require_tool("curl", "curl"), "-sS", "-m", "60", "-X", method, url + path]
    words += ["-H", "Authorization: Bearer local-test-control", "-H", "Content-Type: application/json"]
    words += ["-d", body] if body is not None else []
    command = ["ip", "netns", "exec", host, *words]
    done = subprocess.run(command, capture_output=True, timeout=2 * TIMEOUT_S, check=False)
    return json.loads(done.stdout) if done.stdout else {}


def test_processes_on_three_hosts_are_one_simulator(hosts: dict[str, str], tmp_path: Path) -> None:
    haproxy = require_tool("haproxy", "haproxy")
    proxy, address = list(hosts.items())[3]
    (tmp_path / "token").write_text("local-test-control\n")
    at = [word for name in list(hosts)[:3] for word in ("--at", f"{hosts[name]}:8080")]
    options = [*at, "--bind", f"{address}:8080", "--public-url", f"http://{address}:8080"]
    token = ["--", "--control-token-file", str(tmp_path / "token")]
    lines = (
        CliRunner().invoke(main, ["serve", "haproxy", *options, "--commands", *token], catch_exceptions=False).stdout
    )
    file = tmp_path / "haproxy.cfg"
    file.write_text(CliRunner().invoke(main, ["serve", "haproxy", *options, *token], catch_exceptions=False).stdout)
    children = []
    try:
        for name, line in zip(list(hosts)[:3], lines.splitlines(), strict=True):
            words = line.removesuffix(" &").partition("$ giftsim ")[2].split()
            command = ["ip", "netns", "exec", name, sys.executable, str(ROOT / "run_sim.py"), *words]
            children.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        children.append(subprocess.Popen(["ip", "netns", "exec", proxy, haproxy, "-db", "-q", "-f", str(file)]))

        call = partial(call_from, proxy, f"http://{address}:8080/_sim/v1")
        made: dict[str, str] = {}  # by the prefix of each process; one that is not up yet makes none

        def every_process_has_one() -> bool:
            if world := call("POST", "/worlds", "{}").get("id"):
                made.setdefault(world.partition("--")[0], world)
            return len(made) == MANY

        wait_until(every_process_has_one)
        wait_until(lambda: call("GET", "/health").get("status") == "ready")
        for world in made.values():
            assert call("POST", f"/worlds/{world}/clock/advance", '{"by": "1d"}')["to"] == "2027-01-05T09:00:00Z"
    finally:
        for child in children:
            child.terminate()
            child.wait()
