"""The generated tables of the documentation are those of the code."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.member_sources import MEMBER_SOURCES
from giftsim.engine.gateway.sources import OWN, Item, Sources
from giftsim.services.statements.decision import load_decisions
from giftsim.services.statements.statement import load_statements
from tests.docs.pages import ROOT, pages
from tools.docgen.__main__ import docgen
from tools.docgen.reference_tables import BLOCKS, pages_with_tables

MARKER = re.compile(r"<!-- generated: ([a-z-]+) -->")


def test_every_table_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(docgen, ["--check"])
    assert (result.exit_code, result.output) == (0, ""), "run `python -m tools docgen`"


def test_every_table_is_on_a_page() -> None:
    shown = [name for page in pages() for name in MARKER.findall(page.text)]
    assert sorted(shown) == sorted({*BLOCKS, "command-line", "members"})


def test_the_command_finds_every_page_with_a_table() -> None:
    marked = [page.path for page in pages() if MARKER.search(page.text)]
    assert sorted(pages_with_tables(ROOT)) == sorted(map(Path, marked))


CITED = re.compile(r"(?<![\w-])([PTM]-\d+\.\d+|A\d+\.\d+|[BCG]\d+)(?![\w.-]*\w)")
POSTCODES = "fulfilment/address.py"


@cache
def known() -> frozenset[str]:
    """The ids of statements and decisions."""
    return frozenset({*load_statements(), *load_decisions()})


def test_every_cited_id_is_defined() -> None:
    package = ROOT / "simulator" / "giftsim"
    files = [path for path in sorted(package.rglob("*")) if path.suffix in (".py", ".yaml")]
    unknown = {
        f"{path.relative_to(ROOT)}: {cited}"
        for path in files
        if not path.as_posix().endswith(POSTCODES)
        for cited in CITED.findall(path.read_text(encoding="utf-8"))
        if cited not in known()
    }
    assert sorted(unknown) == [], "CONTRIBUTING.md says where each kind of id is defined"


FAMILY = {"team": "T-", "partner": "P-", "museum": "M-"}
INTERFACES = ("team", "partner", "museum")
HELP = 'see "Sources in the contracts" in CONTRIBUTING.md'


@cache
def sources(interface: str) -> Sources:
    return Sources(Contract.load(CONTRACTS[interface]))


def places(items: list[Item]) -> list[str]:
    return [f"{item.kind} {item.operation} {item.status} {item.name} ({item.place})" for item in items]


@pytest.mark.parametrize("interface", INTERFACES)
def test_every_item_has_a_source(interface: str) -> None:
    assert places([item for item in sources(interface).distinct if not item.ids]) == [], HELP


@pytest.mark.parametrize("interface", INTERFACES)
def test_every_source_is_defined(interface: str) -> None:
    unknown = [item for item in sources(interface).distinct if set(item.ids) - known()]
    assert places(unknown) == []
    assert set(sources(interface).whole) <= known()


@pytest.mark.parametrize("interface", INTERFACES)
def test_statements_come_before_decisions(interface: str) -> None:
    mixed = [item for item in sources(interface).distinct if item.ids != (*item.statements, *item.decisions)]
    assert places(mixed) == []


@pytest.mark.parametrize("interface", INTERFACES)
def test_statements_are_those_about_the_interface(interface: str) -> None:
    foreign = [
        item
        for item in sources(interface).distinct
        if any(not statement.startswith(FAMILY[interface]) for statement in item.statements)
    ]
    assert places(foreign) == []


@pytest.mark.parametrize("interface", INTERFACES)
def test_every_statement_about_the_interface_is_at_some_item(interface: str) -> None:
    named = {name for item in sources(interface).items for name in item.ids} | set(sources(interface).whole)
    stated = {each.id for each in load_statements().values() if each.family == interface}
    assert sorted(stated - named) == []


@pytest.mark.parametrize("interface", INTERFACES)
def test_the_served_contract_has_a_source_at_each_member(interface: str, simulator: Simulator) -> None:
    served = simulator.client.call("GET", f"/openapi/{interface}.json")
    assert MEMBER_SOURCES not in served.text
    schemas = served.json()["components"]["schemas"]
    items = [item for item in sources(interface).distinct if item.place.startswith("/components/schemas/")]
    for item in items:
        node = schemas
        for part in item.place.split("/")[3:]:
            node = node[int(part) if isinstance(node, list) else part]
        assert tuple(node["x-source"]) == item.ids
    assert len(items) > 15


def test_the_control_contract_says_that_it_is_the_products_own() -> None:
    assert sources("control").whole == (OWN,)
    assert {item.ids for item in sources("control").distinct} == {(OWN,)}
