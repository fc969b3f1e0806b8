"""Data that a story loops over, out of a CSV, JSON or YAML file beside it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from typing import Any

from giftsim.scenario.scenario_error import InvalidScenario
from giftsim.scenario.yaml_source import read

# A loop over more is no story any more.
MOST_ITEMS = 10_000


def items(raw: bytes, file: str) -> list[Any]:
    """The items of a file, by the ending of its name; InvalidScenario says where it holds none.

    Of CSV the first line has the names, and every value is text; JSON and YAML hold a list.
    """
    found = READERS[ending(file)](raw, file)
    if not found:
        raise InvalidScenario(file, 1, 1, "the file has no items to loop over")
    if len(found) > MOST_ITEMS:
        raise InvalidScenario(file, 1, 1, f"the file has {len(found):,} items; at most {MOST_ITEMS:,} are looped over")
    return found


def ending(file: str) -> str:
    """The ending of a file's name, in lower case, without the dot."""
    return file.rpartition(".")[2].lower()


def _listed(raw: bytes, file: str) -> list[Any]:
    data = read(raw, file).data
    if not isinstance(data, list):
        raise InvalidScenario(file, 1, 1, "the file must be a list of items")
    return data


def _rows(raw: bytes, file: str) -> list[Any]:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidScenario(file, raw[: error.start].count(b"\n") + 1, 1, "not UTF-8") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    names: list[str] | None = None
    rows = []
    try:
        for fields in reader:
            if names is None:
                names = _names(fields, file)
            elif fields:
                rows.append(_row(names, fields, file, reader.line_num))
    except csv.Error as error:
        raise InvalidScenario(file, reader.line_num, 1, f"not CSV: {error}") from None
    return rows


def _names(fields: list[str], file: str) -> list[str]:
    names = [field.strip() for field in fields]
    if not all(names) or len(set(names)) != len(names):
        raise InvalidScenario(file, 1, 1, "the first line of a CSV file names its columns, each once")
    return names


def _row(names: list[str], fields: list[str], file: str, line: int) -> dict[str, str]:
    if len(fields) != len(names):
        raise InvalidScenario(file, line, 1, f"the line has {len(fields)} fields, and the first line {len(names)}")
    return dict(zip(names, fields, strict=True))


READERS: Mapping[str, Callable[[bytes, str], list[Any]]] = {
    "csv": _rows,
    "json": _listed,
    "yaml": _listed,
    "yml": _listed,
}
