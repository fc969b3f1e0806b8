"""The command `coverage`: what an app has met of the service, from running simulators and from files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from giftsim.cli.options import option
from giftsim.cli.remote.connection import Remote, complete_worlds, with_simulator
from giftsim.client.control import segment

if TYPE_CHECKING:
    from giftsim.coverage.met import Met

PASSED, BELOW = 0, 1


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@option("--world", "-w", "worlds", multiple=True, shell_complete=complete_worlds, help="This world; may be repeated.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    help="Write coverage.json to this folder too.",
)
@click.option(
    "--fail-under",
    "gates",
    multiple=True,
    metavar="N|AREA=N",
    help="Exit with 1 if an area, or this area, has less than N per cent; may be repeated.",
)
@click.option(
    "--settings",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file that says what to leave out, by default giftsim.toml or pyproject.toml here.",
)
@click.option("--missing", is_flag=True, help="List what is missing, too.")
@with_simulator
def coverage(
    sim: Remote,
    files: tuple[Path, ...],
    worlds: tuple[str, ...],
    out: Path | None,
    gates: tuple[str, ...],
    settings: Path | None,
    missing: bool,
    as_json: bool,
) -> None:
    """Report what your app has met of the service, and what it has never met.

    FILES are coverage.json files, which are merged: those of several processes or runs are one report. Without FILES,
    the report is about worlds of a running simulator: all, or those that -w names. The exit status is 1 if an area is
    below --fail-under.
    """
    from giftsim.coverage.report import InvalidGate, UnreadableCoverage, below, encoded, read_gate, table, write
    from giftsim.coverage.settings import InvalidSettings

    try:
        gate = read_gate(gates)
        data = _judged(list(_facts(sim, files, worlds)), settings)
    except (InvalidSettings, UnreadableCoverage) as error:
        raise click.UsageError(str(error)) from None
    except InvalidGate as error:
        raise click.UsageError(f"--fail-under: {error}") from None
    written = [] if out is None else write(out, data)
    if as_json:
        click.echo(encoded(data).decode(), nl=False)
    else:
        click.echo("\n".join([*table(data["areas"]), *(_missing(data) if missing else ()), *map(str, written)]))
    failures = below(gate, data["areas"])
    for line in failures:
        click.echo(line, err=True)
    raise SystemExit(BELOW if failures else PASSED)


def _facts(sim: Remote, files: Sequence[Path], worlds: Sequence[str]) -> Iterator[Met]:
    """The facts of files and of worlds; of all worlds if nothing is named."""
    from giftsim.coverage.report import read_facts

    for file in files:
        yield read_facts(str(file), file.read_bytes())
    paths = [f"/worlds/{segment(world)}/coverage" for world in worlds]
    for path in paths or ([] if files else ["/coverage"]):
        yield read_facts(f"{sim.url}{sim.path(path)}", sim.call("GET", path).body)


def _judged(parts: Sequence[Met], settings: Path | None) -> dict[str, Any]:
    """The coverage of all parts together, without what the settings leave out."""
    from giftsim.build import CONTRACTS, MACHINES
    from giftsim.coverage.coverage import coverage
    from giftsim.coverage.met import merged
    from giftsim.coverage.report import read_items
    from giftsim.coverage.settings import find_settings, read_settings

    items = read_items(CONTRACTS, MACHINES)
    chosen = find_settings(Path.cwd(), items) if settings is None else read_settings(settings, items)
    return coverage(merged(parts), items, chosen)


def _missing(data: dict[str, Any]) -> Iterator[str]:
    """The names of what is missing, by area."""
    for name, area in data["areas"].items():
        if area["missing"]:
            yield f"\nmissing {name}:"
            yield from (f"  {item}" for item in area["missing"])
