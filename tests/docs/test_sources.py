"""Every item of a simulated interface says where it comes from: a statement of the documents, or a decision."""

from __future__ import annotations

from functools import cache

import pytest

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.gateway.contract import Contract
from giftsim.gateway.member_sources import MEMBER_SOURCES
from giftsim.gateway.sources import OWN, Item, Sources
from giftsim.statements.statement import load_claims
from tests.docs.test_ids import known

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
    stated = {claim.id for claim in load_claims().values() if claim.family == interface}
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
