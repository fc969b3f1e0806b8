"""Generated tables: they replace what is between their markers, on whatever page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract
from giftsim.services.statements.decision import load_decisions
from tools.docgen.__main__ import docgen
from tools.docgen.markdown import table
from tools.docgen.reference_tables import (
    BLOCKS,
    error_table,
    language,
    pages_with_tables,
    refreshed,
)


def row_of(table: str, code: str) -> list[str]:
    [line] = [line for line in table.splitlines() if f" | `{code}` | " in line]
    return [cell.strip() for cell in line.strip("|").split(" | ")]


@pytest.mark.parametrize("interface", ["partner", "team", "museum"])
def test_every_code_of_the_contract_has_a_cause_and_a_source(interface: str) -> None:
    table = error_table(interface)
    for error in Contract.load(CONTRACTS[interface]).published["x-errors"]:
        row = row_of(table, error["code"])
        assert row[3], row
        first = error["x-source"][0]
        assert row[5].startswith(f"[{first}](../explanation/" if first in load_decisions() else first)


def test_the_operations_are_those_whose_responses_have_the_code() -> None:
    assert row_of(error_table("partner"), "items_required")[4] == "`createTeamOrder`"
    assert row_of(error_table("partner"), "unauthorized")[4] == "all"
    assert row_of(error_table("partner"), "method_not_allowed")[4] == "–"
    insufficient = row_of(error_table("team"), "insufficient_scope")
    assert insufficient[4] == "all but `listKeys`, `createKey`, `revokeKey`, `signProof`"


PAGE = "# Steps\n\n<!-- generated: language -->\nold\n<!-- end -->\n\nThe rest.\n"


def test_the_text_between_the_markers_is_replaced_and_the_rest_is_kept() -> None:
    assert refreshed(PAGE) == f"# Steps\n\n<!-- generated: language -->\n\n{language()}\n<!-- end -->\n\nThe rest.\n"


def test_refreshing_twice_changes_nothing_more() -> None:
    assert refreshed(refreshed(PAGE)) == refreshed(PAGE)


def test_an_unknown_table_is_an_error() -> None:
    with pytest.raises(KeyError, match="nothing"):
        refreshed(PAGE.replace("language", "nothing"))


@pytest.mark.parametrize(
    ("page", "prefix"), [("README.md", ""), ("docs/a.md", "../"), ("docs/reference/a.md", "../../")]
)
def test_links_to_scenarios_lead_from_the_page(page: str, prefix: str) -> None:
    text = refreshed(PAGE.replace("language", "library"), Path(page))
    assert set(re.findall(r"\]\((.*?)scenarios/", text)) == {prefix}


def test_every_table_has_a_header_and_rows_of_as_many_cells() -> None:
    for name in set(BLOCKS) - {
        "library",
        "machines",
        "event-request",
        "partner-events",
        "team-events",
    }:
        lines = [line for line in BLOCKS[name]().splitlines() if line.startswith("|")]
        widths = {line.replace("\\|", "").count("|") for line in lines}
        assert (len(widths), len(lines) > 2) == (1, True), name


def test_a_cell_keeps_to_one_line_and_escapes_its_bars() -> None:
    assert table(("a",), [("x\n  | y",)]) == "| a |\n| --- |\n| x \\| y |"


def test_pages_without_a_table_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "docs" / "reference").mkdir(parents=True)
    (tmp_path / "README.md").write_text("No table.\n")
    page = tmp_path / "docs" / "reference" / "steps.md"
    page.write_text(PAGE)
    assert pages_with_tables(tmp_path) == [page]


def test_docgen_checks_and_updates_pages(tmp_path: Path) -> None:
    page = tmp_path / "steps.md"
    page.write_text(PAGE)
    checked = CliRunner().invoke(docgen, ["--check", str(page)])
    assert (checked.exit_code, checked.output) == (1, f"{page} is outdated\n")
    updated = CliRunner().invoke(docgen, [str(page)])
    assert (updated.exit_code, updated.output, page.read_text()) == (0, f"{page} is updated\n", refreshed(PAGE))
    assert CliRunner().invoke(docgen, ["--check", str(page)]).exit_code == 0
