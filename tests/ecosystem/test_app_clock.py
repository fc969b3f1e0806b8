"""The time of an app, moved in the real runtimes: which clocks follow, and which stay real."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from giftsim.engine.kernel.instants import parse_instant
from giftsim.workbench.app_clock.app_time import AppTime, CannotMove
from tests.support.free_ports import free_ports
from tests.support.node_packages import node_packages
from tests.support.orders import address_recipients, order_body
from tests.support.served_simulator import ROOT
from tests.support.tools import require_tool

PROGRAMS = Path(__file__).parent / "app_clock"
FIRST_MS, SECOND_MS = parse_instant("2031-05-06T07:08:09Z"), parse_instant("2031-05-16T23:00:00Z") + 250
ENDS_S = 60
# By name: the program, Debian's package that has it, and what runs the client.
CLOCKS = {
    "node": ("node", "nodejs", ["node", "clock.mjs"]),
    "python": ("sh", "dash", [sys.executable, "clock.py"]),
    "java": ("java", "default-jdk-headless", ["java", "Clock.java"]),
    "ruby": ("ruby", "ruby", ["ruby", "clock.rb"]),
    "php": ("php", "php-cli", ["php", "clock.php"]),
    "perl": ("perl", "perl", ["perl", "clock.pl"]),
    "shell": ("sh", "dash", ["sh", "clock.sh"]),
}


def program(name: str) -> list[str]:
    """The command of a program that tells its clocks."""
    tool, package, words = CLOCKS[name]
    require_tool(tool, package)
    require_tool("faketime", "faketime")
    return words


@contextmanager
def started(words: list[str], folder: Path, time: AppTime, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """A program whose time is moved, in a folder with all programs; it is ended if it is silent for too long."""
    shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True)
    environment = {**os.environ, **variables}
    process = subprocess.Popen(
        words,
        cwd=folder,
        env={**environment, **time.variables(environment)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    ends = threading.Timer(ENDS_S, process.kill)  # whoever waits for a line then reads an empty one
    ends.start()
    with process:
        try:
            yield process
        finally:
            ends.cancel()
            process.kill()


def show(time: AppTime, at_ms: int) -> list[int]:
    """Show an instant; what the app's parts want next."""
    return [next_ms for clock in time.clocks if (next_ms := clock.show(at_ms)) is not None]


