"""What a world is compared with: a service, or what was recorded of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from giftsim.compare.freshness import with_fresh_values
from giftsim.compare.mask import Answer
from giftsim.compare.place import Contracts, Place, place_of
from giftsim.compare.service_client import ServiceClient
from giftsim.compare.side import NotKnown, Side
from giftsim.compare.spending import can_charge
from giftsim.compare.target import Base
from giftsim.scenario.steps.call import Call, Request


class Key(NamedTuple):
    """Which call of a scenario: the number of its step, and of its repetition, 1 if it has only one."""

    step: int
    repetition: int


class TimedAnswer(NamedTuple):
    """The masked answer to a call, and how long it took, in seconds; 0 of a recorded one."""

    answer: Answer
    took_s: float = 0.0


class Counterpart(Protocol):
    """Answers the calls of one scenario."""

    def answer(self, step: Call, key: Key, number: int | None) -> TimedAnswer:
        """The answer to a call; NotKnown says why there is none."""

    def pause(self, span_s: float) -> None:
        """Let time pass, in place of a step that advances a world's clock."""


class LiveService:
    """A service that is called over HTTP."""

    def __init__(
        self, client: ServiceClient, side: Side, run: str, bases: Mapping[str, Base], contracts: Contracts, *,
        may_spend: bool,
    ) -> None:  # fmt: skip
        self._client, self._side, self._run = client, side, run
        self._bases, self._contracts, self._may_spend = bases, contracts, may_spend

    def answer(self, step: Call, key: Key, number: int | None) -> TimedAnswer:  # noqa: ARG002 - a recorded answer is found by it
        """Make the call."""
        request = self._side.request(step, number)
        place = place_of_request(self._contracts, request)
        if place.interface not in self._bases:
            raise NotKnown(f"the {place.interface} interface has no --target")
        if not self._may_spend and can_charge(place, step.credential, request.body):
            raise NotKnown(
                f"{place.name} can charge the account, which a scenario with `sandbox: spends` and --spend may"
            )
        response = self._side.send(with_fresh_values(request, place, self._run), place)
        self._side.save(step, response)
        return TimedAnswer(self._side.mask(place, response), self._client.took_s)

    def pause(self, span_s: float) -> None:
        """Wait in real time."""
        self._client.clock.pause(span_s)


def place_of_request(contracts: Contracts, request: Request) -> Place:
    """The place of a request; NotKnown if it goes to no interface, such as one to a claim page."""
    place = place_of(contracts, request.method, request.target)
    if place is None:
        raise NotKnown("it calls none of the interfaces")
    return place
