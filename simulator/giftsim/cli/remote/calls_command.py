"""The command `calls`: what an app called, as a table or, with the webhooks that it got, as a HAR file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from giftsim import __version__
from giftsim.cli.options import refuse_unused
from giftsim.cli.remote.output import Row, member_column, print_newest
from giftsim.cli.remote.record_commands import LIMIT
from giftsim.cli.remote.simulator_connection import RemoteWorld, with_world

STANDARD_OUTPUT = "-"
CALLS = (
    member_column("seq"),
    member_column("at"),
    ("call", lambda row: f"{row['request']['method']} {row['request']['path']}"),
    ("status", lambda row: row["response"]["status"] if row["response"] else "lost"),
    member_column("credential"),
    member_column("fault"),
)
EMPTY = "this world got no calls: give your app the address of the simulator"


@click.command()
@LIMIT
@click.option(
    "--har",
    is_flag=False,
    flag_value=STANDARD_OUTPUT,
    metavar="[FILE]",
    help="Write all calls and webhooks as HAR 1.2, to standard output without FILE.",
)
@with_world
def calls(sim: RemoteWorld, limit: int, har: str | None, as_json: bool) -> None:
    """List the calls of your app, newest last.

    With --har they are written for other tools, with the webhooks that were sent, at the times of the world and without
    secrets. `compare --traffic` and `record --from` read such a file.
    """
    if har is None:
        print_newest(sim.listed("calls"), limit, CALLS, EMPTY, as_json)
        return
    refuse_unused(("limit", "as_json"), "--har writes everything, as HAR")
    content = _har(sim.listed("calls"), sim.listed("deliveries"), sim.url)
    if har == STANDARD_OUTPUT:
        click.echo(content, nl=False)
        return
    try:
        Path(har).write_bytes(content)
    except OSError as error:
        raise click.UsageError(f"--har {har} cannot be written: {error.strerror}") from None


def _har(called: Sequence[Row], sent: Sequence[Row], origin: str) -> bytes:
    from giftsim.workbench.har.writing import in_order, write_har

    return write_har(in_order(called, sent, origin), __version__, simulated=True)
