"""Members of a body that its schema does not name: ignored, unless the setting `strict_bodies` is on (A2.3, G19)."""

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
