"""The names of a story: that each is one, and that every `${...}` is filled by the time it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from giftsim.scenario import variables
from giftsim.scenario.scenario_error import meant
from giftsim.scenario.yaml_source import Source, Trail

NO_APP = "the file names no app; add `app: http://127.0.0.1:PORT`, or play it with --app URL"


def check_names(source: Source, trail: Trail, names: Iterable[str]) -> None:
    """InvalidScenario for a name that a value cannot have."""
    for name in names:
        if name in variables.RESERVED:
            raise source.refuse((*trail, name), f'"{name}" is filled by the scenario itself', name=True)
        if not variables.NAME.fullmatch(name):
            raise source.refuse((*trail, name), f'"{name}" is no name for a value: letters, digits and _', name=True)


def check_holes(source: Source, trail: Trail, value: Any, known: Mapping[str, Any], start_ms: int) -> None:
    """InvalidScenario for a hole below `trail` that nothing fills; `known` has the values as far as they are known."""
    for at, text in _texts(value, trail):
        for hole in variables.holes(text):
            try:
                variables.check(hole, known, start_ms)
            except KeyError as error:
                raise source.refuse(at, _unknown(hole, error.args[0], known)) from None
            except variables.Unfilled as error:
                raise source.refuse(at, f"${{{hole}}}: {error}") from None
            except ValueError as error:
                raise source.refuse(at, f"${{{hole}}} cannot be filled: {error}") from None


def has_holes(text: str) -> bool:
    """Whether a text is filled only when the story is played."""
    return any(True for _ in variables.holes(text))


def members(value: Any) -> Iterator[tuple[str | int, Any]]:
    """The members of a mapping or list by the step that leads there."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def _unknown(hole: str, name: str, known: Mapping[str, Any]) -> str:
    if name == "app":
        return f"${{app}}: {NO_APP}"
    return f"${{{hole}}} is filled by nothing before it{meant(name, sorted(known))}"


def _texts(value: Any, trail: Trail) -> Iterator[tuple[Trail, str]]:
    if isinstance(value, str):
        yield trail, value
    for step, member in members(value):
        yield from _texts(member, (*trail, step))
