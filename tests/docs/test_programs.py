"""Programs and tests in the documentation run as a reader runs them, by the commands of its GitHub Actions job."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from giftsim import verify
from tests.docs.pages import ROOT, pages, pages_with
from tests.docs.shell_session import SIMULATOR_PORT, TIMEOUT_S, environment
from tests.support.composite_action import CompositeAction, Job
from tests.support.free_ports import free_ports

INSTALL = re.compile(r"""pip install ((?:'[^']+'|"[^"]+"|\S+)(?: \S+)*)""")
REQUIREMENT = re.compile(r"""'[^']+'|"[^"]+"|\S+""")
FROM_INDEX = re.compile(r"(?<![\w./-])giftsim(\[[\w,]+\])?(?!\[| @|[\w./-])")
FROM_GIT = " @ git+$GIFTSIM_GIT"
ACTION = re.compile("your-organization/giftsim@")
TRAP = "set -e\ntrap 'for job in $(jobs -p); do kill $job; done' EXIT"
NODE = ("node", "curl", "bash")
PROGRAMS = [(page.name, block.code) for page in pages_with("python test") for block in page.blocks("python test")]


def jobs() -> dict[str, Any]:
    """The jobs of the one workflow in the documentation."""
    [text] = [block.code for page in pages_with("yaml job") for block in page.blocks("yaml job")]
    workflow = yaml.safe_load(text)
    assert workflow[True] == "push"  # what YAML 1.1 makes of the word `on`
    jobs: dict[str, Any] = workflow["jobs"]
    return jobs


def project(folder: Path) -> Path:
    """A reader's checkout: the blocks as files that pytest and Node find, named for their pages."""
    for info, pattern in (("python pytest", "test_{}_{}.py"), ("js test", "{}_{}.test.mjs")):
        for page in pages_with(info):
            for number, block in enumerate(page.blocks(info)):
                name = pattern.format(page.path.stem.replace("-", "_"), number)
                (folder / name).write_text(block.code, encoding="utf-8")
    return folder


def run_job(name: str, folder: Path) -> str:
    """The output of a job's steps, on a port of their own; whatever they leave running ends with them."""
    port = str(free_ports(1))
    for file in folder.glob("*.mjs"):
        file.write_text(file.read_text().replace(SIMULATOR_PORT, port))
    (folder / ".temp").mkdir()
    job = Job(folder, folder / ".temp", environment(folder, active=True))
    for step in jobs()[name]["steps"]:
        if ACTION.match(step.get("uses", "")):
            CompositeAction(without=("Install giftsim",)).use(job, {"port": port, **step["with"]})
        elif "run" in step and not INSTALL.match(step["run"]):
            job.status = "success" if job.run(f"{TRAP}\n{step['run']}") else "failure"
        assert job.status == "success", job.output
    return job.output


def execute(command: list[str], folder: Path) -> str:
    """The output of a command; an AssertionError with all of it where it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(folder, active=True),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize(("page", "code"), PROGRAMS, ids=[page for page, _ in PROGRAMS])
def test_a_python_program_runs(page: str, code: str, tmp_path: Path) -> None:
    execute([sys.executable, "-c", code], tmp_path)


def test_the_jobs_install_what_there_is() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    installed = [INSTALL.match(step["run"]) for job in jobs().values() for step in job["steps"] if "run" in step]
    named = {each.strip("'\"") for found in installed if found for each in REQUIREMENT.findall(found[1])}
    assert named == {f"giftsim[pytest]{FROM_GIT}", "pytest-xdist", "requests"}
    assert "pytest" in extras


def test_no_page_installs_the_package_from_an_index() -> None:
    """It is on none: an index would have nothing under this name, or something of others."""
    commands = (command for page in pages() for command in re.findall(r"pip install [^`\n]+", page.text))
    assert [command for command in commands if FROM_INDEX.search(command)] == []
    assert FROM_INDEX.search("pip install 'giftsim[pytest]' requests")


def test_the_python_job_runs_the_tests_of_all_pages(tmp_path: Path) -> None:
    output = run_job("python", project(tmp_path))
    assert f"{8 + len(verify.vectors())} passed" in output
    assert (tmp_path / "report.xml").is_file()


@pytest.mark.skipif(any(shutil.which(name) is None for name in NODE), reason="the job needs Node, curl and bash")
def test_the_node_job_runs_the_tests_of_all_pages(tmp_path: Path) -> None:
    output = run_job("node", project(tmp_path))
    assert re.search(r"pass 2\b", output), output
    assert re.search(r"fail 0\b", output), output
