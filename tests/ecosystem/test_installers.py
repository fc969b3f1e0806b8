"""The wheel installs as users install it: by uvx, by pipx, and in an empty environment of every Python that is here."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import DOCS, page
from tests.support.python_tools import INSTALLERS, build_wheel, clean_environment, installed_tools, interpreters
from tests.support.served_simulator import ROOT

TIMEOUT_S = 300
TEST = """
import hypothesis  # an extra


def test_a_gift_ships(giftsim):
    giftsim.subscribe("team_order.shipped")
    giftsim.claim(giftsim.call("POST", "/api/external/team-orders", {
        "idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}]}, credential="partner.prepaid"))
    giftsim.advance("3d")
    giftsim.assert_webhook("team_order.shipped", times=1)


def test_people_can_be_invented(giftsim):
    people = {"extends": "empty", "people": [{"team": "northwind", "generated": 2}]}
    assert giftsim.transport.call("POST", "/_sim/v1/worlds", body={"fixture": people}).status == 201


def test_a_pdf_can_be_drawn():
    import giftsim.services.gifting.interfaces.team.pdf
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `make dist` builds."""
    return build_wheel(tmp_path_factory.mktemp("dist"))


@pytest.fixture
def env(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a user who has never installed anything. What is installed is removed: it is large."""
    own = {"HOME": tmp_path, "PIPX_HOME": tmp_path / "pipx", "PIPX_BIN_DIR": tmp_path / "bin", "UV_NO_CONFIG": "1"}
    yield clean_environment(
        **{name: str(value) for name, value in own.items()},
        UV_PYTHON_DOWNLOADS="never",
        UV_CACHE_DIR=str(ROOT / ".cache" / "uv"),
    )
    shutil.rmtree(tmp_path)


def run(command: list[str], folder: Path, env: Mapping[str, str]) -> str:
    """The output of a command that must succeed."""
    done = subprocess.run(
        command, cwd=folder, env=dict(env), capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@contextmanager
def served(command: list[str], folder: Path, env: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The banner of a simulator that a command starts; it has to stop by SIGTERM."""
    options = ["serve", "--port", "0", "--json"]
    with subprocess.Popen(
        [*command, *options], cwd=folder, env=dict(env), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout
        assert child.stderr
        line = child.stdout.readline()
        assert line, child.stderr.read()
        yield json.loads(line)
        child.terminate()
        assert child.wait(60) == 0, child.stderr.read()


def test_uvx_runs_the_wheel(wheel: Path, env: dict[str, str], tmp_path: Path) -> None:
    uvx = [str(installed_tools(INSTALLERS) / "uvx"), "--python", sys.executable, "--from"]
    with served([*uvx, str(wheel), "giftsim"], tmp_path, env) as banner:
        health = run([*uvx, str(wheel), "giftsim", "wait", "--timeout", "0", "--url", banner["origin"]], tmp_path, env)
    assert f"giftsim {banner['version']} is ready" in health
    help_ = run([*uvx, f"giftsim[explore] @ {wheel.as_uri()}", "giftsim", "explore", "--help"], tmp_path, env)
    assert "--seeds" in help_


def test_pipx_runs_and_installs_the_wheel(wheel: Path, env: dict[str, str], tmp_path: Path) -> None:
    pipx = [str(installed_tools(INSTALLERS) / "pipx")]
    run([*pipx, "install", "--python", sys.executable, str(wheel)], tmp_path, env)
    with served([str(tmp_path / "bin" / "giftsim")], tmp_path, env) as banner:
        health = run(
            [str(tmp_path / "bin" / "giftsim"), "wait", "--timeout", "0", "--url", banner["origin"]], tmp_path, env
        )
    assert "is ready" in health
    run([*pipx, "uninstall", "giftsim"], tmp_path, env)
    assert not (tmp_path / "bin" / "giftsim").exists()


def test_the_commands_of_the_page_work(wheel: Path, env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "wheels").mkdir()
    shutil.copy(wheel, tmp_path / "wheels")
    commands = "".join(block.code for block in page(DOCS / "how-to" / "install.md").blocks("sh installers"))
    path = f"{installed_tools(INSTALLERS)}{os.pathsep}{tmp_path / 'bin'}{os.pathsep}{env['PATH']}"
    python = {"UV_PYTHON": sys.executable, "PIPX_DEFAULT_PYTHON": sys.executable}
    output = run(["sh", "-euc", commands], tmp_path, {**env, **python, "PATH": path})
    assert output.count("giftsim, version 0.2.0") == 2


def test_there_is_more_than_one_python() -> None:
    """A machine with only one is not a failure; the test says so."""
    if len(interpreters()) == 1:
        pytest.skip(f"this machine has Python {next(iter(interpreters()))} only: newer ones are not tried")


@pytest.mark.parametrize("version", interpreters())
def test_it_works_in_an_empty_environment(version: str, wheel: Path, env: dict[str, str], tmp_path: Path) -> None:
    uv = str(installed_tools(INSTALLERS) / "uv")
    run([uv, "venv", "-q", "--python", interpreters()[version], "env"], tmp_path, env)
    env = env | {"VIRTUAL_ENV": str(tmp_path / "env")}
    command = str(tmp_path / "env" / "bin" / "giftsim")
    run([uv, "pip", "install", "-q", str(wheel)], tmp_path, env)
    run([uv, "pip", "check"], tmp_path, env)
    listed = run([uv, "pip", "freeze"], tmp_path, env)
    assert not {"pytest", "faker", "hypothesis", "jsonschema"} & {line.split("==")[0] for line in listed.splitlines()}
    with served([command], tmp_path, env) as banner:
        assert "is ready" in run([command, "wait", "--timeout", "0", "--url", banner["origin"]], tmp_path, env)

    run([uv, "pip", "install", "-q", f"giftsim[pytest,explore] @ {wheel.as_uri()}"], tmp_path, env)
    run([uv, "pip", "check"], tmp_path, env)
    (tmp_path / "test_it.py").write_text(TEST)
    output = run([str(tmp_path / "env" / "bin" / "python"), "-W", "error", "-m", "pytest", "-q"], tmp_path, env)
    assert "3 passed" in output
