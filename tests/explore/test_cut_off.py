"""Explorations that end early, by a budget or by a signal: they leave a report of what they did, and say why."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from tests.explore.sample_apps import ROOT
from tests.support.downstream_app import AppRequest, run_app

END_S = 120
MANY = 100_000


def explore(url: str, *options: object) -> Result:
    return CliRunner().invoke(main, ["explore", "--app", url, *map(str, options)])


@contextmanager
def exploring(url: str, folder: Path, *options: object) -> Iterator[subprocess.Popen[str]]:
    """`giftsim explore` in a process of its own."""
    command = [
        sys.executable,
        str(ROOT / "run_sim.py"),
        "explore",
        "--app",
        url,
        "--out",
        str(folder),
        *map(str, options),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


class Counted:
    """An app that answers orders by `order`, after `late_s` real seconds. `reached` is set at the order number `at`."""

    def __init__(self, order: tuple[int, Any] = (200, {}), *, late_s: float = 0, at: int = 10) -> None:
        self._order, self._late_s, self._at, self._orders = order, late_s, at, 0
        self.reached, self._never = threading.Event(), threading.Event()

    def __call__(self, request: AppRequest) -> tuple[int, Any]:
        if request.path != "/giftsim/do":
            return 200, {"ok": True}
        self._orders += 1
        if self._orders == self._at:
            self.reached.set()
        self._never.wait(self._late_s)
        return self._order


@pytest.mark.parametrize(("number", "by"), [(signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")])
def test_a_signal_ends_it_with_a_report_of_the_seeds_so_far(number: signal.Signals, by: str, tmp_path: Path) -> None:
    app = Counted()
    with run_app(app) as running, exploring(running.url, tmp_path, "--seeds", MANY) as process:
        assert app.reached.wait(END_S)
        process.send_signal(number)
        output, _ = process.communicate(timeout=END_S)
    assert process.returncode == 128 + number, output
    assert f"stopped by {by}\nno findings in " in output
    assert " so far (" in output
    assert f"report: {tmp_path / 'index.html'}" in output
    assert f"Stopped by {by.lower()}" in (tmp_path / "index.html").read_text()


def test_sigterm_ends_the_shrinking_too_and_the_report_has_what_failed(tmp_path: Path) -> None:
    app = Counted((500, {"error": "no stock"}))
    with run_app(app) as running, exploring(running.url, tmp_path, "--seeds", MANY) as process:
        assert app.reached.wait(END_S)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=END_S)
    assert process.returncode == 1, output
    assert "stopped by SIGTERM" in output
    assert "no stock" in output
    assert "It was neither shortened to the end nor played again, because explore was stopped." in output
    [scenario] = tmp_path.glob("*.yaml")
    assert "no stock" in scenario.read_text()
    assert "neither shortened" in (tmp_path / "index.html").read_text()


def test_it_says_how_long_it_waited_for_the_app(tmp_path: Path) -> None:
    app = Counted(late_s=1.5, at=1)
    with run_app(app) as running, exploring(running.url, tmp_path, "--seeds", MANY, "--timeout", 1) as process:
        assert app.reached.wait(END_S)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=END_S)
    assert "POST /giftsim/do did not answer within 1 s" in output
    assert "s of real time for the app, a second or longer each time (--timeout is 1 s)" in output


def test_seeds_end_when_a_budget_is_used_up(tmp_path: Path) -> None:
    with run_app(Counted()) as running:
        cut = explore(running.url, "--seeds", 500, "--budget", 20, "--out", tmp_path / "cut")
        whole = explore(running.url, "--seeds", 3, "--budget", "60s", "--out", tmp_path / "whole", "--json")
    assert cut.exit_code == 0, cut.output
    first, second = cut.stdout.splitlines()[:2]
    assert first.startswith("stopped after seed ")
    assert first.endswith(": the budget is used up")
    last = int(first.split()[3].rstrip(":"))
    assert 1 <= last <= 20
    assert second.startswith(f"no findings in {last} seed")
    report = json.loads(whole.stdout)
    assert (report["seeds"], report["stopped"]) == (3, None)


@pytest.mark.parametrize("option", ["--seed", "--corpus"])
def test_seeds_with_a_budget_take_no_option_of_a_search(option: str) -> None:
    done = explore("http://127.0.0.1:9", "--seeds", 3, "--budget", "1s", option, "1")
    assert done.exit_code == 2
    assert f"{option} cannot take effect: --seeds are run as they are" in " ".join(done.stderr.split())
