"""The local authority of a user without a home folder, or in a folder whose name has special characters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from tests.support.served_simulator import ROOT, serve_simulator

WITHOUT_HOME = """
import pwd, sys
def getpwuid(uid):
    raise KeyError(f"getpwuid(): uid not found: {uid}")
pwd.getpwuid = getpwuid  # as for a user whom the system does not list; a test cannot become one
from giftsim.cli.main import main
main(sys.argv[1:])
"""


def run_without_home(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What a command does for a user without HOME, whom the system does not list, as in many containers."""
    kept = {name: value for name, value in os.environ.items() if name not in ("HOME", "GIFTSIM_STATE")}
    command = [sys.executable, "-c", WITHOUT_HOME, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env={**kept, **variables}, timeout=60, check=False
    )


@pytest.mark.parametrize("command", [["serve", "trust"], ["serve", "--https", "--port", "0"]])
def test_a_user_without_a_home_is_told_to_name_a_folder(command: list[str]) -> None:
    done = run_without_home(*command)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert "this user has no home: set HOME, or name a folder in GIFTSIM_STATE" in " ".join(done.stderr.split())


def test_a_user_without_a_home_can_run_an_app() -> None:
    done = run_without_home("run", "--route", "https://gifts.example=partner.prepaid", "--", "true")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


@pytest.mark.parametrize("variable", ["XDG_STATE_HOME", "GIFTSIM_STATE"])
def test_a_user_without_a_home_has_the_folder_that_a_variable_names(tmp_path: Path, variable: str) -> None:
    done = run_without_home("trust", "--json", **{variable: str(tmp_path)})
    assert json.loads(done.stdout)["certificate"].startswith(f"{tmp_path}/")


def test_a_user_without_a_home_calls_a_simulator_by_https_as_a_stranger(tmp_path: Path) -> None:
    with serve_simulator("--https", environment={"GIFTSIM_STATE": str(tmp_path)}) as served:
        done = run_without_home("wait", "--timeout", "0", "--url", served.banner["origin"])
    assert (done.returncode, "is not accepted" in done.stderr) == (1, True), done.stderr


def test_php_is_left_out_where_its_variable_cannot_hold_the_folder(tmp_path: Path) -> None:
    runner = CliRunner(env={"GIFTSIM_STATE": str(tmp_path / "a:b")})
    assert "PHP_INI_SCAN_DIR" not in json.loads(runner.invoke(main, ["serve", "trust", "--json"]).stdout)["variables"]
    shown = runner.invoke(main, ["serve", "trust"]).stdout
    assert "PHP_INI_SCAN_DIR" not in shown
    assert "PHP's variable cannot hold a folder with : in its name" in shown
