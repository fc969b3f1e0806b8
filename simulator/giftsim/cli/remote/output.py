"""What the commands print: tables and short lines for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

Row = Mapping[str, Any]
Column = tuple[str, Callable[[Row], Any]]
PIPE_WIDTH = 200  # columns of a table that goes to a pipe or a file


def print_json(data: Any) -> None:
    """Print data as indented JSON."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def print_table(rows: Sequence[Row], columns: Sequence[Column], empty: str) -> None:
    """Print a table, or the line `empty` if there are no rows. Nothing in a text is taken for markup."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if not rows:
        click.echo(empty)
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name, _ in columns:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(shown(value(row))) for _, value in columns))
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    console.print(table)


def shown(value: Any) -> str:
    """A value as people read it; nothing for None. Control characters are escaped."""
    if value is None:
        return ""
    text = str(value)
    return text if text.isprintable() else "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def money(cents: int) -> str:
    """An amount in dollars."""
    return f"{cents / 100:,.2f}"


def member(name: str) -> Column:
    """A column that is a member of the row, with its name as title."""
    return name.replace("_", " "), lambda row: row[name]
