"""The published schema of the language, and what to say of a file that breaks it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from giftsim.scenario.matching import shown
from giftsim.scenario.scenario_error import InvalidScenario, meant, quoted
from giftsim.scenario.yaml_source import Source, Trail

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a mapping",
    "array": "a list",
    "null": "nothing",
}
_PYTHON_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", dict: "object", list: "array"}


class _Fault(NamedTuple):
    """One broken rule: a missing member is told of last, being often the other half of a misspelt one."""

    rank: int
    line: int
    column: int
    message: str


class _Breach(NamedTuple):
    """A rule of the schema, and the value that does not keep it."""

    node: Any
    path: Trail
    value: Any
    kind: Any


def schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file."""
    document: dict[str, Any] = json.loads(files(__package__).joinpath("schema.json").read_text("utf-8"))
    return document


@cache
def _rules() -> dict[str, Any]:
    return schema()


@cache
def kinds() -> tuple[str, ...]:
    """What a step can be, in the order of the schema; `expect` is one only where it stands alone."""
    parts = _rules()["$defs"]["step"]["oneOf"]
    return tuple(part["$ref"].removeprefix("#/$defs/").removesuffix("_step") for part in parts)


def kind_of(step: Mapping[str, Any]) -> str:
    """What a step is that the schema allows."""
    return next(kind for kind in kinds() if kind in step)


@cache
def _companions() -> frozenset[str]:
    """The members that stand beside a kind."""
    steps = (_rules()["$defs"][f"{kind}_step"]["properties"] for kind in kinds())
    return frozenset(name for members in steps for name in members) - set(kinds())


def is_step(data: Mapping[str, Any]) -> bool:
    """Whether the schema takes it for a step."""
    return bool(_step_validator().is_valid(data))


@cache
def _step_validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(_part("step"))


def check(source: Source, what: str) -> None:
    """InvalidScenario for the first thing in the file that the schema does not allow; `what` is scenario or part."""
    # The compiled validator is quicker to import and to run than the one in Python; and only playing needs either.
    import jsonschema_rs

    rules = _rules() if what == "scenario" else _part(what)
    if not jsonschema_rs.validator_for(rules).is_valid(source.data):
        first = min(_faults(source, rules, ()))
        raise InvalidScenario(source.file, first.line, first.column, first.message)


def _faults(source: Source, rules: dict[str, Any], base: Trail) -> Iterator[_Fault]:
    """What is wrong with the value at `base`, by rules of its own."""
    for error in _errors(rules, source.at(base)):
        path = (*base, *error.instance_path)
        if type(error.kind).__name__ == "OneOfNotValid":
            yield from _step_faults(source, path)
        else:
            yield _fault(source, path, error)


def _errors(rules: dict[str, Any], data: Any) -> Iterator[ValidationError]:
    import jsonschema_rs

    return jsonschema_rs.validator_for(rules).iter_errors(data)


def _step_faults(source: Source, path: Trail) -> Iterator[_Fault]:
    """A step is judged as what it was meant to be, not against everything a step can be."""
    step = source.at(path)
    if not isinstance(step, dict):
        return  # its type has been refused already
    wrong = _wrong_kind(step)
    if wrong is not None:
        name, message = wrong
        yield _Fault(0, *source.mark((*path, name), name=True), message)
        return
    yield from _faults(source, _part(f"{kind_of(step)}_step"), path)


def _part(name: str) -> dict[str, Any]:
    """The rules of one part of the language."""
    rules = _rules()
    return {"$schema": rules["$schema"], "$ref": f"#/$defs/{name}", "$defs": rules["$defs"]}


