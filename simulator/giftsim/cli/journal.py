"""The command `journal`: what a journal file holds, without starting a simulator."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from giftsim.event_log.journal_summary import JournalSummary, WorldSummary


@click.group()
def journal() -> None:
    """Look at journal files of `serve --journal`."""


@journal.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def check(file: Path, as_json: bool) -> None:
    """Verify every byte of FILE, and print what it holds: version, options, worlds, calls and instants.

    The file stays as it is, and a simulator may be using it. The exit status is 2 if it is damaged or no journal; a
    torn last line, which the next start drops, is told.
    """
    from giftsim.event_log.journal_contents import Unreadable
    from giftsim.event_log.journal_summary import summarize

    try:
        summary = summarize(file)
    except Unreadable as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from None
    except OSError as error:
        click.echo(f"{file}: {error.strerror}", err=True)
        raise SystemExit(2) from None
    click.echo(json.dumps(_data(summary), indent=2) if as_json else "\n".join(_lines(file, summary)))


def _lines(file: Path, summary: JournalSummary) -> Iterator[str]:
    contents, header = summary.contents, summary.contents.header
    if header is None:
        yield f"{file} is empty: a simulator that starts with it begins a new journal"
        return
    yield (
        f"{file} is whole: {summary.records:,} records in {contents.end:,} bytes, written by giftsim {header.version} "
        f"in format {header.format} {header.number}"
    )
    options = (f", --{name} {', '.join(values)}" for name, values in sorted(header.options.items()) if values)
    yield f"  started with seed {header.seed}, fixture {header.fixture[:12]}{''.join(options)}"
    for world in summary.worlds:
        yield f"  {_world_line(world)}"
    yield f"  {summary.calls:,} calls in all, {summary.checkpoints:,} checkpoints"
    if contents.torn:
        yield f"  the last line is torn: {contents.torn:,} bytes from byte {contents.end:,} on, which a start drops"


def _world_line(world: WorldSummary) -> str:
    from giftsim.kernel.instants import instant_or_null

    name = f"world {world.id}{' (deleted)' if world.deleted else ''}"
    first, last = instant_or_null(world.first_ms), instant_or_null(world.last_ms)
    return f"{name}: {world.calls:,} calls, {world.control_calls:,} control calls, from {first} to {last}"


def _data(summary: JournalSummary) -> dict[str, Any]:
    from giftsim.kernel.instants import instant_or_null

    contents, header = summary.contents, summary.contents.header
    return {
        "file": str(contents.path),
        "version": header and header.version,
        "format": header and f"{header.format} {header.number}",
        "seed": header and header.seed,
        "fixture": header and header.fixture,
        "options": header and header.options,
        "bytes": contents.end,
        "torn_bytes": contents.torn,
        "records": summary.records,
        "calls": summary.calls,
        "checkpoints": summary.checkpoints,
        "worlds": [
            {
                "id": world.id, "deleted": world.deleted, "calls": world.calls, "control_calls": world.control_calls,
                "first": instant_or_null(world.first_ms), "last": instant_or_null(world.last_ms),
            }
            for world in summary.worlds
        ],
    }  # fmt: skip
