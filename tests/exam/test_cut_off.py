"""An exam that a signal ends, and a second exam of the same app beside it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.exam.command_line import data_of, run
from tests.exam.sample_shop import ROOT, Shop, serving
from tests.support.free_ports import free_ports

END_S = 60
SENTENCE = "another exam of {} is held now; wait for its end, or examine a second app"


@contextmanager
def held(url: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """`giftsim exam` in a process of its own, after it has told its first rule."""
    command = [sys.executable, "-u", str(ROOT / "run_sim.py"), "exam", "--app", url, "--seed", "1", *options]

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith(("passed", "failed", "not offered"))
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize(("number", "by"), [(signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")])
def test_a_signal_leaves_a_result_and_ends_the_app(folder: Path, number: signal.Signals, by: str) -> None:
    url = f"http://127.0.0.1:{free_ports(1)}"
    with held(url, "--app-command", f"exec {sys.executable} {ROOT}/examples/shop.py {{port}}") as process:
        process.send_signal(number)
        output, _ = process.communicate(timeout=END_S)
    assert process.returncode == 128 + number, output
    assert f"ended early by {by}\n" in output
    data = data_of(folder / ".giftsim/exam")
    outcomes = [row["outcome"] for row in data["rules"]]
    assert (data["stopped"], data["passed"]) == (by, False)
    assert 0 < outcomes.count("skipped") < len(outcomes)
    assert f"Ended early by {by}" in (folder / ".giftsim/exam/exam.html").read_text()
    again = run("--app", url)
    assert (again.exit_code, "cannot be reached" in again.stderr) == (2, True)


def test_what_is_stopped_is_not_passed_although_each_rule_was_reached(folder: Path) -> None:
    options = ("--only", "ignores_others_events", "--rounds", "1000")
    with serving(Shop([])) as url, held(url, *options) as process:
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=END_S)
    data = data_of(folder / ".giftsim/exam")
    assert [row["outcome"] for row in data["rules"]] == ["passed"], output
    assert (data["stopped"], data["passed"]) == ("Ctrl-C", False)
    verified = run("--verify", ".giftsim/exam")
    assert "The exam was stopped early by Ctrl-C. 1 rule is obeyed." in verified.output.splitlines()


def test_a_second_exam_of_the_app_is_refused_until_the_first_has_ended(folder: Path) -> None:
    with serving(Shop([])) as url:
        with held(url) as first:
            other = url.replace("127.0.0.1", "localhost")
            second = run("--app", other, "--out", "second")
            assert second.exit_code == 2
            assert SENTENCE.format(other) in " ".join(second.output.split())
            assert not (folder / "second").exists()
            first.kill()
            first.wait()
        third = run("--app", url, "--only", "pays_once", "--rounds", "1", "--out", "third")
        assert third.exit_code == 0, third.output
