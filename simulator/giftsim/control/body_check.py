"""A body that does not fit, in words: what is strange is named with the nearest that is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from giftsim.gateway.call import Call
from giftsim.gateway.contract import resolve
from giftsim.gateway.problem import InvalidBody
from giftsim.gateway.schema import Violation, dotted
from giftsim.kernel.suggestion import suggest


def examine(call: Call, violations: Sequence[Violation]) -> None:
    """InvalidBody for the first thing wrong; a strange member goes before what may follow from it."""
    if not violations:
        return
    strange = [violation for violation in violations if violation.keyword == "additionalProperties"]
    violation = (strange or violations)[0]
    schema = call.operation.node["requestBody"]["content"]["application/json"]["schema"]
    node, value = _reached(call.operation.document, schema, call.body, violation.path)
    if strange:
        raise InvalidBody(_strange(violation, node, value))
    takes = node.get("x-takes")
    if takes and violation.keyword != "required":
        raise InvalidBody(f"{dotted(violation.path)} takes {takes}, not {_short(value)}")
    if violation.keyword == "enum" and node.get("enum"):
        known = [str(word) for word in node["enum"]]
        raise InvalidBody(f"{dotted(violation.path)}: {_short(value)} is no value of it; {hint(str(value), known)}")
    raise InvalidBody(violation.message)


def hint(name: str, known: Sequence[str]) -> str:
    """What may have been meant: the nearest of the known, or all of them if they are few."""
    return suggest(name, known, None if len(known) <= 12 else f"there are {len(known)}")


def _strange(violation: Violation, node: Mapping[str, Any], value: Any) -> str:
    known = list(node.get("properties", {}))
    name = next((name for name in value if name not in known), "") if isinstance(value, dict) else ""
    place = f"{dotted(violation.path)}: " if violation.path else ""
    return f"{place}unknown member {name[:60]!r}; {hint(name, known)}"


def _reached(
    document: Mapping[str, Any], node: Mapping[str, Any], value: Any, path: tuple[str | int, ...]
) -> tuple[Mapping[str, Any], Any]:
    """The schema node and the value at a path of a body, as far as both go."""
    node = resolve(document, node)
    for part in path:
        below = node.get("items") if isinstance(part, int) else node.get("properties", {}).get(part)
        if not isinstance(below, Mapping):
            return node, value
        node = resolve(document, below)
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            value = None
    return node, value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
