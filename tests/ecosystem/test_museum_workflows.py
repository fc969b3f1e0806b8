"""The recipe of the documentation for the museum's public workflows, run with the current runner.

The public files are not part of this project. Workflows of the same form stand for them, in a repository that `git
clone` finds at the public address; MUSEUM_EXAMPLE may name a checkout of the public ones.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, page
from tests.support.node_packages import TREE, node_packages
from tests.support.served_simulator import ServedSimulator, serve_simulator
from tests.support.tools import require_tool

PUBLIC = "https://github.com/Redocly/museum-openapi-example"
MUSEUM_EXAMPLE = "GIFTSIM_MUSEUM_EXAMPLE"
OWN = TREE.with_name("museum")
RECIPE = page(DOCS / "tutorials" / "museum-ticket.md")
NPX = re.compile(r"npx (@redocly/cli)@([\d.]+)")
TOOLS = (("git", "git"), ("perl", "perl"), ("curl", "curl"), ("node", "nodejs"))


def stand_in(folder: Path, simulator: ServedSimulator) -> Path:
    """A repository with workflows, and with the description that the simulator publishes."""
    shutil.copytree(OWN, folder)
    (folder / "openapi.yaml").write_bytes(simulator.client.call("GET", "/openapi/museum.json").body)
    author = ("-c", "user.name=Museum", "-c", "user.email=museum@example.com")
    for command in (("init", "-q"), ("add", "."), (*author, "commit", "-q", "-m", "Workflows")):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    return folder


def run_recipe(folder: Path, source: Path, simulator: ServedSimulator) -> str:
    """What the recipe prints, run in a folder as a reader would, with the runner that is installed already."""
    script = "\n".join(["set -eu", *(block.code for block in RECIPE.blocks("sh ecosystem"))])
    script = NPX.sub("redocly", script).replace("8080", str(simulator.banner["port"]))
    variables = {
        "PATH": os.pathsep.join([str(node_packages() / ".bin"), os.environ["PATH"]]),
        "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{source.as_uri()}.insteadOf", "GIT_CONFIG_VALUE_0": PUBLIC,
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    return output


def test_the_recipe_runs_every_workflow_of_the_museum(tmp_path: Path) -> None:
    for program, package in TOOLS:
        require_tool(program, package)
    (tmp_path / "reader").mkdir()
    with serve_simulator("--clock", "manual") as simulator:
        checkout = os.environ.get(MUSEUM_EXAMPLE)
        source = Path(checkout) if checkout else stand_in(tmp_path / "museum", simulator)
        output = run_recipe(tmp_path / "reader", source, simulator)
    for line in RECIPE.blocks("text")[-1].code.strip().splitlines():
        assert line.strip() in output


def test_the_recipe_names_the_runner_that_is_pinned() -> None:
    [(name, version)] = [found for block in RECIPE.blocks("sh ecosystem") for found in NPX.findall(block.code)]
    assert f'"{name}": "{version}"' in (TREE / "package.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["condition: $.name == 'A b'", "condition: $[?@.name == 'A b']"])
def test_the_recipe_rewrites_conditions_of_the_older_form_only(text: str) -> None:
    [program] = re.findall(r"perl -pi -e '(.*)'", RECIPE.text)
    perl = require_tool("perl", "perl")
    done = subprocess.run([perl, "-pe", program], input=text, capture_output=True, text=True, check=True)
    assert done.stdout == "condition: $[?@.name == 'A b']"
