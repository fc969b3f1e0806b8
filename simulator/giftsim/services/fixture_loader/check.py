"""Checks the data of a fixture against its published JSON Schema, and says what is wrong by path (G87)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import isfinite
from pathlib import Path as FilePath
from typing import Any

from giftsim.engine.gateway import expected
from giftsim.engine.gateway.body_parts import small_invalid_part
from giftsim.engine.gateway.body_schema import located
from giftsim.engine.gateway.node import nodes_along
from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.worlds.world_errors import InvalidWorld

MAX_BYTES = 8 * 1024 * 1024  # of a file, and of its texts with the aliases expanded
MAX_VALUES = 1_000_000
MAX_DEPTH = 64
MAX_NUMBER = 2**53 - 1  # every program reads whole numbers up to this one exactly
TYPES = {**expected.TYPES, "object": "a mapping", "null": "nothing"}
Path = tuple[str | int, ...]
SCHEMA_FILE = FilePath(__file__).parent / "schema.json"


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a fixture."""
    document: dict[str, Any] = json.loads(SCHEMA_FILE.read_bytes())
    return document


def check_fixture(data: Any, name: str) -> None:
    """Raise InvalidWorld for data that is not valid in any fixture; messages call the fixture `name`.

    A fixture that extends another one may leave out members of mappings, which the other may have.
    """
    extends = isinstance(data, dict) and "extends" in data
    _refuse(next(_unsuitable_values(data), None) or next(_violations(data, may_extend=extends), None), name)


def check_merged(data: Any, name: str) -> None:
    """Raise InvalidWorld if a fixture, merged with those it extends, still lacks a member."""
    _refuse(next(_violations(data), None), name)


def _refuse(problem: str | None, name: str) -> None:
    if problem is not None:
        is_of_all = problem.startswith("a fixture") and name == "the fixture"
        raise InvalidWorld(problem if is_of_all else f"{name}: {problem}")


def _unsuitable_values(data: Any) -> Iterator[str]:
    """What cannot be written as JSON, or would be very large with the aliases of YAML expanded."""
    pending: list[tuple[Path, Any]] = [((), data)]
    count = characters = 0
    while pending:
        path, value = pending.pop()
        count += 1
        characters += len(value) if isinstance(value, str) else 0
        if characters > MAX_BYTES:
            yield f"with its aliases expanded it has more than {MAX_BYTES:,} characters"
            return
        if count > MAX_VALUES:
            yield f"with its aliases expanded it has more than {MAX_VALUES:,} values"
            return
        if len(path) > MAX_DEPTH:
            yield f"it is nested deeper than {MAX_DEPTH} levels"
            return
        if message := _unsuitable(value):
            yield f"{dotted(path)} {message}"
        if isinstance(value, dict):
            pending += [((*path, str(member)), inner) for member, inner in value.items()]
        elif isinstance(value, list):
            pending += [((*path, i), inner) for i, inner in enumerate(value)]


def _unsuitable(value: Any) -> str | None:
    if isinstance(value, dict):
        names = [name for name in value if not isinstance(name, str)]
        return f"has a member whose name is not text: write {str(names[0])[:60]!r} in quotes" if names else None
    if value is None or isinstance(value, str | bool | list):
        if isinstance(value, str) and not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            return "has half of a surrogate pair"
        return None
    if isinstance(value, int):
        return None if abs(value) <= MAX_NUMBER else "is too large a number"
    if isinstance(value, float):
        return None if isfinite(value) else "is not a number that JSON has"
    return f"is not a JSON value: write {str(value)[:60]!r} in quotes"


@cache
def _validator() -> Any:
    import jsonschema_rs  # only worlds with a fixture of their own need it

    return jsonschema_rs.validator_for(json_schema())


@cache
def _known_names() -> frozenset[str]:
    rules = json_schema()
    return frozenset(name for each in (rules, *rules["$defs"].values()) for name in each.get("properties", ()))


def _violations(data: Any, *, may_extend: bool = False) -> Iterator[str]:
    """The violations of the schema; unknown members first, because they may have caused the others.

    With `may_extend`, a mapping may lack members, unless it is an entry of a list.
    """
    if _validator().is_valid(data):
        return
    errors = list(_validator().iter_errors(small_invalid_part(data, _known_names(), _validator().is_valid)))
    errors.sort(key=lambda error: type(error.kind).__name__ != "AdditionalProperties")
    for error in errors:
        lacks = type(error.kind).__name__ == "Required" and not any(
            isinstance(part, int) for part in error.instance_path
        )
        if not (may_extend and lacks):
            yield _message(error, *located(data, error.instance_path))


def _message(error: Any, path: Path, value: Any) -> str:
    kind = error.kind
    match type(kind).__name__:
        case "AdditionalProperties":
            name = kind.unexpected[0]
            known = list(_rule(error)["properties"])
            if not path:
                return f"a fixture has no section {name[:60]!r}; {suggest_name(name, known)}"
            return f"{dotted(path)} has no member {name[:60]!r}; {suggest_name(name, known)}"
        case "Required":
            return f"{dotted(path)} needs the member {kind.property!r}"
        case name:
            reason = expected.reason(error, _rule(error), TYPES)
            near = _nearest(value, [each for each in kind.options if each]) if name == "Enum" else ""
            return f"{dotted(path)} {expected.with_value(reason, kind, value)}{near}"


def _nearest(given: Any, allowed: Iterable[str]) -> str:
    hint = suggest_name(given, list(allowed), "") if isinstance(given, str) else ""
    return f"; {hint}" if hint else ""


def _rule(error: Any) -> Mapping[str, Any]:
    """The schema that a value violates."""
    *_, rule = nodes_along(json_schema(), list(error.evaluation_path))
    return rule


def dotted(path: Path) -> str:
    """A path as text, such as `products[0].name`; the whole fixture is `the fixture`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.lstrip(".")[:200] or "the fixture"
