"""The time strip of a page, as data: what happened, now, what is due, and what lasts, each in its lane.

The script of all time strips draws it, and decides where instants are. However much happens in a world, the data is
small: the timeline of the control API counts it in parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from giftsim.console.control_client import WorldControl
from giftsim.console.filters import plural
from giftsim.console.names import fetch_titles, title_of
from giftsim.console.words import coming
from giftsim.frontend.states import answer_text

PAST, DUE = 300, 60  # changes and timers that Home looks at
PARTS: Final = 45  # of a kind, on each side of now
LANES: Final = (("app", "Your app"), ("webhooks", "Webhooks"), ("people", "People"), ("clock", "Clock"))
KINDS: Final[Mapping[str, tuple[str, str, str]]] = {  # of changes: their lane, their shape, and what one is called
    "call": ("app", "call", "call"),
    "claim": ("people", "person", "claim"),
    "delivery": ("webhooks", "sent", "webhook"),
    "control": ("people", "person", "action"),
    "timer": ("clock", "timer", "step"),
}
CAUSES: Final[Mapping[str, tuple[str, str]]] = {  # of what is told of one thing: the lane and the shape
    "call": ("app", "call"),
    "clock": ("clock", "timer"),
}
Row = Mapping[str, Any]


def build_strip(world: WorldControl, redo: Row | None) -> dict[str, Any]:
    """All of a world's time: its timeline, the outages of its receivers, its faults, and its named moments.

    `redo` is what was undone and can be brought back.
    """
    timeline = world.get("timeline", parts=PARTS)
    receivers, faults = world.get("receivers")["receivers"], world.get("attention")["faults"]
    moments = world.get("snapshots", limit=100)["snapshots"]
    ghost = redo and {"from": _ms(redo["at"]), "to": _ms(redo["to_at"])}
    return {
        "now": _ms(timeline["now"]),
        "lanes": LANES,
        "entries": entries(timeline),
        "bands": [*_outages(receivers), *_faults(faults)],
        "moments": [{"name": row["name"], "at": _ms(row["now"])} for row in moments],
        "ghost": ghost,
    }


def entries(timeline: Row) -> list[dict[str, Any]]:
    """What a timeline counts, in order of time: what is due has no number `n`."""
    past = [part for part in timeline["past"] if part["kind"] in KINDS]
    due = timeline["due"]
    newest = (part["newest_failed"] or part["newest"] for part in past)
    fetch_titles([*(row["subject"] for row in newest if row), *(part["example"]["about"] for part in due)])
    found = [*map(_past, past), *map(_due, due)]
    return sorted(found, key=lambda entry: (entry["at"], entry["shape"] == "due", entry.get("n", 0)))


def own_entries(record: Row) -> list[dict[str, Any]]:
    """What happened to one order, gift or campaign, and what is due for it, as the control API reads it."""
    found = [_told(row) for row in record["timeline"]]
    found += [
        {"at": _ms(row["at"]), "lane": "webhooks", "shape": "sent", "title": row["type"]} for row in record["events"]
    ]
    found += [{"at": _ms(row["due"]), "lane": "clock", "shape": "due", "title": coming(row)} for row in record["due"]]
    return sorted(found, key=lambda entry: entry["at"])


def _told(row: Row) -> dict[str, Any]:
    lane, shape = CAUSES.get((row["cause"] or {}).get("kind", ""), ("people", "person"))
    return {"at": _ms(row["at"]), "lane": lane, "shape": shape, "title": str(row["status"]).replace("_", " ")}


def _past(part: Row) -> dict[str, Any]:
    lane, shape, noun = KINDS[part["kind"]]
    row = part["newest_failed"] or part["newest"]
    entry = _entry(part, lane, shape, _title(row) if row else plural(part["count"], noun))
    return {**entry, "n": part["n"], **({"failed": part["failed"]} if part["failed"] else {})}


def _due(part: Row) -> dict[str, Any]:
    lane, example = "clock" if part["kind"] == "timer" else "webhooks", part["example"]
    name = title_of(example["about"]) if example["about"] else ""
    return _entry(part, lane, "due", f"{coming(example)}: {name}" if name else coming(example))


def _entry(part: Row, lane: str, shape: str, title: str) -> dict[str, Any]:
    entry = {"at": _ms(part["to"]), "lane": lane, "shape": shape, "title": title}
    if part["count"] > 1:
        entry["count"] = part["count"]
    if part["from"] != part["to"]:
        entry["from"] = _ms(part["from"])
    return entry


def _title(row: Row) -> str:
    """A change in words: names instead of ids, and how it ended."""
    summary = str(row["summary"])
    if row["kind"] == "timer":
        name, because = title_of(row["subject"]) if row["subject"] else "", summary.rpartition(", ")[2]
        return f"{name}: {because}" if name else because
    if row["kind"] == "call" and "status" in row:
        return f"{summary.rpartition(':')[0]}: {answer_text(row['status'], None if row['status'] else 'no_response')}"
    if row["kind"] == "delivery" and "outcome" in row:
        return f"{summary.partition(' to ')[0]}: {answer_text(row['status'], row['outcome'])}"
    return summary


def _outages(receivers: Iterable[Row]) -> Iterator[dict[str, Any]]:
    for row in receivers:
        if outage := row["outage"]:
            host = "every host" if row["host"] == "*" else row["host"]
            end = outage["to"] and _ms(outage["to"])
            title = f"Outage of {host}: {answer_text(outage.get('status'), 'timeout')}"
            yield {"lane": "webhooks", "kind": "outage", "from": _ms(outage["from"]), "to": end, "title": title}


def _faults(faults: Iterable[Row]) -> Iterator[dict[str, Any]]:
    for row in faults:
        begin, end = (row[name] and _ms(row[name]) for name in ("since", "until"))
        yield {"lane": "app", "kind": "fault", "from": begin, "to": end, "title": f"Fault: {row['title']}"}


def _ms(at: str) -> int:
    return round(datetime.fromisoformat(at).timestamp() * 1000)
