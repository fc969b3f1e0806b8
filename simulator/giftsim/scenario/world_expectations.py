"""What a step can expect of its world, by the members of `expect`: one table, used before and after each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from giftsim.scenario.activity_expectations import (
    Entries,
    delivery_mismatches,
    event_mismatches,
    exact_event_mismatches,
    mail_mismatches,
)
from giftsim.scenario.matching import Mismatch
from giftsim.scenario.state_expectations import money_mismatches, state_mismatches
from giftsim.scenario.time_values import with_instants
from giftsim.scenario.world_client import WorldClient


class Expectation(NamedTuple):
    """How one member of `expect` is checked.

    `before` runs before the step. It gets the world and the `since_start` of the step.
    `mismatches` runs after the step. It gets the expected value, the result of `before`, and the world.
    """

    before: Callable[[WorldClient, bool], Any]
    mismatches: Callable[[Any, Any, WorldClient], Iterator[Mismatch]]


class EntryComparison(Protocol):
    """Compares expected entries with those that a list has gained since the step began."""

    def __call__(self, expected: Any, actual: Entries) -> Iterator[Mismatch]:
        """Yield where the entries differ."""


def list_expectation(name: str, compare: EntryComparison) -> Expectation:
    """The expectation of a list of the test-control API; `at` of an expected entry may be an offset."""

    def before(world: WorldClient, since_start: bool) -> int:
        activity = world.lists[name]
        activity.read()
        return 0 if since_start else len(activity.items)

    def mismatches(expected: Any, first: int, world: WorldClient) -> Iterator[Mismatch]:
        activity = world.lists[name]
        activity.read()
        return compare(_with_instants(expected, world.start_ms), activity.items[first:])

    return Expectation(before, mismatches)


def _with_instants(expected: Any, start_ms: int) -> Any:
    if not isinstance(expected, list):
        return expected
    return [with_instants(item, ("at",), start_ms) for item in expected]


def _nothing_before(_world: WorldClient, _since_start: bool) -> None:
    """For expectations of the state after the step."""


def _fingerprint_mismatches(expected: str, _before: None, world: WorldClient) -> Iterator[Mismatch]:
    actual = world.fingerprint()
    if actual != expected:
        yield Mismatch("fingerprint", expected, actual)


EXPECTATIONS: Mapping[str, Expectation] = {
    "events": list_expectation("events", event_mismatches),
    "events_exactly": list_expectation("events", exact_event_mismatches),
    "deliveries": list_expectation("deliveries", delivery_mismatches),
    "mail": list_expectation("mail", mail_mismatches),
    "money": Expectation(_nothing_before, money_mismatches),
    "state": Expectation(_nothing_before, state_mismatches),
    "fingerprint": Expectation(_nothing_before, _fingerprint_mismatches),
}
