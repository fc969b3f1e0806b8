"""The command `trace`: the trace of a world of a running simulator as a file, and the data of such a file."""

from __future__ import annotations

from pathlib import Path

import click

from giftsim.cli.options import large_files_option
from giftsim.cli.remote.simulator_connection import RemoteWorld, with_world


@click.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="The file to write.")
@large_files_option
@with_world
def trace(sim: RemoteWorld, file: Path | None, out: Path | None, as_json: bool, large_files: bool) -> None:
    """Write everything that happened to a world into one page, or print the data of such a page.

    With --out, the trace of a world of a running simulator becomes an HTML file that any browser shows without a
    network. With --json and a FILE, the data of that trace are printed; with --json alone, those of the world.
    """
    if file is not None:
        if not as_json or out is not None:
            raise click.UsageError("name a FILE with --json to print its data, or no FILE and --out to write one")
        click.echo(read_data(file, large=large_files))
    elif as_json:
        click.echo(sim.call("GET", "/trace?format=json").body.decode())
    elif out is None:
        raise click.UsageError("name the file to write with --out, or print the data with --json")
    else:
        out.write_bytes(sim.call("GET", "/trace").body)
        click.echo(f"wrote {out}", err=True)


def read_data(path: Path, *, large: bool = False) -> str:
    """The JSON of a trace file. A command ends with a message if it is not one."""
    from giftsim.workbench.trace.file import LARGE, USUAL, UnreadableTrace, read_file, unpack_page

    try:
        return unpack_page(read_file(path, large=large), (LARGE if large else USUAL).most_bytes).decode(
            errors="replace"
        )
    except UnreadableTrace as error:
        raise click.UsageError(f"{path}: {error}") from None
