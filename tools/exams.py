"""Examines the right example apps on many seeds, none of which may fail: `python -m tools.exams --seeds 50`."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from giftsim.workbench.app.process import AppProcess
from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.exam.exam import Exam, RuleResult
from giftsim.workbench.exam.exam_rule import Outcome
from giftsim.workbench.exam.examined_app import ExaminedApp
from giftsim.workbench.exam.rules import all_rules
from tests.support.free_ports import free_ports
from tests.support.served_simulator import ROOT
from tests.support.tools import require_tool
from tools.explored_apps import EXPRESS, FLASK, HR, command_of

GO, SHOP = "go", "shop.py"
APPS = (SHOP, FLASK, HR, EXPRESS, GO)


def right_command(app: str, folder: Path) -> str:
    """The command that starts a right app, built in a folder if it has to be."""
    if app == GO:
        return _go_command(folder)
    if app == SHOP:
        return f"{sys.executable} {shlex.quote(str(ROOT / 'examples' / app))} {{port}}"
    return command_of(app, folder)


def _go_command(folder: Path) -> str:
    program = folder / "exam_shop"
    own = {"GOCACHE": str(folder / "cache"), "GOTOOLCHAIN": "local"}
    build = [require_tool("go", "golang-go"), "build", "-o", str(program), "./exam_shop"]
    subprocess.run(build, cwd=ROOT / "examples" / "go", env={**os.environ, **own}, check=True)
    return f"{shlex.quote(str(program))} {{port}}"


@contextmanager
def running(app: str) -> Iterator[str]:
    """The address of a right app that runs meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        process = AppProcess(right_command(app, Path(folder)), f"http://127.0.0.1:{free_ports(1)}")
        try:
            process.wait()
            yield process.url
        finally:
            process.close()


def examine(url: str, seed: int, *, budget_s: float = 300.0, rules: tuple[str, ...] = ()) -> list[RuleResult]:
    """The results of one exam of an app."""
    chosen = [rule for rule in all_rules() if not rules or rule.id in rules]
    exam = Exam(ExaminedApp(AppProtocol(app=url)), chosen, seed=seed, budget_s=budget_s)
    try:
        for _ in exam.hold():
            pass
        return list(exam.results.values())
    finally:
        exam.close()


def failures(results: list[RuleResult]) -> list[str]:
    """What did not come out well in an exam: the id of each rule with the reason."""
    wrong = (Outcome.FAILED, Outcome.SKIPPED)
    return [f"{each.rule.id} {each.outcome}: {each.reason}" for each in results if each.outcome in wrong]


@click.command()
@click.option("--app", "apps", multiple=True, type=click.Choice(APPS), help="Only this app; repeatable.")
@click.option("--only", "rules", multiple=True, help="Only this rule; repeatable.")
@click.option("--seeds", default=5, show_default=True, help="How many exams of each app.")
@click.option("--first", default=1, show_default=True, help="The first seed.")
def main(apps: tuple[str, ...], rules: tuple[str, ...], seeds: int, first: int) -> None:
    """Examine the right apps, and print each rule that failed."""
    wrong = 0
    for app in apps or APPS:
        with running(app) as url:
            for seed in range(first, first + seeds):
                found = failures(examine(url, seed, rules=rules))
                wrong += len(found)
                click.echo("\n".join([f"{app}, seed {seed}: {len(found)} failed", *(f"  {each}" for each in found)]))
    sys.exit(min(wrong, 1))


if __name__ == "__main__":
    main()
