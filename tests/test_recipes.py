"""The README's recipes for a test suite run as they stand there, by the commands of its GitHub Actions job."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.test_readme import PORT, README, ROOT, free_port

BLOCK = re.compile(r"^```(python pytest|js test|yaml job)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INSTALL = re.compile(r"pip install ((?:'[^']+'|\S+)(?: \S+)*)")
TRAP = "set -e\ntrap 'for job in $(jobs -p); do kill $job; done' EXIT"
NODE = ("node", "curl", "bash")


def recipes(kind: str) -> list[str]:
    """The blocks of a kind, in order."""
    found = BLOCK.findall(README.read_text(encoding="utf-8"))
    return [code for name, code in found if name == kind]


def jobs() -> dict[str, Any]:
    """The jobs of the one workflow in the README."""
    [text] = recipes("yaml job")
    workflow = yaml.safe_load(text)
    assert workflow[True] == "push"  # what YAML 1.1 makes of the word `on`
    jobs: dict[str, Any] = workflow["jobs"]
    return jobs


def project(folder: Path) -> Path:
    """Somebody's checkout: the recipes as files that pytest and Node find by themselves."""
    for number, code in enumerate(recipes("python pytest")):
        (folder / f"test_recipe_{number}.py").write_text(code, encoding="utf-8")
    for number, code in enumerate(recipes("js test")):
        (folder / f"recipe{number}.test.mjs").write_text(code, encoding="utf-8")
    return folder


def environment() -> dict[str, str]:
    """A shell in which the packages are installed, this tree's own first."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**kept, "PATH": path, "PYTHONPATH": str(ROOT / "simulator")}


def commands(steps: list[dict[str, Any]]) -> list[str]:
    """What the steps run, but for installing, which is done already."""
    return [step["run"] for step in steps if "run" in step and not INSTALL.match(step["run"])]


def ran(job: str, folder: Path) -> str:
    """The output of a job's commands on a port of its own; whatever they left running ends with them."""
    script = "\n".join([TRAP, *commands(jobs()[job]["steps"])])
    code = script.replace(PORT, free_port())
    for file in folder.glob("*.mjs"):
        port = re.search(r"--port (\d+)", code)
        file.write_text(file.read_text().replace(PORT, port[1] if port else PORT))
    done = subprocess.run(
        ["bash", "-c", code], cwd=folder, env=environment(), capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_jobs_install_what_there_is() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    installed = [INSTALL.match(step["run"]) for job in jobs().values() for step in job["steps"] if "run" in step]
    named = " ".join(found[1] for found in installed if found).replace("'", "").split()
    assert set(named) == {"giftsim[pytest]", "giftsim", "pytest-xdist", "requests"}
    assert "pytest" in extras


def test_the_python_job_runs_the_pytest_recipes(tmp_path: Path) -> None:
    said = ran("python", project(tmp_path))
    assert "4 passed" in said
    assert (tmp_path / "report.xml").is_file()


@pytest.mark.skipif(any(shutil.which(name) is None for name in NODE), reason="the job is for Node and curl")
def test_the_node_job_runs_the_node_recipes(tmp_path: Path) -> None:
    said = ran("node", project(tmp_path))
    assert re.search(r"pass 2\b", said), said
    assert re.search(r"fail 0\b", said), said
