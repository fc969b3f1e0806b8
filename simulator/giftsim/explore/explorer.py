"""An exploration: every seed is played, wrongs are gathered by their kind, and each kind is made short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

import msgspec

from giftsim.explore.descriptions import remarks
from giftsim.explore.failures import Verdict, Wrong, wrong
from giftsim.explore.generator import drawn
from giftsim.explore.plan import Plan
from giftsim.explore.runner import Stage, Unreachable
from giftsim.explore.scenario_text import put, text
from giftsim.explore.scenario_writer import Document, fitting, told
from giftsim.explore.shrink import Shortest
from giftsim.worlds import system_clock

LONGEST_HANG_S = 20.0  # of real time, in all runs together
GONE = "the app went away"
NOTHING = Plan("address", False, ())


class NoApp(Exception):
    """What is at the address does not keep the contract at all; the message says what it did instead."""


class Finding(msgspec.Struct, frozen=True):
    """One kind of wrong: the seeds it came with, its shortest scenario, and whether that goes wrong from its file."""

    reason: str
    seeds: tuple[int, ...]
    plan: Plan
    steps: int
    path: Path
    repeats: bool


class Tell(Protocol):
    """Hears how the shortening goes: which finding of how many, and the plays it took so far."""

    def __call__(self, number: int, of: int, plays: int, /) -> None:
        """One more play."""


class _Sight(msgspec.Struct):
    """Where a kind of wrong was seen: the shortest plan so far and its seed, and all the seeds."""

    wrong: Wrong
    plan: Plan
    seed: int
    seeds: list[int]


class Hunt:
    """One exploration of an app; `stopped` says why it ended before the last seed, if it did."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.contract = stage, stage.contract
        self.played: list[int] = []
        self.stopped: str | None = None
        self._sights: dict[str, _Sight] = {}
        self._written: list[Path] = []
        self._hung_s = 0.0

    @property
    def seen(self) -> list[tuple[str, list[int]]]:
        """Each kind of wrong that was seen: one of its reasons, and its seeds."""
        return [(sight.wrong.reason, sight.seeds) for sight in self._sights.values()]

    def probe(self) -> None:
        """A run in which nothing happens: Unreachable or NoApp where there is no app to explore."""
        verdict = self.stage.play(NOTHING, 0)
        for path in (self.contract.start, self.contract.check):
            for found in verdict.wrongs:
                if path and f" {path} " in found.reason:
                    raise NoApp(found.reason)

    def explore(self, seeds: Iterable[int]) -> Iterator[int]:
        """Play the plan of each seed; each is handed out when it is done."""
        for seed in seeds:
            plan, began = drawn(seed), system_clock.monotonic()
            verdict = self._played(plan, seed)
            self.played.append(seed)
            self._note(seed, plan, verdict)
            if verdict.hung:
                self._hung_s += system_clock.monotonic() - began
            if self._hung_s > LONGEST_HANG_S:
                self.stopped = f"stopped at seed {seed}: the app kept others waiting too long"
            yield seed
            if self.stopped:
                return

    def findings(self, folder: Path, tell: Tell) -> Iterator[Finding]:
        """Each kind of wrong as the shortest scenario, in the order in which they were first seen."""
        for number, sight in enumerate(self._sights.values(), 1):
            search = Shortest(sight.seed, sight.plan, sight.wrong)

            def attempt(plan: Plan, search: Shortest = search, number: int = number) -> Verdict:
                tell(number, len(self._sights), search.plays)
                return self._played(plan, search.seed)

            if self.stopped is None or GONE not in self.stopped:
                search.search(attempt)
            yield self._finding(sight, search, folder)

    def _played(self, plan: Plan, seed: int, document: Document | None = None) -> Verdict:
        """What came of a plan; an app that went away ends it all, and is what is wrong."""
        try:
            return self.stage.judge(document or told(plan, self.contract, seed=seed), plan)
        except Unreachable:
            self.stopped = self.stopped or f"stopped at seed {seed}: {GONE}"
            return Verdict((wrong(GONE),))

    def _note(self, seed: int, plan: Plan, verdict: Verdict) -> None:
        for found in verdict.wrongs:
            sight = self._sights.setdefault(found.kind, _Sight(found, plan, seed, []))
            sight.seeds.append(seed)
            if len(plan.actions) < len(sight.plan.actions):
                sight.wrong, sight.plan, sight.seed = found, plan, seed

    def _finding(self, sight: _Sight, search: Shortest, folder: Path) -> Finding:
        plan, found = fitting(search.best, self.contract), search.wrong
        document = told(plan, self.contract, seed=sight.seed, title=found.reason, accepts=found.accepts)
        content = text(document, remarks(plan, found.reason, sight.seed))
        path = put(folder, found.reason, content, self._written)
        self._written.append(path)
        repeats = self._played(plan, sight.seed, document).find(found.kind) is not None
        return Finding(found.reason, tuple(sight.seeds), plan, len(document["steps"]), path, repeats)
