"""A finding as the page shows it, whether the exam or the search found it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from giftsim.services.statements.entry import source_texts
from giftsim.workbench.explore.drawing import Row
from giftsim.workbench.explore.exploration_report import counted, titles

MOST_SEEDS = 8


class Met(msgspec.Struct, frozen=True):
    """In how many of all seeds or plans a search met a finding, and the same in words."""

    many: int
    of: int
    often: str
    text: str


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding: its title, why it is so, and how to see it again. What is empty is not shown.

    `id` is that of the rule that was broken. `story` is the shortest plan in English, and `drawing` what happened.
    `links` are files by what they are called, `again` is the command that repeats it.
    """

    title: str
    id: str = ""
    why: str = ""
    found: str = ""
    mend: str = ""
    notes: tuple[str, ...] = ()
    sources: Mapping[str, str] = {}
    met: Met | None = None
    story: Sequence[str] = ()
    drawing: Sequence[Row] = ()
    links: Mapping[str, str] = {}
    again: str = ""
    repeats: bool = True


def of_rule(row: Mapping[str, Any], data: Mapping[str, Any]) -> Finding:
    """The finding of a rule that was broken, from its row of an exam's data."""
    return Finding(
        title=row["rule"],
        id=row["id"],
        why=row["why"],
        found=row["reason"] if row["reason"] != row["why"] else "",
        mend=row["mend"],
        sources=source_texts(row["sources"]),
        links={"Trace": row["trace"]} if row["trace"] else {},
        again=_exam_again(row["id"], data),
    )


def of_search(finding: Mapping[str, Any], drawing: Sequence[Row], many: int, noun: str) -> Finding:
    """A finding of a search that ran so many seeds or plans, from its report."""
    title, *more = titles(finding)
    seeds, after = finding["seeds"], finding["wrong_after"]
    rest = f" and {len(seeds) - MOST_SEEDS} more" if len(seeds) > MOST_SEEDS else ""
    shown = ", ".join(map(str, seeds[:MOST_SEEDS]))
    return Finding(
        title=title,
        found=" ".join(more),
        mend=next((each.get("why_not") or "" for each in finding["verdicts"][:1]), "") if more else "",
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


def _exam_again(rule: str, data: Mapping[str, Any]) -> str:
    """The command that draws the same for this rule."""
    of = ("--app", data["app"]) if data["app"] else ("--receiver", data["receiver"])
    return shlex.join(("giftsim", "exam", *of, "--seed", str(data["seed"]), "--only", rule))
