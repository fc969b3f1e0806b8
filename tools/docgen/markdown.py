"""Pieces of Markdown: tables, values, links to ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from giftsim.console.markdown import anchor
from giftsim.services.statements.decision import load_decisions


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
    """An id for a page of the reference: a decision with a link to its section, a statement as it is."""
    decision = load_decisions().get(source)
    return f"[{source}](../explanation/{decision.page}.md#{anchor(decision.section)})" if decision else source


def linked_sources(sources: Iterable[str]) -> str:
    """Several ids as links."""
    return ", ".join(map(linked_source, sources))
