"""The command `explore`: its options, its report and its exit status."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from giftsim.cli.app_options import app_and_paths, app_options, path_options
from giftsim.cli.options import WholeNumber, is_given, refuse_unused
from giftsim.cli.signals import HandledSignals
from giftsim.cli.started_app import started_app
from giftsim.cli.terminal import print_text
from giftsim.workbench.app.protocol import PROTOCOL_HELP, AppProtocol

if TYPE_CHECKING:
    from collections.abc import Generator

    from giftsim.workbench.app.instances import Instances
    from giftsim.workbench.explore.engine import Engine
    from giftsim.workbench.explore.explorer import Budget, Explorer

    Runs = Generator[int, None, None]

PASSED, FAILED, SIGNALED = 0, 1, 128
HYPOTHESIS_FOLDER = "HYPOTHESIS_STORAGE_DIRECTORY"
BUDGET = re.compile("([1-9][0-9]{0,6})(s|m|)", re.ASCII)
SCHEDULER = re.compile(r"(tcp|tls)://[^\s/]+:[0-9]{1,5}", re.ASCII)


class CommandWithProtocol(click.Command):
    """A command whose help has the app protocol, line breaks included."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the protocol below the options, then the examples."""
        formatter.write(f"\n{PROTOCOL_HELP}")
        super().format_epilog(ctx, formatter)


@click.command(cls=CommandWithProtocol)
@app_options(required=True)
@click.option("--seeds", default=100, show_default=True, type=WholeNumber(1, 1_000_000), help="Run seeds 1 to N.")
@click.option("--seed", type=WholeNumber(1), help="Run this seed only; with --budget, the seed of the search.")
@click.option(
    "--budget",
    metavar="60s|2000",
    help="Search for this time or number of steps: plans that reach something new are varied. With --seeds, run these "
    "seeds, at most for that.",
)
@click.option(
    "--corpus",
    type=click.Path(file_okay=False, path_type=Path),
    help="Begin a search with the plans in this folder, and keep those there that reach something new.",
)
@click.option(
    "--jobs",
    default=1,
    show_default=True,
    type=WholeNumber(1, 64),
    help="Number of processes that run plans, each with its own app on a free port.",
)
@click.option(
    "--cluster",
    metavar="tcp://HOST:PORT",
    help="Run plans on the workers of this Dask scheduler, each with its own app.",
)
@click.option("--check", "command", metavar="CMD", help="A command that checks the app, in place of the check call.")
@click.option("--receiver-only", is_flag=True, help="The app places no orders: explore places them for it.")
@click.option(
    "--out",
    default="explored",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for the scenario files.",
)
@click.option(
    "--coverage",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    help="Write what the app met of the service, in all seeds together, to this folder.",
)
@click.option("--force", is_flag=True, help="Replace files of the same name. Without it, a new file gets a number.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option(
    "--timeout",
    default=5,
    show_default=True,
    type=WholeNumber(1, 10),
    help="Real seconds the app has for each response.",
)
@path_options
def explore(**options: Any) -> None:
    """Find what your app gets wrong when webhooks come twice, late or out of order and when responses get lost.

    Each seed is a plan of orders and problems. A plan on which your app fails is shortened to the smallest scenario
    that still fails, and written to a file for `play`. The exit status is 0 without failures, 1 with failures, and 2
    if the app cannot be explored.

    Ctrl-C ends the search, and what it found is still shortened. A second one, or SIGTERM, ends that too. The report
    has what was done until then.
    """
    if find_spec("hypothesis") is None:
        raise click.UsageError(
            "explore needs Hypothesis, which is not installed: pip install hypothesis, or install giftsim with the"
            " extra `explore`"
        )
    protocol, seeds = _protocol(options), _seeds(options)
    if options["cluster"] is not None and find_spec("distributed") is None:
        raise click.UsageError(
            "--cluster needs Dask, which is not installed: pip install distributed, or install giftsim with the extra"
            " `dask`"
        )
    with TemporaryDirectory(prefix="giftsim-explore-") as folder:
        os.environ.setdefault(HYPOTHESIS_FOLDER, folder)  # read when Hypothesis is imported, which happens below
        with started_app(protocol.app, options["app_command"], app_clock=options["app_clock"]) as instances:
            status = _explore(protocol, seeds, options, instances)
    raise SystemExit(status)


