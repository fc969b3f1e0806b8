"""One side of a comparison: a world of giftsim, or the service described as if it were one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.engine.client.response import Client, Response
from giftsim.engine.url_paths import CONTROL
from giftsim.workbench.app.app_calls import call_app
from giftsim.workbench.compare.called_operation import CalledOperation
from giftsim.workbench.compare.mask import NOT_JSON, Answer, Masker
from giftsim.workbench.scenario import Scenario
from giftsim.workbench.scenario.run_context import RunContext
from giftsim.workbench.scenario.steps.call_steps import Call, Request, request_of
from giftsim.workbench.scenario.variables import UnresolvedExpression
from giftsim.workbench.scenario.world_client import StepFailed, WorldClient, decode_body

SERVICE = "service"
# Variables that only a world has.
OF_WORLD = ("world", "origin")


class NotKnown(Exception):
    """A request needs a value that this side does not have; the message names it."""


class Side:
    """The variables, the credentials and the masks of one side while a scenario is played."""

    def __init__(self, scenario: Scenario, world: WorldClient, run: str) -> None:
        self.world, self.context = world, RunContext(scenario, world, call_app, run)
        self._masker = Masker()

    def request(self, step: Call, number: int | None) -> Request:
        """The request of a step, of the repetition `number` if it has several; NotKnown if a value is missing."""
        try:
            with self.context.enter(step):
                for name in OF_WORLD:
                    self.context.variables.pop(name, None)
                if number is not None:
                    self.context.variables["n"] = number
                return request_of(self.context, step)
        except KeyError as error:
            raise NotKnown(f"${{{error.args[0]}}} is not known here") from None
        except (UnresolvedExpression, StepFailed) as error:
            raise NotKnown(str(error)) from None

    def send(self, request: Request, called: CalledOperation) -> Response:
        """Make a call."""
        self._masker.note(request, called)
        return self.world.call(*request)

    def mask(self, called: CalledOperation, response: Response) -> Answer:
        """The masked answer."""
        return self._masker.mask(called, response)

    def save(self, step: Call, response: Response) -> None:
        """Save what later steps need. What the response does not have is not known to them either."""
        try:
            content = decode_body(response)
        except NOT_JSON:
            return
        with self.context.enter(step):
            for saved in step.saves:
                if self.context.save((saved,), content):
                    self.context.saved.pop(saved.name, None)


def service_world(client: Client, headers: Mapping[str, Mapping[str, str]], now: str) -> WorldClient:
    """The service as a world, so that the steps of scenarios can be played in it. It has no test-control API."""
    world: dict[str, Any] = {
        "id": SERVICE,
        "now": now,
        "urls": {"control": f"{CONTROL}/worlds/{SERVICE}"},
        "credentials": {name: {"headers": sent} for name, sent in headers.items()},
    }
    return ServiceWorld(client, world)


class ServiceWorld(WorldClient):
    """A service, whose credentials are those that were given and no others."""

    def refresh(self) -> Mapping[str, Any]:
        """Nothing to read: a service has no test-control API."""
        return {}


def with_values(scenario: Scenario, values: Mapping[str, Any]) -> Scenario:
    """The scenario with other values of the variables that it defines."""
    own = {name: value for name, value in values.items() if name in scenario.values}
    return msgspec.structs.replace(scenario, values={**scenario.values, **own})
