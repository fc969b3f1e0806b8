"""Cut the answers of tools to a size that an assistant can read, and say what was cut (G379)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

MAX_BYTES: Final = 100_000
ROW_ENTRIES: Final = 10  # most entries of each list in the rows of a page for an assistant
_CURSOR_BYTES: Final = 1_000

Cuts = dict[str, tuple[int, int]]


def rows_that_fit(rows: Sequence[Any], most_bytes: int = MAX_BYTES - _CURSOR_BYTES) -> int:
    """How many rows of a page fit, one at least, if each shows at most ROW_ENTRIES entries of its lists."""
    size = 0
    for i, row in enumerate(rows):
        size += len(msgspec.json.encode(_shortened(row, ROW_ENTRIES, "", {}))) + 1
        if size > most_bytes and i:
            return i
    return len(rows)


def cut_lists(value: Any, kept: str = "", most_bytes: int = MAX_BYTES) -> tuple[Any, Cuts] | None:
    """A JSON value with its lists cut alike until it fits, and what was cut: by path, entries shown and in total.

    The list at the path `kept` stays whole. None if the value does not fit even without entries.
    """
    most, cuts, shown = _longest(value), Cuts(), value
    while len(msgspec.json.encode(shown)) > most_bytes:
        if not most:
            return None
        most //= 2
        cuts = {}
        shown = _shortened(value, most, kept, cuts)
    return shown, cuts


def cut_csv(text: str, most_bytes: int = MAX_BYTES) -> tuple[str, Cuts]:
    """The first lines of a CSV file, whole ones, and what was cut. Texts may contain line breaks."""
    lines: list[str] = []
    is_open = False
    for part in text.splitlines(keepends=True):
        if is_open:
            lines[-1] += part
        else:
            lines.append(part)
        is_open ^= part.count('"') % 2 == 1
    size = shown = 0
    while shown < len(lines) and size + len(lines[shown].encode()) <= most_bytes:
        size += len(lines[shown].encode())
        shown += 1
    cuts = {"rows": (max(0, shown - 1), len(lines) - 1)} if shown < len(lines) else {}
    return "".join(lines[:shown]), cuts


def describe_cuts(cuts: Cuts, address: str | None) -> str:
    """A note for the assistant on what was cut. `address` is where a program gets the whole, if it can be read."""
    listed = ", ".join(f"{path} shows {shown:,} of {total:,}" for path, (shown, total) in cuts.items())
    whole = f" A program gets the whole from GET {address} of the REST API." if address else ""
    return f"Cut, because an answer has at most {MAX_BYTES:,} bytes: {listed}.{whole}"


def _longest(value: Any) -> int:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return max([len(value) if isinstance(value, list) else 0, *map(_longest, inner)])


def _shortened(value: Any, most: int, kept: str, cuts: Cuts, path: str = "") -> Any:
    if isinstance(value, Mapping):
        prefix = f"{path}." if path else ""
        return {name: _shortened(each, most, kept, cuts, f"{prefix}{name}") for name, each in value.items()}
    if not isinstance(value, list):
        return value
    entries = value if path == kept else value[:most]
    if len(entries) < len(value):
        _, total = cuts.get(path, (0, 0))
        cuts[path] = (most, max(total, len(value)))
    return [_shortened(each, most, kept, cuts, f"{path}[]") for each in entries]
