"""Regenerates the generated parts of the documentation and of the package: `python -m tools docgen`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from giftsim.cli.main import main as giftsim
from giftsim.services.statements.statement import TESTS_FILE
from giftsim.testing import Giftsim
from tools.docgen.command_reference import command_reference
from tools.docgen.event_pages import kinds_module
from tools.docgen.machine_pages import drawings
from tools.docgen.member_reference import member_reference
from tools.docgen.member_schemas import member_schemas
from tools.docgen.reference_tables import pages_with_tables, refreshed
from tools.docgen.result_types import result_types
from tools.docgen.statement_tests import statement_tests
from tools.docgen.support_index import support_index

# Members of the pytest fixture that work, and that its reference does not show.
FORMER_NAMES = ("about", "door", "passage", "seen")


@click.command("docgen")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Only name the outdated files; the exit status is 1 if there are any.")
def docgen(files: tuple[Path, ...], check: bool) -> None:
    """Regenerate the tables of FILES, by default of all pages, the drawings, the tests of each statement, and
    the types of the pytest fixture's results.
    """
    outdated = False
    for path, text, fresh in _generated(files):
        if fresh != text:
            outdated = True
            click.echo(f"{path} {'is outdated' if check else 'is updated'}")
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(fresh, encoding="utf-8")
    if check and outdated:
        raise SystemExit(1)


def _generated(files: tuple[Path, ...]) -> Iterator[tuple[Path, str, str]]:
    """Each file with its text and what it should be. Sources of the pages come first."""
    whole = _whole_files(Path())
    for path, fresh in whole.items():
        if not files or path in files:
            yield path, path.read_text(encoding="utf-8") if path.exists() else "", fresh
    more = {
        "members": lambda: member_reference(Giftsim, FORMER_NAMES),
        "command-line": lambda: command_reference(giftsim),
    }
    for path in files or pages_with_tables(Path()):
        if path not in whole:
            text = path.read_text(encoding="utf-8")
            yield path, text, refreshed(text, path, more)


def _whole_files(root: Path) -> dict[Path, str]:
    """The files that are generated as a whole; none outside a checkout."""
    tests = root / "simulator" / "giftsim" / "services" / "statements" / TESTS_FILE.name
    if not tests.exists():
        return {}
    return {
        tests: statement_tests(root),
        **drawings(root),
        **result_types(root),
        **needed_files(root),
        **support_index(root),
    }


def needed_files(root: Path) -> dict[Path, str]:
    """The generated files by which the product checks what it is given."""
    return {**member_schemas(root), **kinds_module(root)}


if __name__ == "__main__":
    docgen(prog_name="python -m tools docgen")
