"""The command line names the number, fixture or command that it refuses, and what it takes instead."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from giftsim.cli.commands import ALL, GROUPS, LISTED, MEANT, MORE
from giftsim.cli.main import main
from tests.support.served_simulator import ROOT

FILE = "scenarios/museum/whole_visit.yaml"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a recording of the service with --traffic, or the service with --target"),
        (["--target", "http://127.0.0.1:1", "--operation", "getHours"], "there is no such operation; did you mean"),
        (["--target", "http://127.0.0.1:1", "--patience", "long"], "--patience or --now: "),
        (["--target", "http://127.0.0.1:1", "--var", "x"], "--var takes NAME=VALUE, not 'x'"),
        (["--target", "http://127.0.0.1:1"], "there is nothing to compare"),
        (["--target", "museum=http://127.0.0.1:1", "scenarios/partner/lookups.yaml"], "which has no --target"),
        (["--snapshot", "README.md", "--target", "http://127.0.0.1:1"], "a snapshot is compared without the service"),
        (["--snapshot", "README.md", FILE], "a snapshot names its own"),
        (["--target", "http://127.0.0.1:1", "tests/compare"], "tests/compare has no scenario"),
        (["--target", "http://127.0.0.1:1", "README.md"], "not YAML: mapping values are not allowed"),
    ],
)
def test_a_command_line_that_cannot_be_carried_out_ends_with_2(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["compare", *arguments])
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve", "--port", "99999"], "'--port': it takes a whole number from 0 to 65535, not '99999'."),
        (["serve", "--port", "abc"], "'--port': it takes a whole number from 0 to 65535, not 'abc'."),
        (["serve", "--seed", "-1"], "'--seed': it takes a whole number of 0 or more, not '-1'."),
        (["serve", "--hold-timeout", "0"], "'--hold-timeout': it takes a number above 0, not '0'."),
        (
            ["faults", "add", "hold=true", "--probability", "2"],
            "'--probability': it takes a number from 0 to 1, not '2'.",
        ),
    ],
)
def test_a_number_out_of_range_is_refused_in_words(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve", "--port", "0", "trust"], "--port cannot take effect: `serve trust` starts no simulator"),
        (["serve", "haprxy"], "No such command 'haprxy'"),
        (["orders", "1010", "--limit", "3"], "--limit cannot take effect: an order is shown whole"),
        (["play", "--exact", "--jobs", "2", FILE], "--jobs cannot take effect: --exact compares the responses"),
        (["play", "--exact", "scenarios"], "scenarios is a folder"),
        (["run", "--junit", "j.xml", "--", "true"], "--junit cannot take effect: only --assumptions takes it"),
        (["run", "--force", "--", "true"], "--force cannot take effect: only --record and --har take it"),
        (
            ["run", "--assumptions", "--record", "r.yaml", "--", "true"],
            "--record cannot take effect: --assumptions runs",
        ),
        (["run", "--record", FILE, "--", "true"], "exists already and stays as it is"),
        (["run", "--record", "/", "--", "no-such-program"], "/ is a directory: name a file"),
        (
            ["run", "--har", "none/a.har", "--", "no-such-program"],
            "none/a.har cannot be written: there is no directory none",
        ),
        (["serve", "--port", "0", "--trace", FILE], f"--trace {FILE}: the trace cannot be read: it is not a trace"),
    ],
    ids=lambda value: "" if isinstance(value, str) else " ".join(value),
)
def test_options_that_do_not_fit_together_are_named(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


@pytest.mark.parametrize("path", ["nowhere.yaml", "folder/nowhere.json", "./nowhere"])
def test_a_fixture_file_that_is_not_there_is_named(path: str) -> None:
    result = CliRunner().invoke(main, ["serve", "--port", "0", "--fixture", path])
    assert result.exit_code == 2
    assert f"there is no such file {path!r} for a fixture" in result.stderr


def test_a_misspelt_fixture_gets_the_nearest_one() -> None:
    result = CliRunner().invoke(main, ["serve", "--port", "0", "--fixture", "emty"])
    assert "there is no fixture 'emty'; did you mean empty?" in result.stderr


def test_a_misspelt_command_gets_the_nearest_one() -> None:
    result = CliRunner().invoke(main, ["advnce", "3d"])
    assert result.exit_code == 2
    assert "there is no command 'advnce'; did you mean advance?" in result.stderr


@pytest.mark.parametrize(("typed", "meant"), [("events", "deliveries"), ("reset", "worlds reset"), ("start", "serve")])
def test_a_word_for_a_command_with_another_name_leads_to_it(typed: str, meant: str) -> None:
    result = CliRunner().invoke(main, [typed])
    assert f"there is no command '{typed}'; did you mean {meant}?" in result.stderr


def test_the_help_lists_each_command_once_with_its_line_in_80_columns() -> None:
    text = CliRunner().invoke(main, ["--help"], terminal_width=80).stdout
    rows = re.findall(r"^  ([a-z][\w-]*)  +(.*)$", text, re.MULTILINE)
    listed = {name: entry.line for group in GROUPS.values() for name, entry in group.items()}
    assert dict(rows) == listed
    assert len(rows) == len(listed)
    assert f"\nMore:\n  {', '.join(MORE)}\n" in text
    assert {name for name in MEANT if name in ALL} == set()
    assert {meant.split()[0] for meant in MEANT.values()} <= set(LISTED)
    for name in ALL:
        assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0


def test_a_python_without_the_packages_says_how_to_go_on_in_one_line() -> None:
    command = [sys.executable, "-I", "-S", str(ROOT / "run_sim.py"), "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "lacks click: `make run` installs what giftsim needs and starts it" in done.stderr
