"""Finds setup that a scenario never used: faults that never acted, receivers that no webhook met.

A scenario fails if it has any, unless the step says `optional: true`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from giftsim.engine.kernel.instants import parse_instant
from giftsim.workbench.scenario.compiled_scenario import Step
from giftsim.workbench.scenario.world_client import WorldClient

# Kinds of steps that may remove a fault or receiver, and with it the count of its uses.
REMOVING_KINDS: Final = frozenset({"receiver", "fault", "control", "restore", "undo"})

ANY_HOST: Final = "*"

Row = Mapping[str, Any]


class Unused(NamedTuple):
    """A step whose setup was never used, and the failure message."""

    step: Step
    message: str


class _SetupKind(NamedTuple):
    """Where the API lists this kind of setup, the member that names it, and what is wrong with a row (or no row).

    The problem depends on the attempts to deliver webhooks since the setup, too.
    """

    collection: str
    key: str
    problem: Callable[[Row | None, Sequence[Row]], str | None]


class _Setup(NamedTuple):
    """What a step set up, and the worlds that it may be used in, the step's own and its later forks.

    Each world has the number of attempts to deliver webhooks in it before the setup.
    """

    step: Step
    kind: str
    name: str
    worlds: dict[WorldClient, int]


def _fault_problem(row: Row | None, _attempts: Sequence[Row]) -> str | None:
    return None if row and row["hits"] else "expected the fault to act, actual never"


def _receiver_problem(row: Row | None, attempts: Sequence[Row]) -> str | None:
    if row is None:
        return "expected its script to be used up, actual removed before that"
    left, total = len(row["script"]) - row["used"], len(row["script"])
    if left:
        return f"expected its script to be used up, actual {left} of {total} responses left"
    met = [attempt for attempt in attempts if row["host"] in (ANY_HOST, urlsplit(attempt["url"]).hostname)]
    if row["outage"] is not None:
        first, last = (parse_instant(row["outage"][name]) for name in ("from", "to"))
        if not any(first <= parse_instant(attempt["at"]) < last for attempt in met):
            return "expected a webhook during its outage, actual none"
    return None if met else "expected a webhook, actual none"


SETUP_KINDS: Final[Mapping[str, _SetupKind]] = {
    "fault": _SetupKind("faults", "id", _fault_problem),
    "receiver": _SetupKind("receivers", "host", _receiver_problem),
}


NOT_ANSWERING: Final = ("refuse", "hold")


def must_be_met(receiver: Mapping[str, Any]) -> bool:
    """Whether a receiver does more than accept or forward webhooks: then its scenario is about one that meets it."""
    then = receiver.get("then")
    status = then.get("status") if isinstance(then, Mapping) else 200
    fails = not isinstance(status, int) or not 200 <= status <= 299
    return fails or bool(receiver.get("outage") or receiver.get("script")) or receiver.get("mode") in NOT_ANSWERING


class SetupTracker:
    """The faults and receivers of the steps so far that have not been used."""

    def __init__(self) -> None:
        self._open: list[_Setup] = []

    def add(self, step: Step, kind: str, name: str, world: WorldClient) -> None:
        """Track a fault or a receiver that a step has set up."""
        self.replace(kind, name, world)
        self._open.append(_Setup(step, kind, name, {world: world.attempts_so_far()}))

    def replace(self, kind: str, name: str, world: WorldClient) -> None:
        """Note that the setup of this name has been replaced in a world."""
        for setup in self._open:
            if (setup.kind, setup.name) == (kind, name) and world in setup.worlds:
                del setup.worlds[world]

    def fork(self, world: WorldClient, fork: WorldClient) -> None:
        """Note that a world was forked: its setup may be used in the fork too."""
        for setup in self._open:
            if world in setup.worlds:
                setup.worlds[fork] = fork.attempts_so_far()

    def check(self) -> list[Unused]:
        """Drop the setup that has been used by now; return the rest in the order of the steps."""
        if not self._open:
            return []
        collections = _Collections()
        problems = [(setup, _problem(setup, collections)) for setup in self._open]
        self._open = [setup for setup, problem in problems if problem is not None]
        return [
            Unused(setup.step, f"{problem}; `optional: true` allows that")
            for setup, problem in problems
            if problem is not None
        ]


class _Collections:
    """Collections of the test-control API, each read once."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], Mapping[str, Row]] = {}

    def row(self, world: WorldClient, kind: str, name: str) -> Row | None:
        """The row of a fault or receiver, if the world has it."""
        collection, key, _ = SETUP_KINDS[kind]
        if (world.id, collection) not in self._rows:
            self._rows[world.id, collection] = {row[key]: row for row in world.rows(collection)}
        return self._rows[world.id, collection].get(name)


def _problem(setup: _Setup, collections: _Collections) -> str | None:
    """None once the setup has been used in any of its worlds."""
    find_problem = SETUP_KINDS[setup.kind].problem
    problems = [
        find_problem(collections.row(world, setup.kind, setup.name), world.attempts_since(before))
        for world, before in setup.worlds.items()
    ] or [find_problem(None, ())]
    return None if None in problems else problems[0]
