"""The drawings of the state machines inside pages, with the present states lit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from markupsafe import Markup

FOLDER = Path(__file__).parent / "static" / "machines"


def drawing(machine: str, states: Iterable[str]) -> Markup:
    """The drawing of a machine, one of the files of this package, in which some states are lit."""
    svg = _file(machine)
    for state in states:
        svg = svg.replace(f'class="state" data-state="{state}"', f'class="state lit" data-state="{state}"')
    return Markup(svg)  # made from the machines' own tables: nothing in it comes from outside


@cache
def _file(machine: str) -> str:
    return next(path for path in FOLDER.iterdir() if path.stem == machine).read_text(encoding="utf-8")
