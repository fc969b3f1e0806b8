"""Checks that what a step refers to was made by an earlier one: background calls, snapshots and forks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from giftsim.scenario.scenario_error import suggestion
from giftsim.scenario.steps.step_source import StepSource

# Members that need a response, which a background call does not have yet.
_NEED_RESPONSE = ("expect", "save", "repeat", "recorded")


class References:
    """The background calls, forks and snapshots of the steps so far."""

    def __init__(self) -> None:
        self.background_calls: set[str] = set()
        self.forks: set[str] = set()
        self.snapshots: set[tuple[str | None, str]] = set()

    def check(self, step: StepSource) -> None:
        """Raise InvalidScenario for a reference to nothing; note what the step makes itself."""
        for member, check in _CHECKS.items():
            if member in step.data:
                check(self, step)

    def check_background(self, step: StepSource) -> None:
        """The name of a background call must be free."""
        name = step.data["background"]
        for member in _NEED_RESPONSE:
            if member in step.data:
                message = f'"{member}" needs the response; give it to `await: {name}`'
                raise step.error((member,), message, name=True)
        if name in self.background_calls:
            raise step.error(("background",), f'"{name}" is in the background already; await it first')
        self.background_calls.add(name)

    def check_await(self, step: StepSource) -> None:
        """The call must be in the background; it can be awaited once."""
        name = step.data["await"]
        if name not in self.background_calls:
            known = sorted(self.background_calls)
            hint = suggestion(name, known) if known else "; `background: NAME` starts one"
            raise step.error(("await",), f'no call "{name}" is in the background{hint}')
        self.background_calls.remove(name)

    def check_fork(self, step: StepSource) -> None:
        """The name of a fork must be free."""
        name = step.data["fork"]
        if name in self.forks:
            raise step.error(("fork",), f'there is already a fork "{name}"')
        self.forks.add(name)

    def check_world(self, step: StepSource) -> None:
        """The fork that a step runs in must exist."""
        name = step.data["in"]
        if name not in self.forks:
            hint = suggestion(name, sorted(self.forks)) if self.forks else "; `fork: NAME` makes one"
            raise step.error(("in",), f'no earlier step makes a fork "{name}"{hint}')

    def check_snapshot(self, step: StepSource) -> None:
        """Note a snapshot of the world of the step."""
        self.snapshots.add((step.data.get("in"), step.data["snapshot"]))

    def check_restore(self, step: StepSource) -> None:
        """The snapshot must exist in the world of the step."""
        world, name = step.data.get("in"), step.data["restore"]
        if (world, name) not in self.snapshots:
            names = sorted(snapshot for of, snapshot in self.snapshots if of == world)
            hint = suggestion(name, names) if names else "; `snapshot: NAME` takes one of the same world"
            raise step.error(("restore",), f'no earlier step takes a snapshot "{name}"{hint}')


_CHECKS: Mapping[str, Callable[[References, StepSource], None]] = {
    "in": References.check_world,
    "background": References.check_background,
    "await": References.check_await,
    "snapshot": References.check_snapshot,
    "restore": References.check_restore,
    "fork": References.check_fork,
}
