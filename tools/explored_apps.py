"""Measures how explore finds the bugs of the example apps: `python -m tools.explored_apps --write` updates the page.

For each bug and seed it counts the steps, which are the actions of plans, until explore finds it: guided by coverage,
and with seeds alone.
"""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median

import click
import msgspec

from giftsim.coverage.met import Met
from giftsim.explore.app import AppProcess, AppProtocol
from giftsim.explore.explorer import Explorer
from giftsim.explore.generator import generate_plan
from giftsim.explore.guided import Search, Shortener
from giftsim.explore.plan import Plan
from giftsim.explore.runner import PlanRunner
from giftsim.explore.scenario_writer import plan_scenario
from giftsim.worlds import system_clock
from tests.support.free_ports import free_ports
from tests.support.node_packages import node_project
from tests.support.python_tools import installed_tools
from tests.support.served_simulator import ROOT

PAGE = ROOT / "docs" / "how-to" / "explore.md"
BEGIN, END = "<!-- measured: explored apps -->\n", "<!-- end of measured -->\n"
FLASK, HR, EXPRESS = "flask_shop.py", "hr_app.py", "express_shop"
BUGS = {
    **dict.fromkeys(("charged-twice", "new-key", "lost-is-failed", "stale-read", "late-event-revives"), FLASK),
    **dict.fromkeys(("counted-twice", "one-secret", "parsed-signature", "declined-forever", "no-back-off"), FLASK),
    **dict.fromkeys(("float-cents", "whole-refund", "unknown-event"), FLASK),
    **dict.fromkeys(("utc-month", "day-twice", "decided-twice", "superseded-paid"), HR),
    **dict.fromkeys(("page-missed", "expiry-early", "answered-early"), EXPRESS),
}


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


def command_of(app: str, folder: Path) -> str:
    """The command that starts an app."""
    examples = ROOT / "examples"
    if app == EXPRESS:
        node_project(folder, examples / EXPRESS / "shop.mjs", tree=examples / EXPRESS)
        return f"node {shlex.quote(str(folder / 'shop.mjs'))} {{port}}"
    fastapi = ROOT / "tests" / "ecosystem" / "fastapi" / "requirements.lock"
    python = installed_tools(fastapi) / "python" if app == HR else sys.executable
    return f"{python} {shlex.quote(str(examples / app))} {{port}}"


def search(asked: Task) -> Found:
    """Search until something is found."""
    with tempfile.TemporaryDirectory() as folder:
        command = f"{command_of(BUGS[asked.bug], Path(folder))} --bug {asked.bug}"
        process = AppProcess(command, f"http://127.0.0.1:{free_ports(1)}")
        runner = PlanRunner(AppProtocol(app=process.url), coverage=asked.guided)
        try:
            process.wait()
            explorer = Explorer(runner)
            explorer.check_app()
            return _search(asked, explorer)
        finally:
            runner.close()
            process.close()


def _search(asked: Task, explorer: Explorer) -> Found:
    plans = (Search if asked.guided else Alone)(asked.seed, explorer.protocol.actions)
    many = steps = 0
    began = system_clock.monotonic()
    while steps < asked.limit:
        plan = plans.next_plan()
        many, steps = many + 1, steps + len(plan.actions)
        result = explorer.runner.run(plan, many)
        if result.failures:
            took = system_clock.monotonic() - began
            shortener = Shortener(many, plan, result.failures[0])
            shortener.search(partial(explorer.runner.run, seed=many))
            wrong = shortener.failure.wrong
            last = plan_scenario(shortener.best, explorer.protocol, seed=many, wrong=wrong, checked=False)
            return Found(many, steps, round(took, 1), shortener.failure.reason, len(last["steps"]))
        if result.met is not None:
            plans.learn(plan, result.met)
    return Found(many, steps, round(system_clock.monotonic() - began, 1), None)


def table(results: dict[str, dict[str, list[Found]]]) -> Iterator[str]:
    """The table of the page."""
    yield "| Mistake | Steps, guided | Steps, with seeds alone | Ratio | Seconds, guided | Steps of the scenario |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for bug, found in results.items():
        guided, alone = found["guided"], found["alone"]
        ratio = median(each.steps for each in guided) / median(each.steps for each in alone)
        seconds = ", ".join(f"{each.seconds:.0f}" for each in guided)
        shortest = max((each.scenario_steps or 0 for each in guided), default=0)
        yield f"| `{bug}` | {_steps(guided)} | {_steps(alone)} | {ratio:.2f} | {seconds} | {shortest} |"


def _steps(found: list[Found]) -> str:
    return ", ".join(f"{each.steps}" if each.reason else f"over {each.steps}" for each in found)


@click.command()
@click.option("--bug", "bugs", multiple=True, type=click.Choice(list(BUGS)), help="Only this bug; repeatable.")
@click.option("--seeds", default=3, show_default=True, help="How many searches of each bug.")
@click.option("--limit", default=3000, show_default=True, help="Steps after which a search is given up.")
@click.option("--processes", default=2, show_default=True, help="How many searches at once.")
@click.option("--guided-only", is_flag=True, help="No seeds alone.")
@click.option("--write", is_flag=True, help="Write the table to the page.")
def main(bugs: tuple[str, ...], seeds: int, limit: int, processes: int, guided_only: bool, write: bool) -> None:
    """Search for the bugs of the example apps."""
    ways = [True] if guided_only else [True, False]
    asked = [Task(bug, seed, guided, limit) for bug in bugs or BUGS for seed in range(1, seeds + 1) for guided in ways]
    results: dict[str, dict[str, list[Found]]] = {bug: {"guided": [], "alone": []} for bug in bugs or BUGS}
    with ProcessPoolExecutor(processes) as executor:
        for one, found in zip(asked, executor.map(search, asked), strict=True):
            results[one.bug]["guided" if one.guided else "alone"].append(found)
            click.echo(json.dumps({**msgspec.to_builtins(one), **msgspec.to_builtins(found)}))
    if guided_only:
        return
    lines = "\n".join(table(results)) + "\n"
    click.echo(lines)
    if write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}{lines}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
