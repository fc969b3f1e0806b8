"""A finding as the page shows it, whether the exam or the search found it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from giftsim.services.statements.entry import source_texts
from giftsim.workbench.exam.explanation import found_beside


class Row(msgspec.Struct, frozen=True):
    """One row: an arrow or a note of a `kind`, its text and its outcome, and the time if that is later than before.

    The kinds are `step`, `call`, `webhook`, `person`, `service` and `wrong`; `bad` marks what did not succeed.
    """

    kind: str
    text: str
    outcome: str = ""
    bad: bool = False
    at: str = ""


class Met(msgspec.Struct, frozen=True):
    """In how many of all seeds or plans a search met a finding, and the same in words."""

    many: int
    of: int
    often: str
    text: str


class Other(msgspec.Struct, frozen=True):
    """A further rule that was broken in the same way: its sentence and id, the reason, and its trace, if it has one."""

    rule: str
    id: str
    reason: str
    trace: str = ""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding: its title, why it is so, and how to see it again. What is empty is not shown.

    `id` is that of the rule that was broken, and `others` were broken in the same way. `story` is the
    shortest plan in English, and `drawing` what happened.
    `links` are files by what they are called, `again` is the command that repeats it.
    """

    title: str
    id: str = ""
    why: str = ""
    found: str = ""
    mend: str = ""
    notes: tuple[str, ...] = ()
    sources: Mapping[str, str] = {}
    others: tuple[Other, ...] = ()
    met: Met | None = None
    story: Sequence[str] = ()
    drawing: Sequence[Row] = ()
    links: Mapping[str, str] = {}
    again: str = ""
    repeats: bool | None = True


def of_rules(rows: Sequence[Mapping[str, Any]], data: Mapping[str, Any]) -> Finding:
    """The finding of rules that were broken in one way, from their rows of an exam's data; the first says it best."""
    row, *others = rows
    return Finding(
        title=row["rule"],
        id=row["id"],
        why=row["why"],
        found=found_beside(row["why"], row["reason"]),
        mend=row["mend"],
        sources=source_texts(row["sources"]),
        others=tuple(Other(each["rule"], each["id"], each["reason"], each["trace"]) for each in others),
        links={"Trace": row["trace"]} if row["trace"] else {},
        again=_exam_again(row["id"], data),
    )


def _exam_again(rule: str, data: Mapping[str, Any]) -> str:
    """The command that draws the same for this rule."""
    of = ("--app", data["app"]) if data["app"] else ("--receiver", data["receiver"])
    return shlex.join(("giftsim", "exam", *of, "--seed", str(data["seed"]), "--only", rule))
