"""`giftsim run --assumptions -- CMD`: the tests of an app in any language, repeated with guesses turned over."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.engine.gateway.other_readings import READINGS

CALLS = """
import json, os, sys, urllib.request

BODY = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}]}

def order():
    headers = {"Content-Type": "application/json", **json.loads('{"Authorization": "Bearer pk_live_default_prepaid"}')}
    request = urllib.request.Request(f"{os.environ['GIFTSIM_URL']}/api/external/team-orders",
                                     json.dumps(BODY).encode(), headers)
    return json.load(urllib.request.urlopen(request))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["run", "--assumptions", *arguments])


def written(folder: Path) -> Any:
    """What it wrote."""
    return json.loads((folder / ".giftsim" / "assumptions.json").read_bytes())


def program(folder: Path, source: str) -> tuple[str, str]:
    """A command that runs a program."""
    (folder / "suite.py").write_text(source, encoding="utf-8")
    return sys.executable, "suite.py"


def test_a_command_that_bears_all_readings_ends_with_0(folder: Path) -> None:
    result = run("--", *program(folder, CALLS + "assert order()['totals']['charged_cents']\n"))
    assert result.exit_code == 0, result.output
    assert "0 tests lean on a guess" in result.stdout


GUARDS = """
import pathlib
guards = []
for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
    try:
        parent, command = path.read_text().rpartition(")")[2].split()[1], path.with_name("cmdline").read_bytes()
    except OSError:
        continue
    if int(parent) == os.getppid() and b"guard.py" in command:
        guards.append(path.parent.name)
print(order() and "", *sorted(guards), sep="\\n", file=open("guards", "a"))
"""


def test_one_guard_watches_all_runs_of_a_command(folder: Path) -> None:
    result = run("--", *program(folder, CALLS + GUARDS))
    assert result.exit_code == 0, result.output
    assert len(set((folder / "guards").read_text().split())) == 1


def test_a_command_that_cannot_run_twice_is_unsteady(folder: Path) -> None:
    source = CALLS + "import pathlib\npathlib.Path('ran').mkdir()\norder()\n"
    result = run("--", *program(folder, source))
    assert result.exit_code == 0
    assert written(folder)["unsteady"] == [f"{sys.executable} suite.py"]


def test_a_file_without_results_of_tests_stays_as_it_is(folder: Path) -> None:
    (folder / "suite.py").write_text("order()\n")
    result = run("--junit", "suite.py", "--", "x")
    assert (result.exit_code, "--junit suite.py is not a JUnit file, and stays" in result.stderr) == (2, True)
    assert (folder / "suite.py").read_text() == "order()\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--", "no-such-program"], "no-such-program cannot be run"),
        (["--", sys.executable, "-c", "raise SystemExit(3)"], "ended with 3, so there is no test that passes"),
        (["--junit", "a.xml", "--", sys.executable, "-c", ""], "wrote no JUnit file: a.xml: No such file or directory"),
        (["--junit", ".", "--", "x"], "--junit . is a directory: name the file that the command writes"),
        (["--junit", "a.xml", "--jobs", "2", "--", "x"], "--jobs needs a file for each: put {job} into --junit"),
    ],
)
def test_a_command_about_which_nothing_can_be_said_ends_with_2(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_command_that_never_calls_the_simulator_is_told_so(folder: Path) -> None:
    result = run("--", *program(folder, "import os\nassert os.environ['GIFTSIM_URL']\n"))
    assert result.exit_code == 2
    assert "no call came to the simulator at GIFTSIM_URL" in result.stderr
    assert "pytest --giftsim-assumptions" in result.stderr
    assert not (folder / ".giftsim").exists()


def test_a_fault_of_giftsim_ends_the_search(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise LookupError("a fault of giftsim")

    broken = msgspec.structs.replace(READINGS["answers.no_nulls"], change=fail)
    monkeypatch.setitem(READINGS, "answers.no_nulls", broken)
    result = run("--", *program(folder, CALLS + "order()\n"))
    assert result.exit_code == 2
    assert "giftsim failed: request req_" in result.stderr
    assert "LookupError: a fault of giftsim (" in result.stderr
    assert "lean" not in result.stdout
