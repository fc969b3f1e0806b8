"""The types of the fixture's results follow the contract; tests/testing/test_types.py compares their members."""

from __future__ import annotations

from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract
from tests.docs.pages import ROOT
from tools.docgen.result_types import OTHERS, RECORDS, RESULTS, result_types


def test_every_row_is_a_schema_of_the_contract_or_stands_in_the_module() -> None:
    schemas = Contract.load(CONTRACTS["control"]).published["components"]["schemas"]
    names = {(each.schema or each.name).partition(".")[0] for each in (*RESULTS, *RECORDS)}
    assert names <= {*schemas, *OTHERS}
    assert not schemas.keys() & OTHERS.keys()


def test_a_member_that_is_a_keyword_needs_the_other_form_of_a_typed_dictionary() -> None:
    [results] = [text for path, text in result_types(ROOT).items() if path.name == "results.py"]
    assert 'Advance = TypedDict(\n    "Advance",\n    {\n        "from": str,\n' in results
    assert "class Parcel(TypedDict):\n" in results
    assert "    outcome: Outcome | None\n" in results
    assert "    recipient: NotRequired[str]\n" in results
