"""What both models need: a world that a machine uses as a user does, and a way to run a machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from giftsim import Simulator


class Answer(NamedTuple):
    """The answer to a call: status and JSON. The status is 0 if the connection closed without an answer."""

    status: int
    json: Any = None

    @property
    def code(self) -> str:
        """The code of an error, else an empty text."""
        return str(self.json["error"]["code"]) if self.status >= 400 else ""


def span_of(hours: str | None) -> int | None:
    """The seconds of a setting such as `48h`; None for never."""
    return None if hours is None else int(hours.removesuffix("h")) * 3600


class ModelWorld:
    """A fresh world with its named credentials."""

    def __init__(self, simulator: Simulator, **config: Any) -> None:
        self.client = simulator.client
        made = self.client.call("POST", "/_sim/v1/worlds", body={"fixture": "empty", **config}).json()
        self.id, self.credentials = made["id"], made["credentials"]

    def call(self, credential: str, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Call an interface with a named credential; write header names with `_` for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            response = self.client.call(
                method, path, body=body, headers={**self.credentials[credential]["headers"], **named}
            )
        except ConnectionError:
            return Answer(0)
        return Answer(response.status, response.json() if response.body else None)

    def control(self, method: str, path: str, body: Any = None) -> Answer:
        """Call the control API for this world."""
        response = self.client.call(method, f"/_sim/v1/worlds/{self.id}{path}", body=body)
        return Answer(response.status, response.json() if response.body else None)

    def verb(self, verb: str, /, **body: Any) -> Answer:
        """Let somebody outside the service act."""
        return self.control("POST", f"/simulate/{verb}", body)

    def view(self, name: str) -> list[Any]:
        """A list of the control API, perhaps with a query."""
        joint = "&" if "?" in name else "?"
        return list(self.control("GET", f"/{name}{joint}limit=1000").json[name.partition("?")[0]])

    def advance(self, **goal: Any) -> None:
        """Move the clock: `by` a duration or `to` an instant."""
        assert self.control("POST", "/clock/advance", goal).status == 200


class ModelMachine(RuleBasedStateMachine):
    """A machine with a world of its own, which ends with it."""

    def __init__(self, simulator: Simulator) -> None:
        super().__init__()
        self.world = ModelWorld(simulator)

    def teardown(self) -> None:
        """Delete the world."""
        self.world.control("DELETE", "")


def run_model(
    machine: Callable[[Simulator], ModelMachine], sequences: int, steps: int, number: int | None = None
) -> None:
    """Run sequences of a machine: those of a numbered seed, else always the same. A difference is an AssertionError."""
    simulator = Simulator(fixture="bare")
    pace = settings(
        max_examples=sequences, stateful_step_count=steps, derandomize=number is None, database=None, deadline=None,
        suppress_health_check=list(HealthCheck), phases=(Phase.generate, Phase.shrink), report_multiple_bugs=False,
    )  # fmt: skip

    def make() -> ModelMachine:
        return machine(simulator)

    try:
        run_state_machine_as_test(cast(Any, make if number is None else seed(number)(make)), settings=pace)
    finally:
        simulator.close()
