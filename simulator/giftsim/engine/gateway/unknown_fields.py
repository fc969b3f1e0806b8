"""Members of a body that its schema does not name: ignored, unless the setting `strict_bodies` is on (A2.3, G19)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from giftsim.engine.gateway.body_parts import Path
from giftsim.engine.gateway.body_schema import Schema, Violation, with_path
from giftsim.engine.gateway.contract import resolve
from giftsim.engine.kernel.setting import flag
from giftsim.engine.problem import MAX_COUNTED

STRICT_BODIES = flag("strict_bodies", False, "refuse members of a body that the contract does not name")
KEYWORD, SAFE_MESSAGE = "additionalProperties", "is not known"
_COMBINATIONS = ("allOf", "anyOf", "oneOf")

Node = Mapping[str, Any]


def find_unknown_fields(document: Node, body: Any) -> list[Violation]:
    """A violation for each member that no schema node names, with the code of the nearest node that has one.

    Of a body with very many, the first ones (G85).
    """
    return list(islice(_Search(document).find([document], body, (), None), MAX_COUNTED))


class _Search:
    """The search through one body; a condition of the schema is compiled once for all values that it is asked about."""

    def __init__(self, document: Node) -> None:
        self._document = document
        self._conditions: dict[int, Schema] = {}

    def find(self, given: list[Node], value: Any, path: Path, code: str | None) -> Iterator[Violation]:
        nodes = [applicable for node in given for applicable in self._applicable(node, value)]
        code = next((own for node in nodes if (own := _code(node))), code)
        if isinstance(value, list):
            items = [node["items"] for node in nodes if "items" in node]
            for i, inner in enumerate(value):
                yield from self.find(items, inner, (*path, i), code)
        if not isinstance(value, dict):
            return
        has_properties = any("properties" in node for node in nodes)
        others = [node[KEYWORD] for node in nodes if isinstance(node.get(KEYWORD), Mapping)]
        for name, inner in value.items():
            below = [node["properties"][name] for node in nodes if name in node.get("properties", {})] or others
            if below:
                yield from self.find(below, inner, (*path, name), code)
            elif has_properties:
                yield Violation(code, (*path, name), KEYWORD, with_path("unknown member", (*path, name)), SAFE_MESSAGE)

    def _applicable(self, node: Node | None, value: Any) -> Iterator[Node]:
        """The node and every other node that applies to the same value; of a condition, the branch that it selects."""
        if not isinstance(node, Mapping):
            return
        yield node
        if "$ref" in node:
            yield from self._applicable(resolve(self._document, {"$ref": node["$ref"]}), value)
        for keyword in _COMBINATIONS:
            for inner in node.get(keyword, ()):
                yield from self._applicable(inner, value)
        if "if" in node:
            holds = self._condition(node["if"]).is_valid(value)
            yield from self._applicable(node["if"] if holds else None, value)
            yield from self._applicable(node.get("then" if holds else "else"), value)

    def _condition(self, node: Node) -> Schema:
        if id(node) not in self._conditions:
            self._conditions[id(node)] = Schema(node, self._document)
        return self._conditions[id(node)]


def _code(node: Node) -> str | None:
    codes = node.get("x-code")
    code = codes.get(KEYWORD, codes.get("*")) if isinstance(codes, Mapping) else codes
    return None if code is None else str(code)
