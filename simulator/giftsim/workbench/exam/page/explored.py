"""The page of a search: its findings in the order of how many plans met them, each with a drawing of the shortest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from giftsim.workbench.exam.page.finding import of_search
from giftsim.workbench.exam.page.page import Head, render
from giftsim.workbench.explore.drawing import Row
from giftsim.workbench.explore.exploration_report import counted

NAME: Final = "index.html"


def explored_page(report: Mapping[str, Any], drawings: Sequence[Sequence[Row]], noun: str) -> bytes:
    """The page for a report as JSON data, and the drawing of each of its findings; `noun` is what `seeds` counts."""
    many = report["seeds"]
    found = sorted(zip(report["findings"], drawings, strict=True), key=lambda each: -len(each[0]["seeds"]))
    title = f"{counted(len(found), 'finding') if found else 'No findings'} in {counted(many, noun)}"
    lines = [counted(report["plays"], "run"), *([report["stopped"].capitalize()] if report["stopped"] else [])]
    return render(
        "explored.html",
        Head(f"Search of {report['app']}", title, "bad" if found else "good", lines),
        [of_search(finding, drawing, many, noun) for finding, drawing in found],
        report=report,
        noun=noun,
    )


def write_page(folder: Path, content: bytes) -> Path:
    """Write the page to the folder of the scenarios, which is made if need be; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    path.write_bytes(content)
    return path
