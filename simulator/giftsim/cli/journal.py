"""What a journal file holds, without starting a simulator: `check FILE`, by its former name `journal check FILE`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from giftsim.cli.terminal import print_text
from giftsim.engine.kernel.instants import instant_or_null
from giftsim.engine.kernel.texts import one_line
from giftsim.engine.log.inputs import (
    Checkpoint,
    ClientCall,
    ControlCall,
    JournalRecord,
    TimePassed,
    WorldCreated,
    WorldDeleted,
    WorldForked,
)
from giftsim.engine.log.journal_contents import Contents, Unreadable, read_contents
from giftsim.engine.system import File, open_to_read

# The length of a line's payload and a checksum, or the beginning of journals that had neither.
BEGINNING = re.compile(rb'[0-9a-f]{8} [0-9a-f]{8} |\{"format":"giftsim-journal"')


class WorldSummary(msgspec.Struct):
    """One world of a file, with the instants that its records name (None if they name none)."""

    id: str
    calls: int = 0
    control_calls: int = 0
    first_ms: int | None = None
    last_ms: int | None = None
    deleted: bool = False

    def see(self, at_ms: int) -> None:
        """Take an instant into account. The clock may have gone back, in an undo or a reset."""
        self.first_ms = at_ms if self.first_ms is None else min(self.first_ms, at_ms)
        self.last_ms = at_ms if self.last_ms is None else max(self.last_ms, at_ms)


class JournalSummary(msgspec.Struct):
    """The whole file: `worlds` in the order of their creation, those that are deleted among them."""

    contents: Contents
    records: int = 0
    checkpoints: int = 0
    worlds: list[WorldSummary] = []

    @property
    def calls(self) -> int:
        """The calls of clients in all worlds."""
        return sum(world.calls for world in self.worlds)

    def add(self, world_id: str, record: JournalRecord) -> None:
        """Count one more record."""
        self.records += 1
        if isinstance(record, WorldCreated | WorldForked):
            self._add_world(world_id, record)
        elif (world := self._find(world_id)) is not None:
            if isinstance(record, ClientCall | ControlCall):
                world.see(record.at_ms)
                world.calls += isinstance(record, ClientCall)
                world.control_calls += isinstance(record, ControlCall)
            elif isinstance(record, TimePassed):
                world.see(record.to_ms)
            world.deleted = isinstance(record, WorldDeleted)
        self.checkpoints += isinstance(record, Checkpoint)

    def _add_world(self, world_id: str, record: WorldCreated | WorldForked) -> None:
        world = WorldSummary(world_id)
        if isinstance(record, WorldCreated):
            world.see(record.config.now_ms)
        elif (parent := self._find(record.of)) is not None and parent.last_ms is not None:
            world.see(parent.last_ms)
        self.worlds.append(world)

    def _find(self, world_id: str) -> WorldSummary | None:
        return next((world for world in reversed(self.worlds) if world.id == world_id and not world.deleted), None)


def summarize(path: Path) -> JournalSummary:
    """Read a journal file, which a simulator may be writing, to its end. Unreadable, OSError."""
    fd = open_to_read(path)
    try:
        summary = JournalSummary(read_contents(path, File(fd)))
        for world_id, record in summary.contents.records():
            summary.add(world_id, record)
    finally:
        os.close(fd)
    return summary


@click.group()
def journal() -> None:
    """Look at journal files of `serve --journal`."""


@journal.command(short_help="Verify every byte of a file, and print what it holds.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def check(file: Path, as_json: bool) -> None:
    """Verify every byte of FILE, and print what it holds: version, options, worlds, calls and instants.

    The file stays as it is, and a simulator may be using it. The exit status is 2 if it is damaged or no journal; a
    torn last line, which the next start drops, is told.
    """
    check_journal(file, as_json=as_json)


def is_journal(path: Path) -> bool:
    """Whether a file begins like a journal, damaged or not. A file that cannot be read does not."""
    try:
        with path.open("rb") as file:
            return BEGINNING.match(file.read(64)) is not None
    except OSError:
        return False


def check_journal(file: Path, *, as_json: bool) -> None:
    """Verify a journal, and print what it holds. If it cannot be read, say so and exit with 2."""
    try:
        summary = summarize(file)
    except Unreadable as error:
        print_text(one_line(str(error)), err=True)
        raise SystemExit(2) from None
    except OSError as error:
        print_text(f"{file}: {error.strerror}", err=True)
        raise SystemExit(2) from None
    if as_json:
        click.echo(json.dumps(_data(summary), indent=2))
    else:
        print_text("\n".join(map(one_line, _lines(file, summary))))


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
    name = f"world {world.id}{' (deleted)' if world.deleted else ''}"
    first, last = instant_or_null(world.first_ms), instant_or_null(world.last_ms)
    return f"{name}: {world.calls:,} calls, {world.control_calls:,} control calls, from {first} to {last}"


def _data(summary: JournalSummary) -> dict[str, Any]:
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
                "id": world.id,
                "deleted": world.deleted,
                "calls": world.calls,
                "control_calls": world.control_calls,
                "first": instant_or_null(world.first_ms),
                "last": instant_or_null(world.last_ms),
            }
            for world in summary.worlds
        ],
    }
