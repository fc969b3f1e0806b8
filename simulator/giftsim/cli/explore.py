"""The command `explore`: its options and its exit status."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from giftsim.cli.numbers import WholeNumber
from giftsim.cli.unused_options import refuse_unused
from giftsim.explore.app_protocol import PROTOCOL_HELP, AppProtocol

if TYPE_CHECKING:
    from giftsim.explore.explorer import Explorer

PASSED, FAILED, STOPPED = 0, 1, 130
HYPOTHESIS_FOLDER = "HYPOTHESIS_STORAGE_DIRECTORY"


class CommandWithProtocol(click.Command):
    """A command whose help ends with the app protocol, line breaks included."""

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the protocol below the options."""
        formatter.write(f"\n{PROTOCOL_HELP}")


@click.command(cls=CommandWithProtocol)
@click.option("--app", required=True, metavar="URL", help="The app, on this machine: http://127.0.0.1:PORT.")
@click.option("--seeds", default=100, show_default=True, type=WholeNumber(1, 1_000_000), help="Run seeds 1 to N.")
@click.option("--seed", type=WholeNumber(1), help="Run this seed only.")
@click.option("--check", "command", metavar="CMD", help="A command that checks the app, in place of the check call.")
@click.option("--receiver-only", is_flag=True, help="The app places no orders: explore places them for it.")
@click.option("--out", default="explored", show_default=True, type=click.Path(file_okay=False, path_type=Path),
              help="The folder for the scenario files.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace files of the same name. Without it, a new file gets a number.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--timeout", default=5, show_default=True, type=WholeNumber(1, 10),
              help="Real seconds the app has for each response.")  # fmt: skip
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
    protocol = _protocol(options)
    with TemporaryDirectory(prefix="giftsim-explore-") as folder:
        os.environ.setdefault(HYPOTHESIS_FOLDER, folder)  # read when Hypothesis is imported, which happens below
        status = _explore(protocol, options)
    raise SystemExit(status)


def _protocol(options: dict[str, Any]) -> AppProtocol:
    from giftsim.scenario import check_app_url

    app = options["app"].rstrip("/")
    try:
        check_app_url(app)
    except ValueError as error:
        raise click.UsageError(f"--app: {error}") from None
    paths = {name: options[f"{name}_path"] for name in ("start", "do", "webhooks", "check")}
    for name, path in paths.items():
        if not path.startswith("/"):
            raise click.UsageError(f"--{name}-path is a path like /giftsim/{name}, not {path!r}")
    _refuse_unused(options)
    unused = {"check": options["command"] is not None, "do": options["receiver_only"]}
    used: dict[str, Any] = {name: None if unused.get(name) else path for name, path in paths.items()}
    return AppProtocol(app=app, timeout_s=options["timeout"], **used)


def _refuse_unused(options: dict[str, Any]) -> None:
    if options["seed"] is not None:
        refuse_unused(("seeds",), "--seed runs that seed only")
    if options["command"] is not None:
        refuse_unused(("check_path",), "--check replaces the check call")
    if options["receiver_only"]:
        refuse_unused(("do_path",), "with --receiver-only the app places no orders")


@contextmanager
def _explorer(protocol: AppProtocol, command: str | None, force: bool) -> Iterator[Explorer]:
    """An explorer with a simulator of its own, once the app has shown that it implements the protocol."""
    from giftsim.explore.explorer import Explorer, ProtocolMismatch
    from giftsim.explore.runner import AppUnreachable, PlanRunner

    runner = PlanRunner(protocol, command)
    try:
        explorer = Explorer(runner, force=force)
        explorer.check_app()
        yield explorer
    except (AppUnreachable, ProtocolMismatch) as error:
        raise click.UsageError(f"--app {protocol.app} cannot be explored: {error}\n\n{PROTOCOL_HELP}") from None
    finally:
        runner.close()


def _explore(protocol: AppProtocol, options: dict[str, Any]) -> int:
    """Explore and print the result; the exit status."""
    from giftsim.explore.console_report import ShrinkProgressLine, json_report, run_with_progress_bar, summary_lines
    from giftsim.worlds import system_clock

    started, progress = system_clock.monotonic(), ShrinkProgressLine(sys.stderr)
    seeds = range(1, options["seeds"] + 1) if options["seed"] is None else (options["seed"],)
    with _explorer(protocol, options["command"], options["force"]) as explorer:
        run_with_progress_bar(explorer, seeds, sys.stderr)
        findings = list(explorer.shrink_failures(options["out"], progress))
        progress.clear()
    if options["as_json"]:
        click.echo(json.dumps(json_report(explorer, findings, options["command"]), indent=2))
    else:
        for line in summary_lines(explorer, findings, options["command"], system_clock.monotonic() - started):
            click.echo(line)
    return FAILED if findings else STOPPED if explorer.stop_reason else PASSED
