"""The command `faults`: see what is broken, break something, and mend it."""

from __future__ import annotations

import json
from typing import Any

import click

from giftsim.cli.options import Number, WholeNumber
from giftsim.cli.remote.output import member_column, print_json, print_table
from giftsim.cli.remote.simulator_connection import RemoteWorld, complete_faults, with_world

FAULTS = (
    member_column("id"),
    ("effect", lambda row: _pairs(row["effect"])),
    ("match", lambda row: _pairs(row["match"])),
    ("when", lambda row: _pairs(row["when"])),
    member_column("hits"),
)


@click.group(invoke_without_command=True)
@with_world
@click.pass_context
def faults(ctx: click.Context, sim: RemoteWorld, as_json: bool) -> None:
    """List the world's faults; `faults add` injects one, `faults end` ends them."""
    if ctx.invoked_subcommand is None:
        _show(sim.listed("faults"), as_json)


@faults.command()
@click.argument("fault_id", required=False, shell_complete=complete_faults)
@with_world
def end(sim: RemoteWorld, fault_id: str | None, as_json: bool) -> None:
    """End one fault, or all of them, and release the calls that they hold."""
    answer = sim.send("DELETE", f"/faults/{fault_id}" if fault_id else "/faults")
    if as_json:
        print_json(answer)
        return
    ended = [fault_id] if fault_id else answer["deleted"]
    click.echo(f"ended {', '.join(ended)}" if ended else "there was no fault")


@faults.command(short_help="Inject a fault.")
@click.argument("effects", nargs=-1, required=True, metavar="EFFECT=VALUE...")
@click.option("--interface", help="Only calls of team, partner or museum, or `claim` for claim pages.")
@click.option("--operation", help="Only calls of this operationId.")
@click.option("--credential", help="Only calls with this credential, like partner.prepaid.")
@click.option("--event", help="For webhook=...: only events of this type.")
@click.option("--host", help="For webhook=...: only endpoints of this host.")
@click.option("--first", type=WholeNumber(1), help="Only the first NUMBER matching calls.")
@click.option("--every", type=WholeNumber(1), help="Only one of every NUMBER matching calls.")
@click.option("--probability", type=Number(0, 1), help="Only this share of the matching calls.")
@click.option("--id", "fault_id", help="A name for the fault.")
@with_world
def add(
    sim: RemoteWorld,
    effects: tuple[str, ...],
    as_json: bool,
    fault_id: str | None,
    first: int | None,
    every: int | None,
    probability: float | None,
    **match: str | None,
) -> None:
    """Inject a fault: status=503, charge=card_charge_failed, drop=after, hold=true, webhook=duplicate and others.

    `faults end` ends it.
    """
    when = {"first": first, "every": every, "probability": probability}
    body = {"effect": dict(_parse_effect(text) for text in effects), "match": _given(match), "when": _given(when)}
    created = sim.send("POST", "/faults", body | _given({"id": fault_id}))
    if as_json:
        print_json(created)
        return
    _show([created], as_json=False)
    click.echo(f"end it with: giftsim faults end {created['id']}")


def _show(rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print_json(rows)
        return
    print_table(rows, FAULTS, "this world has no faults; `giftsim faults add status=503 --first 1` makes one")


def _parse_effect(text: str) -> tuple[str, Any]:
    """An effect as a pair of its name and value: numbers, true and JSON objects are those, everything else is text."""
    name, separator, value = text.partition("=")
    if not separator:
        return name, True
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _given(choices: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in choices.items() if value is not None}


def _pairs(data: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in data.items())
