"""Plays scenarios against a service and in fresh worlds side by side, and collects what differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from giftsim.engine.client.response import Client
from giftsim.workbench.compare.answer_diff import Identities, compare_answers
from giftsim.workbench.compare.called_operation import CalledOperation, Contracts
from giftsim.workbench.compare.counterpart import Counterpart, Key, TimedAnswer, operation_of_request, with_fresh_values
from giftsim.workbench.compare.finding import Differences, Finding
from giftsim.workbench.compare.mask import Answer
from giftsim.workbench.compare.plan import LeftOut, left_out, reason_to_leave_out, wait_s
from giftsim.workbench.compare.service_snapshot import Recorder
from giftsim.workbench.compare.side import NotKnown, Side
from giftsim.workbench.compare.target import CannotCompare, Options
from giftsim.workbench.scenario import Scenario
from giftsim.workbench.scenario.compiled_scenario import Step
from giftsim.workbench.scenario.steps.advance import Advance
from giftsim.workbench.scenario.steps.call_steps import Call
from giftsim.workbench.scenario.steps.step_kinds import KINDS
from giftsim.workbench.scenario.world_client import StepFailed, WorldClient, create_world

UNAUTHORIZED = 401
NO_SUCH_PATH = (404, 405, 501)
NO_REPETITION = 1


@dataclass
class Paths:
    """How many paths of an interface giftsim knows that were called, and how many of these the service knows."""

    known: int = 0
    known_to_service: int = 0


@dataclass
class Result:
    """What a comparison has found so far: differences, the number of calls and scenarios, and what was left out."""

    differences: Differences = field(default_factory=Differences)
    compared: int = 0
    scenarios: int = 0
    paths: dict[str, Paths] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)


class Comparison:
    """Compares one scenario after the other; `client` calls a simulator of our own, `recorder` keeps the answers.

    `run` is the text that makes names new.
    """

    def __init__(
        self, client: Client, contracts: Contracts, options: Options, recorder: Recorder | None = None
    ) -> None:
        self.result = Result()
        self.contracts, self.run = contracts, options.run
        self._client, self._options, self._recorder = client, options, recorder
        self._accepted: set[str] = set()

    def world(self, scenario: Scenario) -> WorldClient:
        """A fresh world for a scenario; CannotCompare if there can be none."""
        settings = {**scenario.settings, **self._options.settings}
        try:
            return create_world(
                self._client, msgspec.structs.replace(scenario, now=self._options.now, settings=settings)
            )
        except StepFailed as error:
            raise CannotCompare(
                f"{scenario.file}: the world beside the service could not be created: {error}"
            ) from None

    def play(self, scenario: Scenario, world: WorldClient, counterpart: Counterpart) -> None:
        """Compare the answers to the calls of a scenario."""
        if self._recorder is not None:
            self._recorder.begin(scenario)
        self.result.scenarios += 1
        played = _Played(self, Side(scenario, world, self._options.run), counterpart)
        try:
            for step in scenario.steps:
                reason = reason_to_leave_out(step, self._options.patience_s)
                if reason is None:
                    reason = played.play(step)
                if reason is not None:
                    self.result.left_out.append(left_out(step, reason))
        finally:
            world.delete()

    def answered(
        self, step: Call, key: Key, called: CalledOperation, giftsim: Answer, service: TimedAnswer, ids: Identities
    ) -> None:
        """Compare two answers to one call."""
        self._check_credential(step, giftsim, service.answer)
        if self._recorder is not None:
            self._recorder.keep(step, key, service.answer)
        self.result.compared += 1
        if giftsim.status not in NO_SUCH_PATH:
            paths = self.result.paths.setdefault(called.interface, Paths())
            paths.known += 1
            paths.known_to_service += service.answer.status not in NO_SUCH_PATH
        findings = [*compare_answers(called, giftsim, service.answer, ids), *self._slow(service)]
        self.result.differences.add(called, step, findings)

    def _slow(self, service: TimedAnswer) -> Iterator[Finding]:
        limit_s = self._options.slow_s
        if limit_s is not None and service.took_s > limit_s:
            yield Finding("slow", "time", f"at most {limit_s:g} s", f"more than {limit_s:g} s")

    def _check_credential(self, step: Call, giftsim: Answer, service: Answer) -> None:
        """End the comparison at once if the service does not accept a credential; everything else would differ."""
        name = step.credential
        if name is None or name in self._accepted:
            return
        if service.status == UNAUTHORIZED != giftsim.status:
            raise CannotCompare(
                f"the service does not accept the credential {name} (401): check its variable and --target"
            )
        self._accepted.add(name)

    @property
    def strange_interfaces(self) -> list[str]:
        """The interfaces of which the service knows no path."""
        return [name for name, paths in self.result.paths.items() if paths.known and not paths.known_to_service]


class _Played:
    """One scenario while it is played."""

    def __init__(self, comparison: Comparison, side: Side, counterpart: Counterpart) -> None:
        self._comparison, self._side, self._counterpart = comparison, side, counterpart
        self._identities = Identities()

    def play(self, step: Step) -> str | None:
        """Play a step; the reason if it is left out after all."""
        if isinstance(step, Advance):
            self._counterpart.pause(wait_s(step))
            with self._side.context.enter(step):
                KINDS[step.kind].run(self._side.context, step)
            return None
        assert isinstance(step, Call)
        numbers: list[int | None] = [None] if step.repeat is None else [*range(1, step.repeat + 1)]
        try:
            for number in numbers:
                self._call(step, number)
        except NotKnown as reason:
            return str(reason)
        return None

    def _call(self, step: Call, number: int | None) -> None:
        """Make a call on both sides; NotKnown if it cannot be made on one of them, before it is made on any."""
        comparison, key = self._comparison, Key(step.number, number or NO_REPETITION)
        request = self._side.request(step, number)
        called = operation_of_request(comparison.contracts, request)
        service = self._counterpart.answer(step, key, number)
        try:
            response = self._side.send(with_fresh_values(request, called, comparison.run), called)
        except ConnectionError:
            raise NotKnown("giftsim closes the connection") from None
        self._side.save(step, response)
        giftsim = self._side.mask(called, response)
        comparison.answered(step, key, called, giftsim, service, self._identities)
