"""Measures how explore finds the bugs of the example apps: `python -m tools.explored_apps --write` updates the page.

For each bug and seed it counts the steps, which are the actions of plans, until explore finds it: guided by coverage,
and with seeds alone. `--right 2000` runs so many plans of a guided search on each app without bugs, of which none may
fail.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from itertools import product, repeat
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

import click
import msgspec

from giftsim.engine.worlds import system_clock
from giftsim.workbench.app.process import AppProcess
from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.explore.explorer import Explorer
from giftsim.workbench.explore.generator import generate_plan
from giftsim.workbench.explore.guided import Search, Shortener
from giftsim.workbench.explore.plan import Plan, describe_plan
from giftsim.workbench.explore.plan_runner import PlanRunner
from giftsim.workbench.explore.scenario_writer import plan_scenario
from tests.support.free_ports import free_ports
from tests.support.node_packages import node_project
from tests.support.python_tools import installed_tools
from tests.support.served_simulator import ROOT
from tests.support.tools import require_tool

PAGE = ROOT / "benchmarks" / "explored-apps.md"
BEGIN, END = "<!-- measured: explored apps -->\n", "<!-- end of measured -->\n"
APPS = FLASK, HR, EXPRESS, UNSEEN = "flask_shop.py", "hr_app.py", "express_shop", "unseen"
BUGS = {
    **dict.fromkeys(("charged-twice", "new-key", "lost-is-failed", "stale-read", "late-event-revives"), FLASK),
    **dict.fromkeys(("counted-twice", "one-secret", "parsed-signature", "declined-forever", "no-back-off"), FLASK),
    **dict.fromkeys(("float-cents", "whole-refund", "unknown-event"), FLASK),
    **dict.fromkeys(("utc-month", "day-twice", "decided-twice", "superseded-paid"), HR),
    **dict.fromkeys(("page-missed", "expiry-early", "answered-early"), EXPRESS),
    **dict.fromkeys(("key-of-the-day", "all-canceled", "once-per-order"), UNSEEN),
}


Key: TypeAlias = tuple[str, int, bool]


class Found(msgspec.Struct, frozen=True):
    """How a bug was found: after so many plans, steps and seconds, and the steps of its scenario once shortened."""

    plans: int
    steps: int
    seconds: float
    reason: str | None
    scenario_steps: int | None = None


class Task(msgspec.Struct, frozen=True):
    """One search for one bug, guided or with seeds alone, which is given up after so many steps."""

    bug: str
    seed: int
    guided: bool
    limit: int

    @property
    def key(self) -> Key:
        """What is measured, whatever the limit."""
        return self.bug, self.seed, self.guided


class Measured(msgspec.Struct, frozen=True):
    """What a search found."""

    task: Task
    found: Found


class Alone:
    """The plans of the seeds of a search that is not guided."""

    def __init__(self, seed: int, actions: Sequence[str]) -> None:
        self._actions, self._next = actions, seed * 1_000_000

    def next_plan(self) -> Plan:
        """The plan of the next seed."""
        self._next += 1
        return generate_plan(self._next, self._actions)

    def learn(self, plan: Plan, met: Met) -> None:
        """Learn nothing."""


def command_of(app: str, folder: Path, bug: str = "") -> str:
    """The command that starts an app with a bug, or with none."""
    examples, option = ROOT / "examples", f" --bug {bug}" if bug else ""
    if app == UNSEEN:
        return f"{go_command(folder)} {bug}"
    if app == EXPRESS:
        node_project(folder, *sorted((examples / EXPRESS).glob("*.mjs")), tree=examples / EXPRESS)
        return f"{require_tool('node', 'nodejs')} {shlex.quote(str(folder / 'shop.mjs'))} {{port}}{option}"
    fastapi = ROOT / "tests" / "ecosystem" / "fastapi" / "requirements.lock"
    python = installed_tools(fastapi) / "python" if app == HR else sys.executable
    return f"{python} {shlex.quote(str(examples / app))} {{port}}{option}"


def go_command(folder: Path) -> str:
    """The command that starts the app in Go, which is built in a folder; its bug is its last argument."""
    app = folder / "app"
    own = {"GOCACHE": str(folder / "cache"), "GOTOOLCHAIN": "local"}
    build = [require_tool("go", "golang-go"), "build", "-o", str(app), "."]
    subprocess.run(build, cwd=ROOT / "tests" / "ecosystem" / UNSEEN, env={**os.environ, **own}, check=True)
    return f"{shlex.quote(str(app))} {{port}}"


@contextmanager
def exploring(app: str, bug: str = "", *, coverage: bool = True) -> Iterator[Explorer]:
    """An explorer of an app that runs meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        process = AppProcess(command_of(app, Path(folder), bug), f"http://127.0.0.1:{free_ports(1)}")
        runner = PlanRunner(AppProtocol(app=process.url), coverage=coverage)
        try:
            process.wait()
            explorer = Explorer(runner)
            explorer.check_app()
            yield explorer
        finally:
            runner.close()
            process.close()


