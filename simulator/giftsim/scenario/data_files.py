"""Data files of a scenario: CSV, JSON or YAML, each read as a list of items."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from typing import Any

from giftsim.scenario.scenario_error import InvalidScenario
from giftsim.scenario.yaml_source import read

MAX_ITEMS = 10_000


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
    data = read(raw, file).data
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
