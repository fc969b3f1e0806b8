"""Commands about worlds and their time: `now`, `advance`, `undo`, `redo`, `worlds` and `open`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from giftsim.cli.options import WholeNumber
from giftsim.cli.remote.output import member_column, print_json, print_table
from giftsim.cli.remote.simulator_connection import Remote, RemoteWorld, complete_worlds, with_simulator, with_world
from giftsim.cli.terminal import print_text
from giftsim.engine.client.world import goal_of
from giftsim.engine.kernel.texts import count_with_noun

WORLDS = (
    member_column("id"),
    member_column("name"),
    member_column("fixture"),
    member_column("seed"),
    member_column("now"),
    ("clock", lambda row: row["clock"]["mode"]),
    ("orders", lambda row: row["counts"]["orders"]),
)
WORLD_ID = click.argument("world_id", shell_complete=complete_worlds)
CHANGES = (member_column("at"), member_column("subject"), ("what happened", lambda row: ", ".join(row["kinds"])))
ATTEMPTS = (
    member_column("at"),
    member_column("type"),
    member_column("url"),
    member_column("attempt"),
    ("outcome", lambda row: row["outcome"] if row["status"] is None else f"{row['outcome']} ({row['status']})"),
)


@click.command()
@with_world
def now(sim: RemoteWorld, as_json: bool) -> None:
    """Show the time of the world, and what is due next."""
    clock = sim.send("GET", "/clock")
    if as_json:
        print_json(clock)
        return
    rate = "stopped; it moves when advanced" if clock["mode"] == "manual" else f"running at {clock['rate']:g}x"
    click.echo(f"{clock['now']}  world {sim.id}, clock {rate}")
    timers = sim.send("GET", "/timers?limit=5")["timers"]
    print_table(
        timers,
        (member_column("due"), member_column("subject"), member_column("kind"), member_column("because")),
        "nothing is due",
    )


@click.command()
@click.argument("goal", metavar="DURATION|INSTANT|next|idle")
@click.option("--dry-run", is_flag=True, help="Only show what would happen.")
@with_world
def advance(sim: RemoteWorld, goal: str, dry_run: bool, as_json: bool) -> None:
    """Move the clock: by a duration (90s, 15m, 3h, 2d, 1w), to an instant, to the `next` event, or until `idle`.

    When the command ends, everything due has happened and every webhook of that time was sent.
    """
    report = sim.advance(goal_of(goal), dry_run=dry_run)
    if as_json:
        print_json(report)
        return
    would = "would be " if dry_run else ""
    click.echo(f"{report['from']} -> {report['to']}{'  (dry run: nothing was changed)' if dry_run else ''}")
    events = report["fired_count"] - report["hourly_runs"]
    runs = count_with_noun(report["hourly_runs"], "hourly run")
    click.echo(f"{count_with_noun(events, 'event')}, {runs}; {_attempts(report)} {would}sent")
    print_table(report["changed"], CHANGES, "nothing changed")
    if report["deliveries"]:
        click.echo()
        print_table(report["deliveries"], ATTEMPTS, "")
    for problem in report.get("app_clock", {}).get("problems", ()):
        print_text(f"app clock: {problem}")
    click.echo(f"next due {report['next_due']}")


@click.command()
@click.argument("count", type=WholeNumber(1, 1000), default=1)
@with_world
def undo(sim: RemoteWorld, count: int, as_json: bool) -> None:
    """Undo the last COUNT things that were done in the world, the newest first: calls that changed anything, acts of
    the test-control API, and moves of the clock.
    """
    done = sim.send("GET", f"/undo?all=true&limit={count}")["undo"]
    if len(done) < count:
        raise click.ClickException(f"world {sim.id} has {len(done)} things to undo, not {count}")
    now = sim.send("POST", "/undo", {"to": done[-1]["to"]})["now"]
    if as_json:
        print_json({"undone": done, "now": now})
        return
    print_table(done, (member_column("at"), member_column("summary")), "nothing was undone")
    click.echo(f"it is {now} again; `giftsim redo` brings it back")


@click.command()
@with_world
def redo(sim: RemoteWorld, as_json: bool) -> None:
    """Bring back what the last undo took away. After several undos in a row, each redo brings back one.

    Once anything new has happened in the world, nothing comes back.
    """
    lost = sim.send("GET", "/undo?limit=1")["redo"]
    redone = sim.send("POST", "/redo")
    if as_json:
        print_json(redone)
        return
    click.echo(f"back: {lost['summary'] if lost else 'nothing'}")
    click.echo(f"it is {redone['now']}")


@click.group(invoke_without_command=True)
@with_simulator
@click.pass_context
def worlds(ctx: click.Context, sim: Remote, as_json: bool) -> None:
    """List the worlds; `worlds create`, `fork`, `reset` and `delete` change them."""
    if ctx.invoked_subcommand is not None:
        return
    pages = [process.send("GET", "/worlds") for process in sim.processes()]
    rows = [
        row for number, page in enumerate(pages, 1) for row in page["worlds"] if _is_in(row["id"], number, len(pages))
    ]
    if as_json:
        print_json(rows)
        return
    print_table(rows, WORLDS, "there are no worlds")
    [page, *others] = pages
    if "process" in page and not others:
        click.echo(f"These are the worlds of one process, {page['process']}; others behind this address have more.")


def _is_in(world_id: str, number: int, many: int) -> bool:
    """Whether calls to a world reach a process; each has a world `default`, which only one of them serves."""
    if many == 1:
        return True
    from giftsim.cli.haproxy import process_of
    from giftsim.engine.worlds.registry import root_of

    return process_of(root_of(world_id), many) == number


@worlds.command()
@click.argument("world_id", required=False)
@click.option("--name", help="A name for people, which the console shows.")
@click.option("--fixture", default="default", show_default=True, help="A fixture by name.")
@click.option("--seed", type=WholeNumber(0), default=1, show_default=True, help="The seed of its random choices.")
@click.option("--now", help="Its first instant, like 2027-01-04T09:00:00Z.")
@with_simulator
def create(sim: Remote, world_id: str | None, as_json: bool, **config: Any) -> None:
    """Create a world, with its clock stopped."""
    body = {name: value for name, value in {"id": world_id, **config}.items() if value is not None}
    _show(sim.send("POST", "/worlds", body), as_json)


@worlds.command(short_help="Fork a world: the same state, and the same future.")
@click.argument("new_id", required=False)
@with_world
def fork(sim: RemoteWorld, new_id: str | None, as_json: bool) -> None:
    """Fork the world of --world into a new one with the same state and the same future."""
    _show(sim.send("POST", "/fork", {"id": new_id} if new_id else {}), as_json)


@worlds.command()
@WORLD_ID
@with_simulator
def reset(sim: Remote, world_id: str, as_json: bool) -> None:
    """Put a world back to the state in which it was created."""
    _show(sim.send("POST", f"/worlds/{world_id}/reset"), as_json)


@worlds.command()
@WORLD_ID
@with_simulator
def delete(sim: Remote, world_id: str, as_json: bool) -> None:
    """Delete a world."""
    answer = sim.send("DELETE", f"/worlds/{world_id}")
    if as_json:
        print_json(answer)
        return
    click.echo(f"deleted {world_id}")


@click.command("open")
@click.option("--print", "only_print", is_flag=True, help="Print the address and open no browser.")
@with_simulator
def open_browser(sim: RemoteWorld, only_print: bool, as_json: bool) -> None:
    """Open the simulator in the browser."""
    sim.send("GET", "/health")
    address = f"{sim.url}/"
    if as_json:
        print_json({"url": address})
        return
    click.echo(address)
    if not only_print:
        click.launch(address)


def _show(world: Any, as_json: bool) -> None:
    if as_json:
        print_json(world)
        return
    print_table([world], WORLDS, "")


def _attempts(report: Any) -> str:
    outcomes = Counter(attempt["outcome"] for attempt in report["deliveries"])
    total = count_with_noun(report["delivery_count"], "webhook attempt")
    return (
        f"{total} ({', '.join(f'{count} {name}' for name, count in sorted(outcomes.items()))})" if outcomes else total
    )
