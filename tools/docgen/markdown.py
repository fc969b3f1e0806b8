"""Pieces of Markdown: tables, values, links to ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from giftsim.console.markdown import anchor
from giftsim.engine.gateway.sources import OWN


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table of cells that may contain line breaks and pipes."""
    lines = [_line(heads), _line(["---"] * len(heads))]
    return "\n".join([*lines, *(_line(row) for row in rows)])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def written(default: object) -> str:
    """The value of a setting as users write it."""
    if isinstance(default, bool) or default is None:
        return {True: "true", False: "false", None: "null"}[default]
    return ", ".join(map(str, default)) if isinstance(default, list | tuple) else str(default)


def linked_source(source: str) -> str:
    """An id as a link to its place on the page of claims and decisions, from another page of the reference."""
    return source if source == OWN else f"[{source}](claims.md#{anchor(source)})"


def linked_sources(sources: Iterable[str]) -> str:
    """Several ids as links."""
    return ", ".join(map(linked_source, sources))
