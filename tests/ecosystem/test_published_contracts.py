"""The published contracts pass public validators and linters, and clients that public generators make of them work."""

from __future__ import annotations

import compileall
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from giftsim.build import CONTRACTS
from tests.docs.pages import DOCS, page
from tests.support.node_packages import TREE, node_project, run_node
from tests.support.served_simulator import ServedSimulator, serve_simulator

SOURCES = TREE.with_name("generated")
FOR_TYPESCRIPT, FOR_PYTHON = (
    block.code for block in page(DOCS / "how-to" / "test-in-any-language.md").blocks("sh ecosystem")
)
NPX = re.compile(r"npx (\S+?)@[\d.]+")
COMPILER = {
    "strict": True, "noUncheckedIndexedAccess": True, "module": "nodenext", "target": "es2022", "types": ["node"],
    "outDir": "out",
}  # fmt: skip


@pytest.fixture(scope="module")
def simulator() -> Iterator[ServedSimulator]:
    with serve_simulator("--clock", "manual") as simulator:
        yield simulator


@pytest.fixture(scope="module")
def descriptions(simulator: ServedSimulator) -> dict[str, Any]:
    return {name: simulator.client.call("GET", f"/openapi/{name}.json").json() for name in CONTRACTS}


def origin(simulator: ServedSimulator) -> str:
    return f"http://127.0.0.1:{simulator.banner['port']}"


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_validator_finds_nothing(descriptions: dict[str, Any], name: str) -> None:
    validate(descriptions[name])


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_linter_finds_nothing_by_its_recommended_rules(
    descriptions: dict[str, Any], tmp_path: Path, name: str
) -> None:
    node_project(tmp_path)
    (tmp_path / "described.json").write_text(json.dumps(descriptions[name], indent=1), encoding="utf-8")
    output = run_node(
        tmp_path, "redocly", "lint", "--extends", "recommended", "--format", "json", "described.json",
        REDOCLY_TELEMETRY="off", REDOCLY_SUPPRESS_UPDATE_NOTICE="true",
    )  # fmt: skip
    report = json.loads(output[output.index("{") :])
    assert report["problems"] == []
    assert report["totals"] == {"errors": 0, "warnings": 0, "ignored": 0}


def test_the_main_flows_run_with_clients_for_typescript(simulator: ServedSimulator, tmp_path: Path) -> None:
    node_project(tmp_path, SOURCES / "flow.ts")
    config = {"compilerOptions": COMPILER, "files": ["flow.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")
    commands = NPX.sub(r"\1", FOR_TYPESCRIPT).replace("http://127.0.0.1:8080", origin(simulator))
    run_node(tmp_path, "bash", "-ec", commands)
    run_node(tmp_path, "tsc", "--project", ".")
    assert run_node(tmp_path, "node", "out/flow.js", origin(simulator)) == "all flows\n"


def test_the_page_names_the_versions_that_are_pinned() -> None:
    pinned = json.loads((TREE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    named = re.findall(r"npx (\S+?)@([\d.]+)", page(DOCS / "how-to" / "test-in-any-language.md").text)
    assert dict(named) == {name: pinned[name] for name, _ in named}


def test_the_main_flows_run_with_clients_for_python(simulator: ServedSimulator, tmp_path: Path) -> None:
    commands = FOR_PYTHON.replace("http://127.0.0.1:8080", origin(simulator))
    python = Path(sys.executable).parent
    variables = {**os.environ, "PATH": f"{python}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(tmp_path)}
    run(tmp_path, variables, "bash", "-ec", commands)
    assert run(tmp_path, variables, sys.executable, str(SOURCES / "flow.py"), origin(simulator)) == "all flows\n"
    assert compileall.compile_dir(tmp_path, quiet=1)


def run(folder: Path, variables: dict[str, str], *command: str) -> str:
    """What a command prints; AssertionError if it fails."""
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
