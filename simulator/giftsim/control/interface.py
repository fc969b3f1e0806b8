"""The control API as an interface: its contract, its handlers, and its access and body checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from giftsim.control.access import Access
from giftsim.control.body_check import check_body
from giftsim.control.handler_modules import handlers_module, makers_of, table_makers
from giftsim.control.problem import Starting
from giftsim.control.world_access import process_view
from giftsim.event_log.inputs import ClientCall
from giftsim.gateway.call import Call, Handler, Interface, Response, merge_tables
from giftsim.gateway.contract import Contract
from giftsim.kernel.first_use import MadeAtFirstUse
from giftsim.kernel.state import Definitions, State
from giftsim.kernel.state_machine import Machine
from giftsim.problem import Problem
from giftsim.worlds.registry import DEFAULT
from giftsim.worlds.world import World

if TYPE_CHECKING:
    from giftsim.control.reference import DescribeFixtures, MagicRow
    from giftsim.control.scenarios import Scenarios

CONTRACT = Path(__file__).parent / "contract.yaml"
SCENARIOS = (
    "playScenario listScenarios getLibraryScenario listScenarioSessions createScenarioSession getScenarioSession"
    " stepScenarioSession deleteScenarioSession"
)
CALLS = "listCalls getCall getCallScenario"
REFERENCE = "listRoutes listErrors listEventTypes listSettings listMagicValues"
PlayScenario = Callable[[str, bool], dict[str, Any]]
Undo = Callable[[World, int], Sequence[ClientCall]]
RecordScenario = Callable[[World, State], str]


class Actions(NamedTuple):
    """Functions of packages above this one, passed in by the composition root.

    `play(text, keep)` plays a scenario and returns its report. `scenarios()` are the library and the stepping sessions,
    which load slowly. `undo_writes(world, count)` undoes client writes, and `undo_to(world, change_n)` everything after
    a change; both return the client writes that were undone. `record(world, state)` returns the
    history of a world as a scenario in YAML. `describe_fixtures()` lists what a world can start with.
    """

    play: PlayScenario
    scenarios: Callable[[], Scenarios]
    undo_writes: Undo
    undo_to: Undo
    record: RecordScenario
    describe_fixtures: DescribeFixtures


def control(
    definitions: Definitions, access: Access, actions: Actions, simulated: Callable[[], Sequence[Interface]],
    machines: Sequence[Machine[Any]], magic: Callable[[], Iterable[MagicRow]], *, version: str,
) -> Interface:  # fmt: skip
    """The interface under `/_sim/v1`. Faults match, and usage counts, the operations of the `simulated` interfaces."""
    contract, settings, module = Contract.load(CONTRACT), definitions.settings, handlers_module

    def contracts() -> dict[str, Contract]:
        return {**{each.name: each.contract for each in simulated()}, "control": contract}

    def reference() -> Mapping[str, Handler]:
        lists = module("reference")
        table: Mapping[str, Handler] = lists.reference_handlers(lists.Reference(contracts(), settings, magic))
        return table

    made: dict[str, Callable[[], Handler]] = {
        "getHealth": lambda: make_get_health(version),
        "listFixtures": lambda: module("reference").make_list_fixtures(actions.describe_fixtures),
        "createWorld": lambda: module("worlds").make_create_world(settings),
        "undoWorld": lambda: module("undo").make_undo_world(actions.undo_writes, actions.undo_to),
        "listUndo": lambda: module("undo").make_list_undo(simulated()),
        "listClaims": lambda: module("reference").make_list_claims(settings),
        "listMachines": lambda: module("machines").make_list_machines(machines),
        "createFault": lambda: module("faults").make_create_fault(simulated()),
        "getScenario": lambda: module("usage").make_get_scenario(actions.record),
        "getUsage": lambda: module("usage").make_get_usage(simulated()),
        "listFaultChoices": lambda: module("faults").make_list_fault_choices(simulated()),
        **makers_of(SCENARIOS, lambda: module("scenarios").ScenarioHandlers(actions.play, actions.scenarios).table()),
        **makers_of(CALLS, lambda: module("calls").make_call_handlers(simulated())),
        **makers_of(REFERENCE, reference),
    }
    return Interface(
        name="control", contract=contract, handlers=MadeAtFirstUse(merge_tables(*table_makers(), made)),
        credential_world_id=lambda _: None, authenticate=access.check, locate=locate, validate_body=check_body,
        envelope=envelope, simulated=False,
    )  # fmt: skip


def locate(call: Call) -> None:
    """Select the world that the path names. Webhooks caused by the call are sent after its response."""
    if "w" in call.params:
        call.selected_world = call.registry.find(call.params["w"])


def envelope(call: Call, problem: Problem) -> Response:
    """The body of an error: `{error: {code, message, request_id, details?}}`."""
    error: dict[str, Any] = {"code": problem.code, "message": problem.message, "request_id": call.request_id}
    if problem.details:
        error["details"] = problem.details
    return Response(problem.status, {"error": error})


def make_get_health(version: str) -> Handler:
    """The handler that answers 200 once the default world is ready, 503 before."""

    def get_health(call: Call) -> Response:
        if DEFAULT not in call.registry.worlds:
            raise Starting("the default world is not ready yet; try again")
        registry = call.registry
        body = {"status": "ready", "version": version, "worlds": len(registry.worlds)}
        return Response(200, {**body, **process_view(registry.ids.prefix)})

    return get_health
