"""The generated tables of the documentation are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.docgen.reference_tables import BLOCKS, pages_with_tables
from tests.docs.pages import ROOT, pages

MARKER = re.compile(r"<!-- generated: ([a-z-]+) -->")


def test_every_table_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(main, ["handbook", "--check"])
    assert (result.exit_code, result.output) == (0, ""), "run `python run_sim.py handbook`"


def test_every_table_is_on_a_page() -> None:
    shown = [name for page in pages() for name in MARKER.findall(page.text)]
    assert sorted(shown) == sorted({*BLOCKS, "command-line"})


def test_the_command_finds_every_page_with_a_table() -> None:
    marked = [page.path for page in pages() if MARKER.search(page.text)]
    assert sorted(pages_with_tables(ROOT)) == sorted(map(Path, marked))
