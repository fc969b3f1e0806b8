"""Explains the differences of a recording: the smallest set of settings that removes them and adds none (G482)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.client.control import ControlRefused
from giftsim.workbench.compare.finding import Finding
from giftsim.workbench.traffic.candidates import Candidate, Settings, decisions_by_setting, other_readings, suggested
from giftsim.workbench.traffic.event_judge import JudgedEvent
from giftsim.workbench.traffic.traffic_replay import JudgedCall, Outcome, Replay

_INDEX: Final = re.compile(r"\[\d+\]")
# After these differences nothing else, or something else, was compared: without them deeper ones may show.
DEEPER: Final = ("status", "redirect", "media_type", "body", "missing_event")

Place = tuple[str, int]
Key = tuple[str, str]  # the kind and the path of a difference


class Explained(msgspec.Struct, frozen=True):
    """A setting that explains differences: its value, the decision that it turns, and what differs without it."""

    decision: str | None
    setting: str
    value: Any
    calls: list[tuple[JudgedCall, list[Finding]]]
    events: list[tuple[JudgedEvent, list[Finding]]]


class Explanation(msgspec.Struct, frozen=True):
    """What explains the differences, and the replay with all of that, whose differences nothing explains."""

    explained: list[Explained]
    outcome: Outcome
    replays: int


class Worse(Exception):
    """A replay adds a difference."""


def explain(replay: Replay, settings: Settings, given: Mapping[str, Any], say: Callable[[str], None]) -> Explanation:
    """Search for what explains the differences of a recording; `given` settings are not searched for.

    ControlRefused if giftsim refuses the settings.
    """
    return _Search(replay, settings, given, say).search()


class _Search:
    def __init__(
        self, replay: Replay, settings: Settings, given: Mapping[str, Any], say: Callable[[str], None]
    ) -> None:
        self._replay, self._settings, self._given, self._say = replay, settings, given, say
        self._turned: dict[str, Any] = {}
        self._replays = 1
        first = replay.run(given)
        assert first is not None
        self._now: Outcome = first
        self._worse: list[Candidate] = []

    def search(self) -> Explanation:
        """Take over readings until none makes the recording fit better, then drop what is not needed."""
        while problems(self._now) and (self._take_over(self._readings()) or self._take_over(self._suggestions())):
            pass
        explained = [each for name in list(self._turned) if (each := self._without(name)) is not None]
        return Explanation(explained, self._now, self._replays)

    def _readings(self) -> list[Candidate]:
        known = {**self._given, **self._turned}
        found = other_readings(self._settings, self._now.read, known)
        return [each for each in found if each not in self._worse]

    def _suggestions(self) -> list[Candidate]:
        known = {**self._given, **self._turned}
        left = [finding for found in problems(self._now).values() for finding in found.values()]
        found = suggested(self._settings, self._now.read, known, left)
        return [each for each in found if each not in self._worse]

    def _take_over(self, candidates: list[Candidate]) -> bool:
        """Take over those of the candidates that remove differences and add none, the most effective first."""
        effects = [(self._removed(each), each) for each in candidates]
        good = sorted((each for each in effects if each[0]), key=lambda each: (-each[0], len(each[1].settings)))
        before = len(self._turned)
        for _, candidate in good:
            outcome = self._try(candidate.settings)
            if outcome is not None and removed(self._now, outcome):
                self._turned |= candidate.settings
                self._now = outcome
                self._say(", ".join(f"{name}={value}" for name, value in candidate.settings.items()))
        return len(self._turned) > before

    def _removed(self, candidate: Candidate) -> int:
        """How many differences a candidate removes; 0 if it adds one, and then it is not tried again."""
        outcome = self._try(candidate.settings)
        if outcome is None:
            self._worse.append(candidate)
            return 0
        return removed(self._now, outcome)

    def _try(self, settings: Mapping[str, Any]) -> Outcome | None:
        """The replay with settings too; None if it adds a difference, or giftsim refuses them."""
        if self._turned.keys() & settings.keys():
            return None
        now = self._now

        def watch(index: int, judged: JudgedCall) -> bool:
            former = now.calls[index]
            return former.left_out is not None or not adds(_keys(former.findings), _keys(judged.findings))

        self._replays += 1
        try:
            outcome = self._replay.run({**self._given, **self._turned, **settings}, now, watch)
        except ControlRefused:
            return None
        if outcome is None or any(
            adds(_keys(problems(now).get(place, {}).values()), _keys(found.values()))
            for place, found in problems(outcome).items()
            if place[0] != CALL
        ):
            return None
        return outcome

    def _without(self, name: str) -> Explained | None:
        """What differs without one setting; None if nothing does, and then it is dropped."""
        rest = {each: value for each, value in self._turned.items() if each != name}
        self._replays += 1
        outcome = self._replay.run({**self._given, **rest}, self._now)
        assert outcome is not None
        now, appeared = problems(self._now), dict[Place, list[Finding]]()
        for place, found in problems(outcome).items():
            added = [finding for key, finding in found.items() if key not in now.get(place, {})]
            if added:
                appeared[place] = added
        if not appeared:
            del self._turned[name]
            self._now = outcome
            return None
        return Explained(
            decisions_by_setting(self._settings).get(name),
            name,
            self._turned[name],
            [(outcome.calls[place[1]], found) for place, found in appeared.items() if place[0] == CALL],
            [(outcome.events[place[1]], found) for place, found in appeared.items() if place[0] != CALL],
        )


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


def removed(now: Outcome, other: Outcome) -> int:
    """How many differences another replay lacks."""
    mine, others = problems(now), problems(other)
    return sum(len(_keys(found.values()) - _keys(others.get(place, {}).values())) for place, found in mine.items())


def adds(now: frozenset[Key], other: frozenset[Key]) -> bool:
    """Whether a place has a new difference, unless one is gone that hid others."""
    if not other - now:
        return False
    return not any(kind in DEEPER for kind, _ in now - other)


def key_of(finding: Finding) -> Key:
    """What makes two differences of one operation the same: kind and path."""
    return finding.kind, _INDEX.sub("[*]", finding.path)


def _keys(findings: Iterable[Finding]) -> frozenset[Key]:
    return frozenset(map(key_of, findings))


def left(outcome: Outcome) -> Iterator[tuple[JudgedCall | JudgedEvent, Finding]]:
    """The differences of a replay with their calls and events."""
    for each in (*outcome.calls, *outcome.events):
        for finding in each.findings:
            yield each, finding
