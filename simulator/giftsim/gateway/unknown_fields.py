"""Members of a body that its schema does not name: ignored, unless the setting `strict_bodies` is on (A2.3, G19)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from giftsim.gateway.body_schema import Path, Schema, Violation, with_path
from giftsim.gateway.contract import resolve
from giftsim.kernel.setting import flag

STRICT_BODIES = flag("strict_bodies", False, "refuse members of a body that the contract does not name")
KEYWORD, SAFE_MESSAGE = "additionalProperties", "is not known"
_COMBINATIONS = ("allOf", "anyOf", "oneOf")

Node = Mapping[str, Any]


def find_unknown_fields(document: Node, body: Any) -> list[Violation]:
    """A violation for each member that no schema node names, with the code of the nearest node that has one."""
    return list(_find(document, [document], body, (), None))


def _find(document: Node, given: list[Node], value: Any, path: Path, code: str | None) -> Iterator[Violation]:
    nodes = [applicable for node in given for applicable in _applicable(document, node, value)]
    code = next((own for node in nodes if (own := _code(node))), code)
    if isinstance(value, list):
        items = [node["items"] for node in nodes if "items" in node]
        for i, inner in enumerate(value):
            yield from _find(document, items, inner, (*path, i), code)
    if not isinstance(value, dict):
        return
    has_properties = any("properties" in node for node in nodes)
    others = [node[KEYWORD] for node in nodes if isinstance(node.get(KEYWORD), Mapping)]
    for name, inner in value.items():
        below = [node["properties"][name] for node in nodes if name in node.get("properties", {})] or others
        if below:
            yield from _find(document, below, inner, (*path, name), code)
        elif has_properties:
            yield Violation(code, (*path, name), KEYWORD, with_path("unknown member", (*path, name)), SAFE_MESSAGE)


def _applicable(document: Node, node: Node | None, value: Any) -> Iterator[Node]:
    """The node and every other node that applies to the same value; of a condition, the branch that it selects."""
    if not isinstance(node, Mapping):
        return
    yield node
    if "$ref" in node:
        yield from _applicable(document, resolve(document, {"$ref": node["$ref"]}), value)
    for keyword in _COMBINATIONS:
        for inner in node.get(keyword, ()):
            yield from _applicable(document, inner, value)
    if "if" in node:
        holds = not Schema(node["if"], document).violations(value)
        yield from _applicable(document, node["if"] if holds else None, value)
        yield from _applicable(document, node.get("then" if holds else "else"), value)


def _code(node: Node) -> str | None:
    codes = node.get("x-code")
    code = codes.get(KEYWORD, codes.get("*")) if isinstance(codes, Mapping) else codes
    return None if code is None else str(code)
