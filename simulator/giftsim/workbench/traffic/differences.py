"""The differences of replays by their places, and what one replay has of them that another lacks (G482)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from giftsim.workbench.compare.finding import Finding
from giftsim.workbench.traffic.event_judge import JudgedEvent
from giftsim.workbench.traffic.replay_outcome import JudgedCall, Outcome

_INDEX: Final = re.compile(r"\[\d+\]")
# After these differences nothing else, or something else, was compared: without them deeper ones may show.
DEEPER: Final = ("status", "redirect", "media_type", "body", "missing_event")

Place = tuple[str, int]
Key = tuple[str, str]  # the kind and the path of a difference
Member = tuple[str, str, str]  # an operation or a kind of event, the kind of a difference, and the member

CALL, EVENT, EXTRA = "call", "event", "extra"


def problems(outcome: Outcome) -> dict[Place, dict[Key, Finding]]:
    """The differences of a replay by their place: a call, an event, or an event that only our world sent."""
    found: dict[Place, dict[Key, Finding]] = {}
    for index, judged in enumerate(outcome.calls):
        if judged.findings:
            found[CALL, index] = {key_of(each): each for each in judged.findings}
    for index, event in enumerate(outcome.events):
        if event.findings:
            found[EVENT if event.first else EXTRA, index] = {key_of(each): each for each in event.findings}
    return found


def removed(now: Outcome, other: Outcome) -> dict[Place, list[Finding]]:
    """The differences that another replay lacks."""
    others = problems(other)
    found = {
        place: [finding for key, finding in each.items() if key not in others.get(place, {})]
        for place, each in problems(now).items()
    }
    return {place: each for place, each in found.items() if each}


def by_member(outcome: Outcome, found: Mapping[Place, Iterable[Finding]]) -> dict[Member, set[Place]]:
    """The places of differences by the operation or the kind of event, the kind of difference and the member."""
    places: dict[Member, set[Place]] = {}
    for place, findings in found.items():
        name = outcome.calls[place[1]].call.called.name if place[0] == CALL else outcome.events[place[1]].kind
        for each in findings:
            places.setdefault((name, each.kind, each.path.rpartition(".")[2]), set()).add(place)
    return places


def is_partial(now: Outcome, other: Outcome) -> bool:
    """Whether another replay removes differences of a member and leaves some of the same member."""
    left_there = by_member(other, {place: each.values() for place, each in problems(other).items()})
    return not by_member(now, removed(now, other)).keys().isdisjoint(left_there)


def leaves_alike(now: Outcome, other: Outcome) -> bool:
    """Whether another replay, where it removes a difference, leaves one of that kind of a member that it never mends.

    So does a value that makes up for a sum by another of its parts.
    """
    gone = by_member(now, removed(now, other))
    mended = {(kind, member) for _, kind, member in gone}
    kinds = {(kind, place) for (_, kind, _), places in gone.items() for place in places}
    left_there = by_member(other, {place: each.values() for place, each in problems(other).items()})
    return any(
        (kind, member) not in mended and any((kind, place) in kinds for place in places)
        for (_, kind, member), places in left_there.items()
    )


def all_keys(outcome: Outcome) -> set[tuple[Place, Key]]:
    """All differences of a replay."""
    return {(place, key) for place, found in problems(outcome).items() for key in found}


def adds(now: frozenset[Key], other: frozenset[Key]) -> bool:
    """Whether a place has a new difference, unless one is gone that hid others."""
    if not other - now:
        return False
    return not any(kind in DEEPER for kind, _ in now - other)


def key_of(finding: Finding) -> Key:
    """What makes two differences of one operation the same: kind and path."""
    return finding.kind, _INDEX.sub("[*]", finding.path)


def keys_of(findings: Iterable[Finding]) -> frozenset[Key]:
    """The keys of differences."""
    return frozenset(map(key_of, findings))


def left(outcome: Outcome) -> Iterator[tuple[JudgedCall | JudgedEvent, Finding]]:
    """The differences of a replay with their calls and events."""
    for call in outcome.calls:
        yield from ((call, finding) for finding in call.findings)
    for event in outcome.events:
        yield from ((event, finding) for finding in event.findings)
