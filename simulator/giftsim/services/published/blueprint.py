"""The routes of the index and of the published contracts."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.contract_file import METHODS
from giftsim.engine.gateway.node import resolve_ref
from giftsim.engine.pages.responses import html_response, json_response, wants_html
from giftsim.engine.url_paths import CONTROL
from giftsim.engine.worlds.runtime import Runtime

EXAMPLES = Path(__file__).parent / "examples"  # made by `python -m tools examples`
NAME = "example"
CONDITIONS = ("if", "then", "else")
SPELLED_OUT: Final[Mapping[bool, Any]] = {
    True: {},
    False: {"not": {}},
}  # for generators that do not know the schemas `true` and `false`


def published_document(name: str, contract: Contract, origin: str) -> dict[str, Any]:
    """The document of an interface, on the server at `origin`, such as `http://127.0.0.1:8080`."""
    document = _ready(name, contract)
    return {**document, "servers": [{**document["servers"][0], "url": f"{origin}{contract.prefix}"}]}


@lru_cache(maxsize=8)
def _ready(name: str, contract: Contract) -> dict[str, Any]:
    document: dict[str, Any] = with_plain_conditions(contract.published)
    return with_examples(document, msgspec.json.decode((EXAMPLES / f"{name}.json").read_bytes()))


def with_plain_conditions(node: Any) -> Any:
    """Name every member that a condition mentions, and drop conditions that refuse other members.

    JSON Schema does not need this. But linters look at each part of a schema alone, and miss members that other parts
    name. Schemas `true` and `false` are spelled out, and a constant `true` is an enumeration: generators know no
    others.
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
        body = resolve_ref(document, node["requestBody"])
        operation["requestBody"] = _exemplified(body, example["request"])
    if "response" in example:
        responses = dict(node["responses"])
        responses[example["status"]] = _exemplified(
            resolve_ref(document, responses[example["status"]]), example["response"]
        )
        operation["responses"] = responses
    return operation


def _exemplified(body: Mapping[str, Any], value: Any) -> dict[str, Any]:
    """The request body or response with an example, unless it has one."""
    [(kind, media), *others] = body["content"].items()
    if "example" in media or "examples" in media:
        return dict(body)
    return {**body, "content": {kind: {**media, "examples": {NAME: {"value": value}}}, **dict(others)}}


class Address(NamedTuple):
    """One address of the simulator. `contract` is the path of its description; `opens` is whether a GET reads it."""

    name: str
    title: str
    summary: str
    path: str
    contract: str | None = None
    opens: bool = False


ASSISTANTS = "/mcp"
OTHERS = (
    Address(
        "assistants",
        "Assistant endpoint",
        "The team interface as tools of the Model Context Protocol, by POST.",
        ASSISTANTS,
    ),
    Address(
        "schemas",
        "Schema of scenarios",
        "For editors, to complete and check scenario files; /schemas/fixture.json is that of fixtures.",
        "/schemas/scenario.json",
        opens=True,
    ),
    Address(
        "documentation",
        "Documentation",
        "How to do something, what an error means, and why giftsim behaves as it does.",
        "/console/docs/",
        opens=True,
    ),
    Address("health", "Health", "Whether the simulator is ready.", f"{CONTROL}/health", opens=True),
    Address(
        "world",
        "The default world",
        "Its clock, its settings and its credentials.",
        f"{CONTROL}/worlds/default",
        opens=True,
    ),
)


def contract_addresses(contracts: Mapping[str, Contract]) -> tuple[Address, ...]:
    """The address of each interface, as its contract describes it."""
    return tuple(
        Address(name, info["title"], info["summary"], contract.prefix, f"/openapi/{name}.json")
        for name, contract in contracts.items()
        for info in (contract.document["info"],)
    )


def as_json(addresses: Iterable[Address], origin: str) -> Sequence[Mapping[str, Any]]:
    """The addresses with whole URLs."""
    return [
        {"name": each.name, "title": each.title, "summary": each.summary, "url": f"{origin}{each.path}"}
        | ({"contract": f"{origin}{each.contract}"} if each.contract else {})
        for each in addresses
    ]


ABOUT = "A sandbox of a corporate-gifting service, with a clock that you control. This is what it has, and where."
CONTRACTS = "Every interface with its operations, as a document of OpenAPI 3.1."


def published(
    runtime: Runtime,
    contracts: Mapping[str, Contract],
    version: str,
    schemas: Callable[[], Mapping[str, str]],
    mounts: Container[str] = (ASSISTANTS,),
) -> Blueprint:
    """The index at `/` and `/openapi`, the `contracts` under `/openapi/{name}.json` and the `schemas`, as a blueprint.

    `schemas` returns the JSON Schemas for editors, as text by name. The index has the assistant endpoint if it is among
    the paths of `mounts`.
    """
    routes = Blueprint("published", __name__, template_folder="templates")
    described = cache(partial(contract_addresses, contracts))  # a page of the console needs none of them
    others = [each for each in OTHERS if each.path != ASSISTANTS or ASSISTANTS in mounts]

    @routes.get("/")
    def index() -> Response:
        origin, addresses = runtime.origin, (*described(), *others)
        if wants_html():
            title = f"giftsim {version}"
            return html_response(200, "index.html", title=title, text=ABOUT, addresses=addresses, origin=origin)
        return json_response(200, {"name": "giftsim", "version": version, "addresses": as_json(addresses, origin)})

    @routes.get("/openapi")
    def contract_index() -> Response:
        origin = runtime.origin
        if wants_html():
            title = "OpenAPI descriptions"
            return html_response(200, "index.html", title=title, text=CONTRACTS, addresses=described(), origin=origin)
        return json_response(200, {"contracts": as_json(described(), origin)})

    @routes.get("/openapi/<name>.json")
    def contract(name: str) -> Response:
        if name not in contracts:
            raise NotFound
        return json_response(200, published_document(name, contracts[name], runtime.origin))

    routes.add_url_rule("/schemas/<name>.json", "schema", partial(_schema, schemas))
    return routes


def _schema(schemas: Callable[[], Mapping[str, str]], name: str) -> Response:
    if name not in schemas():
        raise NotFound
    return Response(schemas()[name], mimetype="application/schema+json")
