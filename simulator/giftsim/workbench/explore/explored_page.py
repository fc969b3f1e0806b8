"""The page of a search: its findings in the order of how many plans met them, each with a drawing of the shortest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from giftsim.workbench.exam.page.finding import Finding, Met, Row
from giftsim.workbench.exam.page.page import Head, render
from giftsim.workbench.explore.exploration_report import counted, titles
from giftsim.workbench.why.advice import advice

NAME: Final = "index.html"
MOST_SEEDS: Final = 8


def explored_page(report: Mapping[str, Any], drawings: Sequence[Sequence[Row]], noun: str) -> bytes:
    """The page for a report as JSON data, and the drawing of each of its findings; `noun` is what `seeds` counts."""
    many = report["seeds"]
    found = sorted(zip(report["findings"], drawings, strict=True), key=lambda each: -len(each[0]["seeds"]))
    title = f"{counted(len(found), 'finding') if found else 'No findings'} in {counted(many, noun)}"
    lines = [counted(report["plays"], "run"), *([report["stopped"].capitalize()] if report["stopped"] else [])]
    return render(
        "explored.html",
        Head(f"Search of {report['app']}", title, "bad" if found else "good", lines),
        [_finding(finding, drawing, many, noun) for finding, drawing in found],
        report=report,
        noun=noun,
    )


def _finding(finding: Mapping[str, Any], drawing: Sequence[Row], many: int, noun: str) -> Finding:
    """A finding of a search that ran so many seeds or plans, from its report."""
    title, *more = titles(finding)
    seeds, after = finding["seeds"], finding["wrong_after"]
    rest = f" and {len(seeds) - MOST_SEEDS} more" if len(seeds) > MOST_SEEDS else ""
    shown = ", ".join(map(str, seeds[:MOST_SEEDS]))
    return Finding(
        title=title,
        found=" ".join(more),
        mend=advice(finding["verdicts"][0]) if more else "",
        notes=(f"Wrong for the first time after: {after}",) if after else (),
        met=Met(
            len(seeds),
            many,
            counted(len(seeds), noun),
            f"Met in {len(seeds)} of {counted(many, noun)}: {shown}{rest}. The shortest plan:",
        ),
        story=finding["story"],
        drawing=drawing,
        links=_files(finding),
        again=finding["again"],
        repeats=finding["repeats"],
    )


def _files(finding: Mapping[str, Any]) -> dict[str, str]:
    files = {f"Scenario ({finding['steps']} steps)": finding["file"], "Trace": finding["trace"]}
    return {name: Path(path).name for name, path in files.items() if path}


def write_page(folder: Path, content: bytes) -> Path:
    """Write the page to the folder of the scenarios, which is made if need be; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    path.write_bytes(content)
    return path
