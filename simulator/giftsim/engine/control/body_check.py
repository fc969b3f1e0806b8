"""Bodies of the control API: errors that name the nearest known member; instants and durations in milliseconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from giftsim.engine.gateway.body_schema import Violation, dotted
from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.expected import preview
from giftsim.engine.gateway.node import described_node
from giftsim.engine.gateway.problem import InvalidBody
from giftsim.engine.kernel.instants import parse_duration, parse_instant
from giftsim.engine.kernel.texts import find_nearest, suggest_name


def read_instant(name: str, text: str) -> int:
    """The instant in a member, in milliseconds. InvalidBody names the member."""
    try:
        return parse_instant(text)
    except ValueError as error:
        raise InvalidBody(f"{name}: {error}") from None


def read_duration(name: str, text: str) -> int:
    """The duration in a member, in milliseconds. InvalidBody names the member."""
    try:
        return parse_duration(text)
    except ValueError as error:
        raise InvalidBody(f"{name}: {error}") from None


def read_instant_or_offset(name: str, text: str, start_ms: int) -> int:
    """The instant in a member, or an offset such as `+3d` from `start_ms`. InvalidBody names the member."""
    return start_ms + read_duration(name, text[1:]) if text.startswith("+") else read_instant(name, text)


def check_body(call: Call, violations: Sequence[Violation]) -> None:
    """Raise InvalidBody for the first violation."""
    if violations:
        schema = call.operation.node["requestBody"]["content"]["application/json"]["schema"]
        raise InvalidBody(first_mistake(violations, call.operation.document, schema, call.body))


def first_mistake(
    violations: Sequence[Violation], document: Mapping[str, Any], schema: Mapping[str, Any], body: Any
) -> str:
    """What the first of some violations means. Unknown members come first: they may have caused the others."""
    unknown = [violation for violation in violations if violation.keyword == "additionalProperties"]
    violation = (unknown or violations)[0]
    node, value = described_node(document, schema, body, violation.path)
    if unknown:
        around = [described_node(document, schema, body, violation.path[:i])[0] for i in range(len(violation.path))]
        return _unknown_member(violation, node, value, around)
    accepted = node.get("x-takes")
    if accepted and violation.keyword != "required":
        return f"{dotted(violation.path)} takes {accepted}, not {preview(value)}"
    match = (
        find_nearest(value, node.get("enum", ())) if violation.keyword == "enum" and isinstance(value, str) else None
    )
    return violation.message + (f"; did you mean {match}?" if match else "")


def suggest_allowed(name: str, allowed: Sequence[str]) -> str:
    """The end of an error message: the allowed name nearest to `name`, else all of them, or their number if over 12."""
    return suggest_name(name, allowed, None if len(allowed) <= 12 else f"there are {len(allowed)}")


def _unknown_member(
    violation: Violation, node: Mapping[str, Any], value: Any, around: Sequence[Mapping[str, Any]]
) -> str:
    """What to say of an unknown member; `around` describes the values around its own, of which one may take it."""
    known = list(node.get("properties", {}))
    name = next((name for name in value if name not in known), "") if isinstance(value, dict) else ""
    prefix = f"{dotted(violation.path)}: " if violation.path else ""
    places = zip(around, violation.path, strict=True)
    beside = [key for outer, key in places if name in outer.get("properties", {})]
    hint = f"write it beside {beside[-1]}" if beside else suggest_allowed(name, known)
    return f"{prefix}unknown member {name[:60]!r}; {hint}"
