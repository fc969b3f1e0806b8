"""The report as a page that opens offline and has no scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from markupsafe import Markup, escape

from giftsim.frontend.offline_page import offline_page

FOLDER: Final = Path(__file__).parent / "page"
_CODE: Final = re.compile("`([^`]+)`")
# The tone of each outcome; of all others it is plain.
TONES: Final[Mapping[str, str]] = {
    "passed": "good",
    "pass": "good",
    "failed": "bad",
    "fail": "bad",
    "error": "bad",
    "warning": "wait",
}
PARTS: Final[Mapping[str, str]] = {
    "readiness": "Readiness pack",
    "tests": "Tests",
    "coverage": "Coverage",
    "receiver": "Webhook receiver",
}


class Card(NamedTuple):
    """A part of the report in one line: its title, its figure, what that means, and its tone."""

    part: str
    title: str
    figure: str
    text: str
    tone: str


def report_page(data: Mapping[str, Any]) -> bytes:
    """The page of a report's data."""
    return offline_page(
        FOLDER,
        "report.html",
        ["report.css"],
        report=data,
        cards=list(_cards(data)),
        tones=TONES,
        verdict=verdict(data),
        worst_first=_worst_first,
        is_found=is_found,
        json_text=_json_text,
        marked=_marked,
    ).encode()


def verdict(data: Mapping[str, Any]) -> str:
    """The report in one sentence."""
    missing = [PARTS[row["part"]].lower() for row in data["missing"]]
    if len(missing) == len(PARTS):
        return "This report has no part yet."
    failed = [f"{title.lower()} ({data['failed'][name]})" for name, title in PARTS.items() if name in data["failed"]]
    said = f"Failed: {', '.join(failed)}." if failed else "Nothing failed."
    return f"{said} Missing: {', '.join(missing)}." if missing else said


def _cards(data: Mapping[str, Any]) -> Iterator[Card]:
    """A card for each part, also for one that is missing."""
    how = {row["part"]: row["how"] for row in data["missing"]}
    for part, title in PARTS.items():
        if data[part] is None:
            yield Card(part, title, "missing", how[part], "")
        elif part == "coverage":
            yield _coverage_card(data[part], title)
        else:
            yield _counted_card(part, title, data[part]["counts"])
    if is_found(data["assumptions"]):
        yield _assumptions_card(data["assumptions"]["leaning"])


def _counted_card(part: str, title: str, counts: Mapping[str, int]) -> Card:
    total, good = sum(counts.values()), counts.get("passed", 0) + counts.get("pass", 0)
    rest = ", ".join(f"{count} {name}" for name, count in counts.items() if count and TONES.get(name) != "good")
    tones = {TONES.get(name) for name, count in counts.items() if count}
    tone = next((each for each in ("bad", "wait", "good") if each in tones), "")
    return Card(part, title, f"{good} of {total}", f"passed; {rest}" if rest else "passed", tone)


def is_found(assumptions: Any) -> bool:
    """Whether `run --assumptions` found them, not people who wrote them down."""
    return isinstance(assumptions, Mapping) and "leaning" in assumptions


def _assumptions_card(leaning: Sequence[Mapping[str, Any]]) -> Card:
    count = len({row["test"] for row in leaning})
    said = "test leans on a guess" if count == 1 else "tests lean on a guess"
    return Card("assumptions", "Assumptions", str(count), said, "wait" if count else "good")


def _coverage_card(coverage: Mapping[str, Any], title: str) -> Card:
    """The percentage of the first area, and those of the others: no number stands for all of them."""
    percents = [(name, f"{area['percent']:.0f} %") for name, area in coverage["areas"].items()]
    if not percents:
        return Card("coverage", title, "nothing", "no area", "")
    (first, figure), *others = percents
    return Card("coverage", title, figure, ", ".join((first, *(f"{name} {percent}" for name, percent in others))), "")


def _worst_first(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows with those that failed first, and those that passed last."""
    return sorted(rows, key=lambda row: ("bad", "wait", "", "good").index(TONES.get(row["outcome"], "")))


def _marked(text: str) -> Markup:
    """A text of the documents, with what is between backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def _json_text(value: Any) -> str:
    """A value as text for people: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