def search(asked: Task) -> Found:
    """Search until something is found."""
    with exploring(BUGS[asked.bug], asked.bug, coverage=asked.guided) as explorer:
        return _search(asked, explorer)


def failures_of_right_app(app: str, many: int) -> list[str]:
    """What so many plans of a guided search find in an app without bugs, which is a mistake of explore."""
    with exploring(app) as explorer:
        plans, found = Search(1, explorer.protocol.actions), []
        for number in range(1, many + 1):
            plan = plans.next_plan()
            result = explorer.runner.run(plan, number)
            found += [f"{failure.reason}: {'; '.join(describe_plan(plan))}" for failure in result.failures]
            if result.met is not None:
                plans.learn(plan, result.met)
        return found


def _search(asked: Task, explorer: Explorer) -> Found:
    plans = (Search if asked.guided else Alone)(asked.seed, explorer.protocol.actions)
    many = steps = 0
    began = system_clock.monotonic()
    while steps < asked.limit:
        plan = plans.next_plan()
        many, steps = many + 1, steps + len(plan.actions)
        result = explorer.runner.run(plan, many)
        if result.failures:
            took = round(system_clock.monotonic() - began, 1)
            if not asked.guided:
                return Found(many, steps, took, result.failures[0].reason)
            shortener = Shortener(many, plan, result.failures[0])
            shortener.search(partial(explorer.runner.run, seed=many))
            wrong = shortener.failure.wrong
            last = plan_scenario(shortener.best, explorer.protocol, seed=many, wrong=wrong, checked=False)
            return Found(many, steps, took, shortener.failure.reason, len(last["steps"]))
        if result.met is not None:
            plans.learn(plan, result.met)
    return Found(many, steps, round(system_clock.monotonic() - began, 1), None)


def table(known: dict[Key, Found]) -> Iterator[str]:
    """The table of the page."""
    yield "| Mistake | Steps, guided | Steps, with seeds alone | Ratio | Seconds, guided | Steps of the scenario |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for bug in BUGS:
        guided, alone = ([found for key, found in sorted(known.items()) if key[::2] == (bug, way)] for way in (1, 0))
        if not (guided and alone):
            continue
        ratio = median(each.steps for each in guided) / median(each.steps for each in alone)
        seconds = ", ".join(f"{each.seconds:.0f}" for each in guided)
        longest = max(each.scenario_steps or 0 for each in guided)
        yield f"| `{bug}` | {_steps(guided)} | {_steps(alone)} | {ratio:.2f} | {seconds} | {longest or ''} |"


def _steps(found: list[Found]) -> str:
    return ", ".join(f"{each.steps}" if each.reason else f"over {each.steps}" for each in found)


@click.command()
@click.option("--bug", "bugs", multiple=True, type=click.Choice(list(BUGS)), help="Only this bug; repeatable.")
@click.option("--seeds", default=3, show_default=True, help="How many searches of each bug.")
@click.option("--limit", default=1500, show_default=True, help="Steps after which a guided search is given up.")
@click.option("--limit-alone", default=500, show_default=True, help="Steps after which seeds alone are given up.")
@click.option("--processes", default=2, show_default=True, help="How many searches at once.")
@click.option("--results", type=click.Path(path_type=Path), help="Keep results in this file, and measure none twice.")
@click.option("--right", type=click.IntRange(1), help="Run so many plans on each right app instead.")
@click.option("--write", is_flag=True, help="Write the table to the page.")
def main(right: int | None, processes: int, **options: Any) -> None:
    """Search for the bugs of the example apps."""
    with ProcessPoolExecutor(processes) as executor:
        if right is None:
            _measure(executor, **options)
            return
        for app, found in zip(APPS, executor.map(failures_of_right_app, APPS, repeat(right)), strict=True):
            click.echo("\n".join([f"{app}: {len(found)} failures in {right} plans", *found]))


def _measure(
    executor: Executor,
    bugs: tuple[str, ...],
    seeds: int,
    limit: int,
    limit_alone: int,
    results: Path | None,
    *,
    write: bool,
) -> None:
    known = _read(results) if results and results.exists() else {}
    keys = product(bugs or BUGS, range(1, seeds + 1), (True, False))
    tasks = [Task(*key, limit if key[2] else limit_alone) for key in keys if key not in known]
    running = {executor.submit(search, task): task for task in tasks}
    for done in as_completed(running):
        measured = Measured(running[done], done.result())
        known[measured.task.key] = measured.found
        line = msgspec.json.encode(measured).decode()
        click.echo(line)
        if results:
            with results.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
    lines = "\n".join(table(known)) + "\n"
    click.echo(lines)
    if write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}{lines}{END}{rest.partition(END)[2]}", encoding="utf-8")


def _read(path: Path) -> dict[Key, Found]:
    lines = path.read_bytes().splitlines()
    return {each.task.key: each.found for each in (msgspec.json.decode(line, type=Measured) for line in lines)}


if __name__ == "__main__":
    main()
