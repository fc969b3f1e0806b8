"""The source of a scenario line by line, with what became of the steps that the lines belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

MOST_LINES, LINES_BEFORE = 300, 60  # of a long file, a part around the step that matters
MOST_EXCERPT, LINES_AROUND = 15, 2


class Line(NamedTuple):
    """A line of a file: its number from 1, its text, and `passed`, `failed`, `next`, `error` or nothing."""

    number: int
    text: str
    mark: str


class FileLines(NamedTuple):
    """A file: its name, the lines that are shown of it, and how many it has."""

    file: str
    lines: list[Line]
    total: int


def source_lines(
    file: Mapping[str, str], steps: Sequence[Mapping[str, Any]], failure: Mapping[str, Any] | None = None,
    next_step: int | None = None,
) -> FileLines:  # fmt: skip
    """A file with marks. `failure` has the place of what failed, or of an error; `next_step` is the step to come."""
    marks = _marks(file, steps, next_step)
    if failure is not None and failure["file"] == file["file"]:
        marks.setdefault(failure["line"], "error")
    texts = file["text"].splitlines()
    focus = next((number for number, mark in marks.items() if mark in ("failed", "error", "next")), 1)
    start = 0 if len(texts) <= MOST_LINES else max(0, min(focus - LINES_BEFORE, len(texts) - MOST_LINES))
    shown = enumerate(texts[start : start + MOST_LINES], start=start + 1)
    return FileLines(file["file"], [Line(n, text, marks.get(n, "")) for n, text in shown], len(texts))


def _marks(file: Mapping[str, str], steps: Sequence[Mapping[str, Any]], next_step: int | None) -> dict[int, str]:
    """The mark of each line that a step begins at or goes on in; a step within another one counts more."""
    marks: dict[int, str] = {}
    for step in steps:
        if step["file"] != file["file"]:
            continue
        mark = "next" if step["step"] == next_step else step.get("outcome") or ""
        for number in range(step["line"], step["line"] + len(step["text"].splitlines())):
            if mark and marks.get(number) not in ("failed", "next"):
                marks[number] = mark
    return marks


def excerpt(files: Sequence[Mapping[str, str]], failure: Mapping[str, Any] | None) -> list[Line]:
    """The lines around what failed, from two before it to the end of the step, at most fifteen."""
    text = next((file["text"] for file in files if failure and file["file"] == failure["file"]), None)
    if text is None or failure is None:
        return []
    lines, first = text.splitlines(), failure["line"]
    last, indent = first, _indent(lines[first - 1])
    while last < min(len(lines), first + MOST_EXCERPT) and (not lines[last].strip() or _indent(lines[last]) > indent):
        last += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    start = max(0, first - 1 - LINES_AROUND)
    return [
        Line(number, line, "failed" if first <= number else "")
        for number, line in enumerate(lines[start:last], start=start + 1)
    ]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
