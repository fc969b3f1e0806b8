"""Expectations of the events, deliveries and mail of a world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from giftsim.scenario.matching import Mismatch, matches, mismatches, preview

Entries: TypeAlias = Sequence[Mapping[str, Any]]


def event_mismatches(expected: Sequence[Any], actual: Entries) -> Iterator[Mismatch]:
    """Where the expected events are not contained in order."""
    yield from _order_mismatches(expected, actual, "events")


def mail_mismatches(expected: Sequence[Any], actual: Entries) -> Iterator[Mismatch]:
    """Where the expected mails are not contained in order."""
    yield from _order_mismatches(expected, actual, "mail")


def exact_event_mismatches(expected: Sequence[Any], actual: Entries) -> Iterator[Mismatch]:
    """Where the events are not exactly the expected ones."""
    if len(expected) != len(actual):
        wanted = "[" + ", ".join(_entry_text(item) for item in expected) + "]"
        yield Mismatch("events_exactly", wanted, _entries_text(actual))
        return
    for index, (item, entry) in enumerate(zip(expected, actual, strict=True)):
        yield from mismatches(_as_object(item), entry, f"events_exactly[{index}]")


def delivery_mismatches(expected: Any, actual: Entries) -> Iterator[Mismatch]:
    """Where the delivery attempts of an event type, or of each of several, differ from what is expected."""
    for item in expected if isinstance(expected, list) else [expected]:
        attempts = [attempt for attempt in actual if _selects(item, attempt)]
        yield from _attempt_mismatches(item, attempts, f"deliveries of {item['type']}")


def _order_mismatches(expected: Sequence[Any], actual: Entries, name: str) -> Iterator[Mismatch]:
    """Each expected entry must follow the one before it; other entries may lie between them."""
    rest = iter(actual)
    for index, item in enumerate(expected):
        wanted = _as_object(item)
        if not any(matches(wanted, entry) for entry in rest):
            after = f" after {_entry_text(expected[index - 1])}" if index else ""
            yield Mismatch(f"{name}[{index}]", f"{_entry_text(item)}{after}", _entries_text(actual))
            return


def _as_object(item: Any) -> Any:
    return {"type": item} if isinstance(item, str) else item


def _entry_text(item: Any) -> str:
    return item if isinstance(item, str) else preview(item)


def _entries_text(entries: Entries) -> str:
    """Entries in one line: events by time and type, mail by time, address and kind."""
    texts = [" ".join(str(entry[name]) for name in ("at", "type", "to", "kind") if name in entry) for entry in entries]
    return "[" + ", ".join(texts) + "]"


def _selects(expected: Mapping[str, Any], attempt: Mapping[str, Any]) -> bool:
    same_host = "host" not in expected or urlsplit(attempt["url"]).hostname == expected["host"]
    return same_host and bool(attempt["type"] == expected["type"])


def _attempt_mismatches(expected: Mapping[str, Any], attempts: Entries, path: str) -> Iterator[Mismatch]:
    actual = _outcomes_text(attempts)
    if "count" in expected and len(attempts) != expected["count"]:
        yield Mismatch(f"{path}.count", str(expected["count"]), f"{len(attempts)} {actual}")
    if "outcomes" in expected and not _have_outcomes(expected["outcomes"], attempts):
        yield Mismatch(f"{path}.outcomes", preview(expected["outcomes"]), actual)
    if not attempts:
        if expected.keys() & {"first", "last"} or expected.keys().isdisjoint({"count", "outcomes"}):
            yield Mismatch(path, "at least one attempt", "none")
        return
    for name, index in (("first", 0), ("last", -1)):
        if name in expected and not _has_outcome(expected[name], attempts[index]):
            yield Mismatch(f"{path}.{name}", preview(expected[name]), actual)


def _have_outcomes(expected: Sequence[Any], attempts: Entries) -> bool:
    return len(expected) == len(attempts) and all(map(_has_outcome, expected, attempts))


def _has_outcome(expected: int | str, attempt: Mapping[str, Any]) -> bool:
    return bool(attempt["outcome" if isinstance(expected, str) else "status"] == expected)


def _outcomes_text(attempts: Entries) -> str:
    outcomes = [attempt["outcome"] if attempt["status"] is None else attempt["status"] for attempt in attempts]
    return "[" + ", ".join(map(str, outcomes)) + "]"
