"""The tools of the MCP endpoint, derived from the team contract: names, descriptions, schemas (A4.9, section 5.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.engine.gateway.idempotency import takes_header
from giftsim.engine.gateway.node import resolve_ref

SCHEMAS = "#/components/schemas/"
HELD = "This tool never pays: what it creates is held until a human decides."
KEY = {"type": "string", "minLength": 1, "maxLength": 128}
REQUIRED_KEY = (
    "With a fresh value the tool acts, even if the other arguments are those of an earlier call: another order is "
    "made, the next batch is processed. For a day, the same value with the same arguments does nothing and returns the "
    "first result again: use it only to repeat a call whose result you did not get."
)
OPTIONAL_KEY = (
    "For a day, the same value with the same arguments returns the first result again. Without it, each call acts."
)
_encode_sorted = msgspec.json.Encoder(order="deterministic").encode


class Tool(msgspec.Struct, frozen=True):
    """An operation as a tool: its arguments are the operation's parameters by name, and `body`."""

    operation: Operation
    description: str
    schema: dict[str, Any]

    @property
    def is_read_only(self) -> bool:
        """Whether the operation changes nothing."""
        return self.operation.method == "GET"


class ToolRequest(msgspec.Struct, frozen=True):
    """The HTTP request that a tool call makes. `path` is below the interface's prefix."""

    path: str
    query: str
    body: bytes
    idempotency_key: str | None


class InvalidArguments(Exception):
    """The arguments do not fit the tool. The message says why and repeats none of their values."""


def make_tools(contract: Contract) -> dict[str, Tool]:
    """The tools by name: every operation that takes a key and that an assistant may call."""
    return {op.id: _tool(op) for op in contract.operations.values() if _is_offered(op)}


def build_request(tool: Tool, given: Mapping[str, Any]) -> ToolRequest:
    """The request for the given arguments; null counts as absent (G188). The gateway validates their values.

    Raises InvalidArguments if one is missing or unknown, or cannot be part of a request.
    """
    op, arguments = tool.operation, {name: value for name, value in given.items() if value is not None}
    unknown = [name for name in arguments if name not in tool.schema["properties"]]
    missing = [name for name in tool.schema["required"] if name not in arguments]
    if unknown or missing:
        error = f"needs {', '.join(missing)}" if missing else f"takes only {_argument_names(tool)}"
        raise InvalidArguments(f"{op.id} {error}")
    path = op.template
    for parameter in op.path_params:
        path = path.replace(f"{{{parameter.name}}}", _path_segment(arguments[parameter.name]))
    sent = [(each.name, arguments[each.name]) for each in op.query_params if each.name in arguments]
    query = urlencode([(name, _text(value)) for name, value in sent])
    body = _encode_sorted(_offered_members(op, arguments["body"])) if "body" in arguments else b""
    key = arguments.get("idempotency_key")
    return ToolRequest(path, query, body, None if key is None else _text(key))


def _is_offered(op: Operation) -> bool:
    return "x-session" not in op.node and op.node.get("x-assistant") != "none"


def _tool(op: Operation) -> Tool:
    texts = [_text_for_assistants(op, "summary"), _text_for_assistants(op, "description"), HELD if _is_held(op) else ""]
    properties: dict[str, Any] = {}
    for entry in op.node.get("parameters", ()):
        node = resolve_ref(op.document, entry)
        if node["in"] in ("path", "query"):
            properties[node["name"]] = {"description": node.get("description", ""), **node["schema"]}
            if node["in"] == "path":
                properties[node["name"]]["type"] = ["string", "integer"]
    required = [each.name for each in (*op.path_params, *op.query_params) if each.required]
    if op.body_schema is not None:
        properties["body"] = op.node["requestBody"]["content"]["application/json"]["schema"]
        required += ["body"] if op.body_required else []
    if takes_header(op):
        is_required = op.idempotency == "required"
        properties["idempotency_key"] = {"description": REQUIRED_KEY if is_required else OPTIONAL_KEY, **KEY}
        required += ["idempotency_key"] if is_required else []
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return Tool(op, "\n\n".join(text.strip() for text in texts if text), _self_contained(op, schema))


def _is_held(op: Operation) -> bool:
    return op.node.get("x-assistant") == "held"


def _self_contained(op: Operation, schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with every schema that it refers to, directly or not, under `$defs`."""
    schemas = op.document["components"]["schemas"]
    names = list(dict.fromkeys(_references(schema)))
    for name in names:
        names += [further for further in dict.fromkeys(_references(schemas[name])) if further not in names]
    standard = _standard_schema(schema)
    return {**standard, "$defs": {name: _standard_schema(schemas[name]) for name in names}} if names else standard


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, Mapping):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"].removeprefix(SCHEMAS)
        for child in node.values():
            yield from _references(child)
    elif isinstance(node, list):
        for child in node:
            yield from _references(child)


def _standard_schema(node: Any) -> Any:
    """The schema for assistants, without the contract's extensions (`x-...`), its references pointing into `$defs`."""
    if isinstance(node, Mapping):
        kept = {
            name: _standard_schema(child)
            for name, child in node.items()
            if not str(name).startswith("x-") and not _is_hidden(child)
        }
        if "x-assistant-enum" in node:
            kept["enum"] = list(node["x-assistant-enum"])
        if isinstance(kept.get("$ref"), str):
            kept["$ref"] = "#/$defs/" + kept["$ref"].removeprefix(SCHEMAS)
        return kept
    return [_standard_schema(child) for child in node] if isinstance(node, list) else node


def _is_hidden(node: Any) -> bool:
    """Whether a member of a body is not for assistants, such as the one that asks for payment (T-1.8)."""
    return isinstance(node, Mapping) and node.get("x-assistant") == "none"


def _offered_members(op: Operation, body: Any) -> Any:
    """The body without the members that are hidden from assistants.

    Raises InvalidArguments if a member has a value that is not for assistants.
    """
    if not isinstance(body, Mapping):
        return body
    schema = op.node["requestBody"]["content"]["application/json"]["schema"]
    members: Mapping[str, Any] = resolve_ref(op.document, schema).get("properties", {})
    for name, node in members.items():
        offered = node.get("x-assistant-enum")
        if offered is not None and name in body and body[name] in node["enum"] and body[name] not in offered:
            raise InvalidArguments(f"{op.id} takes only {' or '.join(offered)} as {name}; the rest is for people")
    return {name: value for name, value in body.items() if not _is_hidden(members.get(name))}


def _text_for_assistants(op: Operation, name: str) -> str:
    text: str = op.node.get(f"x-assistant-{name}", op.node.get(name, ""))
    return text


def _path_segment(value: Any) -> str:
    """The value as one segment of a path. A slash could address another operation, even one that is not a tool."""
    text = _text(value)
    if "/" in text:
        raise InvalidArguments("an id must not contain a slash")
    return quote(text, safe="")


def _argument_names(tool: Tool) -> str:
    return ", ".join(tool.schema["properties"]) or "no arguments"


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return msgspec.json.encode(value).decode()
    raise InvalidArguments("every argument but body must be a string or a number")
