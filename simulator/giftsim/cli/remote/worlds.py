"""The commands `worlds` and `open`: which worlds there are, new ones, and the simulator in a browser."""

from __future__ import annotations

from typing import Any

import click

from giftsim.cli.options import WholeNumber
from giftsim.cli.remote.connection import RemoteSimulator, RemoteWorld, complete_worlds, with_simulator, with_world
from giftsim.cli.remote.output import member, print_json, print_table

WORLDS = (
    member("id"),
    member("fixture"),
    member("seed"),
    member("now"),
    ("clock", lambda row: row["clock"]["mode"]),
    ("orders", lambda row: row["counts"]["orders"]),
)
WORLD_ID = click.argument("world_id", shell_complete=complete_worlds)


@click.group(invoke_without_command=True)
@with_simulator
@click.pass_context
def worlds(ctx: click.Context, sim: RemoteSimulator, as_json: bool) -> None:
    """List the worlds; `worlds create`, `fork`, `reset` and `delete` change them."""
    if ctx.invoked_subcommand is not None:
        return
    page = sim.control("GET", "/worlds")
    if as_json:
        print_json(page["worlds"])
        return
    print_table(page["worlds"], WORLDS, "there are no worlds")
    if "process" in page:
        click.echo(f"These are the worlds of one process, {page['process']}; others behind this address have more.")


@worlds.command()
@click.argument("world_id", required=False)
@click.option("--fixture", default="default", show_default=True, help="A fixture by name.")
@click.option("--seed", type=WholeNumber(0), default=1, show_default=True, help="The seed of its random choices.")
@click.option("--now", help="Its first instant, like 2027-01-04T09:00:00Z.")
@with_simulator
def create(sim: RemoteSimulator, world_id: str | None, as_json: bool, **config: Any) -> None:
    """Create a world, with its clock stopped."""
    body = {name: value for name, value in {"id": world_id, **config}.items() if value is not None}
    _show(sim.control("POST", "/worlds", body), as_json)


@worlds.command()
@click.argument("new_id", required=False)
@with_world
def fork(sim: RemoteWorld, new_id: str | None, as_json: bool) -> None:
    """Fork the world of --world into a new one with the same state and the same future."""
    _show(sim.call("POST", "/fork", {"id": new_id} if new_id else {}), as_json)


@worlds.command()
@WORLD_ID
@with_simulator
def reset(sim: RemoteSimulator, world_id: str, as_json: bool) -> None:
    """Put a world back to the state in which it was created."""
    _show(sim.control("POST", f"/worlds/{world_id}/reset"), as_json)


@worlds.command()
@WORLD_ID
@with_simulator
def delete(sim: RemoteSimulator, world_id: str, as_json: bool) -> None:
    """Delete a world."""
    answer = sim.control("DELETE", f"/worlds/{world_id}")
    if as_json:
        print_json(answer)
        return
    click.echo(f"deleted {world_id}")


@click.command("open")
@click.option("--print", "only_print", is_flag=True, help="Print the address and open no browser.")
@with_simulator
def open_browser(sim: RemoteSimulator, only_print: bool, as_json: bool) -> None:
    """Open the simulator in the browser."""
    sim.control("GET", "/health")
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
