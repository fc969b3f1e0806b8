"""What is expected of an answer, and of the events, deliveries and mail that came: where they differ, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from giftsim.scenario.client_protocol import Answer
from giftsim.scenario.matching import ABSENT, Mismatch, is_operator, matches, mismatches, shown
from giftsim.scenario.world_client import content, is_success

Entries: TypeAlias = Sequence[Mapping[str, Any]]


def answer_mismatches(expect: Mapping[str, Any], answer: Answer | None) -> Iterator[Mismatch]:
    """Where an answer is not the expected one; None is a connection that broke without any."""
    if answer is None:
        if "connection" not in expect:
            yield Mismatch("connection", "an answer", "lost")
        return
    if "connection" in expect:
        yield Mismatch("connection", "lost", f"an answer, {answer.status}")
        return
    if answer.status != expect.get("status", answer.status if is_success(answer.status) else None):
        yield Mismatch("status", str(expect.get("status", "2xx")), str(answer.status))
    yield from _header_mismatches(expect.get("headers", {}), answer.headers)
    if "body" in expect:
        yield from mismatches(expect["body"], content(answer), "body")


def _header_mismatches(expected: Mapping[str, Any], headers: Mapping[str, str]) -> Iterator[Mismatch]:
    for name, value in expected.items():
        wanted = value if is_operator(value) else str(value)
        yield from mismatches(wanted, headers.get(name.lower(), ABSENT), f"headers.{name}")


def _contained(expected: Sequence[Any], actual: Entries, name: str) -> Iterator[Mismatch]:
    """Each expected entry must come after the one before it; whatever else comes between is allowed."""
    rest = iter(actual)
    for index, item in enumerate(expected):
        wanted = _entry(item)
        if not any(matches(wanted, found) for found in rest):
            after = f" after {_brief(expected[index - 1])}" if index else ""
            yield Mismatch(f"{name}[{index}]", f"{_brief(item)}{after}", _listed(actual))
            return


def events(expected: Sequence[Any], actual: Entries) -> Iterator[Mismatch]:
    """Events contained in their order."""
    yield from _contained(expected, actual, "events")


def mail(expected: Sequence[Any], actual: Entries) -> Iterator[Mismatch]:
    """Mails contained in their order."""
    yield from _contained(expected, actual, "mail")


def events_exactly(expected: Sequence[Any], actual: Entries) -> Iterator[Mismatch]:
    """These events and no others."""
    if len(expected) != len(actual):
        wanted = "[" + ", ".join(_brief(item) for item in expected) + "]"
        yield Mismatch("events_exactly", wanted, _listed(actual))
        return
    for index, (item, found) in enumerate(zip(expected, actual, strict=True)):
        yield from mismatches(_entry(item), found, f"events_exactly[{index}]")


def _entry(item: Any) -> Any:
    return {"type": item} if isinstance(item, str) else item


def _brief(item: Any) -> str:
    return item if isinstance(item, str) else shown(item)


def _listed(entries: Entries) -> str:
    """Entries in one line: events by time and kind, mail by time and reader."""
    said = [" ".join(str(entry[name]) for name in ("at", "type", "to", "kind") if name in entry) for entry in entries]
    return "[" + ", ".join(said) + "]"


def deliveries(expected: Any, actual: Entries) -> Iterator[Mismatch]:
    """How the attempts of one kind went, or of each of several."""
    for wanted in expected if isinstance(expected, list) else [expected]:
        attempts = [attempt for attempt in actual if _is_meant(wanted, attempt)]
        yield from _attempt_mismatches(wanted, attempts, f"deliveries of {wanted['type']}")


def _is_meant(wanted: Mapping[str, Any], attempt: Mapping[str, Any]) -> bool:
    same_host = "host" not in wanted or urlsplit(attempt["url"]).hostname == wanted["host"]
    return same_host and bool(attempt["type"] == wanted["type"])


def _attempt_mismatches(wanted: Mapping[str, Any], attempts: Entries, path: str) -> Iterator[Mismatch]:
    found = _outcomes(attempts)
    if "count" in wanted and len(attempts) != wanted["count"]:
        yield Mismatch(f"{path}.count", str(wanted["count"]), f"{len(attempts)} {found}")
    if "outcomes" in wanted and not _same_outcomes(wanted["outcomes"], attempts):
        yield Mismatch(f"{path}.outcomes", shown(wanted["outcomes"]), found)
    if not attempts:
        if wanted.keys() & {"first", "last"} or wanted.keys().isdisjoint({"count", "outcomes"}):
            yield Mismatch(path, "at least one attempt", "none")
        return
    for name, index in (("first", 0), ("last", -1)):
        if name in wanted and not _is_outcome(wanted[name], attempts[index]):
            yield Mismatch(f"{path}.{name}", shown(wanted[name]), found)


def _same_outcomes(wanted: Sequence[Any], attempts: Entries) -> bool:
    return len(wanted) == len(attempts) and all(map(_is_outcome, wanted, attempts))


def _is_outcome(wanted: int | str, attempt: Mapping[str, Any]) -> bool:
    return bool(attempt["outcome" if isinstance(wanted, str) else "status"] == wanted)


def _outcomes(attempts: Entries) -> str:
    said = [attempt["outcome"] if attempt["status"] is None else attempt["status"] for attempt in attempts]
    return "[" + ", ".join(map(str, said)) + "]"
