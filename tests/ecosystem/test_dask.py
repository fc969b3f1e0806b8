"""`explore --cluster` on a real Dask scheduler with two workers: what it finds is what one process finds."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from giftsim.workbench.app.process import AppProcess
from tests.explore.sample_apps import deadly_shop, run, wait_until_ended
from tests.support.free_ports import free_ports
from tests.support.python_tools import installed_tools
from tests.support.served_simulator import ROOT

LOCK = ROOT / "tests" / "ecosystem" / "dask" / "requirements.lock"
SHOP = f"{sys.executable} {ROOT / 'examples' / 'shop.py'} {{port}} --bug duplicates --bug new-key"
WORKER = "exec {python} -m distributed.cli.dask_worker {scheduler} --nthreads 1 --no-dashboard --worker-port {{port}}"
SCHEDULER = "exec {python} -m distributed.cli.dask_scheduler --host 127.0.0.1 --port {{port}} --no-dashboard"


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    """The variables with which this interpreter has Dask too."""
    bin_ = installed_tools(LOCK)
    [packages] = bin_.parent.glob("lib/python*/site-packages")
    return {"PYTHONPATH": os.pathsep.join([str(packages), str(ROOT / "simulator")])}


@pytest.fixture
def cluster(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a scheduler that has two workers."""
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    first = free_ports(3)
    scheduler = f"tcp://127.0.0.1:{first}"
    commands = [SCHEDULER, WORKER, WORKER]
    started: list[AppProcess] = []
    try:
        for number, command in enumerate(commands):
            text = command.format(python=sys.executable, scheduler=scheduler)
            started.append(AppProcess(text, f"http://127.0.0.1:{first + number}"))
            started[-1].wait()
        yield scheduler
    finally:
        for process in reversed(started):
            process.close()


def explored(command: str, *options: object, folder: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The report of explore, and the scenarios that it wrote."""
    folder.mkdir()
    done = run("explore", "--app-command", command, *options, "--json", cwd=folder)
    assert done.returncode == 1, done.stderr
    return json.loads(done.stdout), {path.name: path.read_bytes() for path in folder.glob("explored/*.yaml")}


@pytest.mark.parametrize("plans", [("--seeds", 24), ("--budget", 120)])
def test_two_workers_find_what_one_process_finds(cluster: str, tmp_path: Path, plans: tuple[object, ...]) -> None:
    app = ("--app", f"http://127.0.0.1:{free_ports(1)}")
    alone = explored(SHOP, *app, *plans, folder=tmp_path / "alone")
    together = explored(SHOP, *app, *plans, "--cluster", cluster, folder=tmp_path / "together")
    assert together == alone
    assert len(alone[1]) == 2
    assert wait_until_ended(str(ROOT / "examples" / "shop.py"))


def test_a_worker_that_is_killed_changes_nothing(cluster: str, tmp_path: Path) -> None:
    app, killed = ("--app", f"http://127.0.0.1:{free_ports(1)}"), tmp_path / "killed"
    command = deadly_shop(killed)
    together = explored(command, *app, "--seeds", 16, "--cluster", cluster, folder=tmp_path / "together")
    assert killed.exists()
    alone = explored(command, *app, "--seeds", 16, folder=tmp_path / "alone")
    assert together == alone
    assert wait_until_ended(str(killed))


def test_a_scheduler_that_is_not_there_or_has_no_workers_is_named(environment: dict[str, str], tmp_path: Path) -> None:
    port = free_ports(1)
    options = ("--app", f"http://127.0.0.1:{free_ports(1)}", "--app-command", SHOP, "--cluster")
    done = run("explore", *options, f"tcp://127.0.0.1:{port}", cwd=tmp_path, **environment)
    assert done.returncode == 1
    assert f"Error: no Dask scheduler answers at tcp://127.0.0.1:{port}" in done.stderr
