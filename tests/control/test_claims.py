"""`GET /_sim/v1/claims`: the claims and decisions over HTTP."""

from __future__ import annotations

import yaml

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.statements.decision import BASES, FAMILIES, load_decisions
from giftsim.statements.statement import KINDS


def test_all_claims_and_decisions_come_in_pages(simulator: Simulator) -> None:
    first = simulator.client.call("GET", "/_sim/v1/claims?limit=600").json()
    rest = simulator.client.call("GET", f"/_sim/v1/claims?limit=600&after={first['next']}").json()
    ids = [row["id"] for row in [*first["claims"], *rest["claims"]]]
    assert (first["next"], rest["next"]) == (600, None)
    assert len(set(ids)) == len(ids) == 539 + len(load_decisions())
    assert first["summary"]["claims"] == rest["summary"]["claims"] == 539


def test_a_claim_has_its_tests_and_a_decision_its_settings(simulator: Simulator) -> None:
    [claim] = simulator.client.call("GET", "/_sim/v1/claims?id=P-6.16").json()["claims"]
    assert claim["kind"] == "delivery"
    assert "tests/interfaces/partner/test_ladder.py::test_a_redirect_is_not_followed" in [
        row["test"] for row in claim["tests"]
    ]
    [decision] = simulator.client.call("GET", "/_sim/v1/claims?id=C7").json()["claims"]
    assert (decision["basis"], decision["outcome"]) == ("guess", None)
    assert decision["settings"] == [{"name": "museum.strict_dates", "default": False}]


def test_parameters_narrow_the_list_down(simulator: Simulator) -> None:
    def ids(query: str) -> list[str]:
        rows = simulator.client.call("GET", f"/_sim/v1/claims?limit=1000&{query}").json()["claims"]
        return [row["id"] for row in rows]

    assert ids("basis=guess&about=museum")[:2] == ["C7", "C8"]
    assert len(ids("decided=true")) == len(load_decisions())
    assert len(ids("decided=false")) == 539
    assert ids("without_test=true") == []
    assert ids("kind=versioning&about=museum") == ["M-9.1", "M-9.2"]
    assert ids("text=gaps%20or%20offsets") == ["B44"]


def test_an_unknown_value_is_refused_with_those_that_there_are(simulator: Simulator) -> None:
    response = simulator.client.call("GET", "/_sim/v1/claims?kind=hope")
    assert response.status == 400
    assert "kind is one of auth, delivery" in response.json()["error"]["message"]


def test_the_contract_has_the_words_of_the_package() -> None:
    contract = yaml.load(CONTRACTS["control"].read_bytes(), yaml.CSafeLoader)
    row = contract["components"]["schemas"]["Claim"]["properties"]
    assert row["kind"]["enum"] == [*KINDS, "decision"]
    assert row["basis"]["enum"] == list(BASES)
    assert row["family"]["enum"] == list(FAMILIES)
