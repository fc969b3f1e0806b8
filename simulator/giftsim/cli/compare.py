"""The command `compare`: its options and its exit status."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from giftsim.cli.numbers import Number
from giftsim.cli.unused_options import refuse_unused
from giftsim.compare.problem import CannotCompare

CANNOT, STOPPED = 2, 130
FOR_SERVICE = (
    "target", "credential", "spend", "unmarked", "patience", "calls_per_second", "timeout", "slow", "var",
    "allow_simulator", "list_calls", "record", "now",
)  # fmt: skip


@click.command()
@click.argument("scenarios", nargs=-1, type=click.Path(exists=True))
@click.option("--target", multiple=True, metavar="URL|NAME=URL",
              help="The service's origin, or the base URL of one interface: team, partner or museum.")  # fmt: skip
@click.option("--credential", multiple=True, metavar="NAME=VARIABLE",
              help="A credential of the scenarios, and the environment variable that has the service's.")  # fmt: skip
@click.option("--spend", is_flag=True, help="Play scenarios that charge the account too.")
@click.option("--unmarked", is_flag=True, help="Play scenarios without a `sandbox` mark too.")
@click.option("--operation", multiple=True, metavar="ID", help="Report differences of this operation only.")
@click.option("--patience", metavar="SPAN", help="Wait up to this long in place of a step of the clock, like 30s.")
@click.option("--calls-per-second", default=5.0, show_default=True, type=Number(0, 1000, min_open=True),
              help="Most calls to the service in a second.")  # fmt: skip
@click.option("--timeout", default=30.0, show_default=True, metavar="SECONDS", type=Number(0, min_open=True),
              help="How long the service has for an answer.")  # fmt: skip
@click.option("--slow", metavar="SECONDS", type=Number(0), help="Report answers that take longer.")
@click.option("--var", multiple=True, metavar="NAME=VALUE", help="A variable of scenarios, for the service.")
@click.option("--setting", multiple=True, metavar="NAME=VALUE", help="A setting of giftsim's worlds.")
@click.option("--now", metavar="INSTANT", help="When giftsim's worlds begin, in place of the present.")
@click.option("--list", "list_calls", is_flag=True, help="Only list the calls that would be made to the service.")
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), help="Keep the masked answers in this file.")
@click.option("--snapshot", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Compare with the answers that --record kept, without the service.")  # fmt: skip
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path),
              help="Write the differences to this file, for a decision on each.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--allow-simulator", is_flag=True, help="Allow a target that is giftsim itself.")
def compare(**given: Any) -> None:
    """Compare a service with giftsim: make the calls of SCENARIOS on both and report what differs.

    Without SCENARIOS, those of the library are played that are marked with `sandbox`, cost nothing, and need only the
    targets and credentials that are given. Ids, tokens, instants and texts are masked before anything is compared, kept
    or shown. The exit status is 0 without differences, 1 with some, and 2 if the comparison could not be made.
    """
    from giftsim.cli.comparison_run import ComparisonRun
    from giftsim.compare.credentials import NO_CREDENTIALS, read_credentials

    _check_source(given)
    credentials = NO_CREDENTIALS
    try:
        credentials = read_credentials(given["credential"], os.environ)
        status = ComparisonRun(given, credentials).run()
    except CannotCompare as problem:
        click.echo(f"Error: {credentials.hide(str(problem))}", err=True)
        raise SystemExit(CANNOT) from None
    except KeyboardInterrupt:
        raise SystemExit(STOPPED) from None
    raise SystemExit(status)


def _check_source(given: dict[str, Any]) -> None:
    """UsageError unless the answers come from a service or from a snapshot of one."""
    if given["snapshot"] is None:
        if not given["target"]:
            raise click.UsageError("name the service with --target, or a snapshot of it with --snapshot")
        return
    refuse_unused(FOR_SERVICE, "a snapshot is compared without the service")
    if given["scenarios"]:
        raise click.UsageError("SCENARIOS cannot take effect: a snapshot names its own")
