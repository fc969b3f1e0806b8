"""Tools for assistants, made from the team contract: what each is called, takes and does (A4.9, section 5.9)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from giftsim.gateway.contract import Contract, Operation, resolve

SCHEMAS = "#/components/schemas/"
HELD = "Through this tool nothing is ever paid: what it makes is held for a human."
KEY = {
    "description": "The same key with the same arguments answers the first result again, for a day. "
    "Without one, the same arguments alone do so where the operation asks for a key.",
    "type": "string", "minLength": 1, "maxLength": 128,
}  # fmt: skip
_canonical = msgspec.json.Encoder(order="deterministic").encode


class Tool(msgspec.Struct, frozen=True):
    """An operation as an assistant calls it: parameters by their names, the body as `body`."""

    op: Operation
    description: str
    schema: dict[str, Any]

    @property
    def reads(self) -> bool:
        """Whether it changes nothing."""
        return self.op.method == "GET"

    @property
    def keyed(self) -> bool:
        """Whether it takes an idempotency key."""
        return not self.reads and self.op.idempotency is not None


class Request(msgspec.Struct, frozen=True):
    """The call that the arguments of a tool stand for; `path` is below the interface's prefix."""

    path: str
    query: str
    body: bytes
    key: str | None


class Misused(Exception):
    """The arguments are none that the tool takes; the message says why, and repeats no value of them."""


def make_tools(contract: Contract) -> dict[str, Tool]:
    """Every operation that takes a key and that an assistant may call, by its name."""
    return {op.id: _tool(op) for op in contract.operations.values() if _is_offered(op)}


def request_of(tool: Tool, arguments: Mapping[str, Any]) -> Request:
    """The call for these arguments; Misused where they fit no call at all. The gateway judges the rest."""
    given = dict(arguments)
    unknown = [name for name in given if name not in tool.schema["properties"]]
    missing = [name for name in tool.schema["required"] if name not in given]
    if unknown or missing:
        wrong = f"lacks {', '.join(missing)}" if missing else f"takes nothing but {_listed(tool)}"
        raise Misused(f"{tool.op.id} {wrong}")
    path = tool.op.template
    for parameter in tool.op.path_params:
        path = path.replace(f"{{{parameter.name}}}", _segment(given[parameter.name]))
    asked = [(each.name, given[each.name]) for each in tool.op.query_params if given.get(each.name) is not None]
    query = urlencode([(name, _text(value)) for name, value in asked])
    body = _canonical(_unpaid(tool.op, given["body"])) if "body" in given else b""
    return Request(path, query, body, _key(tool, given))


def _is_offered(op: Operation) -> bool:
    return "x-session" not in op.node and op.node.get("x-assistant") != "none"


def _tool(op: Operation) -> Tool:
    said = [op.node.get("summary", ""), op.node.get("description", ""), HELD if _is_held(op) else ""]
    properties: dict[str, Any] = {}
    for entry in op.node.get("parameters", ()):
        node = resolve(op.document, entry)
        if node["in"] in ("path", "query"):
            properties[node["name"]] = {"description": node.get("description", ""), **node["schema"]}
            if node["in"] == "path":
                properties[node["name"]]["type"] = ["string", "integer"]
    required = [each.name for each in (*op.path_params, *op.query_params) if each.required]
    if op.body_schema is not None:
        properties["body"] = op.node["requestBody"]["content"]["application/json"]["schema"]
        required += ["body"] if op.body_required else []
    if op.idempotency is not None and op.method != "GET":
        properties["idempotency_key"] = KEY
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return Tool(op, "\n\n".join(text.strip() for text in said if text), _whole(op, schema))


def _is_held(op: Operation) -> bool:
    return op.node.get("x-assistant") == "held"


def _whole(op: Operation, schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with all that it refers to in itself."""
    named = op.document["components"]["schemas"]
    wanted = list(dict.fromkeys(_references(schema)))
    for name in wanted:
        wanted += [further for further in dict.fromkeys(_references(named[name])) if further not in wanted]
    whole = _plain(schema)
    return {**whole, "$defs": {name: _plain(named[name]) for name in wanted}} if wanted else whole


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, Mapping):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"].removeprefix(SCHEMAS)
        for below in node.values():
            yield from _references(below)
    elif isinstance(node, list):
        for below in node:
            yield from _references(below)


def _plain(node: Any) -> Any:
    """A schema without the contract's own extensions, its references within itself."""
    if isinstance(node, Mapping):
        kept = {name: _plain(below) for name, below in node.items() if not str(name).startswith("x-")}
        if isinstance(kept.get("$ref"), str):
            kept["$ref"] = "#/$defs/" + kept["$ref"].removeprefix(SCHEMAS)
        return kept
    return [_plain(below) for below in node] if isinstance(node, list) else node


def _unpaid(op: Operation, body: Any) -> Any:
    """The body without what would have it paid (T-1.8)."""
    paying = op.node.get("x-scope-by-body", {}) if _is_held(op) else {}
    return {name: each for name, each in body.items() if name not in paying} if isinstance(body, Mapping) else body


def _key(tool: Tool, given: Mapping[str, Any]) -> str | None:
    if "idempotency_key" in given:
        return _text(given["idempotency_key"])
    if not tool.keyed or tool.op.idempotency != "required":
        return None
    return f"mcp-{hashlib.sha256(_canonical([tool.op.id, given])).hexdigest()}"


def _segment(value: Any) -> str:
    """One segment of a path: a slash in it would lead to another operation, perhaps one that is no tool."""
    text = _text(value)
    if "/" in text:
        raise Misused("an id has no slash")
    return quote(text, safe="")


def _listed(tool: Tool) -> str:
    return ", ".join(tool.schema["properties"]) or "no arguments"


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return msgspec.json.encode(value).decode()
    raise Misused("only body is an object; all else is text or a number")
