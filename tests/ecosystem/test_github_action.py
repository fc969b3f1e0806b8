"""The GitHub Action of `action.yml`: its shell lines run in bash, in the order and under the conditions of a job."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.workbench.exam.junit_file import exam_junit
from tests.docs.pages import ROOT
from tests.docs.shell_session import environment
from tests.ecosystem.test_install import OFFLINE, SOURCES, lend_dependencies
from tests.scenario.builders import write_files
from tests.support.composite_action import CompositeAction, Job
from tests.support.free_ports import free_ports
from tests.support.junit_files import FILES
from tests.support.tools import REQUIRED, require_tool

SCHEMA = ROOT / "tests" / "data" / "schemas" / "junit-10.xsd"


def test_a_report_with_all_outcomes_is_valid(tmp_path: Path) -> None:
    xmllint = require_tool("xmllint", "libxml2-utils")
    write_files(tmp_path, **FILES)
    report = tmp_path / "report.xml"
    CliRunner().invoke(main, ["play", str(tmp_path), "--junit", str(report)])
    check_junit(xmllint, report)
    outcomes = zip(("passed", "failed", "not_offered", "skipped"), count(), strict=False)
    texts = {
        "rule": "It holds\x00.",
        "reason": "why",
        "why": "why",
        "mend": "",
        "trace": "a.html",
        "sources": ["P-1.1"],
    }
    rules = [{"id": f"rule_{n}", "outcome": outcome, **texts} for outcome, n in outcomes]
    report.write_bytes(exam_junit({"rules": rules}))
    assert report.read_text(encoding="utf-8").count("<skipped ") == 2
    check_junit(xmllint, report)


def check_junit(xmllint: str, report: Path) -> None:
    """A file must be what JUnit's schema asks for."""
    command = [xmllint, "--noout", "--nonet", "--schema", str(SCHEMA), str(report)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, f"{report} validates\n")


INSTALLED = CompositeAction(without=("Install giftsim",))
ORDER = """\
curl -sf "$GIFTSIM_URL/api/external/team-orders" -H 'Authorization: Bearer pk_live_default_prepaid' \\
  -H 'Content-Type: application/json' -d '{"idempotency_key": "one", "gift_sender": "Ada",
  "items": [{"sku_code": "MUG-01"}], "recipients": [{"name": "Bo", "email": "bo@example.com"}]}'
"""


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A job on a machine with giftsim, and a port that is free."""
    require_tool("curl", "curl")
    (tmp_path / "checkout").mkdir()
    (tmp_path / "temp").mkdir()
    return Job(tmp_path / "checkout", tmp_path / "temp", environment(tmp_path, active=True))


@pytest.fixture
def port() -> str:
    return str(free_ports(1))


def is_running(job: Job) -> bool:
    return job.run('kill -0 "$(cat "$RUNNER_TEMP/giftsim.pid")" 2> /dev/null')


def test_commands_run_beside_the_simulator_which_ends_after_them(job: Job, port: str) -> None:
    outputs = INSTALLED.use(job, {"port": port, "run": ORDER + 'echo "at $GIFTSIM_URL"\nls'})
    assert (job.status, outputs) == ("success", {"url": f"http://127.0.0.1:{port}"}), job.output
    assert f"at http://127.0.0.1:{port}\n" in job.output
    assert '"status":"collecting_addresses"' in job.output
    assert not is_running(job)
    assert job.uploads == {}


def test_where_the_commands_fail_the_worlds_are_recorded_and_the_simulator_ends(job: Job, port: str) -> None:
    INSTALLED.use(job, {"port": port, "run": ORDER + "false\necho not reached", "artifact": "gifts"})
    assert job.status == "failure"
    assert "not reached" not in job.output
    assert job.uploads == {"gifts": ["default.html", "default.yaml", "serve.log"]}, job.output
    assert not is_running(job)
    replayed = CliRunner().invoke(main, ["play", "--exact", str(job.temp / "giftsim-records" / "default.yaml")])
    assert replayed.exit_code == 0, replayed.output


@pytest.mark.parametrize("status", ["success", "failure"])
def test_it_goes_on_for_later_steps_until_one_stops_it(job: Job, port: str, status: str) -> None:
    INSTALLED.use(job, {"port": port, "options": "--clock manual --fixture empty"})
    assert is_running(job), job.output
    assert job.run(ORDER), job.output
    job.status = status
    INSTALLED.use(job, {"stop": "true"})
    assert job.status == status
    assert not is_running(job)
    assert job.uploads == ({} if status == "success" else {"giftsim": ["default.html", "default.yaml", "serve.log"]}), (
        job.output
    )


FAILING = """\
def test_fails(giftsim):
    assert giftsim.listed('orders') == ['an order']
