"""Commands about time: `now`, `advance` and `undo`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from giftsim.cli.options import WholeNumber
from giftsim.cli.remote.connection import RemoteWorld, with_world
from giftsim.cli.remote.output import member, print_json, print_table
from giftsim.kernel.instants import parse_instant

CHANGES = (member("at"), member("subject"), ("what happened", lambda row: ", ".join(row["kinds"])))
ATTEMPTS = (
    member("at"),
    member("type"),
    member("url"),
    member("attempt"),
    ("outcome", lambda row: row["outcome"] if row["status"] is None else f"{row['outcome']} ({row['status']})"),
)


@click.command()
@with_world
def now(sim: RemoteWorld, as_json: bool) -> None:
    """Show the time of the world, and what is due next."""
    clock = sim.call("GET", "/clock")
    if as_json:
        print_json(clock)
        return
    rate = "stopped; it moves when advanced" if clock["mode"] == "manual" else f"running at {clock['rate']:g}x"
    click.echo(f"{clock['now']}  world {sim.world}, clock {rate}")
    timers = sim.call("GET", "/timers?limit=5")["timers"]
    print_table(timers, (member("due"), member("subject"), member("kind"), member("because")), "nothing is due")


@click.command()
@click.argument("goal", metavar="DURATION|INSTANT|next|idle")
@click.option("--dry-run", is_flag=True, help="Only show what would happen.")
@with_world
def advance(sim: RemoteWorld, goal: str, dry_run: bool, as_json: bool) -> None:
    """Move the clock: by a duration (90s, 15m, 3h, 2d, 1w), to an instant, to the `next` event, or until `idle`.

    When the command ends, everything due has happened and every webhook of that time was sent.
    """
    report = sim.call("POST", "/clock/advance", {**_goal(goal), "dry_run": dry_run})
    if as_json:
        print_json(report)
        return
    would = "would be " if dry_run else ""
    click.echo(f"{report['from']} -> {report['to']}{'  (dry run: nothing was changed)' if dry_run else ''}")
    events = report["fired_count"] - report["hourly_runs"]
    click.echo(f"{events} events, {report['hourly_runs']} hourly runs; {_attempts(report)} {would}sent")
    print_table(report["changed"], CHANGES, "nothing changed")
    if report["deliveries"]:
        print_table(report["deliveries"], ATTEMPTS, "")
    click.echo(f"next due {report['next_due']}")


@click.command()
@click.argument("count", type=WholeNumber(1, 1000), default=1)
@with_world
def undo(sim: RemoteWorld, count: int, as_json: bool) -> None:
    """Undo the last COUNT calls that changed anything, and everything after them."""
    undone = sim.call("POST", "/undo", {"count": count})
    if as_json:
        print_json(undone)
        return
    print_table(undone["undone"], (member("at"), member("method"), member("path")), "nothing was undone")
    click.echo(f"it is {undone['now']} again")


def _goal(text: str) -> dict[str, str]:
    if text in ("next", "idle"):
        return {"until": text}
    try:
        parse_instant(text)
    except ValueError:
        return {"by": text}
    return {"to": text}


def _attempts(report: Any) -> str:
    outcomes = Counter(attempt["outcome"] for attempt in report["deliveries"])
    total = f"{report['delivery_count']} webhook attempts"
    return (
        f"{total} ({', '.join(f'{count} {name}' for name, count in sorted(outcomes.items()))})" if outcomes else total
    )
