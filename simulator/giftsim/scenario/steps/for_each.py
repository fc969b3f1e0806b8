"""The `for_each` step: replaced by its steps, once for each item of a list, a data file or a variable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from giftsim.scenario.data_files import PARSERS, file_ending, parse_items
from giftsim.scenario.matching import preview
from giftsim.scenario.scenario_error import quoted
from giftsim.scenario.scenario_files import read_sibling
from giftsim.scenario.steps.step_source import Layer, Nesting
from giftsim.scenario.variables import UNKNOWN, UnresolvedExpression, escape, known_value
from giftsim.scenario.yaml_source import Source, YamlPath


def iterations(
    source: Source, path: YamlPath, step: Mapping[str, Any], nesting: Nesting, known: Mapping[str, Any],
    root: Path | None,
) -> Iterator[Nesting]:  # fmt: skip
    """The nesting of the steps for each item, which is a variable, as is `n`; `known` are the variables of the head."""
    [(name, data)] = step["for_each"].items()
    place = (*path, "for_each", name)
    items = load_items(source, place, data, {**known, **nesting.variables}, root)
    for index, item in enumerate(items):
        paths = {name: (*place, index)} if isinstance(data, list) else {}
        label = f"{name} {index + 1} of {len(items)}: {preview(item, 60)}"
        yield nesting.enter(Layer(source, {name: item, "n": index + 1}, paths, label))


def load_items(source: Source, path: YamlPath, data: Any, known: Mapping[str, Any], root: Path | None) -> list[Any]:
    """The items that `data` at `path` stands for: a list, a `file` of items, or a variable that is a list."""
    if isinstance(data, list):
        return data
    if isinstance(data, str):
        return _items_of_variable(source, path, data, known)
    place, name = (*path, "file"), data["file"]
    if file_ending(name) not in PARSERS:
        raise source.error(place, f'"{name}" is not a data file; its name must end with {quoted(PARSERS)}')
    file = read_sibling(source, place, name, root)
    return [escape(item) for item in parse_items(file.raw, file.file)]


def _items_of_variable(source: Source, path: YamlPath, text: str, known: Mapping[str, Any]) -> list[Any]:
    try:
        value = known_value(text, known)
    except UnresolvedExpression as error:
        raise source.error(path, f"{text}: {error}") from None
    if value is UNKNOWN:
        message = f"{text} is not known before the scenario is played; loop over a list, a file or `data`"
        raise source.error(path, message)
    if not isinstance(value, list) or not value:
        raise source.error(path, f"{text} is not a list with items")
    return value
