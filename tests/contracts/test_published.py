"""Contracts as they are published: with true examples, the server's address, and nothing that the checked ones lack."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.body_schema import Schema
from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.engine.gateway.node import resolve_ref
from giftsim.services.published.blueprint import EXAMPLES, published_document, with_plain_conditions
from tests.contracts.example_run import add_obvious_examples
from tests.contracts.examples import files
from tests.support.contract_conformance import mismatches

DECISIONS = (Path(__file__).parents[2] / "docs/explanation/decisions.md").read_text("utf-8")
ORIGIN = "http://127.0.0.1:8123"
WITHOUT = ("image/png", "application/pdf")  # what JSON cannot hold
LOADED = {name: Contract.load(path) for name, path in CONTRACTS.items()}
PUBLISHED = {name: Contract(published_document(name, contract, ORIGIN)) for name, contract in LOADED.items()}
OPERATIONS = [(name, operation) for name, contract in PUBLISHED.items() for operation in contract.operations.values()]


def values(node: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The examples of a request body or a response, each with its media type."""
    for kind, media in node.get("content", {}).items():
        for example in media.get("examples", {}).values():
            yield kind, example["value"]


def success(operation: Operation) -> tuple[int, Mapping[str, Any]]:
    """The first successful status of an operation, and its response."""
    status = next(each for each in operation.node["responses"] if each.startswith("2"))
    return int(status), resolve_ref(operation.document, operation.node["responses"][status])


def test_the_examples_are_those_of_a_run_of_today() -> None:
    outdated = [name for name, content in files().items() if (EXAMPLES / name).read_bytes() != content]
    assert outdated == [], "write them anew: python -m tools examples"


def test_an_operation_without_an_example_is_called_as_the_contract_says() -> None:
    examples = {name: json.loads((EXAMPLES / f"{name}.json").read_bytes()) for name in CONTRACTS}
    known = {name: dict(each) for name, each in examples.items()}
    left_out = {"partner": "getTeamOrder", "team": "getGift", "museum": "getTicketCode", "control": "listVerbs"}
    for name, operation in left_out.items():
        del known[name][operation]
    add_obvious_examples(known)
    assert {name: each.keys() for name, each in known.items()} == {name: each.keys() for name, each in examples.items()}
    assert {known[name][operation]["status"] for name, operation in left_out.items()} == {"200"}
    assert known["control"] == examples["control"]


def test_every_operation_has_an_example_of_its_body_and_its_response() -> None:
    missing = []
    for name, operation in OPERATIONS:
        body = operation.node.get("requestBody")
        if body and not list(values(resolve_ref(operation.document, body))):
            missing.append(f"{name} {operation.id}: request")
        succeeding = [
            resolve_ref(operation.document, node)
            for code, node in operation.node["responses"].items()
            if code[0] == "2"
        ]
        shown = [node for node in succeeding if list(values(node))]
        needed = any(kind not in WITHOUT for node in succeeding for kind in node.get("content", {}))
        if needed and not shown:
            missing.append(f"{name} {operation.id}: response")
    assert missing == []


@pytest.mark.parametrize("interface", CONTRACTS)
def test_every_example_fits_the_contract_that_is_checked(interface: str) -> None:
    wrong = []
    for id_, operation in PUBLISHED[interface].operations.items():
        checked = LOADED[interface].operations[id_]
        for _, value in values(resolve_ref(operation.document, operation.node.get("requestBody", {}))):
            if checked.body_schema is not None and not checked.body_schema.is_valid(value):
                wrong.append((id_, "request", checked.body_schema.violations(value)[0].message))
        for code in (code for code in operation.node["responses"] if code[0] == "2"):
            response = resolve_ref(operation.document, operation.node["responses"][code])
            for kind, value in values(response):
                content = json.dumps(value).encode() if kind.endswith("json") else str(value).encode()
                answer = Response(int(code), {"content-type": kind}, content)
                wrong += [(id_, code, each) for each in mismatches(checked, answer) if "is missing" not in each]
    assert wrong == []


def test_the_server_is_the_one_that_publishes(simulator: Simulator) -> None:
    for name, contract in LOADED.items():
        published = simulator.client.call("GET", f"/openapi/{name}.json").json()
        assert [server["url"] for server in published["servers"]] == [f"http://giftsim.example{contract.prefix}"]


CONDITIONAL = {
    "type": "object",
    "properties": {"kind": {"type": "string"}, "size": {"type": "integer"}, "note": {"type": "string"}},
    "if": {"required": ["kind"], "properties": {"kind": {"const": "mug"}}},
    "then": {"required": ["size"]},
    "else": {"properties": {"size": False}},
}


@pytest.mark.parametrize(
    "value",
    [
        {"kind": "mug"},
        {"kind": "mug", "size": 1, "note": ""},
        {"kind": "tee", "note": ""},
        {"kind": "tee", "size": 1},
        {},
    ],
)
def test_plain_conditions_accept_and_refuse_the_same(value: Any) -> None:
    plain = with_plain_conditions(CONDITIONAL)
    assert plain != CONDITIONAL
    assert Schema(plain, {}).is_valid(value) == Schema(CONDITIONAL, {}).is_valid(value)


@pytest.mark.parametrize(("value", "valid"), [(True, True), (False, False), (1, False)])
def test_a_constant_is_published_as_an_enumeration(value: Any, valid: bool) -> None:
    assert Schema(with_plain_conditions({"const": True}), {}).is_valid(value) is valid


def lengths(node: Any) -> Iterator[int]:
    """The greatest lengths of texts that a part of a contract names."""
    if isinstance(node, dict):
        yield from (value for key, value in node.items() if key == "maxLength" and isinstance(value, int))
    if isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from lengths(child)


@pytest.mark.parametrize("interface", ["partner", "team", "museum"])
def test_one_decision_names_every_length_that_the_simulated_interfaces_bound(interface: str) -> None:
    """G198; the last four characters of a key are not a bound of what is sent."""
    [entry] = [line for line in DECISIONS.split("\n- ") if line.startswith("**G198 ")]
    named = {int(number.replace(",", "")) for number in re.findall(r"\b[0-9][0-9,]*\b", entry)}
    assert set(lengths(LOADED[interface].document)) - {4} <= named
