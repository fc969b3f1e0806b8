"""What the commands print: tables and short lines for people, JSON for programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any

import click

from giftsim.cli.terminal import AMBER, GREEN, RED, print_text, terminal_width
from giftsim.engine.kernel.texts import one_line
from giftsim.frontend import states

Row = Mapping[str, Any]
Column = tuple[str, Callable[[Row], Any]]
PIPE_WIDTH = 200  # columns of a table that goes to a pipe or a file
GAP = "  "
LINKS = frozenset(("url", "links", "claim link"))  # that do not fit stand in a line of their own, below their row
COLORS: Mapping[str, int] = {states.GOOD: GREEN, states.BAD: RED, states.WAITING: AMBER}


def print_json(data: Any) -> None:
    """Print data as indented JSON."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def print_members(data: Row) -> None:
    """Print each member of an object that is not null in a line. Objects and lists in it are JSON."""
    width = max(map(len, data))
    for name, value in data.items():
        if value is not None and value not in ([], {}):
            print_text(one_line(f"{name:{width}}  {value if isinstance(value, str) else to_json(value)}"))


def to_json(value: Any) -> str:
    """A value as JSON in one line."""
    return json.dumps(value, ensure_ascii=False)


def print_table(rows: Sequence[Row], columns: Sequence[Column], empty: str) -> None:
    """Print a table, or the line `empty` if there are no rows.

    On a narrow terminal texts wrap between words, and what does not fit gets its own line: links, then the
    last columns. So ids, links and instants stay in one piece.
    """
    if not rows:
        click.echo(empty)
        return
    width = terminal_width() if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    names = [name for name, _ in columns]
    cells = [[shown(value(row)) for _, value in columns] for row in rows]
    inside, widths = _layout(names, cells, width)
    _print_row([names[i] for i in inside], widths, bold=True)
    below = [i for i in range(len(names)) if i not in inside]
    click.echo("─" * min(_total(widths), width))
    for row in cells:
        _print_row([row[i] for i in inside], widths)
        for i in below:
            if row[i]:
                click.echo(f"    {names[i]}  {row[i]}")


def print_newest(rows: Sequence[Row], limit: int, columns: Sequence[Column], empty: str, as_json: bool) -> None:
    """Print the last rows as a table, with the number of all, or as JSON."""
    newest = rows[-limit:]
    if as_json:
        print_json(newest)
        return
    if len(newest) < len(rows):
        click.echo(f"the newest {len(newest)} of {len(rows)}; --limit shows more")
    print_table(newest, columns, empty)


def _layout(names: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> tuple[list[int], list[int]]:
    """The columns that stand side by side, and their widths."""
    columns = list(zip(names, *cells, strict=True))
    full = [max(map(len, column)) for column in columns]
    least = [max((len(word) for text in column for word in text.split()), default=0) for column in columns]
    inside = list(range(len(names)))
    others = [i for i in inside[2:] if names[i] not in LINKS] + [i for i in inside if names[i] in LINKS]
    if _total(full) <= width:
        return inside, full
    while others and (names[others[-1]] in LINKS or _total([least[i] for i in inside]) > width):
        inside.remove(others.pop())
    widths = {i: full[i] for i in inside}
    while _total(list(widths.values())) > width:
        spare = max(inside, key=lambda i: (widths[i] > least[i], widths[i]))
        if widths[spare] <= least[spare]:
            break
        widths[spare] -= 1
    return inside, list(widths.values())


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _print_row(texts: Sequence[str], widths: Sequence[int], *, bold: bool = False) -> None:
    """Print a row of a table, in as many lines as its longest text needs."""
    wrapped = [
        wrap(text, width, break_long_words=False, break_on_hyphens=False) if len(text) > width else [text]
        for text, width in zip(texts, widths, strict=True)
    ]
    for line in zip_longest(*wrapped, fillvalue=""):
        click.echo(click.style(_line(line, widths), bold=bold or None))


def _line(texts: Sequence[str], widths: Sequence[int]) -> str:
    """Texts in columns, the words for states in colour; a terminal shows it, a pipe does not."""
    padded = [text.ljust(width) for text, width in zip(texts, widths, strict=True)]
    padded[-1] = padded[-1].rstrip()
    return GAP.join(click.style(text, fg=color) if (color := color_of(text)) else text for text in padded)


def color_of(text: str) -> int | None:
    """The colour of a state, or None."""
    return COLORS.get(states.tone(text.partition("(")[0].strip()))


def shown(value: Any) -> str:
    """A value as people read it; nothing for None. Control characters are escaped."""
    if value is None:
        return ""
    return one_line(str(value))


def money(cents: int) -> str:
    """An amount in dollars."""
    return f"{cents / 100:,.2f}"


def member_column(name: str) -> Column:
    """A column that is a member of the row, with its name as title."""
    return name.replace("_", " "), lambda row: row[name]
