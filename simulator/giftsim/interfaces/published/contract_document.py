"""A contract as it is published for the tools of others: with the server's address, an example of every operation, and
conditions that linters can read. It says the same as the contract that the simulator checks by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from giftsim.gateway.contract import METHODS, Contract, resolve

EXAMPLES = Path(__file__).parent / "examples"  # made by `python -m tests.contracts.examples`
NAME = "example"
CONDITIONS = ("if", "then", "else")
SPELLED_OUT: Mapping[bool, Any] = MappingProxyType(
    {True: {}, False: {"not": {}}}
)  # for generators that know no schemas `true` and `false`


def published_document(name: str, contract: Contract, origin: str) -> dict[str, Any]:
    """The document of an interface, on the server at `origin`, such as `http://127.0.0.1:8080`."""
    document = _ready(name, contract)
    return {**document, "servers": [{**document["servers"][0], "url": f"{origin}{contract.prefix}"}]}


@lru_cache(maxsize=8)
def _ready(name: str, contract: Contract) -> dict[str, Any]:
    document: dict[str, Any] = with_plain_conditions(contract.published)
    return with_examples(document, msgspec.json.decode((EXAMPLES / f"{name}.json").read_bytes()))


def with_plain_conditions(node: Any) -> Any:
    """The node with every member named that a condition speaks of, and no condition that refuses other members.

    By JSON Schema that is so anyway. Linters look at each part of a schema alone, where they miss the members that the
    rest of it has. Schemas `true` and `false` are spelled out, and a constant `true` is an enumeration: generators know
    no others.
    """
    if isinstance(node, list):
        return [with_plain_conditions(entry) for entry in node]
    if not isinstance(node, Mapping):
        return node
    plain = {keyword: with_plain_conditions(value) for keyword, value in node.items()}
    if isinstance(plain.get("properties"), dict):
        members = plain["properties"].items()
        plain["properties"] = {name: SPELLED_OUT[each] if isinstance(each, bool) else each for name, each in members}
    if plain.get("const") is True and "properties" not in plain:
        plain = {**plain, "type": "boolean", "enum": [plain.pop("const")]}
    for keyword in CONDITIONS:
        if isinstance(plain.get(keyword), dict):
            plain[keyword] = _open(plain[keyword])
    return plain


def _open(condition: dict[str, Any]) -> dict[str, Any]:
    required: dict[str, Any] = {name: {} for name in condition.get("required", ())}
    if not required and "properties" not in condition:
        return condition
    members = {**required, **condition.get("properties", {})}
    return {"unevaluatedProperties": True, **condition, "properties": members}


def with_examples(document: dict[str, Any], examples: Mapping[str, Any]) -> dict[str, Any]:
    """The document with an example where an operation's body, or its first 2xx response, has none."""
    paths = {path: _item(document, item, examples) for path, item in document["paths"].items()}
    return {**document, "paths": paths}


def _item(document: Mapping[str, Any], item: Mapping[str, Any], examples: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: _operation(document, node, examples.get(node["operationId"], {})) if key in METHODS else node
        for key, node in item.items()
    }


def _operation(document: Mapping[str, Any], node: Mapping[str, Any], example: Mapping[str, Any]) -> dict[str, Any]:
    operation = dict(node)
    if "request" in example:
        body = resolve(document, node["requestBody"])
        operation["requestBody"] = _exemplified(body, example["request"])
    if "response" in example:
        responses = dict(node["responses"])
        responses[example["status"]] = _exemplified(
            resolve(document, responses[example["status"]]), example["response"]
        )
        operation["responses"] = responses
    return operation


def _exemplified(body: Mapping[str, Any], value: Any) -> dict[str, Any]:
    """The request body or response with an example, unless it has one."""
    [(kind, media), *others] = body["content"].items()
    if "example" in media or "examples" in media:
        return dict(body)
    return {**body, "content": {kind: {**media, "examples": {NAME: {"value": value}}}, **dict(others)}}