def asked(process: subprocess.Popen[str]) -> list[int]:
    """What a program says about its clocks."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return [int(word) for word in process.stdout.readline().split()]


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu"])
@pytest.mark.parametrize("name", CLOCKS)
def test_the_wall_clock_stands_and_moves_with_the_world_and_waits_are_real(
    name: str, zone: str, tmp_path: Path
) -> None:
    words = program(name)
    with closing(AppTime(words)) as time:
        show(time, FIRST_MS)
        with started(words, tmp_path, time, TZ=zone) as process:
            before, after, waited, *others = asked(process)
            assert [before, after, *others] == [FIRST_MS] * (2 + len(others))
            assert 95 <= waited < 2_000
            show(time, SECOND_MS)
            before, after, waited, *others = asked(process)
            assert [before, after, *others] == [SECOND_MS] * (2 + len(others))
            assert 95 <= waited < 2_000


@pytest.mark.parametrize("name", CLOCKS)
def test_the_wall_clock_ticks_as_that_of_a_running_world(name: str, tmp_path: Path) -> None:
    words = program(name)
    with closing(AppTime(words)) as time:
        show(time, FIRST_MS)
        for clock in time.clocks[:2]:
            clock.ticks(1.0)  # type: ignore[attr-defined]
        with started(words, tmp_path, time) as process:
            before, after, waited, *_ = asked(process)
            assert FIRST_MS - 1_000 <= before < FIRST_MS + 1_000 * ENDS_S
            assert abs(after - before - waited) <= 100


def test_a_jvm_that_waits_uses_no_processor(tmp_path: Path) -> None:
    program("java")
    words = ["java", "Idle.java"]
    with closing(AppTime(words)) as time:
        show(time, FIRST_MS)
        with started(words, tmp_path, time) as process:
            assert process.stdout is not None
            assert int(process.stdout.readline()) < 400


def test_go_is_refused_by_name(tmp_path: Path) -> None:
    require_tool("go", "golang-go")
    with pytest.raises(CannotMove, match="the time of go cannot be moved: Go asks the kernel"):
        AppTime(["go", "run", "clock.go"])
    shutil.copy(PROGRAMS / "clock.go", tmp_path)
    variables = {"GOCACHE": str(tmp_path / "cache"), "GO111MODULE": "off", "GOTOOLCHAIN": "local"}
    subprocess.run(["go", "build", "clock.go"], cwd=tmp_path, env={**os.environ, **variables}, check=True)
    with pytest.raises(CannotMove, match="the time of clock cannot be moved: "):
        AppTime([str(tmp_path / "clock")])


VENDOR = "http://gifts.vendor.example"
ORDERS = f"{VENDOR}/api/external/team-orders"
MOST_MS = 5_000  # of the fastest run: a machine may be busy with other tests
DAYS = [f"2027-01-{day:02} 09:00:00" for day in range(5, 15)]


def ten_days(words: list[str], folder: Path) -> dict[str, Any]:
    """What an app with reminders did in ten days."""
    require_tool("faketime", "faketime")
    if not (folder / "package.json").exists():
        shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True)
    port = free_ports(1)
    app = [*words, ORDERS, json.dumps(order_body(recipients=address_recipients())), str(port)]
    options = ["--route", f"{VENDOR}=partner.prepaid", "--webhooks", f"http://127.0.0.1:{port}/hooks"]
    run = [sys.executable, str(ROOT / "run_sim.py"), "run", "--quiet", "--app-clock", *options, "--", *app]
    done = subprocess.run(run, cwd=folder, capture_output=True, text=True, timeout=ENDS_S, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert told["problems"] == []
    return told


def test_an_app_in_node_does_the_same_at_the_same_instants_in_twenty_runs(tmp_path: Path) -> None:
    require_tool("node", "nodejs")
    (tmp_path / "node_modules").symlink_to(node_packages(PROGRAMS))
    first = ten_days(["node", "reminders.mjs"], tmp_path)
    log = first["log"]
    assert log[:2] == ["2027-01-04T09:00:02.000Z try 0", "2027-01-04T09:00:04.000Z try 1"]
    assert log[12:15] == [
        "2027-01-04T11:16:32.000Z try 12",
        "2027-01-04T12:30:00.000Z half past",
        "2027-01-05T00:30:00.000Z half past",
    ]
    shipped = log.index("2027-01-07T09:00:00.000Z webhook team_order.shipped")
    assert log[shipped - 2] == "2027-01-07T08:00:00.000Z morning: in_progress"
    assert log[shipped + 1] == "2027-01-07T10:00:00.000Z an hour after team_order.shipped: shipped"
    assert len(log) == 57
    with ThreadPoolExecutor(2) as threads:
        again = list(threads.map(lambda _: ten_days(["node", "reminders.mjs"], tmp_path), range(19)))
    assert [each["log"] for each in again] == [log] * 19
    assert min(each["took_ms"] for each in (first, *again)) < MOST_MS


@pytest.mark.parametrize("words", [["ruby", "reminders.rb"], ["java", "Reminders.java"]], ids=["ruby", "java"])
def test_an_app_that_polls_keeps_the_order_of_each_kind(words: list[str], tmp_path: Path) -> None:
    require_tool(words[0], "ruby" if words[0] == "ruby" else "default-jdk-headless")
    runs = [ten_days(words, tmp_path) for _ in range(3)]
    for told in runs:
        assert (told["reminders"], told["webhooks"]) == (DAYS, ["team_order.shipped", "team_order.delivered"])
    assert min(told["took_ms"] for told in runs) < MOST_MS
