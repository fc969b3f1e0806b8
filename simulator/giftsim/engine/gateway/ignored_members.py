"""Members of a body that are ignored: those that its schema does not name, and those that are null and may not be.

The settings `strict_bodies` (A2.3, G19) and `strict_nulls` (G188) refuse them. Serializers of Java, .NET and Go write
null for what was not set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from giftsim.engine.gateway.body_parts import Path
from giftsim.engine.gateway.body_schema import Violation, with_path
from giftsim.engine.gateway.node import Node, Schema
from giftsim.engine.kernel.setting import flag
from giftsim.engine.problem import MAX_COUNTED

STRICT_BODIES = flag("strict_bodies", False, "refuse members of a body that the contract does not name")
KEYWORD, SAFE_MESSAGE = "additionalProperties", "is not known"


def find_unknown_fields(document: Schema, body: Any) -> list[Violation]:
    """A violation for each member that no schema names, with the code of the nearest schema that has one.

    Of a body with very many, the first ones (G85).
    """
    return list(islice(_find(Node.root(document), body, (), None), MAX_COUNTED))


def _find(given: Node, value: Any, path: Path, code: str | None) -> Iterator[Violation]:
    node = given.of_value(value)
    code = next((own for part in node.parts if (own := _code(part.schema))), code)
    if isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _find(node.items, inner, (*path, i), code)
    if not isinstance(value, dict):
        return
    for name, inner in value.items():
        if (below := node.member(name)).given:
            yield from _find(below, inner, (*path, name), code)
        elif node.has_members:
            yield Violation(code, (*path, name), KEYWORD, with_path("unknown member", (*path, name)), SAFE_MESSAGE)


def _code(node: Schema) -> str | None:
    codes = node.get("x-code")
    code = codes.get(KEYWORD, codes.get("*")) if isinstance(codes, Mapping) else codes
    return None if code is None else str(code)


STRICT_NULLS = flag("strict_nulls", False, "refuse null for members of a body that the contract does not let be null")


def without_nulls(node: Node, value: Any) -> Any:
    """The value without members that are null and may not be. A member that no schema names is kept."""
    if isinstance(value, list):
        return [without_nulls(node.items, each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: without_nulls(node.member(name), each)
        for name, each in value.items()
        if each is not None or node.member(name).takes_null
    }
