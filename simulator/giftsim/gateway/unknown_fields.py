"""Members of a body that its contract does not name: ignored, unless the world is told to refuse them (A2.3, G19)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from giftsim.gateway.contract import resolve
from giftsim.gateway.schema import Path, Violation, said
from giftsim.kernel.setting import flag

STRICT_BODIES = flag("strict_bodies", False, "refuse members of a body that the contract does not name")
KEYWORD, WORDS = "additionalProperties", "is not known"
_IN_PLACE = ("allOf", "anyOf", "oneOf")
_BRANCHES = ("if", "then", "else")

Node = Mapping[str, Any]


def strangers(document: Node, body: Any) -> list[Violation]:
    """A violation for each member that no schema node speaks of, with the code of the nearest node that has one."""
    return list(_strangers(document, [document], body, (), None))


def _strangers(document: Node, given: list[Node], value: Any, path: Path, code: str | None) -> Iterator[Violation]:
    nodes = [each for node in given for each in _in_place(document, node)]
    code = next((found for node in nodes if (found := _code(node))), code)
    if isinstance(value, list):
        items = [node["items"] for node in nodes if "items" in node]
        for i, inner in enumerate(value):
            yield from _strangers(document, items, inner, (*path, i), code)
    if not isinstance(value, dict):
        return
    named = any("properties" in node for node in nodes)
    others = [node[KEYWORD] for node in nodes if isinstance(node.get(KEYWORD), Mapping)]
    for name, inner in value.items():
        below = [node["properties"][name] for node in nodes if name in node.get("properties", {})] or others
        if below:
            yield from _strangers(document, below, inner, (*path, name), code)
        elif named:
            yield Violation(code, (*path, name), KEYWORD, said("unknown member", (*path, name)), WORDS)


def _in_place(document: Node, node: Node) -> Iterator[Node]:
    """The node with all that speaks of the same value."""
    if not isinstance(node, Mapping):
        return
    yield node
    if "$ref" in node:
        yield from _in_place(document, resolve(document, {"$ref": node["$ref"]}))
    for keyword in _IN_PLACE:
        for each in node.get(keyword, ()):
            yield from _in_place(document, each)
    for keyword in _BRANCHES:
        yield from _in_place(document, node.get(keyword))  # type: ignore[arg-type]


def _code(node: Node) -> str | None:
    named = node.get("x-code")
    found = named.get(KEYWORD, named.get("*")) if isinstance(named, Mapping) else named
    return None if found is None else str(found)
