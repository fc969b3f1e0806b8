"""The tables of errors: every code with its cause, its operations and its source."""

from __future__ import annotations

import pytest

from giftsim.build import CONTRACTS
from giftsim.docgen.reference_tables import museum_errors, partner_errors, team_errors
from giftsim.gateway.contract import Contract

TABLES = {"partner": partner_errors, "team": team_errors, "museum": museum_errors}


def row_of(table: str, code: str) -> list[str]:
    [line] = [line for line in table.splitlines() if f" | `{code}` | " in line]
    return [cell.strip() for cell in line.strip("|").split(" | ")]


@pytest.mark.parametrize("interface", TABLES)
def test_every_code_of_the_contract_has_a_cause_and_a_source(interface: str) -> None:
    table = TABLES[interface]()
    for error in Contract.load(CONTRACTS[interface]).published["x-errors"]:
        row = row_of(table, error["code"])
        assert row[3], row
        assert row[5].startswith(f"[{error['x-source'][0]}](claims.md#")


def test_the_operations_are_those_whose_responses_have_the_code() -> None:
    assert row_of(partner_errors(), "items_required")[4] == "`createTeamOrder`"
    assert row_of(partner_errors(), "unauthorized")[4] == "all"
    assert row_of(partner_errors(), "method_not_allowed")[4] == "–"
    assert row_of(team_errors(), "insufficient_scope")[4] == "all but `listKeys`, `createKey`, `revokeKey`, `signProof`"
