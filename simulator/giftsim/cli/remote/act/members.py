"""The members of a verb, from words such as `address.city=Reno`; what is wrong is named before anything is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from giftsim.cli.remote.act.verbs import Verb
from giftsim.engine.gateway.node import Node
from giftsim.engine.kernel.texts import suggest_name

TYPES: Final[Mapping[type, str]] = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array",
                                    dict: "object", type(None): "null"}  # fmt: skip
ALIKE: Final = 0.6  # of a key and the one that was meant
DEEPEST: Final = 3  # dots in a key
MOST_LISTED: Final = 12  # keys in a message


class WrongWord(Exception):
    """A word of the command line does not fit the verb; the message names it, and the nearest right one."""


def read_members(verb: Verb, words: Sequence[str]) -> dict[str, Any]:
    """The members that words give, with those that the verb has anyway. WrongWord."""
    given: dict[str, Any] = {}
    root = Node.root(verb.schema)
    for word in words:
        key, separator, text = word.partition("=")
        if not separator:
            raise WrongWord(f"{verb.name} takes KEY=VALUE, not {word!r}")
        path, node = _found(verb, root, key)
        _put(given, path, read_value(text, node), key)
    members = verb.whole(given)
    _check(verb, members)
    return members


def read_value(text: str, node: Node) -> Any:
    """A value as its place takes it: as JSON if that is what it takes, otherwise as the text that it is."""
    takes = types_of(node)
    if takes == {"string"}:
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    kind = TYPES[type(value)]
    fits = not takes or kind in takes or (kind == "integer" and "number" in takes)
    return value if fits or "string" not in takes else text


def types_of(node: Node) -> set[str]:
    """The names of the types that a place takes; none if it does not say."""
    found: set[str] = set()
    for part in node.parts:
        kind = part.schema.get("type", ())
        found |= {kind} if isinstance(kind, str) else set(kind)
    return found or {TYPES[type(value)] for value in choices(node)}


def choices(node: Node) -> list[Any]:
    """The values that a place takes, if only some are."""
    schemas = [part.schema for part in node.parts]
    found = [value for schema in schemas for value in schema.get("enum", ())]
    return found or [schema["const"] for schema in schemas if "const" in schema]


def keys_of(node: Node, before: str = "", depth: int = 0) -> Iterator[tuple[str, Node]]:
    """All keys of an object, those of objects in it with dots."""
    for name, member in node.members.items():
        if member.has_members and "array" not in types_of(member) and depth < DEEPEST:
            yield from keys_of(member, f"{before}{name}.", depth + 1)
        else:
            yield f"{before}{name}", member


def _found(verb: Verb, root: Node, key: str) -> tuple[list[str], Node]:
    """Where the value of a key goes, and what is known of that place. WrongWord."""
    if key in root.members:
        return [key], root.members[key]
    path, node = key.split("."), root
    for number, part in enumerate(path):
        if part not in node.members and node.has_members and not node.others.given:
            known = list(root.members if number == 0 else dict(keys_of(root)))
            listed = f"its keys are {', '.join(known)}"
            lists = listed if len(known) <= MOST_LISTED else f"`giftsim act {verb.name} --help` lists its keys"
            raise WrongWord(f"{verb.name} has no key {key!r}; {suggest_name(key, known, lists, ALIKE)}")
        node = node.member(part)
    return path, node


def _put(members: dict[str, Any], path: Sequence[str], value: Any, key: str) -> None:
    *outer, last = path
    for part in outer:
        members = members.setdefault(part, {})
        if not isinstance(members, dict):
            raise WrongWord(f"{key} is in {part}, which is given as a whole too")
    if last in members:
        raise WrongWord(f"{key} is given twice")
    members[last] = value


def _check(verb: Verb, members: Mapping[str, Any]) -> None:
    """WrongWord for the first member that the schema refuses."""
    from giftsim.engine.control.body_check import first_mistake
    from giftsim.engine.gateway.body_schema import Schema

    # The schema of a shorthand lacks what is fixed.
    body = {name: value for name, value in members.items() if name not in verb.fixed}
    violations = Schema(verb.schema, verb.schema).violations(body)
    if violations:
        raise WrongWord(f"{verb.name}: {first_mistake(violations, verb.schema, verb.schema, body)}")
