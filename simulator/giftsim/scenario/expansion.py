"""The steps of a story one after the other: loops written out, included files put in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from giftsim.scenario import dataset, schema
from giftsim.scenario.draft import NOWHERE, Around, Draft, Layer
from giftsim.scenario.matching import shown
from giftsim.scenario.scenario_error import quoted
from giftsim.scenario.scenario_folder import beside
from giftsim.scenario.variables import UNKNOWN, Unfilled, known_value, plain
from giftsim.scenario.yaml_source import Source, Trail, read

MOST_STEPS = 10_000
DEEPEST = 40


class Expansion:
    """Writes out the steps of one story; `names` are the values of its head as far as they are known."""

    def __init__(self, root: Path | None, names: Mapping[str, Any]) -> None:
        self.root, self.names = root, names
        self.number = 0
        self._parts: dict[Path, Source] = {}

    def steps(self, source: Source, trail: Trail, around: Around = NOWHERE) -> Iterator[Draft]:
        """The steps of the list at `trail`, in the order in which they are taken; InvalidScenario as it goes."""
        if len(around.layers) > DEEPEST:
            raise source.refuse(trail, f"loops and includes are nested more than {DEEPEST} deep")
        for index, step in enumerate(source.at(trail)):
            place, kind = (*trail, index), schema.kind_of(step)
            if kind == "include":
                yield from self._included(source, place, step, around)
            elif kind == "for_each":
                yield from self._looped(source, place, step, around)
            else:
                yield self._draft(source, place, kind, around)

    def listed(self, source: Source, trail: Trail, told: Any, names: Mapping[str, Any]) -> list[Any]:
        """The items that stand at `trail`: a list, a file of them, or a name that is known to be one."""
        if isinstance(told, list):
            return told
        if isinstance(told, str):
            return _named(source, trail, told, names)
        place, name = (*trail, "file"), told["file"]
        if dataset.ending(name) not in dataset.READERS:
            raise source.refuse(place, f'"{name}" is no file of data; its name ends with {quoted(dataset.READERS)}')
        found = beside(source, place, name, self.root)
        return [plain(item) for item in dataset.items(found.raw, found.file)]

    def _draft(self, source: Source, trail: Trail, kind: str, around: Around) -> Draft:
        self.number += 1
        if self.number > MOST_STEPS:
            raise source.refuse(trail, f"written out, the story has more than {MOST_STEPS:,} steps")
        return Draft(source, trail, kind, self.number, around)

    def _included(self, source: Source, trail: Trail, step: Mapping[str, Any], around: Around) -> Iterator[Draft]:
        part = self._part(source, (*trail, "include"), step["include"], around)
        values = step.get("with", {})
        layer = Layer(source, values, {name: (*trail, "with", name) for name in values})
        inside = around.within(layer)._replace(files=(*around.files, part.file))
        yield from self.steps(part, ("steps",), inside)

    def _part(self, source: Source, trail: Trail, name: str, around: Around) -> Source:
        found = beside(source, trail, name, self.root)
        if found.path == source.path or found.file in around.files:
            chain = ", ".join((*around.files, found.file))
            raise source.refuse(trail, f'"{name}" includes itself: {chain}')
        if found.path not in self._parts:
            part = read(found.raw, found.file, found.path)
            schema.check(part, "part")
            self._parts[found.path] = part
        return self._parts[found.path]

    def _looped(self, source: Source, trail: Trail, step: Mapping[str, Any], around: Around) -> Iterator[Draft]:
        [(name, told)] = step["for_each"].items()
        place = (*trail, "for_each", name)
        items = self.listed(source, place, told, {**self.names, **around.names})
        for index, item in enumerate(items):
            places = {name: (*place, index)} if isinstance(told, list) else {}
            said = f"{name} {index + 1} of {len(items)}: {shown(item, 60)}"
            layer = Layer(source, {name: item, "n": index + 1}, places, said)
            yield from self.steps(source, (*trail, "steps"), around.within(layer))


def _named(source: Source, trail: Trail, text: str, names: Mapping[str, Any]) -> list[Any]:
    try:
        value = known_value(text, names)
    except Unfilled as error:
        raise source.refuse(trail, f"{text}: {error}") from None
    if value is UNKNOWN:
        raise source.refuse(trail, f"{text} is not known before the play; a loop runs over a list, a file or `data`")
    if not isinstance(value, list) or not value:
        raise source.refuse(trail, f"{text} is no list with items in it")
    return value
