"""Explains the differences of a recording: the smallest set of settings that removes them and adds none (G482)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.client.control import ControlRefused
from giftsim.engine.kernel.instants import parse_duration
from giftsim.workbench.compare.finding import Finding
from giftsim.workbench.traffic.candidates import Candidate, Settings, decisions_by_setting, other_readings, suggested
from giftsim.workbench.traffic.differences import (
    CALL,
    Place,
    adds,
    all_keys,
    is_partial,
    keys_of,
    leaves_alike,
    left,
    problems,
    removed,
)
from giftsim.workbench.traffic.replay_outcome import JudgedCall, Outcome, Watch
from giftsim.workbench.traffic.traffic_replay import Replay

PATIENCE: Final = 12  # other answers to calls with differences, none of which has fewer of them
MOST_CALLS: Final = 150_000  # that a search makes: some minutes of work
LOOKS_BACK: Final = (1, 5, 15)  # moments before a call, from which on a setting may change it


class Explained(msgspec.Struct, frozen=True):
    """A setting that explains differences: its value, the decision that it turns, and the differences that it removes.

    `calls` are the names of operations and `events` the kinds of events, each with its differences.
    """

    decision: str | None
    setting: str
    value: Any
    calls: Mapping[tuple[str, str], list[Finding]]
    events: Mapping[tuple[str, str], list[Finding]]


class Explanation(msgspec.Struct, frozen=True):
    """What explains the differences, and the replay with all of that, whose differences nothing explains.

    `calls` are how many the search made; `is_cut` says that these were as many as it may make, so that it ended early.
    """

    explained: list[Explained]
    outcome: Outcome
    calls: int
    is_cut: bool


class _EnoughError(Exception):
    """The search has made as many calls as it may."""


def explain(replay: Replay, settings: Settings, given: Mapping[str, Any]) -> Explanation:
    """Search for what explains the differences of a recording; `given` settings are not searched for.

    ControlRefused if giftsim refuses the settings.
    """
    return _Search(replay, settings, given).search()


class _Ranked:
    """Candidates by how many differences they remove, the replay with the best, and the settings that are `done`."""

    def __init__(self) -> None:
        self.found: list[tuple[int, Candidate]] = []
        self.best: Outcome | None = None
        self.done: set[str] = set()

    def add(self, count: int, candidate: Candidate, outcome: Outcome, *, is_done: bool) -> None:
        """Add a candidate that removes some; `is_done` says that no other value of its settings has to be tried."""
        if count > max((each for each, _ in self.found), default=0):
            self.best = outcome
        self.found.append((count, candidate))
        if is_done:
            self.done |= candidate.settings.keys()


class _Search:
    """Candidates that were tried change no byte of a replay, make no difference less, or add one."""

    def __init__(self, replay: Replay, settings: Settings, given: Mapping[str, Any]) -> None:
        self._replay, self._settings, self._given = replay, settings, given
        self._decisions = decisions_by_setting(settings)
        self._turned: dict[str, Any] = {}
        self._explained: list[Explained] = []
        first = replay.run(given)
        assert first is not None
        self._now: Outcome = first
        self._tried: list[Candidate] = []
        self._taken: list[Candidate] = []

    def search(self) -> Explanation:
        """Take over readings until none makes the recording fit better, or until it was enough work."""
        is_cut = False
        try:
            self._take_over_all()
        except _EnoughError:
            is_cut = True
        for candidate in [*self._taken]:
            self._drop_unneeded(candidate)
        return Explanation(self._explained, self._now, self._replay.calls_made, is_cut)

    def _take_over_all(self) -> None:
        seen = all_keys(self._now)
        while problems(self._now):
            took_over = self._take_over(self._readings())
            while problems(self._now) and self._take_over_values(self._suggestions()):
                took_over = True
            deeper = all_keys(self._now) - seen
            if not took_over or not deeper:
                break
            seen |= deeper
            self._tried.clear()  # what hid these differences hid the effect of other readings too

    def _check_work(self) -> None:
        if self._replay.calls_made >= MOST_CALLS:
            raise _EnoughError

    def _readings(self) -> list[Candidate]:
        return [*other_readings(self._settings, self._now.read, {**self._given, **self._turned})]

    def _suggestions(self) -> list[Candidate]:
        dirty = [judged for judged in self._now.calls if judged.findings]
        found = [finding for _, finding in left(self._now)]
        read = frozenset(name for judged in dirty for name in judged.read)
        known = {**self._given, **self._turned}
        return [*suggested(self._settings, read, self._now.read, known, found)]

    def _take_over(self, candidates: Sequence[Candidate]) -> bool:
        """Take over each of the candidates that removes differences and adds none."""
        return self._take_over_each(self._effective(self._untried(candidates)))

    def _take_over_each(self, candidates: Sequence[Candidate]) -> bool:
        before = len(self._turned)
        for candidate in candidates:
            if not self._turned.keys() & candidate.settings.keys() and problems(self._now):
                outcome = self._try(candidate.settings)
                if outcome is not None and (gone := removed(self._now, outcome)):
                    self._accept(candidate, gone, outcome)
                else:
                    self._tried.append(candidate)
        return len(self._turned) > before

    def _take_over_values(self, candidates: Sequence[Candidate]) -> bool:
        """Take over values that the recording suggests: the most usual ones if these fit, or else the best of all.

        One that is nearly right may remove some differences too, so those that remove most come first.
        """
        tried, new = [*self._tried], self._untried(candidates)
        usual = _usual(new)
        ranked = _Ranked()
        self._rank(self._effective(usual), ranked)
        if self._take_over_ranked(ranked, is_sure=False):
            self._tried = tried
            return True
        rest = [each for each in new if each not in usual]
        effective = {name for each in self._effective(_outermost(rest)) for name in each.settings}
        self._rank([each for each in rest if effective & each.settings.keys()], ranked)
        if self._take_over_ranked(ranked, is_sure=True):
            self._tried = tried  # what was of no use beside the differences that are gone may be of some now
            return True
        self._tried += self._untried(rest)
        return False

    def _rank(self, candidates: Iterable[Candidate], ranked: _Ranked) -> None:
        """Try candidates; of a setting no more than up to one that fits wherever it helps."""
        for candidate in candidates:
            if ranked.done.isdisjoint(candidate.settings):
                outcome = self._try(candidate.settings)
                count = sum(map(len, removed(self._now, outcome).values())) if outcome is not None else 0
                if outcome is not None and count:
                    is_done = not is_partial(self._now, outcome)
                    ranked.add(count, candidate, outcome, is_done=is_done)
                else:
                    self._tried.append(candidate)

    def _take_over_ranked(self, ranked: _Ranked, *, is_sure: bool) -> bool:
        """Take over what removes most, then each other that still removes some; all or, unless sure, what fits."""
        if ranked.best is None:
            return False
        before = (self._now, self._turned, [*self._explained], [*self._taken], [*self._tried])
        fits = False
        try:
            (_, first), *others = sorted(ranked.found, key=lambda each: -each[0])
            self._accept(first, removed(self._now, ranked.best), ranked.best)
            self._take_over_each([candidate for _, candidate in others])
            fits = is_sure or not (is_partial(before[0], self._now) or leaves_alike(before[0], self._now))
        finally:
            if not fits:
                self._now, self._turned, self._explained, self._taken, self._tried = before
        return fits

    def _untried(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        return [each for each in candidates if each not in self._tried]

    def _drop_unneeded(self, candidate: Candidate) -> None:
        """Drop what was taken over if all fits as well without it."""
        rest = {name: value for name, value in self._turned.items() if name not in candidate.settings}
        outcome = self._replay.run({**self._given, **rest}, self._now, self._adds_nothing)
        if outcome is not None and not self._adds_to_events(outcome):
            self._turned, self._now = rest, outcome
            self._explained = [each for each in self._explained if each.setting not in candidate.settings]

    def _adds_nothing(self, index: int, judged: JudgedCall) -> bool:
        """Whether a call has no difference that it does not have now."""
        former = self._now.calls[index]
        return former.left_out is not None or not adds(keys_of(former.findings), keys_of(judged.findings))

    def _adds_to_events(self, outcome: Outcome) -> bool:
        before = problems(self._now)
        return any(
            adds(keys_of(before.get(place, {}).values()), keys_of(found.values()))
            for place, found in problems(outcome).items()
            if place[0] != CALL
        )

    def _effective(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates that change some byte of a replay: a group that changes none is done with at once."""
        together: dict[str, Any] = {}
        group = [each for each in candidates if _joins(together, each.settings)]
        found = self._of_group(group)
        effective = [each for each in group if each in found]
        rest = [each for each in candidates if each not in group]
        return [*effective, *self._effective(rest)] if rest else effective

    def _of_group(self, group: list[Candidate]) -> list[Candidate]:
        """The candidates of a group that change something, found up to the first call that all others change."""
        found: list[Candidate] = []
        while group:
            first = self._first_change(group)
            if first is None:
                self._tried += group
                break
            near = (self._changing(group, first, moments) for moments in LOOKS_BACK)
            own = next((each for each in near if each), [])
            own = own or self._changing(group, first, None, is_known=True)
            found += own
            group = [each for each in group if each not in own]
        return found

    def _changing(
        self, group: list[Candidate], until: int, moments: int | None, *, is_known: bool = False
    ) -> list[Candidate]:
        """The candidates of a group that change something by a call; `is_known` says that the group as a whole does."""
        if not is_known and self._first_change(group, until, moments) is None:
            return []
        if len(group) == 1:
            return group
        middle = len(group) // 2
        own = self._changing(group[:middle], until, moments)
        return [*own, *self._changing(group[middle:], until, moments, is_known=not own)]

    def _first_change(
        self, group: Sequence[Candidate], until: int | None = None, moments: int | None = None
    ) -> int | None:
        """The first call, as far as a replay goes, that candidates change together; 0 if giftsim refuses them."""
        self._check_work()
        own = {name: value for each in group for name, value in each.settings.items()}
        try:
            return self._replay.first_change({**self._given, **self._turned, **own}, self._now, until, moments)
        except ControlRefused:
            return 0

    def _try(self, settings: Mapping[str, Any]) -> Outcome | None:
        """The replay with settings too; None if it adds a difference or is in vain, or giftsim refuses them."""
        in_vain: list[int] = []
        helped: list[int] = []
        has_parted = False

        def watch(index: int, judged: JudgedCall) -> bool:
            nonlocal has_parted
            former = self._now.calls[index]
            has_parted = has_parted or judged.answer is not former.answer
            if former.findings and has_parted:
                (helped if keys_of(former.findings) - keys_of(judged.findings) else in_vain).append(index)
            return self._adds_nothing(index, judged) and (bool(helped) or len(in_vain) < PATIENCE)

        outcome = self._run(settings, watch)
        return None if outcome is None or self._adds_to_events(outcome) else outcome

    def _run(self, settings: Mapping[str, Any], watch: Watch) -> Outcome | None:
        self._check_work()
        try:
            return self._replay.run({**self._given, **self._turned, **settings}, self._now, watch)
        except ControlRefused:
            return None

    def _accept(self, candidate: Candidate, gone: Mapping[Place, list[Finding]], outcome: Outcome) -> None:
        """Take a candidate over; of several settings only those that are needed."""
        needed = dict(candidate.settings)
        for name in candidate.settings if len(needed) > 1 else ():
            fewer = {each: value for each, value in needed.items() if each != name}
            without = self._try(fewer) if fewer else None
            if without is not None and removed(self._now, without) == gone:
                needed, outcome = fewer, without
        calls: dict[tuple[str, str], list[Finding]] = {}
        events: dict[tuple[str, str], list[Finding]] = {}
        for (kind, index), found in gone.items():
            if kind == CALL:
                called = self._now.calls[index].call.called
                calls.setdefault((called.interface, called.name), []).extend(found)
            else:
                event = self._now.events[index]
                events.setdefault((event.interface, event.kind), []).extend(found)
        for name, value in needed.items():
            self._explained.append(Explained(self._decisions.get(name), name, value, calls, events))
        self._taken.append(Candidate(needed))
        self._turned = self._turned | needed
        self._now = outcome


def _usual(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The first value of each setting."""
    firsts: dict[str, Candidate] = {}
    for each in candidates:
        firsts.setdefault(str(sorted(each.settings)), each)
    return [*firsts.values()]


def _outermost(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Of the values of each setting the least and the greatest: if neither has an effect, none in between has."""
    values: dict[str, list[Candidate]] = {}
    for each in candidates:
        values.setdefault(str(sorted(each.settings)), []).append(each)
    ranked = [sorted(each, key=_size) for each in values.values()]
    return [*(each[0] for each in ranked), *(each[-1] for each in ranked if len(each) > 1)]


def _size(candidate: Candidate) -> float:
    """How large the value of a setting is: a number, or a duration in milliseconds."""
    [value] = candidate.settings.values()
    return parse_duration(value) if isinstance(value, str) else value


def _joins(together: dict[str, Any], settings: Mapping[str, Any]) -> bool:
    """Whether settings can be tried together with others, which they then join."""
    if together.keys() & settings.keys():
        return False
    together.update(settings)
    return True
