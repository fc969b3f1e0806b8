"""The published JSON Schema of scenario files, and the error messages for files that do not fit it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from giftsim.client.matching import preview
from giftsim.scenario.scenario_error import InvalidScenario, quoted, suggestion
from giftsim.scenario.yaml_source import Source, YamlPath

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


class _Violation(NamedTuple):
    """A violation of the schema and its position; the lowest is reported.

    A missing member has a higher rank than others, because it is often the correct spelling of an unknown member.
    """

    rank: int
    line: int
    column: int
    message: str


class _Finding(NamedTuple):
    """What a message needs: the rule that was broken, the value with its path, and the validator's error."""

    rule: Any
    path: YamlPath
    value: Any
    error: Any


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file."""
    document: dict[str, Any] = json.loads(files(__package__).joinpath("schema.json").read_text("utf-8"))
    return document


@cache
def _schema() -> dict[str, Any]:
    return json_schema()


@cache
def kinds() -> tuple[str, ...]:
    """The kinds of steps, in the order of the schema. A step is an `expect` only if it has no other kind."""
    parts = _schema()["$defs"]["step"]["oneOf"]
    return tuple(part["$ref"].removeprefix("#/$defs/").removesuffix("_step") for part in parts)


def kind_of(step: Mapping[str, Any]) -> str:
    """The kind of a step that fits the schema."""
    return next(kind for kind in kinds() if kind in step)


@cache
def _other_members() -> frozenset[str]:
    """The members that steps can have besides their kind."""
    steps = (_schema()["$defs"][f"{kind}_step"]["properties"] for kind in kinds())
    return frozenset(name for members in steps for name in members) - set(kinds())


def is_step(data: Mapping[str, Any]) -> bool:
    """Whether the data fits the schema of a step."""
    return bool(_validator("step").is_valid(data))


def _rules(kind: str) -> dict[str, Any]:
    return _schema() if kind == "scenario" else _definition(kind)


@cache
def _validator(kind: str) -> Any:
    # The compiled validator is faster to import and to run than the one in Python, and only playing needs either.
    import jsonschema_rs

    return jsonschema_rs.validator_for(_rules(kind))


def check_schema(source: Source, kind: str) -> None:
    """Raise InvalidScenario for the first violation in a file; `kind` is `scenario`, or `part` for an included file."""
    if not _validator(kind).is_valid(source.data):
        first = min(_violations(source, _rules(kind), ()))
        raise InvalidScenario(source.file, first.line, first.column, first.message)


def schema_errors(source: Source, kind: str) -> list[InvalidScenario]:
    """Every violation in a file, one for each place, from its beginning; kinds are those of `check_schema`."""
    if _validator(kind).is_valid(source.data):
        return []
    found = {
        (each.line, each.column): each.message for each in sorted(_violations(source, _rules(kind), ()), reverse=True)
    }
    return [InvalidScenario(source.file, *place, message) for place, message in sorted(found.items())]


def _violations(source: Source, rules: dict[str, Any], base: YamlPath) -> Iterator[_Violation]:
    """The violations of `rules` in the value at `base`."""
    for error in _errors(rules, source.value_at(base)):
        path = (*base, *error.instance_path)
        if type(error.kind).__name__ == "OneOfNotValid":
            yield from _step_violations(source, path)
        else:
            yield _violation(source, path, error)


def _errors(rules: dict[str, Any], data: Any) -> Iterator[ValidationError]:
    import jsonschema_rs

    return jsonschema_rs.validator_for(rules).iter_errors(data)


def _step_violations(source: Source, path: YamlPath) -> Iterator[_Violation]:
    """The violations of a step, which is checked against its own kind only."""
    step = source.value_at(path)
    if not isinstance(step, dict):
        return  # its type is reported already
    wrong = _wrong_kind(step)
    if wrong is not None:
        name, message = wrong
        yield _Violation(0, *source.position((*path, name), name=True), message)
        return
    yield from _violations(source, _definition(f"{kind_of(step)}_step"), path)


def _definition(name: str) -> dict[str, Any]:
    """One definition of the schema, as a schema of its own."""
    rules = _schema()
    return {"$schema": rules["$schema"], "$ref": f"#/$defs/{name}", "$defs": rules["$defs"]}


def _wrong_kind(step: Mapping[str, Any]) -> tuple[str, str] | None:
    """The member to point at and the message, for a step that does not have exactly one kind."""
    known = [kind for kind in kinds() if kind in step and kind != "expect"]
    unknown = [name for name in step if name not in kinds() and name not in _other_members()]
    if len(known) > 1:
        return known[1], f"a step has one kind, this one has {len(known)}: {quoted(known)}"
    if known or ("expect" in step and not unknown):
        return None
    if unknown:
        return unknown[0], f'"{unknown[0]}" is not a kind of step{suggestion(unknown[0], kinds())}'
    return next(iter(step), ""), f"a step needs one of {quoted(kinds())}"


def _violation(source: Source, path: YamlPath, error: ValidationError) -> _Violation:
    kind: Any = error.kind
    name = type(kind).__name__
    finding = _Finding(_rule(tuple(error.schema_path)[:-1]), path, source.value_at(path), kind)
    message = _message(name, finding) or error.message
    if name == "AdditionalProperties":
        return _Violation(0, *source.position((*path, kind.unexpected[0]), name=True), message)
    return _Violation(int(name == "Required"), *source.position(path), message)


def _rule(path: tuple[Any, ...]) -> Any:
    rule: Any = _schema()
    for key in path:
        rule = rule[key]
    return rule


def _label(path: YamlPath) -> str:
    if not path:
        return "the file"
    name = next((key for key in reversed(path) if isinstance(key, str)), "")
    return f'an item of "{name}"' if isinstance(path[-1], int) else f'"{name}"'


def _message(name: str, finding: _Finding) -> str | None:
    """What is wrong, by the name of the validator's error; None for a kind of error that no file can make."""
    rule, path, value, error = finding
    shown, label = preview(value), _label(path)
    match name:
        case "AdditionalProperties":
            unknown = error.unexpected[0]
            return f'"{unknown}" is not a member of {rule["title"]}{suggestion(unknown, rule["properties"])}'
        case "Required":
            return f'{rule["title"]} needs "{error.property}"'
        case "Type":
            return _wrong_type(finding)
        case "Enum":
            return f"{shown} is not {rule['title']}{suggestion(str(value), error.options)}"
        case "Pattern" | "AnyOf":
            return f"{shown} is not {rule['title']}"
        case "Minimum" | "Maximum":
            return f"{label} must be at {'least' if name == 'Minimum' else 'most'} {error.limit}, not {shown}"
        case "MinItems" | "MinLength" | "MinProperties":
            return f"{label} must not be empty" + (f"; {rule['x-instead']}" if "x-instead" in rule else "")
        case "MaxProperties":
            one = f"one of {quoted(rule['properties'])}" if "properties" in rule else "one name"
            return f"{label} takes {one}, not {len(value)}"
        case "MaxItems":
            return f"{label} takes at most {error.limit:,} items, not {len(value):,}"
        case "Constant":
            return f"{label} must be {preview(error.expected_value)}, not {shown}"
    return None


def _wrong_type(finding: _Finding) -> str:
    value = finding.value
    expected = " or ".join(_TYPES[name] for name in finding.error.types)
    actual = _TYPES[_PYTHON_TYPES.get(type(value), "null")]
    shown = f" ({preview(value)})" if isinstance(value, str | int | float) else ""
    return f"{_label(finding.path)} must be {expected}, not {actual}{shown}"
