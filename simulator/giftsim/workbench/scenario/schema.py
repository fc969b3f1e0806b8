"""The published JSON Schema of scenario files, and the error messages for files that do not fit it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from giftsim.engine.client.matching import preview_value
from giftsim.engine.gateway.body_parts import small_invalid_part
from giftsim.workbench.scenario.scenario_error import InvalidScenario, quote_words, suggest_known
from giftsim.workbench.scenario.yaml_source import Source, YamlPath

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

STEPS, ON_DELIVERY = "steps", "on_delivery"
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


def fit_step_part(definition: str, value: Any) -> Any:
    """A part of a step, given by its definition, whose variables are replaced; ValueError if it no longer fits.

    A text becomes the number (or true, or false) that the place takes: every value in CSV is text.
    """
    fitted = value
    for error in _validator(definition).iter_errors(value):
        fitted = _with_parsed(fitted, tuple(error.instance_path))
    for error in _validator(definition).iter_errors(fitted):
        kind, path = error.kind, tuple(error.instance_path)
        finding = _Finding(_rule(tuple(error.schema_path)[:-1]), path, _value_at(fitted, path), kind)
        raise ValueError(_message(type(kind).__name__, finding) or error.message)
    return fitted


def _with_parsed(value: Any, path: YamlPath) -> Any:
    """A copy of a value in which the text at a path is the number, true or false that it reads as."""
    if path:
        inner = _with_parsed(value[path[0]], path[1:])
        if isinstance(value, Mapping):
            return {**value, str(path[0]): inner}
        return [inner if index == path[0] else item for index, item in enumerate(value)]
    with suppress(ValueError):
        parsed = json.loads(value) if isinstance(value, str) else value
        return parsed if isinstance(parsed, int | float) else value
    return value


def _value_at(value: Any, path: YamlPath) -> Any:
    for key in path:
        value = value[key]
    return value


@cache
def _validator(kind: str, *, without_steps: bool = False) -> Any:
    """The validator of the file or of a definition; one `without_steps` takes any mapping for a step."""
    # The compiled validator is faster to import and to run than the one in Python, and only playing needs either.
    import jsonschema_rs

    rules = _schema() if kind == "scenario" else {"$schema": _schema()["$schema"], "$ref": f"#/$defs/{kind}"}
    any_step = {name: rule for name, rule in _schema()["$defs"]["step"].items() if name != "oneOf"}
    definitions = {**_schema()["$defs"], **({"step": any_step} if without_steps else {})}
    return jsonschema_rs.validator_for({**rules, "$defs": definitions})


@cache
def _names() -> frozenset[str]:
    """The members that the schema names."""
    rules = (_schema(), *_schema()["$defs"].values())
    return frozenset(name for each in rules for name in each.get("properties", ()))


MOST_MISTAKES: Final = 20  # an error takes kilobytes, so no file has all of its mistakes collected


def check_schema(source: Source, kind: str) -> None:
    """Raise InvalidScenario for the first violation in a file; `kind` is `scenario`, or `part` for an included file."""
    for found in _violations(source, kind):
        first = min(found)
        raise InvalidScenario(source.file, first.line, first.column, first.message)


def schema_errors(source: Source, kind: str) -> list[InvalidScenario]:
    """The first violations in a file, one for each place, in order; kinds are those of `check_schema`."""
    messages: dict[tuple[int, int], str] = {}
    for found in _violations(source, kind):
        messages |= {(each.line, each.column): each.message for each in sorted(found, reverse=True)}
        if len(messages) >= MOST_MISTAKES:
            break
    places = sorted(messages)[:MOST_MISTAKES]
    return [InvalidScenario(source.file, *place, messages[place]) for place in places]


def _violations(source: Source, kind: str) -> Iterator[list[_Violation]]:
    """The violations of a file: those of its head, then those of each step, as far as it has any.

    Step by step, because an error of the whole file names what each of twenty kinds of steps lacks.
    """
    if _validator(kind).is_valid(source.data):
        return
    yield from _violations_at(source, (), kind)
    for path, step in _steps(source.data, (), kind):
        wrong = _wrong_kind(step) if isinstance(step, dict) else None
        if wrong is not None:
            name, message = wrong
            yield [_Violation(0, *source.position((*path, name), name=True), message)]
        else:
            yield from _violations_at(source, path, _definition_of(step))


def _violations_at(source: Source, path: YamlPath, kind: str) -> Iterator[list[_Violation]]:
    """The first violations of the value at a path, without those of the steps in it; nothing if there are none."""
    validator, value = _validator(kind, without_steps=True), source.value_at(path)
    if not validator.is_valid(value):
        part = small_invalid_part(value, _names(), validator.is_valid)
        yield [_violation(source, (*path, *error.instance_path), error) for error in validator.iter_errors(part)]


def _steps(value: Any, path: YamlPath, kind: str) -> Iterator[tuple[YamlPath, Any]]:
    """The steps in a value of a kind, and in these steps, each with its path."""
    places = _schema()["properties"] if kind == "scenario" else _schema()["$defs"][kind].get("properties", {})
    members = value if isinstance(value, dict) else {}
    steps, entries = (members.get(name) if name in places else None for name in (STEPS, ON_DELIVERY))
    for index, step in enumerate(steps if isinstance(steps, list) else ()):
        yield (*path, STEPS, index), step
        yield from _steps(step, (*path, STEPS, index), _definition_of(step))
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        yield from _steps(entry, (*path, ON_DELIVERY, index), ON_DELIVERY)


def _definition_of(step: Any) -> str:
    """The definition of a step: that of its kind, if it has exactly one."""
    return f"{kind_of(step)}_step" if isinstance(step, dict) and _wrong_kind(step) is None else "step"


def _wrong_kind(step: Mapping[str, Any]) -> tuple[str, str] | None:
    """The member to point at and the message, for a step that does not have exactly one kind."""
    known = [kind for kind in kinds() if kind in step and kind != "expect"]
    unknown = [name for name in step if name not in kinds() and name not in _other_members()]
    if len(known) > 1:
        return known[1], f"a step has one kind, this one has {len(known)}: {quote_words(known)}"
    if known or ("expect" in step and not unknown):
        return None
    if unknown:
        return unknown[0], f'"{unknown[0]}" is not a kind of step{suggest_known(unknown[0], kinds())}'
    return next(iter(step), ""), f"a step needs one of {quote_words(kinds())}"


def _violation(source: Source, path: YamlPath, error: ValidationError) -> _Violation:
    kind: Any = error.kind
    name = type(kind).__name__
    finding = _Finding(_rule(tuple(error.schema_path)[:-1]), path, source.value_at(path), kind)
    message = _message(name, finding) or error.message
    if name == "AdditionalProperties":
        message = _misplaced(source.data, path, kind.unexpected[0], finding.rule) or message
        return _Violation(0, *source.position((*path, kind.unexpected[0]), name=True), message)
    return _Violation(int(name == "Required"), *source.position(path), message)


def _misplaced(value: Any, path: YamlPath, name: str, rule: Any) -> str | None:
    """What to say of a member that belongs to what is around the value at a path, such as the step; None otherwise."""
    outer: Any = _schema() if "scenario" in value else _schema()["$defs"]["part"]
    found = None
    for key in path:
        if name in outer.get("properties", ()) and "title" in outer:
            found = f'"{name}" is not a member of {rule["title"]}, but of {outer["title"]}: write it beside "{key}"'
        value = value[key]
        outer = outer.get("properties", {}).get(key) or outer.get("items", {})
        if "$ref" in outer:
            definition = outer["$ref"].removeprefix("#/$defs/")
            outer = _schema()["$defs"][_definition_of(value) if definition == "step" else definition]
    return found


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
    shown, label = preview_value(value), _label(path)
    match name:
        case "AdditionalProperties":
            unknown = error.unexpected[0]
            return f'"{unknown}" is not a member of {rule["title"]}{suggest_known(unknown, rule["properties"])}'
        case "Required":
            return f'{rule["title"]} needs "{error.property}"'
        case "Type":
            return _wrong_type(finding)
        case "Enum":
            return f"{shown} is not {rule['title']}{suggest_known(str(value), error.options)}"
        case "Pattern":
            return f"{shown} is not {rule['title']}"
        case "AnyOf":
            known = [each for option in rule["anyOf"] for each in option.get("enum", ())]
            if known == [True]:
                return f"{label} must be true, not {shown}"
            return f"{shown} is not {rule['title']}" + (suggest_known(str(value), known) if known else "")
        case "Minimum" | "Maximum":
            return f"{label} must be at {'least' if name == 'Minimum' else 'most'} {error.limit}, not {shown}"
        case "MinItems" | "MinLength" | "MinProperties":
            return f"{label} must not be empty" + (f"; {rule['x-instead']}" if "x-instead" in rule else "")
        case "MaxProperties":
            one = f"one of {quote_words(rule['properties'])}" if "properties" in rule else "one name"
            return f"{label} takes {one}, not {len(value)}"
        case "MaxItems":
            return f"{label} takes at most {error.limit:,} items, not {len(value):,}"
        case "Constant":
            return f"{label} must be {preview_value(error.expected_value)}, not {shown}"
    return None


def _wrong_type(finding: _Finding) -> str:
    value = finding.value
    takes_variable = finding.rule.get("pattern") == _schema()["$defs"]["variable"]["pattern"]
    types = [name for name in finding.error.types if name != "string" or not takes_variable]
    expected = " or ".join(_TYPES[name] for name in types)
    actual = _TYPES[_PYTHON_TYPES.get(type(value), "null")]
    shown = f" ({preview_value(value)})" if isinstance(value, str | int | float) else ""
    return f"{_label(finding.path)} must be {expected}, not {actual}{shown}"
