"""What a step can expect of the world, by the names of the language: one table, read before and after each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from giftsim.scenario import state_expectations
from giftsim.scenario.expectation import Entries, deliveries, events, events_exactly, mail
from giftsim.scenario.matching import Mismatch
from giftsim.scenario.time_values import anchored
from giftsim.scenario.world_client import Sandbox


class Judge(NamedTuple):
    """How one expectation is held against a world.

    `begin` looks before the step, and is told whether the step stands alone and so sees all there was; `mismatches`
    gets what was expected, what `begin` gave, and the world after the step.
    """

    begin: Callable[[Sandbox, bool], Any]
    mismatches: Callable[[Any, Any, Sandbox], Iterator[Mismatch]]


class Listed(Protocol):
    """A judge of the entries that a list has got since the step began."""

    def __call__(self, expected: Any, actual: Entries) -> Iterator[Mismatch]:
        """Where the entries are not as expected."""


def of_list(name: str, judge: Listed) -> Judge:
    """The judge of a list of the control plane that only grows; `at` of what is expected may be an offset."""

    def begin(sandbox: Sandbox, alone: bool) -> int:
        stream = sandbox.streams[name]
        stream.read()
        return 0 if alone else len(stream.items)

    def mismatches(expected: Any, mark: int, sandbox: Sandbox) -> Iterator[Mismatch]:
        stream = sandbox.streams[name]
        stream.read()
        return judge(_dated(expected, sandbox.start_ms), stream.items[mark:])

    return Judge(begin, mismatches)


def _dated(expected: Any, start_ms: int) -> Any:
    if not isinstance(expected, list):
        return expected
    return [anchored(item, ("at",), start_ms) for item in expected]


def _unmarked(_sandbox: Sandbox, _alone: bool) -> None:
    """For judges that look at the end alone."""


def _fingerprint(expected: str, _mark: None, sandbox: Sandbox) -> Iterator[Mismatch]:
    actual = sandbox.fingerprint()
    if actual != expected:
        yield Mismatch("fingerprint", expected, actual)


JUDGES: Mapping[str, Judge] = {
    "events": of_list("events", events),
    "events_exactly": of_list("events", events_exactly),
    "deliveries": of_list("deliveries", deliveries),
    "mail": of_list("mail", mail),
    "money": Judge(_unmarked, state_expectations.money),
    "state": Judge(_unmarked, state_expectations.state),
    "fingerprint": Judge(_unmarked, _fingerprint),
}
