"""The schemas of scenarios and fixtures for editors: those that files are checked against, with what can be completed.

What can be completed are the names of the fixture `default`: credentials, SKUs, settings; and types of events,
operations and calls. Other names stay valid, because a scenario may have a fixture of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, Final, NamedTuple

from giftsim.engine.client.control import Control
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.gateway.call import Interface
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.url_paths import CONTROL
from giftsim.services.gifting.domain.webhook_kinds import KINDS
from giftsim.workbench.scenario import json_schema

PART: Final = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "scenario.json#/$defs/part"}


class _Names(NamedTuple):
    """The names to complete."""

    credentials: list[str]
    skus: list[str]
    settings: Mapping[str, Any]
    fixtures: list[str]
    operations: list[str]
    calls: list[str]


def editor_schemas(
    client: InProcessClient, interfaces: Iterable[Interface], fixture_schema: Mapping[str, Any], fixtures: list[str]
) -> Mapping[str, str]:
    """The schemas as text: of a `scenario`, of a `part` that scenarios include, and of a `fixture`.

    Calls of all `interfaces` but control are completed. The default world of `client` has the fixture `default`.
    `fixture_schema` is that which fixtures are checked against, and `fixtures` are the names of those that there are.
    """
    names = _names(client, [each.contract for each in interfaces if each.contract.prefix != CONTROL], fixtures)
    made = {"scenario": _scenario(names), "part": PART, "fixture": _fixture(fixture_schema, names)}
    return {name: json.dumps(each, indent=2) + "\n" for name, each in made.items()}


def _names(client: InProcessClient, contracts: list[Contract], fixtures: list[str]) -> _Names:
    world = ClientWorld(Control(client), "default")
    return _Names(
        credentials=list(world.send("GET")["credentials"]),
        skus=sorted({sku["code"] for product in world.rows("/catalogue", "catalogue") for sku in product["skus"]}),
        settings=world.send("GET", "/settings"),
        fixtures=fixtures,
        operations=sorted(operation.id for contract in contracts for operation in contract.operations.values()),
        calls=sorted(_calls(contracts)),
    )


def _calls(contracts: Iterable[Contract]) -> Iterator[str]:
    for contract in contracts:
        for operation in contract.operations.values():
            yield f"{operation.method} {contract.prefix}{operation.template}".replace("{", "${")


def _scenario(names: _Names) -> dict[str, Any]:
    schema = deepcopy(json_schema())
    steps = schema["$defs"]
    call, match = steps["call_step"]["properties"], steps["fault"]["properties"]["match"]
    _complete(schema["properties"], "fixture", names.fixtures)
    _complete(call, "as", names.credentials)
    _complete(call, "call", names.calls)
    call["body"]["properties"] = _body(names)
    steps["simulate_step"]["properties"]["with"]["properties"] = {"key": _open(names.credentials), **_body(names)}
    steps["rehearse_step"]["properties"]["with"]["properties"] = {"key": _open(names.credentials)}
    for member, known in (("operation", names.operations), ("credential", names.credentials), ("event", KINDS)):
        _complete(match["properties"], member, known)
    for node in (steps["on_delivery"], steps["deliveries"], steps["delivery"]):
        _complete(node["properties"], "type", KINDS)
    for name in ("events", "events_exactly"):
        _complete(steps[name], "items", KINDS)
    steps["settings"]["properties"] = {name: {"default": value} for name, value in names.settings.items()}
    return schema


def _fixture(fixture_schema: Mapping[str, Any], names: _Names) -> dict[str, Any]:
    schema = deepcopy(dict(fixture_schema))
    _complete(schema["properties"], "extends", names.fixtures)
    for node in schema["$defs"].values():
        members = node.get("properties", {})
        if "ago" in members and "key" in members:
            _complete(members, "key", names.credentials)
            for body in ("body", "order", "gift"):
                if members.get(body, {}).get("type") == "object":
                    members[body]["properties"] = _body(names)
    return schema


def _body(names: _Names) -> dict[str, Any]:
    """Members of the bodies of calls whose values can be completed, which says nothing about others."""
    sku = {"sku_code": _open(names.skus)}
    return {"items": {"items": {"properties": sku}}, "events": {"items": _open(KINDS)}, **sku}


def _open(known: Iterable[str]) -> dict[str, Any]:
    """Anything; the known values are completed."""
    return {"anyOf": [{"enum": list(known)}, {}]}


def _complete(members: dict[str, Any], name: str, known: Iterable[str]) -> None:
    """Let editors complete a member with known values. What else it may be stays as it is."""
    node = members[name]
    about = {each: node[each] for each in ("title", "description", "default", "examples") if each in node}
    rest = {each: value for each, value in node.items() if each not in about}
    members[name] = {**about, "anyOf": [{"enum": list(known)}, rest]}