def test_forges(giftsim):
    raise AssertionError("gone\\x1b[1A\\u2028- test_shop.py::test_passes: all is well")
"""


def test_traces_of_failed_tests_are_uploaded_and_their_causes_listed(job: Job, port: str) -> None:
    (job.folder / "test_shop.py").write_text(FAILING)
    INSTALLED.use(job, {"port": port, "run": f"{sys.executable} -m pytest -q -p no:cacheprovider test_shop.py"})
    assert job.status == "failure"
    assert job.uploads == {"giftsim": [
        "index.html", "serve.log", "test_shop.py-test_fails.html", "test_shop.py-test_forges.html",
    ]}, job.output  # fmt: skip
    listed = [line for line in job.output.split("\n") if line.startswith("- ")]
    assert listed[0] == "- test_shop.py::test_fails: AssertionError: assert [] == ['an order']"
    assert [line.partition(": ")[0] for line in listed] == ["- test_shop.py::test_fails", "- test_shop.py::test_forges"]
    assert "\x1b[1A" not in listed[1]


def test_a_simulator_that_does_not_start_fails_the_step_and_says_why(job: Job, port: str) -> None:
    INSTALLED.use(job, {"port": port, "options": "--clock broken", "run": "echo not reached"})
    assert job.status == "failure"
    assert "--clock is manual, running or running@RATE" in job.output
    assert "not reached" not in job.output
    assert job.uploads == {"giftsim": ["serve.log"]}


def test_stopping_what_never_started_does_not_fail(job: Job) -> None:
    INSTALLED.use(job, {"stop": "true"})
    assert (job.status, job.uploads) == ("success", {})


def test_it_installs_itself_from_its_own_sources(tmp_path: Path, port: str) -> None:
    require_tool("curl", "curl")
    source, temp = tmp_path / "action", tmp_path / "temp"
    for folder in (source, temp, tmp_path / "checkout"):
        folder.mkdir()
    for name in (*SOURCES, "action.yml"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    python = lending_python(tmp_path)
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("PYTEST", "PYTHON", "GIFTSIM"))}
    job = Job(tmp_path / "checkout", temp, {**kept, **OFFLINE})
    CompositeAction(source=source).use(
        job, {"port": port, "python": str(python), "run": "command -v giftsim; command -v python3"}
    )
    assert job.status == "success", job.output
    *_, command, interpreter = job.output.split()
    assert command == f"{temp}/giftsim/path/giftsim", job.output
    assert not interpreter.startswith(str(temp)), job.output


def lending_python(folder: Path) -> Path:
    """A Python whose `-m venv` makes an environment that has what giftsim needs, as no index is asked."""
    lent = folder / "lent"
    (folder / "home").mkdir()
    lend_dependencies(folder / "home", lent)
    script = folder / "python"
    script.write_text(
        f'#!/bin/sh\nset -e\n{sys.executable} "$@"\n'
        f'for HOME in "$3"/lib/python*/site-packages; do echo {lent} > "$HOME/lent.pth"; done\n'
    )
    script.chmod(0o755)
    return script


def test_a_missing_tool_skips_the_test_and_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REQUIRED, raising=False)
    with pytest.raises(pytest.skip.Exception, match="install Debian's package nothing-at-all"):
        require_tool("no-such-program", "nothing-at-all")


def test_a_missing_tool_that_is_required_fails_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REQUIRED, "node,no-such-program")
    with pytest.raises(pytest.fail.Exception, match="names it"):
        require_tool("no-such-program", "nothing-at-all")
