"""A search that is guided by coverage: a plan that reached something new is kept, and plans like it are tried next.

The plans follow from the seed, from what is kept at the beginning, and from what each plan reaches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random  # noqa: TID251  # seeded, and outside of every world
from typing import Final, TypeAlias

import msgspec

from giftsim.engine.worlds import system_clock
from giftsim.workbench.app.protocol import OPERATIONS
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.explore.failures import Failure
from giftsim.workbench.explore.generator import MAX_REAL_S, MAX_RUNS, RunPlan
from giftsim.workbench.explore.plan import (
    AppAct,
    CallFault,
    LostConnection,
    OrderRequest,
    Outage,
    Plan,
    Wait,
    WebhookFault,
)
from giftsim.workbench.explore.vocabulary import (
    ABOUT_ORDERS,
    AnyAction,
    asks,
    changed,
    failing,
    further_asks,
    openings,
    problems,
    setting,
    twin,
    wait,
)

Item: TypeAlias = tuple[str, ...]

MAX_ACTIONS: Final = 16
FRESH: Final = 0.5  # of all plans are like no other
TWO_INTENTS, WAITS, FURTHER, AGAIN = 0.3, 0.5, 0.4, 0.2  # how likely they are in a fresh plan
MOST_PROBLEMS: Final = 2  # in a fresh plan
CANDIDATES: Final = 6  # of which the one with the most new combinations is taken
SIMPLE: Final = {"destination": "address", "fast": False, "start": "", "approver": "approve"}
SIMPLE_ACTION: Final = {"times": 1, "recipients": 1, "part": False, "both": False, "number": 1}


class UnreadableCorpus(ValueError):
    """A file of a corpus has no plan of this version; the message names it."""


class Kept(msgspec.Struct):
    """A plan that reached something new, all that it reached, and how many plans were made from it."""

    plan: Plan
    reached: frozenset[Item]
    children: int = 0


class Search:
    """Which plan to run next.

    First come short plans. Then half of the plans are fresh: of several the one is run that has most combinations of
    actions for its length that no plan had so far. The other half are like those that reached something new of the
    service, most often like those that reached what few others did.
    """

    def __init__(self, seed: int, actions: Sequence[str], corpus: Sequence[Plan] = ()) -> None:
        self.seed, self.actions = seed, actions
        self._kept: list[Kept] = []
        self._random = Random(f"explore {seed}")
        self._waiting = [*corpus, *openings(self._random, actions)]
        self._times: Counter[Item] = Counter()  # how many plans reached it
        self._combined: set[tuple[str, ...]] = set()
        self._made: set[Plan] = set()
        self._to_fail = {operation for name in actions for operation in OPERATIONS[name]}

    @property
    def kept(self) -> list[Plan]:
        """The plans that reached something new, in the order in which they did."""
        return [each.plan for each in self._kept]

    def next_plan(self) -> Plan:
        """The next plan: of the corpus, a short one to begin with, a fresh one, or one like those that are kept."""
        if self._waiting:
            plan = self._waiting.pop(0)
        elif not self._kept or self._random.random() < FRESH:
            plan = self._newest(self._fresh)
        else:
            parent = self._parent()
            parent.children += 1
            plan = self._newest(lambda: self._varied(parent.plan))
        self._made.add(plan)
        self._combined |= _combinations(plan)
        return plan

    def learn(self, plan: Plan, met: Met) -> None:
        """Keep a plan that reached something new, alone or together with something else.

        When the app calls an operation for the first time, the plan is repeated with each failure of that operation.
        """
        for operation in sorted(self._to_fail & met.operations):
            self._to_fail.remove(operation)
            self._waiting += failing(plan, operation)
        reached = frozenset(_reached(met))
        if any(item not in self._times for item in reached):
            self._kept.append(Kept(plan, reached))
        self._times.update(reached)

    def _newest(self, make: Callable[[], Plan]) -> Plan:
        """The plan that has most new combinations for its length, of several; none that was run before, if possible."""
        plans = [make() for _ in range(CANDIDATES)]
        return max(plans, key=lambda plan: (plan not in self._made, self._news(plan)))

    def _news(self, plan: Plan) -> float:
        return len(_combinations(plan) - self._combined) / (len(plan.actions) + 1)

    def _parent(self) -> Kept:
        """A plan to vary: the more likely, the fewer plans reached what it did, and the fewer were made from it."""
        weights = [
            sum(1 / self._times[item] for item in each.reached) / ((1 + len(each.plan.actions)) * (1 + each.children))
            for each in self._kept
        ]
        return self._random.choices(self._kept, weights)[0]

    def _fresh(self) -> Plan:
        """A plan as a short story: something is asked for, time passes, more is asked for; and some things go wrong."""
        random, actions = self._random, self.actions
        story = [random.choice(asks(actions))(random)]
        if random.random() < TWO_INTENTS:
            story.append(twin(story[0]))
        story += self._wait()
        wrong = [self._problem() for _ in range(random.randint(0, MOST_PROBLEMS))]
        for further, *needed in further_asks(actions):
            if random.random() < FURTHER:
                story += [further(random), *self._wait()]
                wrong += [need(random) for need in needed]
        if random.random() < AGAIN:
            story += [random.choice(story), *self._wait()]
        for problem in wrong:
            place = random.choice((0, random.randint(0, len(story))))
            story.insert(place, problem)
        return msgspec.structs.replace(setting(random, actions), actions=_sensible(story))

    def _wait(self) -> list[AnyAction]:
        return [wait(self._random, self.actions)] if self._random.random() < WAITS else []

    def _problem(self) -> AnyAction:
        return self._random.choice(self._random.choice(problems(self.actions)))(self._random)

    def _varied(self, plan: Plan) -> Plan:
        """A plan with a change or two: an action left out, added, replaced, changed or moved, or another plan's end.

        Sometimes it is on another day, too.
        """
        random, actions = self._random, list(plan.actions)
        for _ in range(random.randint(1, 2)):
            place = random.randint(0, len(actions))
            match random.randrange(9):
                case 0:
                    actions[place : place + 1] = []
                case 1:
                    actions[place : place + 1] = [self._any_action()]
                case 2 | 3 | 4:
                    actions.insert(place, self._any_action())
                case 5 if actions:
                    actions.insert(place, twin(random.choice(actions)))
                case 6:
                    actions[place : place + 1] = [changed(each, random) for each in actions[place : place + 1]]
                case 7 if actions:
                    actions.insert(place, actions.pop(random.randrange(len(actions))))
                case _:
                    actions[place:] = random.choice(self._kept).plan.actions[-random.randint(1, 4) :]
        basis = setting(random, self.actions) if random.random() < 0.2 else plan
        return msgspec.structs.replace(basis, actions=_sensible(actions[:MAX_ACTIONS]))

    def _any_action(self) -> AnyAction:
        random, actions = self._random, self.actions
        further = [draw for draw, *_ in further_asks(actions)]
        match random.randrange(4):
            case 0:
                return random.choice(asks(actions))(random)
            case 1 if further:
                return random.choice(further)(random)
            case 2:
                return wait(random, actions)
            case _:
                return self._problem()


def _sensible(actions: Sequence[AnyAction]) -> tuple[AnyAction, ...]:
    """The actions without what is about an order that was not asked for before."""
    asked: set[int] = set()
    kept: list[AnyAction] = []
    for action in actions:
        if isinstance(action, OrderRequest):
            asked.add(action.number)
        if not isinstance(action, AppAct) or action.action not in ABOUT_ORDERS or action.number in asked:
            kept.append(action)
    return tuple(kept)


def _combinations(plan: Plan) -> set[tuple[str, ...]]:
    """Each two and three kinds of action of a plan, in their order, alone and with each of its settings."""
    settings = (plan.destination, plan.start or "any day", plan.approver, f"fast {plan.fast}")
    kinds = [_kind(action) for action in plan.actions]
    found: set[tuple[str, ...]] = {("", "", each) for each in settings}
    for size in (1, 2, 3):
        found.update(combinations(kinds, size))
    found.update((each, *few) for each in settings for size in (1, 2) for few in combinations(kinds, size))
    return found


def _kind(action: AnyAction) -> str:
    """A key for an action, equal for those that differ only in how often they happen."""
    match action:
        case OrderRequest(number, recipients, both):
            return f"order {number} {recipients} {both}"
        case AppAct(name, number, part, both):
            return f"{name} {number} {part} {both}"
        case CallFault(operation, how):
            return f"{operation} {how}"
        case Wait(hours) | Outage(hours):
            return f"{type(action).__name__} {hours}"
        case LostConnection(how) | WebhookFault(how):
            return f"{type(action).__name__} {how}"
        case _:
            return type(action).__name__


def _reached(met: Met) -> Iterator[Item]:
    """Everything that was reached, and each pair of a failure and its consequence."""
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
