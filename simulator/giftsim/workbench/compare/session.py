"""A comparison from its files to its result: with a service, or with a snapshot of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from giftsim import Simulator
from giftsim.engine.kernel.texts import suggest_name
from giftsim.workbench.compare.called_operation import Contracts, parse_call
from giftsim.workbench.compare.comparison import Comparison
from giftsim.workbench.compare.counterpart import LiveService
from giftsim.workbench.compare.library import file_of_snapshot, shown_name
from giftsim.workbench.compare.plan import (
    FREE,
    SPENDS,
    LeftOut,
    left_out_lines,
    reason_not_to_play,
    reason_to_leave_out,
)
from giftsim.workbench.compare.service_client import ServiceClient
from giftsim.workbench.compare.service_snapshot import RecordedService, Snapshot, digest
from giftsim.workbench.compare.side import Side, service_world, with_values
from giftsim.workbench.compare.target import CannotCompare, Options
from giftsim.workbench.scenario import InvalidScenario, Scenario, load_scenario
from giftsim.workbench.scenario.steps.call_steps import Call


class ListedCall(NamedTuple):
    """A call that a comparison would make, and to which operation."""

    file: str
    line: int
    title: str
    operation: str


@contextmanager
def own_simulator() -> Iterator[tuple[Simulator, Contracts]]:
    """A simulator whose worlds are compared with the service, and its contracts by interface."""
    simulator = Simulator(fixture="bare")
    try:
        yield simulator, {each.name: each.contract for each in simulator.interfaces if each.simulated}
    finally:
        simulator.close()


def read_scenarios(files: Sequence[Path]) -> list[Scenario]:
    """Compile scenarios; CannotCompare for the first that is wrong."""
    try:
        return [load_scenario(path, shown_name(path)) for path in files]
    except InvalidScenario as error:
        raise CannotCompare(str(error)) from None
    except OSError as error:
        raise CannotCompare(f"{error.filename}: {error.strerror}") from None


def select(
    scenarios: Sequence[Scenario], options: Options, client: ServiceClient
) -> tuple[list[Scenario], list[LeftOut]]:
    """The scenarios that may be played and can be, and the others with the reason; CannotCompare if there is none."""
    chosen, others = [], []
    for scenario in scenarios:
        reason = _why_not(scenario, options) or reason_not_to_play(
            scenario, client.bases, client.contracts, frozenset(client.credentials.headers)
        )
        if reason is None and options.operations and not _calls_any(scenario, options.operations, client.contracts):
            continue
        if reason is None:
            chosen.append(scenario)
        else:
            others.append(LeftOut(scenario.file, 0, scenario.name, reason))
    if not chosen:
        raise CannotCompare("\n".join(["there is nothing to compare", *left_out_lines(others)]))
    return chosen, others


def check_operations(names: Sequence[str], contracts: Contracts) -> frozenset[str]:
    """The operations that `--operation` names; CannotCompare suggests the nearest for one that does not exist."""
    known = [name for contract in contracts.values() for name in contract.operations]
    for name in names:
        if name not in known:
            raise CannotCompare(f"--operation {name[:60]}: there is no such operation; {suggest_name(name, known)}")
    return frozenset(names)


def check_values(scenarios: Sequence[Scenario], options: Options) -> None:
    """CannotCompare if `--var` names a variable that no scenario defines."""
    known = sorted({name for scenario in scenarios for name in scenario.values})
    for name in options.values:
        if name not in known:
            hint = suggest_name(name, known) if known else "these scenarios define none"
            raise CannotCompare(f"--var {name[:60]}=...: no scenario has such a variable in `vars`; {hint}")


def listed_calls(scenarios: Sequence[Scenario], contracts: Contracts, options: Options) -> list[ListedCall]:
    """The calls that a comparison would make. Values that come from earlier answers are still variables."""
    calls = [
        (step, parse_call(contracts, step.method, step.path))
        for scenario in scenarios
        for step in scenario.steps
        if isinstance(step, Call) and reason_to_leave_out(step, options.patience_s) is None
    ]
    return [
        ListedCall(
            step.file, step.line, step.full_title + (f", {step.repeat} times" if step.repeat else ""), called.name
        )
        for step, called in calls
        if called is not None
    ]


def compare_with_service(
    comparison: Comparison, scenarios: Sequence[Scenario], client: ServiceClient, options: Options
) -> None:
    """Compare scenarios with a service, one after the other."""
    for scenario in scenarios:
        world = comparison.world(scenario)
        headers = client.credentials.headers
        side = Side(with_values(scenario, options.values), service_world(client, headers, world.now), options.run)
        may_spend = options.spend and scenario.sandbox != FREE
        live = LiveService(client, side, options.run, client.bases, client.contracts, may_spend=may_spend)
        comparison.play(scenario, world, live)


def compare_with_snapshot(comparison: Comparison, snapshot: Snapshot, folder: Path) -> None:
    """Compare with what was recorded, from a snapshot in `folder`; CannotCompare if a file has changed since."""
    for recorded in snapshot.scenarios:
        [scenario] = read_scenarios([file_of_snapshot(recorded.file, folder)])
        if recorded.digest != digest(scenario):
            raise CannotCompare(f"{scenario.file} has changed since the snapshot was recorded: record it again")
        comparison.play(scenario, comparison.world(scenario), RecordedService(recorded))


def _why_not(scenario: Scenario, options: Options) -> str | None:
    """Why a scenario may not be played."""
    if scenario.sandbox is None and not options.unmarked:
        return "it is not marked with `sandbox`; --unmarked plays it all the same"
    if scenario.sandbox == SPENDS and not options.spend:
        return "it charges the account, which needs --spend"
    return None


def _calls_any(scenario: Scenario, operations: frozenset[str], contracts: Contracts) -> bool:
    calls = (step for step in scenario.steps if isinstance(step, Call))
    all_called = (parse_call(contracts, call.method, call.path) for call in calls)
    return any(called is not None and called.name in operations for called in all_called)
