"""Checks of variables before a scenario is played: valid names, and every `${...}` defined where it is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from giftsim.scenario import variables
from giftsim.scenario.scenario_error import suggestion
from giftsim.scenario.yaml_source import Source, YamlPath

NO_APP = "the file names no app; add `app: http://127.0.0.1:PORT`, or play it with --app URL"


def check_names(source: Source, path: YamlPath, names: Iterable[str]) -> None:
    """Raise InvalidScenario for a name that no variable can have."""
    for name in names:
        if name in variables.RESERVED_NAMES:
            raise source.error((*path, name), f'"{name}" is the name of a built-in variable', name=True)
        if not variables.NAME.fullmatch(name):
            message = f'"{name}" is not a variable name; use letters, digits and _'
            raise source.error((*path, name), message, name=True)


def check_expressions(source: Source, path: YamlPath, value: Any, known: Mapping[str, Any], start_ms: int) -> None:
    """Raise InvalidScenario for an expression below `path` that cannot be resolved with the variables `known`."""
    for text_path, text in _texts(value, path):
        for expression in variables.expressions(text):
            try:
                variables.check_expression(expression, known, start_ms)
            except KeyError as error:
                raise source.error(text_path, _undefined(expression, error.args[0], known)) from None
            except variables.UnresolvedExpression as error:
                raise source.error(text_path, f"${{{expression}}}: {error}") from None
            except ValueError as error:
                raise source.error(text_path, f"${{{expression}}} cannot be resolved: {error}") from None


def members(value: Any) -> Iterator[tuple[str | int, Any]]:
    """The members of a mapping or the items of a list, each with its name or index."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def _undefined(expression: str, name: str, known: Mapping[str, Any]) -> str:
    if name == "app":
        return f"${{app}}: {NO_APP}"
    return f"${{{expression}}} is not defined here{suggestion(name, sorted(known))}"


def _texts(value: Any, path: YamlPath) -> Iterator[tuple[YamlPath, str]]:
    if isinstance(value, str):
        yield path, value
    for name, member in members(value):
        yield from _texts(member, (*path, name))