def _seeds(options: dict[str, Any]) -> Sequence[int]:
    """The seeds to run; none for a search."""
    if _is_search(options):
        return ()
    if options["seed"] is not None:
        return (options["seed"],)
    return range(1, options["seeds"] + 1)


def _is_search(options: dict[str, Any]) -> bool:
    return options["budget"] is not None and not is_given("seeds")


def _protocol(options: dict[str, Any]) -> AppProtocol:
    app, paths = app_and_paths(options)
    _refuse_unused(options)
    unused = {"check": options["command"] is not None, "do": options["receiver_only"]}
    used: dict[str, Any] = {name: None if unused.get(name) else path for name, path in paths.items()}
    return AppProtocol(app=app, timeout_s=options["timeout"], is_shown_time=options["app_clock"], **used)


def _budget(text: str) -> Budget:
    """The budget that a text gives: 60s or 2m of real time, or 2000 steps."""
    from giftsim.workbench.explore.explorer import Budget

    match = BUDGET.fullmatch(text)
    if match is None:
        raise click.UsageError(f"--budget is a time such as 60s or 5m, or a number of steps such as 2000, not {text!r}")
    if not match[2]:
        return Budget(steps=int(match[1]))
    return Budget(seconds=int(match[1]) * (60 if match[2] == "m" else 1))


class ExploreSignals(HandledSignals):
    """Ctrl-C ends an exploration after the plans in progress. A second one, or another signal, ends the shrinking too.

    `received` is the number of the last one, or 0.
    """

    def __init__(self, explorer: Explorer) -> None:
        super().__init__()
        self._explorer, self.received = explorer, 0

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self.received = number
        is_key = number == signal.SIGINT
        self._explorer.interrupt("Ctrl-C" if is_key else signal.Signals(number).name, at_once=not is_key)


@contextmanager
def _engine(explorer: Explorer, options: dict[str, Any]) -> Iterator[Engine]:
    """The engine of the plans: this process, several, or the workers of a cluster. ClickException if they cannot."""
    from giftsim.workbench.explore.cluster import cluster
    from giftsim.workbench.explore.engine import EngineFailed, here, processes
    from giftsim.workbench.explore.workplace import Equipment

    command, runner = options["app_command"], explorer.runner
    try:
        if command is None or (options["jobs"] == 1 and options["cluster"] is None):
            yield here(runner)
            return
        equipment = Equipment(explorer.protocol, command, runner.command, runner.coverage)
        if options["cluster"] is None:
            yield processes(equipment, options["jobs"])
            return
        with cluster(options["cluster"], equipment) as engine:
            yield engine
    except EngineFailed as error:
        raise click.ClickException(str(error)) from None


def _runs(explorer: Explorer, engine: Engine, seeds: Sequence[int], options: dict[str, Any]) -> Runs:
    """The runs of all seeds, or of the search that has a budget."""
    from giftsim.workbench.explore.guided import Search, UnreadableCorpus, read_corpus

    budget = None if options["budget"] is None else _budget(options["budget"])
    if budget is None or not _is_search(options):
        return explorer.run_seeds(seeds, engine, budget)
    try:
        corpus = read_corpus(options["corpus"]) if options["corpus"] else []
    except UnreadableCorpus as error:
        raise click.UsageError(f"--corpus: {error}") from None
    search = Search(options["seed"] or 1, explorer.protocol.actions, corpus)
    return explorer.run_search(search, budget, engine)


def _refuse_unused(options: dict[str, Any]) -> None:
    if options["budget"] is not None:
        _budget(options["budget"])
        refuse_unused(() if _is_search(options) else ("seed", "corpus"), "--seeds are run as they are")
    elif options["corpus"] is not None:
        raise click.UsageError("--corpus is for a search: give its --budget too")
    elif options["seed"] is not None:
        refuse_unused(("seeds", "jobs", "cluster"), "--seed runs that seed only")
    _refuse_engines(options)
    if options["command"] is not None:
        refuse_unused(("check_path",), "--check replaces the check call")
    if options["receiver_only"]:
        refuse_unused(("do_path",), "with --receiver-only the app places no orders")


