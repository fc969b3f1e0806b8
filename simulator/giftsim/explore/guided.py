"""A search that is guided by coverage: a plan that reached something new is kept, and plans like it are tried next.

The plans follow from the seed, from what is kept at the beginning, and from what each plan reaches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random  # noqa: TID251  # seeded, and outside of every world
from typing import Final

import msgspec

from giftsim.coverage.met import Met
from giftsim.explore.failures import Failure
from giftsim.explore.generator import MAX_REAL_S, MAX_RUNS, RunPlan, generate_plan
from giftsim.explore.plan import Plan
from giftsim.worlds import system_clock

FRESH: Final = 0.4  # of all plans are like no other
MAX_ACTIONS: Final = 16
SEEDS_OF_SEARCH: Final = 1_000_000  # so that two searches have no plan in common
SIMPLE: Final = {"destination": "address", "fast": False, "start": "", "approver": "approve"}
SIMPLE_ACTION: Final = {"times": 1, "recipients": 1, "part": False, "number": 1}


class UnreadableCorpus(ValueError):
    """A file of a corpus has no plan of this version; the message names it."""


class Search:
    """Which plan to run next. `kept` are the plans that reached something new, in the order in which they did."""

    def __init__(self, seed: int, actions: Sequence[str], corpus: Sequence[Plan] = ()) -> None:
        self.seed, self.actions = seed, actions
        self.kept: list[Plan] = []
        self._waiting = list(corpus)
        self._random = Random(f"explore {seed}")
        self._reached: set[tuple[str, ...]] = set()
        self._fresh = 0

    def next_plan(self) -> Plan:
        """The next plan: one of the corpus, a fresh one, or one like those that are kept."""
        if self._waiting:
            return self._waiting.pop(0)
        if not self.kept or self._random.random() < FRESH:
            return self._fresh_plan()
        return self._varied(self._random.choice(self.kept))

    def learn(self, plan: Plan, met: Met) -> None:
        """Keep a plan that reached something new, alone or together with something else."""
        reached = set(_reached(met))
        if not reached <= self._reached:
            self._reached |= reached
            self.kept.append(plan)

    def _fresh_plan(self) -> Plan:
        self._fresh += 1
        return generate_plan(self.seed * SEEDS_OF_SEARCH + self._fresh, self.actions)

    def _varied(self, plan: Plan) -> Plan:
        """A plan with some of its actions left out, repeated or replaced, and perhaps another day and people."""
        other, actions = self._fresh_plan(), list(plan.actions)
        for _ in range(self._random.randint(1, 3)):
            place = self._random.randrange(len(actions) + 1)
            match self._random.randrange(4):
                case 0 if actions:
                    actions.pop(min(place, len(actions) - 1))
                case 1 if actions:
                    actions.insert(place, self._random.choice(actions))
                case _ if other.actions:
                    actions.insert(place, self._random.choice(other.actions))
        basis = other if self._random.random() < 0.25 else plan
        return msgspec.structs.replace(basis, actions=tuple(actions[:MAX_ACTIONS]))


def _reached(met: Met) -> Iterator[tuple[str, ...]]:
    """What was reached, and each pair of something that went wrong and something that became of it."""
    wrong = met.faults | met.errors | met.clock
    became = met.transitions | met.outcomes
    yield from ((name,) for name in wrong | became | met.operations | met.events)
    yield from ((one, other) for one in wrong for other in became)


class Shortener:
    """Makes a plan of a search shorter as long as it fails in the same way; `best` and `failure` are the result."""

    def __init__(self, seed: int, plan: Plan, failure: Failure) -> None:
        self.seed, self.best, self.failure, self.runs = seed, plan, failure, 0

    def search(self, run_plan: RunPlan) -> None:
        """Run ever simpler plans until none fails, or until a limit is reached."""
        deadline, tried, kind = system_clock.monotonic() + MAX_REAL_S, {self.best}, self.failure.kind
        found = True
        while found:
            found = False
            for plan in _simpler(self.best):
                if plan in tried or self.runs >= MAX_RUNS or system_clock.monotonic() > deadline:
                    continue
                tried.add(plan)
                self.runs += 1
                failure = run_plan(plan).find(kind)
                if failure is not None:
                    self.best, self.failure, found = plan, failure, True
                    break


def _simpler(plan: Plan) -> Iterator[Plan]:
    """Plans without one of the actions, the last first; then with simpler settings and simpler actions."""
    for place in reversed(range(len(plan.actions))):
        yield msgspec.structs.replace(plan, actions=plan.actions[:place] + plan.actions[place + 1 :])
    yield from (msgspec.structs.replace(plan, **{name: value}) for name, value in SIMPLE.items())
    for place, action in enumerate(plan.actions):
        for name in (name for name in SIMPLE_ACTION if name in action.__struct_fields__):
            simple = msgspec.structs.replace(action, **{name: SIMPLE_ACTION[name]})
            yield msgspec.structs.replace(plan, actions=(*plan.actions[:place], simple, *plan.actions[place + 1 :]))


def read_corpus(folder: Path) -> list[Plan]:
    """The plans that a folder keeps, by name; UnreadableCorpus."""
    plans = []
    for path in sorted(folder.glob("*.json")):
        try:
            plans.append(msgspec.json.decode(path.read_bytes(), type=Plan))
        except msgspec.MsgspecError as error:
            raise UnreadableCorpus(f"{path} is not a plan of explore: {error}") from None
    return plans


def write_corpus(folder: Path, plans: Sequence[Plan]) -> None:
    """Keep plans in a folder, which is made if need be: a file each, named for what it holds."""
    folder.mkdir(parents=True, exist_ok=True)
    for plan in plans:
        content = msgspec.json.format(msgspec.json.encode(plan), indent=2) + b"\n"
        (folder / f"{sha256(content).hexdigest()[:16]}.json").write_bytes(content)
