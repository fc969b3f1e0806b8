"""A standard output that is closed or full ends every command with one line, and not with a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import giftsim

ARGUMENTS = [
    ["--help"],
    ["serve", "--help"],
    ["version"],
    ["serve", "trust"],
    ["schema", "scenario"],
    ["statements"],
    ["play", "partner/ping"],
    ["serve", "--port", "0"],
    ["serve", "--port", "0", "--json"],
]
PROGRAM = [sys.executable, "-c", "from giftsim.cli.main import main; main()"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", ARGUMENTS, ids=" ".join)
@pytest.mark.parametrize(
    ("output", "reason"), [("/dev/full", "No space left on device"), ("&-", "Bad file descriptor")], ids=["full", "no"]
)
def test_what_cannot_be_printed_is_said_in_a_line(
    arguments: list[str], output: str, reason: str, tmp_path: Path
) -> None:
    environ = {**os.environ, "PYTHONPATH": str(Path(giftsim.__file__).parents[1]), "HOME": str(tmp_path)}
    done = subprocess.run(
        ["sh", "-c", f'"$@" >{output}', "sh", *PROGRAM, *arguments],
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == f"Error: standard output cannot be written: {reason}\n"


def test_traces_of_tests_have_a_variable_of_their_own(tmp_path: Path) -> None:
    environ = {**os.environ, "PYTHONPATH": str(Path(giftsim.__file__).parents[1]), "GIFTSIM_TRACE": "off"}
    command = [*PROGRAM, "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        line = process.stdout.readline() if process.stdout else b""
        process.terminate()
    assert b'"origin"' in line
    refused = subprocess.run(
        command, env={**environ, "GIFTSIM_TRACE_FILE": "none.html"}, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 2
    assert "GIFTSIM_TRACE_FILE" in refused.stderr
