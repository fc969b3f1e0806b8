"""The command `explore`: options to an exploration, and its exit status."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from giftsim.explore.app_protocol import CONTRACT, Contract

if TYPE_CHECKING:
    from giftsim.explore.explorer import Hunt

HELD, WRONG, STOPPED = 0, 1, 130
HYPOTHESIS_FOLDER = "HYPOTHESIS_STORAGE_DIRECTORY"


class Titled(click.Command):
    """A command whose help shows the contract as it is laid out."""

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the contract below the options."""
        formatter.write(f"\n{CONTRACT}")


@click.command(cls=Titled)
@click.option("--app", required=True, metavar="URL", help="The app, on this machine: http://127.0.0.1:PORT.")
@click.option("--seeds", default=100, show_default=True, type=click.IntRange(1, 1_000_000), help="Play seeds 1 to N.")
@click.option("--seed", type=click.IntRange(1), help="Play this seed alone.")
@click.option("--check", "command", metavar="CMD", help="A command that says what is wrong, in place of the app.")
@click.option("--receiver-only", is_flag=True, help="The app places no orders: they are placed for it.")
@click.option("--out", default="explored", show_default=True, type=click.Path(file_okay=False, path_type=Path),
              help="Where scenarios are written.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
@click.option("--timeout", default=5, show_default=True, type=click.IntRange(1, 10),
              help="Real seconds the app has for an answer.")  # fmt: skip
@click.option("--start-path", default="/giftsim/start", show_default=True, help="What is called to begin a run.")
@click.option("--do-path", default="/giftsim/do", show_default=True, help="What is called for an order.")
@click.option("--webhooks-path", default="/giftsim/webhooks", show_default=True, help="Where webhooks go.")
@click.option("--check-path", default="/giftsim/check", show_default=True, help="What says whether all is well.")
def explore(**options: Any) -> None:
    """Look for what your app gets wrong when webhooks come twice, late and out of order, and answers get lost.

    Each seed is a plan of orders and of things that go wrong. What the app gets wrong is shortened to the smallest
    scenario that still shows it, and written to a file for `play`. The exit status is 1 if something is wrong, 2 if
    the app is not there, and 0 if all held.
    """
    contract = _contract(options)
    with TemporaryDirectory(prefix="giftsim-explore-") as folder:
        os.environ.setdefault(HYPOTHESIS_FOLDER, folder)  # read when Hypothesis is imported, which happens below
        status = _explored(contract, options)
    raise SystemExit(status)


def _contract(options: dict[str, Any]) -> Contract:
    from giftsim.scenario import check_app

    app = options["app"].rstrip("/")
    try:
        check_app(app)
    except ValueError as error:
        raise click.UsageError(f"--app: {error}") from None
    paths = {name: options[f"{name}_path"] for name in ("start", "do", "webhooks", "check")}
    for name, path in paths.items():
        if not path.startswith("/"):
            raise click.UsageError(f"--{name}-path is a path like /giftsim/{name}, not {path!r}")
    left_out = {"check": options["command"] is not None, "do": options["receiver_only"]}
    kept: dict[str, Any] = {name: None if left_out.get(name) else path for name, path in paths.items()}
    return Contract(app=app, timeout_s=options["timeout"], **kept)


@contextmanager
def _hunting(contract: Contract, command: str | None) -> Iterator[Hunt]:
    """A hunt in a simulator of its own, for an app that plays along."""
    from giftsim.explore.explorer import Hunt, NoApp
    from giftsim.explore.runner import Stage, Unreachable

    stage = Stage(contract, command)
    try:
        hunt = Hunt(stage)
        hunt.probe()
        yield hunt
    except (Unreachable, NoApp) as refusal:
        raise click.UsageError(f"--app {contract.app} does not play along: {refusal}\n\n{CONTRACT}") from None
    finally:
        stage.close()


def _explored(contract: Contract, options: dict[str, Any]) -> int:
    """Explore and tell; the exit status."""
    from giftsim.explore.console_report import Shortening, data, summary, watched
    from giftsim.worlds import system_clock

    began, shortening = system_clock.monotonic(), Shortening(sys.stderr)
    seeds = range(1, options["seeds"] + 1) if options["seed"] is None else (options["seed"],)
    with _hunting(contract, options["command"]) as hunt:
        watched(hunt, seeds, sys.stderr)
        findings = list(hunt.findings(options["out"], shortening))
        shortening.end()
    if options["as_json"]:
        click.echo(json.dumps(data(hunt, findings, options["command"]), indent=2))
    else:
        for line in summary(hunt, findings, options["command"], system_clock.monotonic() - began):
            click.echo(line)
    return WRONG if findings else STOPPED if hunt.stopped else HELD
