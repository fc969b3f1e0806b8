"""Variables and times: what `${name}` and `+3d` in a scenario stand for.

`${world}` is the world's id, `${origin}` the address of the simulator, `${app}` that of the downstream app, `${start}`
the instant at which the scenario starts and `${start_date}` its date. The last two take an offset (`${start+3d}`,
`${start_date-1w}`). `${n}` counts the calls of a `repeat` or the items of a loop, from 1. `${name.member.0}` selects
a member of a value. `$${` is a literal `${`. Other variables come from `vars`, `data`, `with`, `for_each` and `save`.

`${run}` is a short text for names that a service may see only once. It is new each time that `compare` makes the calls
of a scenario, and the same whenever the scenario is played. A variable of a file may have its name.

A time is an instant, or an offset (`+3d`, `-1h`) from the instant at which the scenario starts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from giftsim.engine.kernel.instants import (
    EARLIEST_MS,
    LATEST_MS,
    format_instant,
    parse_duration,
    parse_instant,
    utc_date,
)
from giftsim.workbench.scenario.scenario_error import suggest_known
from giftsim.workbench.scenario.yaml_source import Source, YamlPath, iterate_members

if TYPE_CHECKING:
    from jsonpath_ng import JSONPath


RESERVED_NAMES = ("world", "origin", "app", "start", "start_date", "n", "delivery")
RUN: Final = "r0"  # of a scenario that is played
MAX_SIZE = 4 * 1024 * 1024
MEMBER_SIZE = 16  # of a member or item, in characters
TIME_VARIABLES: Mapping[str, Callable[[int], str]] = {"start": format_instant, "start_date": utc_date}
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

_EXPRESSION = re.compile(r"(\$\$\{)|\$\{([^{}]*)\}")
SIGNS = {"+": 1, "-": -1}


class _Unknown:
    def __repr__(self) -> str:
        return "unknown"


# The value of a variable that is known only while the scenario is played.
UNKNOWN: Final = _Unknown()


class UnresolvedExpression(ValueError):
    """An expression selects a member that the value does not have; the message says what there is."""


class TooLarge(UnresolvedExpression):
    """With its variables resolved, a value is larger than anything that a scenario could need."""


def is_offset(text: str) -> bool:
    """Whether the text is an offset rather than an instant."""
    return text[:1] in SIGNS


def parse_time(text: str, start_ms: int) -> int:
    """Parse an instant or an offset from `start_ms` to milliseconds; ValueError if it is neither."""
    if not is_offset(text):
        return parse_instant(text)
    at_ms = start_ms + SIGNS[text[0]] * parse_duration(text[1:])
    if not EARLIEST_MS <= at_ms <= LATEST_MS:
        raise ValueError(f"{text!r} is outside the calendar")
    return at_ms


def with_instants(value: Any, members: tuple[str, ...], start_ms: int) -> Any:
    """A copy of a mapping in which the offsets among `members` are instants; any other value unchanged."""
    if not isinstance(value, Mapping):
        return value
    instants = {name: format_instant(parse_time(value[name], start_ms)) for name in members if _has_offset(value, name)}
    return {**value, **instants}


def _has_offset(value: Mapping[str, Any], name: str) -> bool:
    return isinstance(value.get(name), str) and is_offset(value[name])


class _Expression(NamedTuple):
    """The parts of `${...}`: a variable, the members to select, an offset."""

    name: str
    path: tuple[str, ...] = ()
    offset: str | None = None


def expressions(text: str) -> Iterator[str]:
    """The text inside each `${...}`."""
    return (match[2] for match in _EXPRESSION.finditer(text) if match[1] is None)


def has_expressions(text: str) -> bool:
    """Whether the text depends on variables."""
    return any(True for _ in expressions(text))


def check_expression(expression: str, known: Mapping[str, Any], start_ms: int) -> None:
    """Raise KeyError for an undefined variable, UnresolvedExpression for a member, ValueError for an offset."""
    name, path, offset = _parse(expression)
    if name not in known:
        raise KeyError(name)
    if offset is not None:
        parse_time(offset, start_ms)
        if name not in TIME_VARIABLES:
            raise ValueError(f"only {' and '.join(TIME_VARIABLES)} take an offset, {name!r} does not")
    _select(name, path, known[name])


def known_value(text: str, known: Mapping[str, Any]) -> Any:
    """The value of a text that is one expression; UNKNOWN where it is known only while the scenario is played."""
    whole = _EXPRESSION.fullmatch(text)
    if whole is None or whole[1] is not None:
        return UNKNOWN
    name, path, _ = _parse(whole[2])
    return _select(name, path, known.get(name, UNKNOWN))


def map_texts(value: Any, convert: Callable[[str], Any]) -> Any:
    """A copy of a value with every text in it converted; names of members stay, since they have no variables."""
    if isinstance(value, str):
        return convert(value)
    if isinstance(value, Mapping):
        kind: Any = type(value)
        return kind({name: map_texts(member, convert) for name, member in value.items()})
    return [map_texts(item, convert) for item in value] if isinstance(value, list | tuple) else value


def escape_variables(value: Any) -> Any:
    """The value with every `${` escaped, so that `resolve_variables` gives the original."""
    return map_texts(value, lambda text: text.replace("${", "$${"))


class Size:
    """How much larger a value may become by its variables. Variables of variables multiply."""

    def __init__(self) -> None:
        self.left = MAX_SIZE

    def add(self, value: Any) -> Any:
        """The value; TooLarge if too little is left for it. A member or item counts as much as 16 characters."""
        pending = [value]
        while pending and self.left >= 0:
            inner = pending.pop()
            self.left -= MEMBER_SIZE + len(inner) if isinstance(inner, str) else MEMBER_SIZE
            if isinstance(inner, Mapping):
                pending += inner.values()
            elif isinstance(inner, list):
                pending += inner
        if self.left < 0:
            raise TooLarge(f"with its variables resolved, the value is larger than {MAX_SIZE:,} characters")
        return value


def resolve_variables(value: Any, variables: Mapping[str, Any], size: Size | None = None) -> Any:
    """The value with every expression replaced; a text that is one expression becomes the variable's own value.

    `size` is given where the value is part of a larger one. TooLarge if what takes the place of expressions is.
    """
    size = size or Size()
    return map_texts(value, lambda text: _resolve_text(text, variables, size))


def _resolve_text(text: str, variables: Mapping[str, Any], size: Size) -> Any:
    if "${" not in text:
        return text
    whole = _EXPRESSION.fullmatch(text)
    if whole is not None and whole[1] is None:
        return size.add(_evaluate(whole[2], variables))
    return _EXPRESSION.sub(lambda match: "${" if match[1] else str(size.add(_evaluate(match[2], variables))), text)


def _evaluate(expression: str, variables: Mapping[str, Any]) -> Any:
    name, path, offset = _parse(expression)
    if name not in TIME_VARIABLES:
        return _select(name, path, variables[name])
    start_ms = variables["start"]
    return TIME_VARIABLES[name](start_ms if offset is None else parse_time(offset, start_ms))


def _select(name: str, path: tuple[str, ...], value: Any) -> Any:
    """The value at a path of members; UNKNOWN from the first one that is not known yet."""
    for member in path:
        if value is UNKNOWN or (isinstance(value, str) and has_expressions(value)):
            return UNKNOWN
        value = _select_member(name, value, member)
        name = f"{name}.{member}"
    return value


def _select_member(name: str, value: Any, member: str) -> Any:
    if isinstance(value, list) and member.isdecimal():
        if int(member) < len(value):
            return value[int(member)]
        raise UnresolvedExpression(f"{name} has {len(value)} items, counted from 0")
    if not isinstance(value, Mapping):
        raise UnresolvedExpression(f'{name} is not a mapping and has no "{member}"')
    if member not in value:
        raise UnresolvedExpression(f'{name} has no "{member}"{suggest_known(member, value) if value else ""}')
    return value[member]


def _parse(expression: str) -> _Expression:
    match = NAME.match(expression)
    if match is None:
        return _Expression(expression)
    rest = expression[match.end() :]
    if rest.startswith("."):
        return _Expression(match[0], tuple(rest[1:].split(".")))
    return _Expression(match[0], (), rest) if is_offset(rest) else _Expression(expression)


NO_APP = "the file names no app; add `app: http://127.0.0.1:PORT`, or play it with --app URL"


def check_names(source: Source, path: YamlPath, names: Iterable[str]) -> None:
    """Raise InvalidScenario for a name that no variable can have."""
    for name in names:
        if name in RESERVED_NAMES:
            raise source.error((*path, name), f'"{name}" is the name of a built-in variable', name=True)
        if not NAME.fullmatch(name):
            message = f'"{name}" is not a variable name; use letters, digits and _'
            raise source.error((*path, name), message, name=True)


def check_expressions(source: Source, path: YamlPath, value: Any, known: Mapping[str, Any], start_ms: int) -> None:
    """Raise InvalidScenario for an expression below `path` that cannot be resolved with the variables `known`."""
    for text_path, text in _texts(value, path):
        for expression in expressions(text):
            try:
                check_expression(expression, known, start_ms)
            except KeyError as error:
                raise source.error(text_path, _undefined(expression, error.args[0], known)) from None
            except UnresolvedExpression as error:
                raise source.error(text_path, f"${{{expression}}}: {error}") from None
            except ValueError as error:
                raise source.error(text_path, f"${{{expression}}} cannot be resolved: {error}") from None


def _undefined(expression: str, name: str, known: Mapping[str, Any]) -> str:
    if name == "app":
        return f"${{app}}: {NO_APP}"
    return f"${{{expression}}} is not defined here{suggest_known(name, sorted(known))}"


def _texts(value: Any, path: YamlPath) -> Iterator[tuple[YamlPath, str]]:
    if isinstance(value, str):
        yield path, value
    for name, member in iterate_members(value):
        yield from _texts(member, (*path, name))


MAX_LENGTH = 200
MAX_SEARCHES = 2


class SavedValue(msgspec.Struct, frozen=True):
    """One value to save: the name of its variable and its JSONPath."""

    name: str
    text: str
    path: JSONPath

    def extract(self, body: Any) -> Any:
        """The first value at the path; LookupError if there is none."""
        matches = self.path.find(body)
        if not matches:
            raise LookupError(self.text)
        return matches[0].value


def parse_saved_value(name: str, text: str) -> SavedValue:
    """Parse a JSONPath; ValueError says what is wrong with it."""
    if not text.startswith("$"):
        raise ValueError(f"{text!r} is not a JSONPath: it must begin with $, which is the whole body")
    if len(text) > MAX_LENGTH:
        raise ValueError(f"a JSONPath has at most {MAX_LENGTH} characters, this one has {len(text):,}")
    return SavedValue(name, text, _parse_path(text))


@lru_cache(256)  # files save the same members, and the parser reads its tables anew for each
def _parse_path(text: str) -> JSONPath:
    # Imported here because it takes as long as all other imports together, and only files with `save` need it.
    from jsonpath_ng.exceptions import JSONPathError
    from jsonpath_ng.ext.parser import parse

    try:
        path = parse(text)
    except JSONPathError as error:
        raise ValueError(f"{text!r} is not a JSONPath: {error}") from None
    _check_cost(text, path)
    return path


def _check_cost(text: str, path: Any) -> None:
    """Refuse what could take long on a large body: regular expressions, and a search within a search."""
    from jsonpath_ng.ext.filter import Expression
    from jsonpath_ng.ext.string import Sub
    from jsonpath_ng.jsonpath import Descendants, Parent

    parts = list(_parts(path))
    if any(isinstance(part, Sub) or (isinstance(part, Expression) and part.op == "=~") for part in parts):
        raise ValueError(f"{text!r} changes or matches texts; save the value, and compare it with $matches")
    searches = sum(isinstance(part, Descendants | Parent) for part in parts)
    if searches > MAX_SEARCHES:
        raise ValueError(f"{text!r} has {searches} parts like `..` or `parent`; a JSONPath has at most {MAX_SEARCHES}")


def _parts(part: Any) -> Iterator[Any]:
    """A part of a JSONPath and all parts inside it."""
    yield part
    for inner in vars(part).values() if hasattr(part, "__dict__") else ():
        for each in inner if isinstance(inner, list | tuple) else [inner]:
            if type(each).__module__.startswith("jsonpath_ng"):
                yield from _parts(each)