def _refuse_engines(options: dict[str, Any]) -> None:
    """Refuse several processes or a cluster that cannot start an app each."""
    address, command = options["cluster"], options["app_command"]
    if address is None and options["jobs"] == 1:
        return
    if address is not None:
        refuse_unused(("jobs",), "with --cluster the scheduler says how many plans run at once")
        if SCHEDULER.fullmatch(address) is None:
            raise click.UsageError(f"--cluster is the address of a Dask scheduler, tcp://HOST:PORT, not {address!r}")
    name, each = ("--jobs", "job") if address is None else ("--cluster", "worker")
    if command is None:
        raise click.UsageError(
            f"{name} needs an app for each {each}: give the command that starts one as --app-command"
        )
    if "{port}" not in command and "{url}" not in command:
        raise click.UsageError(
            f"--app-command has neither {{port}} nor {{url}}, so all {each}s would start the same app"
        )


@contextmanager
def _explorer(protocol: AppProtocol, options: dict[str, Any], instances: Instances | None) -> Iterator[Explorer]:
    """An explorer with its own simulator, once the app has shown that it implements the protocol."""
    from giftsim.workbench.explore.explorer import Explorer, ProtocolMismatch
    from giftsim.workbench.explore.plan_runner import AppUnreachable, PlanRunner

    runner = PlanRunner(protocol, options["command"], coverage=True, instances=instances)
    try:
        explorer = Explorer(runner, force=options["force"])
        explorer.check_app()
        yield explorer
    except (AppUnreachable, ProtocolMismatch) as error:
        raise click.UsageError(f"--app {protocol.app} cannot be explored: {error}\n\n{PROTOCOL_HELP}") from None
    finally:
        runner.close()


def _explore(protocol: AppProtocol, seeds: Sequence[int], options: dict[str, Any], instances: Instances | None) -> int:
    """Explore and print the result; the exit status."""
    from giftsim.cli.coverage import CoverageFolder, areas_of
    from giftsim.engine.worlds import system_clock
    from giftsim.workbench.coverage.met import Met
    from giftsim.workbench.explore.exploration_report import (
        ShrinkProgressLine,
        json_report,
        run_with_progress_bar,
        summary_lines,
        waited_line,
    )
    from giftsim.workbench.explore.explored_page import explored_page, write_page
    from giftsim.workbench.explore.guided import write_corpus

    started, progress, command = system_clock.monotonic(), ShrinkProgressLine(sys.stderr), options["command"]
    is_search = _is_search(options)
    kept = CoverageFolder.at(options["coverage"])
    areas_of(Met())  # so that wrong settings are refused before anything runs
    with _explorer(protocol, options, instances) as explorer, ExploreSignals(explorer) as signals:
        with _engine(explorer, options) as engine, closing(_runs(explorer, engine, seeds, options)) as runs:
            run_with_progress_bar(explorer, runs, None if is_search else len(seeds), sys.stderr)
        if options["corpus"] and explorer.search:
            write_corpus(options["corpus"], explorer.search.kept)
        findings = explorer.shrink_failures(options["out"], progress)
        progress.clear()
    noun, took_s = "plan" if is_search else "seed", system_clock.monotonic() - started
    report = json_report(explorer, findings, command, areas_of(explorer.met))
    report["report"] = str(write_page(options["out"], explored_page(report, [each.drawing for each in findings], noun)))
    only = explorer.seeds_run[0] if len(seeds) == 1 and explorer.seeds_run else None
    lines = summary_lines(report, seed=only, took_s=took_s, noun=noun, waited=waited_line(explorer))
    _print_result(report, explorer, lines, as_json=options["as_json"])
    if kept is not None:
        kept.add(explorer.met)
        kept.write_and_show(quiet=options["as_json"])
    if findings or (explorer.stop_reason and not (signals.received or explorer.is_used_up)):
        return FAILED
    return SIGNALED + signals.received if signals.received else PASSED


def _print_result(report: Mapping[str, Any], explorer: Explorer, lines: Iterable[str], *, as_json: bool) -> None:
    from giftsim.workbench.explore.exploration_report import waited_line

    if not as_json:
        for line in lines:
            print_text(line)
        return
    click.echo(json.dumps(report, indent=2))
    if waited := waited_line(explorer):
        click.echo(waited, err=True)
