"""The sources of a schema's members, from the short form in which a contract file has them to the published one.

A file says at a schema, by statement or decision, which members come from it:

    x-member-sources: {P-2.24: [total, shipped], B31: [expired]}

What is published has `x-source` at each member instead: `total: {type: integer, x-source: [P-2.24]}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from giftsim.engine.gateway.node import BRANCHES, COMBINATIONS, CONDITION

MEMBER_SOURCES = "x-member-sources"
SOURCE = "x-source"

# Keywords whose schemas describe the same object as the schema that has them.
_SAME = (CONDITION, *BRANCHES, *COMBINATIONS)


def published(document: Mapping[str, Any]) -> dict[str, Any]:
    """A contract as it is published: each member has its `x-source`. ValueError for a source of no member."""
    expanded: dict[str, Any] = _expand(document)
    return expanded


def _expand(node: Any, sources: Mapping[str, list[str]] | None = None) -> Any:
    """The node with the sources at the members of its schemas; `sources` are those of the enclosing schema."""
    if isinstance(node, list):
        return [_expand(entry, sources) for entry in node]
    if not isinstance(node, Mapping):
        return node
    if MEMBER_SOURCES in node:
        sources = _by_member(node[MEMBER_SOURCES])
        _check(node, sources)
    return {name: _expand_entry(name, value, sources) for name, value in node.items() if name != MEMBER_SOURCES}


def _expand_entry(name: str, value: Any, sources: Mapping[str, list[str]] | None) -> Any:
    if sources and name == "properties":
        return {member: _with_source(_expand(schema), sources.get(member)) for member, schema in value.items()}
    return _expand(value, sources if name in _SAME else None)


def _with_source(schema: Any, ids: list[str] | None) -> Any:
    return {**schema, SOURCE: ids} if ids and isinstance(schema, Mapping) else schema


def _by_member(sources: Mapping[str, list[str]]) -> dict[str, list[str]]:
    by_member: dict[str, list[str]] = {}
    for source, members in sources.items():
        for member in members:
            by_member.setdefault(member, []).append(source)
    return by_member


def _check(schema: Mapping[str, Any], sources: Mapping[str, list[str]]) -> None:
    unknown = sorted(sources.keys() - set(_members(schema)))
    if unknown:
        raise ValueError(f"{MEMBER_SOURCES} names {', '.join(unknown)}; the schema has only {sorted(_members(schema))}")


def _members(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        yield from schema.get("properties", ())
        for keyword in _SAME:
            inner = schema.get(keyword)
            for entry in inner if isinstance(inner, list) else [inner]:
                yield from _members(entry)
