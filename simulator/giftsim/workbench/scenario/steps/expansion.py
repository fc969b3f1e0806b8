"""Steps that are replaced by others before a scenario is played: `include` by those of a file, `for_each` by its own.

The steps of a loop come once for each item of a list, a data file or a variable.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from giftsim.engine.client.matching import preview_value
from giftsim.workbench.scenario.scenario_error import InvalidScenario, quote_words
from giftsim.workbench.scenario.scenario_files import read_sibling
from giftsim.workbench.scenario.schema import check_schema, kind_of
from giftsim.workbench.scenario.steps.step_source import TOP_LEVEL, Layer, Nesting, StepSource
from giftsim.workbench.scenario.variables import UNKNOWN, UnresolvedExpression, escape_variables, known_value
from giftsim.workbench.scenario.yaml_source import Source, YamlPath, read_document

MAX_STEPS = 10_000  # a step counts once for each time that it is repeated
MAX_DEPTH = 40
MAX_ITEMS = 10_000


class StepExpansion:
    """Expands the steps of one scenario; `variables` are those of its head, as far as they are known."""

    def __init__(self, root: Path | None, variables: Mapping[str, Any]) -> None:
        self.variables = variables
        self._root = root
        self._included = IncludedFiles(root)
        self._count = self._calls = 0

    def expand(self, source: Source, path: YamlPath, nesting: Nesting = TOP_LEVEL) -> Iterator[StepSource]:
        """The steps of the list at `path`, in the order in which they run; InvalidScenario as it goes."""
        if len(nesting.layers) > MAX_DEPTH:
            raise source.error(path, f"loops and includes are nested more than {MAX_DEPTH} levels deep")
        for index, step in enumerate(source.value_at(path)):
            step_path, kind = (*path, index), kind_of(step)
            if kind == "include":
                part, inner = self._included.expand(source, step_path, step, nesting)
                yield from self.expand(part, ("steps",), inner)
            elif kind == "for_each":
                for inner in iterations(source, step_path, step, nesting, self.variables, self._root):
                    yield from self.expand(source, (*step_path, "steps"), inner)
            else:
                yield self._step(source, step_path, kind, nesting)

    def _step(self, source: Source, path: YamlPath, kind: str, nesting: Nesting) -> StepSource:
        self._count += 1
        self._calls += source.value_at(path).get("repeat", 1)
        if self._calls > MAX_STEPS:
            how = "with its loops unrolled" if self._count > MAX_STEPS else "with its calls repeated"
            raise source.error(path, f"{how} the scenario has more than {MAX_STEPS:,} steps")
        return StepSource(source, path, kind, self._count, nesting)


class IncludedFiles:
    """Reads included files, each once; `root` is the folder of the scenario, None if it has none."""

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._parts: dict[Path, Source] = {}

    def expand(
        self, source: Source, path: YamlPath, step: Mapping[str, Any], nesting: Nesting
    ) -> tuple[Source, Nesting]:
        """The included file, and the nesting of its steps; InvalidScenario if it cannot be included."""
        part = self._read(source, (*path, "include"), step["include"], nesting)
        values = step.get("with", {})
        layer = Layer(source, values, {name: (*path, "with", name) for name in values})
        return part, nesting.enter(layer)._replace(files=(*nesting.files, part.file))

    def _read(self, source: Source, path: YamlPath, name: str, nesting: Nesting) -> Source:
        file = read_sibling(source, path, name, self._root)
        if file.path == source.file_path or file.file in nesting.files:
            chain = ", ".join((*nesting.files, file.file))
            raise source.error(path, f'"{name}" includes itself: {chain}')
        if file.path not in self._parts:
            part = read_document(file.raw, file.file, file.path)
            check_schema(part, "part")
            self._parts[file.path] = part
        return self._parts[file.path]


def parse_items(raw: bytes, file: str) -> list[Any]:
    """Parse a data file by the ending of its name; InvalidScenario if it holds no list of items.

    The first line of CSV names the columns, and every value is text. JSON and YAML hold a list.
    """
    items = PARSERS[file_ending(file)](raw, file)
    if not items:
        raise InvalidScenario(file, 1, 1, "the file has no items to loop over")
    if len(items) > MAX_ITEMS:
        raise InvalidScenario(file, 1, 1, f"the file has {len(items):,} items; a loop takes at most {MAX_ITEMS:,}")
    return items


def file_ending(file: str) -> str:
    """The ending of a file's name, in lower case, without the dot."""
    return file.rpartition(".")[2].lower()


def _parse_list(raw: bytes, file: str) -> list[Any]:
    data = read_document(raw, file).data
    if not isinstance(data, list):
        raise InvalidScenario(file, 1, 1, "the file must be a list of items")
    return data


def _parse_csv(raw: bytes, file: str) -> list[Any]:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidScenario(file, raw[: error.start].count(b"\n") + 1, 1, "not UTF-8") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    columns: list[str] | None = None
    rows = []
    try:
        for fields in reader:
            if columns is None:
                columns = _columns(fields, file)
            elif fields:
                rows.append(_row(columns, fields, file, reader.line_num))
    except csv.Error as error:
        raise InvalidScenario(file, reader.line_num, 1, f"not CSV: {error}") from None
    return rows


def _columns(fields: list[str], file: str) -> list[str]:
    columns = [field.strip() for field in fields]
    if not all(columns) or len(set(columns)) != len(columns):
        raise InvalidScenario(file, 1, 1, "the first line of a CSV file must name each column once")
    return columns


def _row(columns: list[str], fields: list[str], file: str, line: int) -> dict[str, str]:
    if len(fields) != len(columns):
        message = f"the line has {len(fields)} fields, but the first line has {len(columns)}"
        raise InvalidScenario(file, line, 1, message)
    return dict(zip(columns, fields, strict=True))


PARSERS: Mapping[str, Callable[[bytes, str], list[Any]]] = {
    "csv": _parse_csv,
    "json": _parse_list,
    "yaml": _parse_list,
    "yml": _parse_list,
}


def iterations(
    source: Source,
    path: YamlPath,
    step: Mapping[str, Any],
    nesting: Nesting,
    known: Mapping[str, Any],
    root: Path | None,
) -> Iterator[Nesting]:
    """The nesting of the steps for each item, which is a variable, as is `n`; `known` are the variables of the head."""
    [(name, data)] = step["for_each"].items()
    place = (*path, "for_each", name)
    items = load_items(source, place, data, {**known, **nesting.variables}, root)
    for index, item in enumerate(items):
        paths = {name: (*place, index)} if isinstance(data, list) else {}
        label = f"{name} {index + 1} of {len(items)}: {preview_value(item, 60)}"
        yield nesting.enter(Layer(source, {name: item, "n": index + 1}, paths, label))


def load_items(source: Source, path: YamlPath, data: Any, known: Mapping[str, Any], root: Path | None) -> list[Any]:
    """The items that `data` at `path` stands for: a list, a `file` of items, or a variable that is a list."""
    if isinstance(data, list):
        return data
    if isinstance(data, str):
        return _items_of_variable(source, path, data, known)
    place, name = (*path, "file"), data["file"]
    if file_ending(name) not in PARSERS:
        raise source.error(place, f'"{name}" is not a data file; its name must end with {quote_words(PARSERS)}')
    file = read_sibling(source, place, name, root)
    return [escape_variables(item) for item in parse_items(file.raw, file.file)]


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
