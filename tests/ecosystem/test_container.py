"""The container image: small, without rights, healthy, cleanly stopped; alone, by compose and by Testcontainers."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, page
from tests.support.containers import IMAGE, Containers, containers, only
from tests.support.free_ports import free_ports
from tests.support.node_packages import node_project, run_node
from tests.support.python_tools import clean_environment, installed_tools
from tests.support.served_simulator import ROOT, HttpClient
from tests.support.waiting import wait_until

HERE = ROOT / "tests" / "ecosystem"
LOCK = HERE / "containers" / "requirements.lock"
PAGE = page(DOCS / "how-to" / "run-in-ci.md")
TOKEN = {"Authorization": "Bearer local-test-control"}
LARGEST_MB = 130  # what the image may add to its base; holidays of the calendar are 8 of them


@pytest.fixture(scope="module")
def engine() -> Containers:
    """Podman with an image of giftsim as it is now."""
    return containers()


@pytest.fixture
def port() -> str:
    """A free port of this machine."""
    return str(free_ports(1))


@pytest.fixture
def container(engine: Containers, port: str) -> Iterator[str]:
    """A container that keeps its worlds, on a published port; its name."""
    name = f"giftsim-{port}"
    engine.run(
        "podman", "run", "-d", "--name", name, "-p", f"127.0.0.1:{port}:8080",
        "-e", "GIFTSIM_CONTROL_TOKEN=local-test-control", "-e", "GIFTSIM_CLOCK=manual",
        "-e", "GIFTSIM_JOURNAL=/data/worlds.journal", "-v", f"{name}:/data", IMAGE,
    )  # fmt: skip
    yield name
    engine.run("podman", "rm", "-f", "-t", "0", name)
    engine.run("podman", "volume", "rm", name)


def client(engine: Containers, container: str, port: str) -> HttpClient:
    """A client of a container that is ready."""
    engine.run("podman", "exec", container, "giftsim", "wait")
    return HttpClient("127.0.0.1", int(port))


def session(code: str, **ports: str) -> str:
    """The commands of the page, with free ports of this machine for the published ones."""
    for published, own in ports.items():
        code = code.replace(f"127.0.0.1:{published.removeprefix('p')}", f"127.0.0.1:{own}")
    return code


def test_the_image_says_what_it_is_and_holds_nothing_else(engine: Containers) -> None:
    image = only(json.loads(engine.run("podman", "image", "inspect", IMAGE)))
    config = image["Config"]
    assert (config["User"], config["Entrypoint"], config["Cmd"]) == ("10001:10001", ["giftsim"], ["serve"])
    assert image["Healthcheck"]["Test"] == ["CMD", "giftsim", "wait", "--timeout", "0"]
    assert list(config["ExposedPorts"]) == ["8080/tcp"]
    own = "du -sm /opt/giftsim | cut -f1; ls /opt/giftsim/bin; find / -xdev -user 10001 -not -path '/proc/*'; ls /"
    size, *words = engine.run("podman", "run", "--rm", "--entrypoint", "sh", IMAGE, "-c", own).split()
    assert int(size) <= LARGEST_MB
    assert {"giftsim", "/data"} <= set(words)
    assert {"pip", "hatchling", "src"}.isdisjoint(words)


def test_it_does_not_start_without_a_token(engine: Containers) -> None:
    output = engine.run("podman", "run", "--rm", IMAGE, check=False)
    assert "GIFTSIM_HOST 0.0.0.0 is reachable from other machines: it requires a token" in output


def test_it_serves_is_healthy_and_stops_cleanly(engine: Containers, container: str, port: str) -> None:
    calls = client(engine, container, port)
    assert calls.call("POST", "/_sim/v1/worlds", body={"id": "kept"}, headers=TOKEN).status == 201
    assert calls.call("GET", "/_sim/v1/worlds").status == 401
    engine.run("podman", "healthcheck", "run", container)
    assert "2027-01-04T09:00:00Z" in engine.run("podman", "exec", container, "giftsim", "now")
    assert "no simulator answers" in engine.run(
        "podman", "exec", container, "giftsim", "wait", "--timeout", "0", "--url", "http://127.0.0.1:1", check=False
    )
    engine.run("podman", "stop", "-t", "20", container)
    state = only(json.loads(engine.run("podman", "inspect", container)))["State"]
    assert (state["ExitCode"], state["OOMKilled"]) == (0, False)

    engine.run("podman", "start", container)
    assert client(engine, container, port).call("GET", "/_sim/v1/worlds/kept", headers=TOKEN).status == 200


def test_the_commands_of_the_page_work(engine: Containers, port: str) -> None:
    commands = session("".join(block.code for block in PAGE.blocks("sh container")), p8080=port)
    output = engine.run("sh", "-euc", commands)
    assert '{"worlds":[{"id":"default",' in output
    assert "the newest 3 of 19" in output


def test_an_app_and_its_receiver_by_compose(engine: Containers, port: str) -> None:
    app = str(free_ports(1))
    commands = session("".join(block.code for block in PAGE.blocks("sh compose")), p8080=port, p9000=app)
    output = engine.run(
        "sh", "-euc", f"cd {ROOT}\n{commands}",
        env={
            "PATH": f"{installed_tools(LOCK)}{os.pathsep}{engine.env['PATH']}", "COMPOSE_PROJECT_NAME": f"shop{app}",
            "GIFTSIM_PUBLISHED": port, "APP_PUBLISHED": app,
        },
    )  # fmt: skip
    assert '["team_order.claimed", "team_order.shipped"]' in output
    assert f"http://127.0.0.1:{port}/claim/" in output


def test_testcontainers_for_python(engine: Containers) -> None:
    code = only(PAGE.blocks("python testcontainers")).code
    with engine.service() as variables:
        python = installed_tools(LOCK) / "python"
        assert engine.run(python, "-W", "error", "-c", code, env=variables) == "w1 200\n"
    wait_until(lambda: IMAGE not in engine.run("podman", "ps", "--format", "{{.Image}}"))


def test_testcontainers_for_node(engine: Containers, tmp_path: Path) -> None:
    project = node_project(tmp_path, tree=HERE / "testcontainers")
    (project / "test.mjs").write_text(only(PAGE.blocks("js testcontainers")).code)
    with engine.service() as variables:
        assert run_node(project, "node", "test.mjs", timeout_s=120, **variables) == "w1 200\n"


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_everything_has_wheels_for_both_architectures(machine: str, tmp_path: Path) -> None:
    uv = installed_tools(HERE / "installers" / "requirements.lock") / "uv"
    command = [
        uv, "pip", "install", "--dry-run", "--target", tmp_path, "--python-version", "3.13", "--only-binary", ":all:",
        "--python-platform", f"{machine}-manylinux_2_28", "--require-hashes", "-r", ROOT / "locks" / "run.lock",
    ]  # fmt: skip
    done = subprocess.run(
        list(map(str, command)), env=clean_environment(UV_CACHE_DIR=str(ROOT / ".cache" / "uv")), capture_output=True,
        text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
