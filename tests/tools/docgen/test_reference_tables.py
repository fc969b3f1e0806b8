"""Generated tables: they replace what is between their markers, on whatever page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract
from giftsim.services.known import make_definitions
from giftsim.workbench.assumptions.variants import load_variants
from tools.docgen.__main__ import docgen
from tools.docgen.contract_lists import OWNERS, error_list, routes
from tools.docgen.markdown import table
from tools.docgen.reference_tables import BLOCKS, language, pages_with_tables, refreshed
from tools.docgen.setting_lists import settings


@pytest.mark.parametrize("interface", ["partner", "team", "museum"])
def test_every_code_of_the_contract_has_a_cause_under_its_status(interface: str) -> None:
    by_status = dict(part.split("**", 1) for part in error_list(interface).removeprefix("**").split("\n\n**"))
    for error in Contract.load(CONTRACTS[interface]).published["x-errors"]:
        [line] = [
            each for each in by_status[str(error["status"])].splitlines() if each.startswith(f"- `{error['code']}`")
        ]
        assert line.endswith(f" {' '.join(error['cause'].split())}")


def test_every_operation_is_a_route_of_its_interface() -> None:
    parts = dict(zip(OWNERS, re.split(r"^## .*\n", routes(), flags=re.MULTILINE)[1:], strict=True))
    for name, path in CONTRACTS.items():
        operations = Contract.load(path).operations.values()
        templates = {re.sub("(?<=/simulate/).*", "VERB", each.template) for each in operations}
        assert templates == set(re.findall(r"`[A-Z|]+ (/[^`]*)`", parts[name]))
        named = set(re.findall(r"` (\w+)", parts[name]))
        assert named == (set() if name == "control" else {each.node["operationId"] for each in operations})


def test_every_setting_and_every_other_reading_is_on_the_page_of_settings() -> None:
    page = settings()
    names = {re.sub(r"\.[A-Z]{2}$", ".COUNTRY", name) for name in make_definitions().settings}
    assert [name for name in sorted(names) if f"- `{name}`" not in page] == []
    assert [each.variant for each in load_variants().values() if f"*`{each.variant}`" not in page] == []
    assert [each.variant for each in load_variants().values() if each.safe not in page] == []


def test_settings_of_countries_share_a_line_with_their_readings() -> None:
    [line] = [each for each in settings().splitlines() if "duties_percent" in each]
    assert line.startswith("- `partner.prices.duties_percent.COUNTRY` (`0`): customs and duties, in percent of the")
    assert line.endswith("(B53). *`some_duties` `US 5, CA 12, GB 20, DE 19`: Read duties_cents and do not expect 0.*")


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
    for name, block in BLOCKS.items():
        lines = [line for line in block().splitlines() if line.startswith("|")]
        widths = {line.replace("\\|", "").count("|") for line in lines}
        assert not lines or (len(widths), len(lines) > 2) == (1, True), name


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
