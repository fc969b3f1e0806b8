"""Contracts in several files: joined into one document, and refused if the parts conflict."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.contract_file import BadContract, document
from giftsim.engine.gateway.node import resolve_ref
from giftsim.services.gifting.interfaces.team.team_interface import link_nouns
from giftsim.services.published.blueprint import published_document

TEAM = CONTRACTS["team"]


def references(node: Any) -> Iterator[str]:
    """Every `$ref` below a node."""
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def sentences_as_members(node: Any) -> Iterator[str]:
    """Members without a value whose name has a space: unquoted text that YAML cut at a comma."""
    if isinstance(node, dict):
        yield from (str(name) for name, value in node.items() if value is None and " " in str(name))
        for value in node.values():
            yield from sentences_as_members(value)
    elif isinstance(node, list):
        for value in node:
            yield from sentences_as_members(value)


def write(folder: Path, **parts: Any) -> Path:
    """Write an index with these parts."""
    whole = {"paths": {}, "components": {"schemas": {"Own": {}}}, "x-parts": [f"{name}.yaml" for name in parts]}
    for name, part in {"index": whole, **parts}.items():
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(part))
    return folder / "index.yaml"


def test_the_team_contract_is_published_as_one_document(simulator: Simulator) -> None:
    published = simulator.client.call("GET", "/openapi/team.json").json()
    assert published == published_document("team", Contract.load(TEAM), "http://giftsim.example")
    index = yaml.load(TEAM.read_bytes(), yaml.CSafeLoader)
    for part in index["x-parts"]:
        stated = yaml.load(TEAM.with_name(part).read_bytes(), yaml.CSafeLoader)
        assert stated["paths"].keys() <= published["paths"].keys()
        for kind, entries in stated.get("components", {}).items():
            assert entries.keys() <= published["components"][kind].keys()


@pytest.mark.parametrize("name", CONTRACTS)
def test_no_text_of_a_contract_is_cut_at_a_comma(name: str) -> None:
    assert list(sentences_as_members(document(CONTRACTS[name]))) == []


def test_the_index_names_every_part_once() -> None:
    index = yaml.load(TEAM.read_bytes(), yaml.CSafeLoader)
    named = [*index["x-parts"], *index.get("x-parts-to-come", [])]
    assert sorted(named) == sorted(path.name for path in TEAM.parent.glob("*.yaml") if path != TEAM)


@pytest.mark.parametrize("name", CONTRACTS)
def test_every_reference_resolves(name: str) -> None:
    whole = document(CONTRACTS[name])
    for ref in references(whole["paths"]):
        assert resolve_ref(whole, {"$ref": ref}) is not None, ref


def test_parts_are_joined(tmp_path: Path) -> None:
    one = {"paths": {"/one": {}}, "components": {"schemas": {"One": {"type": "string"}}, "headers": {"H": {}}}}
    whole = document(write(tmp_path, one=one, two={"paths": {"/two": {}}}))
    assert list(whole["paths"]) == ["/one", "/two"]
    assert list(whole["components"]["schemas"]) == ["Own", "One"]
    assert "x-parts" not in whole


@pytest.mark.parametrize("two", [{"paths": {"/one": {}}}, {"components": {"schemas": {"Own": {}}}}])
def test_a_name_in_two_parts_is_refused(tmp_path: Path, two: dict[str, Any]) -> None:
    with pytest.raises(BadContract, match="another part"):
        document(write(tmp_path, one={"paths": {"/one": {}}}, two=two))


def test_an_unresolvable_id_is_refused() -> None:
    with pytest.raises(BadContract, match="in its path, but there is no finder for it"):
        link_nouns(Contract.load(TEAM), {})
