"""The commands `explore` and `explore-merge`: their options, their reports and their exit status."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
import msgspec

from giftsim.cli.options import WholeNumber, check_app, refuse_unused
from giftsim.explore.app import PROTOCOL_HELP, AppProtocol

if TYPE_CHECKING:
    from collections.abc import Generator

    from giftsim.explore.explorer import Budget, Explorer

    Runs = Generator[int, None, None]

PASSED, FAILED, STOPPED = 0, 1, 130
HYPOTHESIS_FOLDER = "HYPOTHESIS_STORAGE_DIRECTORY"
BUDGET = re.compile("([1-9][0-9]{0,6})(s|m|)", re.ASCII)
SHARD = re.compile("([0-9]{1,6})/([0-9]{1,6})", re.ASCII)


class CommandWithProtocol(click.Command):
    """A command whose help ends with the app protocol, line breaks included."""

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the protocol below the options."""
        formatter.write(f"\n{PROTOCOL_HELP}")


@click.command(cls=CommandWithProtocol)
@click.option("--app", required=True, metavar="URL", help="The app, on this machine: http://127.0.0.1:PORT.")
@click.option("--seeds", default=100, show_default=True, type=WholeNumber(1, 1_000_000), help="Run seeds 1 to N.")
@click.option("--seed", type=WholeNumber(1), help="Run this seed only; with --budget, the seed of the search.")
@click.option(
    "--budget",
    metavar="60s|2000",
    help="Search so long, or for so many steps: plans that reach something new are varied, in place of --seeds.",
)
@click.option(
    "--corpus",
    type=click.Path(file_okay=False, path_type=Path),
    help="Begin a search with the plans in this folder, and keep those there that reach something new.",
)
@click.option(
    "--shard", metavar="I/N", help="Run only part I of N of the seeds, like 2/3; giftsim explore-merge joins them."
)
@click.option(
    "--jobs",
    default=1,
    show_default=True,
    type=WholeNumber(1, 64),
    help="Run seeds in so many processes, each with an app of its own on the next port.",
)
@click.option(
    "--app-command", metavar="CMD", help="Start the app by this command; {port} and {url} are its address (see --jobs)."
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
@click.option("--start-path", default="/giftsim/start", show_default=True, help="Called to begin a run.")
@click.option("--do-path", default="/giftsim/do", show_default=True, help="Called for each order.")
@click.option("--webhooks-path", default="/giftsim/webhooks", show_default=True, help="Receives the webhooks.")
@click.option("--check-path", default="/giftsim/check", show_default=True, help="Called at the end to check the app.")
def explore(**options: Any) -> None:
    """Find what your app gets wrong when webhooks come twice, late or out of order and when responses get lost.

    Each seed is a plan of orders and problems. A plan on which your app fails is shortened to the smallest scenario
    that still fails, and written to a file for `play`. The exit status is 0 without failures, 1 with failures, and 2
    if the app cannot be explored.
    """
    if find_spec("hypothesis") is None:
        raise click.UsageError(
            "explore needs Hypothesis, which is not installed: pip install hypothesis, or install giftsim with the"
            " extra `explore`"
        )
    protocol, seeds = _protocol(options), _seeds(options)
    with TemporaryDirectory(prefix="giftsim-explore-") as folder:
        os.environ.setdefault(HYPOTHESIS_FOLDER, folder)  # read when Hypothesis is imported, which happens below
        with _apps(protocol, options["app_command"], options["jobs"]) as protocols:
            status = _explore(protocols, seeds, options)
    raise SystemExit(status)


def _seeds(options: dict[str, Any]) -> Sequence[int]:
    """The seeds to run: all, or every N-th from the I-th for shard I/N; none for a search."""
    if options["budget"] is not None:
        return ()
    if options["seed"] is not None:
        return (options["seed"],)
    part, of = _shard(options["shard"])
    seeds = range(1, options["seeds"] + 1)[part - 1 :: of]
    if not seeds:
        raise click.UsageError(f"--shard {options['shard']} has none of the {options['seeds']} seeds")
    return seeds


def _shard(text: str | None) -> tuple[int, int]:
    match = SHARD.fullmatch(text or "1/1")
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise click.UsageError(f"--shard is I/N with I from 1 to N, like 2/3, not {text!r}")
    return int(match[1]), int(match[2])


@contextmanager
def _apps(protocol: AppProtocol, command: str | None, jobs: int) -> Iterator[list[AppProtocol]]:
    """The protocol for the app of each job; the apps are started, if a command for them is given."""
    from giftsim.explore.app import AppNotStarted, AppProcess, url_of_job

    if command is None and jobs > 1:
        raise click.UsageError("--jobs needs an app for each job: give the command that starts one as --app-command")
    if jobs > 1 and command and "{port}" not in command and "{url}" not in command:
        raise click.UsageError("--app-command has neither {port} nor {url}, so all jobs would start the same app")
    protocols = [msgspec.structs.replace(protocol, app=url_of_job(protocol.app, n)) for n in range(1, jobs + 1)]
    with ExitStack() as started:
        try:
            commands = () if command is None else ((command, each.app) for each in protocols)
            apps = [started.enter_context(closing(AppProcess(*each))) for each in commands]
            for app in apps:
                app.wait()
        except AppNotStarted as error:
            raise click.UsageError(f"--app-command: {error}") from None
        yield protocols if command else [protocol]


def _protocol(options: dict[str, Any]) -> AppProtocol:
    app = options["app"].rstrip("/")
    check_app(app)
    paths = {name: options[f"{name}_path"] for name in ("start", "do", "webhooks", "check")}
    for name, path in paths.items():
        if not path.startswith("/"):
            raise click.UsageError(f"--{name}-path is a path like /giftsim/{name}, not {path!r}")
    _refuse_unused(options)
    unused = {"check": options["command"] is not None, "do": options["receiver_only"]}
    used: dict[str, Any] = {name: None if unused.get(name) else path for name, path in paths.items()}
    return AppProtocol(app=app, timeout_s=options["timeout"], **used)


def _budget(text: str) -> Budget:
    """The budget that a text gives: 60s or 2m of real time, or 2000 steps."""
    from giftsim.explore.explorer import Budget

    match = BUDGET.fullmatch(text)
    if match is None:
        raise click.UsageError(f"--budget is a time such as 60s or 5m, or a number of steps such as 2000, not {text!r}")
    if not match[2]:
        return Budget(steps=int(match[1]))
    return Budget(seconds=int(match[1]) * (60 if match[2] == "m" else 1))


def _runs(explorer: Explorer, protocols: Sequence[AppProtocol], seeds: Sequence[int], options: dict[str, Any]) -> Runs:
    """The runs of all seeds, or of the search that has a budget."""
    from giftsim.explore.explorer import run_seeds_in_jobs
    from giftsim.explore.guided import Search, UnreadableCorpus, read_corpus

    if options["budget"] is None:
        in_jobs = run_seeds_in_jobs(explorer, protocols, options["command"], seeds)
        return in_jobs if len(protocols) > 1 else explorer.run_seeds(seeds)
    try:
        corpus = read_corpus(options["corpus"]) if options["corpus"] else []
    except UnreadableCorpus as error:
        raise click.UsageError(f"--corpus: {error}") from None
    search = Search(options["seed"] or 1, explorer.protocol.actions, corpus)
    return explorer.run_search(search, _budget(options["budget"]))


def _refuse_unused(options: dict[str, Any]) -> None:
    if options["budget"] is not None:
        refuse_unused(("seeds", "shard", "jobs"), "--budget searches in one process until it is used up")
        _budget(options["budget"])
    elif options["corpus"] is not None:
        raise click.UsageError("--corpus is for a search: give its --budget too")
    elif options["seed"] is not None:
        refuse_unused(("seeds", "shard", "jobs"), "--seed runs that seed only")
    if options["command"] is not None:
        refuse_unused(("check_path",), "--check replaces the check call")
    if options["receiver_only"]:
        refuse_unused(("do_path",), "with --receiver-only the app places no orders")


@contextmanager
def _explorer(protocol: AppProtocol, options: dict[str, Any]) -> Iterator[Explorer]:
    """An explorer with a simulator of its own, once the app has shown that it implements the protocol."""
    from giftsim.explore.explorer import Explorer, ProtocolMismatch
    from giftsim.explore.runner import AppUnreachable, PlanRunner

    runner = PlanRunner(
        protocol, options["command"], coverage=any((options["coverage"], options["as_json"], options["budget"]))
    )
    try:
        explorer = Explorer(runner, force=options["force"])
        explorer.check_app()
        yield explorer
    except (AppUnreachable, ProtocolMismatch) as error:
        raise click.UsageError(f"--app {protocol.app} cannot be explored: {error}\n\n{PROTOCOL_HELP}") from None
    finally:
        runner.close()


def _explore(protocols: Sequence[AppProtocol], seeds: Sequence[int], options: dict[str, Any]) -> int:
    """Explore and print the result; the exit status."""
    from giftsim.cli.coverage import CoverageFolder, areas_of
    from giftsim.explore.explorer import JobEnded
    from giftsim.explore.guided import write_corpus
    from giftsim.explore.report import ShrinkProgressLine, json_report, run_with_progress_bar, summary_lines
    from giftsim.worlds import system_clock

    started, progress, command = system_clock.monotonic(), ShrinkProgressLine(sys.stderr), options["command"]
    kept = CoverageFolder.at(options["coverage"])
    with _explorer(protocols[0], options) as explorer:
        with closing(_runs(explorer, protocols, seeds, options)) as runs:
            try:
                run_with_progress_bar(explorer, runs, None if options["budget"] else len(seeds), sys.stderr)
            except JobEnded as error:
                raise click.ClickException(str(error)) from None
        if options["corpus"] and explorer.search:
            write_corpus(options["corpus"], explorer.search.kept)
        findings = list(explorer.shrink_failures(options["out"], progress))
        progress.clear()
    report = json_report(explorer, findings, command, areas_of(explorer.met) if options["as_json"] else None)
    if options["as_json"]:
        click.echo(json.dumps(report, indent=2))
    else:
        only = explorer.seeds_run[0] if len(seeds) == 1 and explorer.seeds_run else None
        noun, took_s = "plan" if options["budget"] else "seed", system_clock.monotonic() - started
        for line in summary_lines(report, seed=only, took_s=took_s, noun=noun):
            click.echo(line)
    if kept is not None:
        kept.add(explorer.met)
        kept.write_and_show(quiet=options["as_json"])
    return FAILED if findings else STOPPED if explorer.stop_reason else PASSED


MEMBERS = {"app", "outcome", "seeds", "stopped", "plays", "findings"}


@click.command("explore-merge")
@click.argument("reports", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the merged report as JSON.")
def explore_merge(reports: tuple[Path, ...], as_json: bool) -> None:
    """Merge reports of `explore --json`, such as those of --shard 1/3, 2/3 and 3/3, into one.

    Each kind of failure is shown once, with all its seeds and its shortest scenario. The exit status is that of
    `explore`: 0 without failures, 1 with failures.
    """
    from giftsim.explore.report import merge, summary_lines

    merged = merge([_read(path) for path in reports])
    if as_json:
        click.echo(json.dumps(merged, indent=2))
    else:
        click.echo("\n".join(summary_lines(merged)))
    raise SystemExit(int(bool(merged["findings"])))


def _read(path: Path) -> dict[str, Any]:
    try:
        report = json.loads(path.read_bytes())
    except ValueError as error:
        raise click.UsageError(f"{path} is not a report of `explore --json`: {error}") from None
    if not isinstance(report, dict) or not report.keys() >= MEMBERS:
        raise click.UsageError(f"{path} is not a report of `explore --json`")
    return report
