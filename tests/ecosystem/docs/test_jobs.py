"""Tests in the documentation run as a reader runs them, by the commands of its GitHub Actions jobs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, pages_with
from tests.docs.shell_session import SIMULATOR_PORT, environment
from tests.docs.test_programs import INSTALL, jobs
from tests.support.composite_action import CompositeAction, Job
from tests.support.free_ports import free_ports

ACTION = re.compile("your-organization/giftsim@")
TRAP = "set -e\ntrap 'for job in $(jobs -p); do kill $job; done' EXIT"
NODE = ("node", "npm", "curl", "bash")


def project(folder: Path) -> Path:
    """A reader's checkout: the blocks as files that pytest and Node find, named for their pages."""
    for info, pattern in (("python pytest", "test_{}_{}.py"), ("js test", "{}_{}.test.mjs")):
        for page in pages_with(info):
            for number, block in enumerate(page.blocks(info)):
                name = pattern.format(page.path.stem.replace("-", "_"), number)
                (folder / name).write_text(block.code, encoding="utf-8")
    return folder


def run_job(name: str, folder: Path) -> str:
    """The output of a job's steps, on ports of their own; whatever they leave running ends with them.

    An exam has all the time that it needs on a busy machine.
    """
    port = str(free_ports(1))
    for file in folder.glob("*.mjs"):
        file.write_text(file.read_text().replace(SIMULATOR_PORT, port))
    (folder / ".temp").mkdir()
    job = Job(folder, folder / ".temp", environment(folder, active=True))
    for step in jobs()[name]["steps"]:
        if ACTION.match(step.get("uses", "")):
            CompositeAction(without=("Install giftsim",)).use(job, {"port": port, **step["with"]})
        elif "run" in step and not INSTALL.match(step["run"]):
            command = (
                step["run"].replace(":9100", f":{free_ports(1)}").replace("giftsim exam", "giftsim exam --budget 8m")
            )
            job.status = "success" if job.run(f"{TRAP}\n{command}") else "failure"
        assert job.status == "success", job.output
    return job.output


def test_the_python_job_runs_the_tests_of_all_pages(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "flask_shop.py", tmp_path / "shop.py")
    output = run_job("python", project(tmp_path))
    assert " 12 passed" in output
    assert re.search(r"^\d+ passed, \d+ not offered ", output, re.MULTILINE), output
    assert (tmp_path / "report.xml").is_file()
    assert (tmp_path / "exam.xml").is_file()


def test_what_a_failed_python_job_keeps_has_the_exam_though_its_folder_is_hidden(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "smallest_shop.py", tmp_path / "shop.py")
    steps = jobs()["python"]["steps"]
    [exam] = [step["run"] for step in steps if "giftsim exam" in step.get("run", "")]
    [upload] = [step["with"] for step in steps if step.get("if") == "failure()"]
    job = Job(tmp_path, tmp_path, environment(tmp_path, active=True))
    assert not job.run(f"{exam.replace(':9100', f':{free_ports(1)}')} --only retries_server_errors --rounds 1")
    kept = {path.relative_to(tmp_path).as_posix() for path in (tmp_path / upload["path"]).rglob("*.html")}
    assert {".giftsim/exam/exam.html", ".giftsim/exam/traces/retries_server_errors.html"} <= kept, job.output
    assert upload["include-hidden-files"] is True


@pytest.mark.skipif(any(shutil.which(name) is None for name in NODE), reason="the job needs Node, npm, curl and bash")
def test_the_node_job_runs_the_tests_of_all_pages(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "shop", "version": "1.0.0"}')
    command = ["npm", "install", "--package-lock-only", "--offline"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=300)
    output = run_job("node", project(tmp_path))
    assert re.search(r"pass 1\b", output), output
    assert re.search(r"fail 0\b", output), output


SCENARIO, STEPS = "yaml scenario", "yaml steps"
BLOCKS = [
    (page.name, block.info, block.code)
    for page in pages_with(SCENARIO, STEPS)
    for block in page.blocks(SCENARIO, STEPS)
]  # fmt: skip
