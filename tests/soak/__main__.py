"""Runs a soak and prints its report; exit status 1 when anything failed. `make soak ARGS="--minutes 60"`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from tests.soak.plan import Plan
from tests.soak.report import report
from tests.soak.soak import Soak


@click.command()
@click.option("--minutes", default=10.0, show_default=True, help="How long.")
@click.option("--worlds", default=8, show_default=True, help="How many worlds.")
@click.option("--clients", default=32, show_default=True, help="How many clients, spread over the worlds.")
@click.option("--seed", default=1, show_default=True, help="Seed of everything that clients and testers choose.")
@click.option("--rate", default=3600, show_default=True, help="World seconds per second; 0 stops the clocks.")
@click.option("--kill-every", default=20.0, show_default=True, help="Seconds between kills, on average.")
@click.option("--calls", default=10.0, show_default=True, help="Calls a second and client, at the most.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep the journal file and logs in this new folder.")
def main(
    minutes: float, worlds: int, clients: int, seed: int, rate: int, kill_every: float, calls: float, keep: Path | None
) -> None:
    """Load a server, kill it again and again, and count what is lost."""
    with tempfile.TemporaryDirectory(prefix="giftsim-soak-") as folder:
        if keep:
            keep.mkdir(parents=True)
        plan = Plan(
            keep or Path(folder), seconds=minutes * 60, worlds=worlds, clients=clients, seed=seed, rate=rate,
            kill_every_s=kill_every, calls_s=calls, check_every_s=min(12.0, minutes * 12),
        )  # fmt: skip
        soak = Soak(plan)
        soak.run()
        click.echo(report(soak))
    sys.exit(1 if soak.findings.failures else 0)


if __name__ == "__main__":
    main()