def _wrong_kind(step: Mapping[str, Any]) -> tuple[str, str] | None:
    """The member to point at and what to say, for a step that is not exactly one thing."""
    found = [kind for kind in kinds() if kind in step and kind != "expect"]
    strays = [name for name in step if name not in kinds() and name not in _companions()]
    if len(found) > 1:
        return found[1], f"a step does one thing, this one does {len(found)}: {quoted(found)}"
    if found or ("expect" in step and not strays):
        return None
    if strays:
        return strays[0], f'"{strays[0]}" is no kind of step{meant(strays[0], kinds())}'
    return next(iter(step), ""), f"a step does one of {quoted(kinds())}"


def _fault(source: Source, path: Trail, error: ValidationError) -> _Fault:
    kind: Any = error.kind
    rule = type(kind).__name__
    breach = _Breach(_rule(tuple(error.schema_path)[:-1]), path, source.at(path), kind)
    message = _EXPLANATIONS[rule](breach) if rule in _EXPLANATIONS else error.message
    if rule == "AdditionalProperties":
        return _Fault(0, *source.mark((*path, kind.unexpected[0]), name=True), message)
    return _Fault(int(rule == "Required"), *source.mark(path), message)


def _rule(path: tuple[Any, ...]) -> Any:
    rule: Any = _rules()
    for step in path:
        rule = rule[step]
    return rule


def _named(path: Trail) -> str:
    if not path:
        return "the file"
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    return f'an item of "{name}"' if isinstance(path[-1], int) else f'"{name}"'


def _unexpected(breach: _Breach) -> str:
    name = breach.kind.unexpected[0]
    return f'"{name}" is no part of {breach.node["title"]}{meant(name, breach.node["properties"])}'


def _missing(breach: _Breach) -> str:
    return f'{breach.node["title"]} needs "{breach.kind.property}"'


def _mistyped(breach: _Breach) -> str:
    value = breach.value
    wanted = " or ".join(_TYPES[name] for name in breach.kind.types)
    found = _TYPES[_PYTHON_TYPES.get(type(value), "null")]
    seen = f" ({shown(value)})" if isinstance(value, str | int | float) else ""
    return f"{_named(breach.path)} must be {wanted}, not {found}{seen}"


def _unlisted(breach: _Breach) -> str:
    return f"{shown(breach.value)} is not {breach.node['title']}{meant(str(breach.value), breach.kind.options)}"


def _misspelt(breach: _Breach) -> str:
    return f"{shown(breach.value)} is not {breach.node['title']}"


def _too_small(breach: _Breach) -> str:
    return f"{_named(breach.path)} must be at least {breach.kind.limit}, not {shown(breach.value)}"


def _too_large(breach: _Breach) -> str:
    return f"{_named(breach.path)} must be at most {breach.kind.limit}, not {shown(breach.value)}"


def _empty(breach: _Breach) -> str:
    instead = breach.node.get("x-instead")
    return f"{_named(breach.path)} must not be empty" + (f"; {instead}" if instead else "")


def _crowded(breach: _Breach) -> str:
    return f"{_named(breach.path)} takes at most {breach.kind.limit:,} items, not {len(breach.value):,}"


def _too_many(breach: _Breach) -> str:
    if "properties" not in breach.node:
        return f"{_named(breach.path)} takes one name, not {len(breach.value)}"
    return f"{_named(breach.path)} takes one of {quoted(breach.node['properties'])}, not {len(breach.value)}"


def _other(breach: _Breach) -> str:
    return f"{_named(breach.path)} must be {shown(breach.kind.expected_value)}, not {shown(breach.value)}"


_EXPLANATIONS: Mapping[str, Callable[[_Breach], str]] = {
    "AdditionalProperties": _unexpected,
    "Required": _missing,
    "Type": _mistyped,
    "Enum": _unlisted,
    "Pattern": _misspelt,
    "AnyOf": _misspelt,
    "Minimum": _too_small,
    "Maximum": _too_large,
    "MinItems": _empty,
    "MinLength": _empty,
    "MinProperties": _empty,
    "MaxProperties": _too_many,
    "MaxItems": _crowded,
    "Constant": _other,
}
