"""`giftsim run --assumptions -- CMD` with tests that lean on a guess, in one job and in several; its end by Ctrl+C."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.assumptions.test_command import CALLS, folder, program, run, written
from tests.explore.sample_apps import wait_until_ended
from tests.support.served_simulator import ROOT
from tests.support.waiting import wait_until

__all__ = ["folder"]  # a fixture of theirs

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


def test_ctrl_c_ends_the_command_and_all_that_it_has_started(folder: Path) -> None:
    """The first run calls and passes, and each later one waits."""
    hanging = folder / "hanging.sh"
    hanging.write_text("sleep 300; true\n")
    calls = shlex.join(program(folder, CALLS + "order()\n"))
    suite = f"[ -e again ] || {{ touch again; exec {calls}; }}\nsh {hanging} & touch waiting; wait; true\n"
    (folder / "suite.sh").write_text(suite)
    command = [sys.executable, str(ROOT / "run_sim.py"), "run", "--assumptions", "--jobs", "2", "--", "sh", "suite.sh"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder) as process:
        wait_until((folder / "waiting").exists)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT
    assert b"giftsim: stopped by a signal" in output
    assert wait_until_ended(str(hanging))
