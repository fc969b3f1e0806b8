"""Explorations that are shared out: by threads with an app each, in the order of the plans."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.explore.engine import Engine, run_all
from giftsim.workbench.explore.explorer import EMPTY_PLAN
from giftsim.workbench.explore.failures import RunResult, SeedResult
from giftsim.workbench.explore.plan import Plan
from giftsim.workbench.explore.workplace import Equipment, close_workplaces, run_at_a_workplace, run_seed
from tests.explore.sample_apps import ROOT, exploring, shop
from tests.support.downstream_app import run_app
from tests.support.free_ports import free_ports

SHOP = f"{sys.executable} {ROOT / 'examples' / 'shop.py'} {{port}} --bug duplicates"


def explore(*options: object) -> Result:
    return CliRunner().invoke(main, ["explore", *map(str, options)])


def test_results_come_in_the_order_of_the_plans_and_only_so_many_are_made_ahead() -> None:
    made: list[int] = []
    first_may_end = Event()

    def plans() -> Iterator[tuple[int, Plan]]:
        for number in range(1, 9):
            made.append(number)
            yield number, EMPTY_PLAN

    def run(number: int, plan: Plan) -> SeedResult:
        if number == 1:
            assert first_may_end.wait(60)
        elif number == 3:
            first_may_end.set()
        return SeedResult(number, plan, RunResult())

    results = run_all(Engine(partial(ThreadPoolExecutor, 3), run), plans(), lambda done: 3 + done // 4)
    assert next(results).seed == 1
    assert made == [1, 2, 3]
    assert [done.seed for done in results] == [2, 3, 4, 5, 6, 7, 8]


def test_threads_share_the_plans_each_with_an_app_of_its_own() -> None:
    equipment = Equipment(AppProtocol(app="http://127.0.0.1:9"), SHOP)
    engine = Engine(partial(ThreadPoolExecutor, 2), partial(run_at_a_workplace, equipment), 2)
    with shop("duplicates") as app, exploring(app) as alone, exploring(app) as together:
        list(alone.run_seeds(range(1, 9)))
        list(together.run_seeds(range(1, 9), engine))
    close_workplaces(equipment)
    assert together.failures == alone.failures != []


def test_an_app_that_stops_ends_the_exploration_in_jobs_too() -> None:
    with run_app() as gone:
        url = gone.url
    with exploring(url) as explorer:
        engine = Engine(partial(ThreadPoolExecutor, 2), partial(run_seed, explorer.runner), 2)
        assert list(explorer.run_seeds(range(3, 9), engine)) == [3]
        assert explorer.stop_reason == "stopped at seed 3: the app stopped answering"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--jobs", "2"], "--jobs needs an app for each job"),
        (["--jobs", "2", "--app-command", "true"], "neither {port} nor {url}"),
        (["--app-command", "echo no shop here; exit 4"], "the command ended with 4"),
        (["--app-command", "echo no shop here; exit 4"], "no shop here"),
        (["--jobs", "2", "--seed", "3", "--app-command", "true {port}"], "--jobs cannot take effect"),
    ],
)
def test_what_cannot_be_shared_out_is_refused(options: list[str], message: str) -> None:
    done = explore("--app", f"http://127.0.0.1:{free_ports(2)}", *options)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_port_that_is_taken_is_named() -> None:
    with run_app(lambda _: (200, {"ok": True})) as app:
        done = explore("--app", app.url, "--app-command", "sleep 100")
    assert done.exit_code == 2
    assert f"something listens on {app.url} already" in done.stderr
