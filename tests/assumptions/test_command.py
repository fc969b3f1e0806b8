"""`giftsim assumptions -- CMD`: the tests of an app in any language, repeated with guesses turned over."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from tests.explore.sample_apps import wait_until_ended
from tests.support.served_simulator import ROOT
from tests.support.waiting import wait_until

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
# Three tests that write a JUnit file, as any runner does.
SUITE = (
    CALLS
    + """
TESTS = {"charged": lambda: order()["totals"]["charged_cents"] > 0,
         "party": lambda: order()["team_order"]["event"] is None,
         "label": lambda: order()["recipients"][0]["status_label"] == "Waiting for address"}

def case(name, test):
    try:
        failure = "" if test() else '<failure message="it is false"/>'
    except Exception as error:
        failure = f'<failure message="{type(error).__name__}"/>'
    return f'<testcase classname="shop" name="{name}">{failure}</testcase>'

cases = [case(*each) for each in TESTS.items()]
open(sys.argv[1], "w").write(f"<testsuite>{''.join(cases)}</testsuite>")
sys.exit(any("failure" in each for each in cases))
"""
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["assumptions", *arguments])


def written(folder: Path) -> Any:
    """What it wrote."""
    return json.loads((folder / ".giftsim" / "assumptions.json").read_bytes())


def program(folder: Path, source: str) -> tuple[str, str]:
    """A command that runs a program."""
    (folder / "suite.py").write_text(source, encoding="utf-8")
    return sys.executable, "suite.py"


@pytest.mark.parametrize(("jobs", "file"), [("1", "junit.xml"), ("2", "junit-{job}.xml")])
def test_the_tests_of_a_junit_file_that_lean_are_named(folder: Path, jobs: str, file: str) -> None:
    result = run("--junit", file, "--jobs", jobs, "--", *program(folder, SUITE), file)
    assert result.exit_code == 1, result.output
    data = written(folder)
    assert [(row["test"], row["decision"], row["variant"], row["failure"]) for row in data["leaning"]] == [
        ("shop label", "G283", "longer_labels", "it is false"),
        ("shop party", "G282", "no_nulls", "KeyError"),
    ]
    assert {"G282", "G283", "B14"} <= set(data["touched"])
    assert "shop party leans on:" in result.stdout
    assert result.stdout.endswith("2 tests lean on a guess\ngiftsim: wrote .giftsim/assumptions.json\n")


def test_without_a_file_the_command_is_one_test(folder: Path) -> None:
    source = CALLS + "assert order()['team_order']['event'] is None, 'a party'\n"
    result = run("--json", "--", *program(folder, source))
    assert result.exit_code == 1
    [row] = json.loads(result.stdout)["leaning"]
    assert (row["variant"], row["failure"]) == ("no_nulls", "KeyError: 'event'")


def test_a_command_that_bears_all_readings_ends_with_0(folder: Path) -> None:
    result = run("--", *program(folder, CALLS + "assert order()['totals']['charged_cents']\n"))
    assert result.exit_code == 0, result.output
    assert "0 tests lean on a guess" in result.stdout


def test_a_command_that_cannot_run_twice_is_unsteady(folder: Path) -> None:
    source = "import pathlib\npathlib.Path('ran').mkdir()\n"
    result = run("--", *program(folder, source))
    assert result.exit_code == 0
    assert written(folder)["unsteady"] == [f"{sys.executable} suite.py"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--", "no-such-program"], "no-such-program cannot be run"),
        (["--", sys.executable, "-c", "raise SystemExit(3)"], "ended with 3, so there is no test that passes"),
        (["--junit", "a.xml", "--", sys.executable, "-c", ""], "the command wrote no JUnit file"),
        (["--junit", "a.xml", "--jobs", "2", "--", "x"], "--jobs needs a file for each: put {job} into --junit"),
    ],
)
def test_a_command_about_which_nothing_can_be_said_ends_with_2(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_ctrl_c_ends_the_command_and_all_that_it_has_started(folder: Path) -> None:
    hanging = folder / "hanging.sh"
    hanging.write_text("sleep 300; true\n")
    suite = f"[ -e again ] || {{ touch again; exit 0; }}\nsh {hanging} & touch waiting; wait; true\n"
    (folder / "suite.sh").write_text(suite)
    command = [sys.executable, str(ROOT / "run_sim.py"), "assumptions", "--jobs", "2", "--", "sh", "suite.sh"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder) as process:
        wait_until((folder / "waiting").exists)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, b"\nAborted!\n")
    assert wait_until_ended(str(hanging))
