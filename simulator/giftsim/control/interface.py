"""The control API as an interface: its contract, its handlers, and its access and body checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from giftsim.control.access import Access
from giftsim.control.body_check import check_body
from giftsim.control.handlers import (
    actors,
    approvals,
    call_log,
    calls,
    changes,
    claims,
    clock,
    crm,
    diff,
    events,
    fault_choices,
    faults,
    held_deliveries,
    keys,
    machines,
    mail,
    money,
    moves,
    museum,
    people,
    previews,
    proofs,
    reference,
    sendings,
    simulate,
    teams,
    undo,
    webhooks,
    world_data,
    worlds,
)
from giftsim.control.handlers.fixtures import DescribeFixtures, make_list_fixtures
from giftsim.control.handlers.scenarios import ScenarioHandlers, Scenarios
from giftsim.control.problem import Starting
from giftsim.control.views.world import process
from giftsim.event_log.events import ClientCall
from giftsim.gateway.call import Call, Handler, Interface, Response, merge_tables
from giftsim.gateway.contract import Contract
from giftsim.kernel.state import Definitions, State
from giftsim.kernel.state_machine import Machine
from giftsim.problem import Problem
from giftsim.worlds.registry import DEFAULT
from giftsim.worlds.world import World

CONTRACT = Path(__file__).parent / "contract.yaml"
PlayScenario = Callable[[str, bool], dict[str, Any]]
Undo = Callable[[World, int], Sequence[ClientCall]]
RecordScenario = Callable[[World, State], str]


class Actions(NamedTuple):
    """Functions of packages above this one, passed in by the composition root.

    `play(text, keep)` plays a scenario and returns its report. `scenarios()` are the library and the stepping sessions,
    which load slowly. `undo(world, count)` undoes client writes and returns them. `record(world, state)` returns the
    history of a world as a scenario in YAML. `describe_fixtures()` lists what a world can start with.
    """

    play: PlayScenario
    scenarios: Callable[[], Scenarios]
    undo: Undo
    record: RecordScenario
    describe_fixtures: DescribeFixtures


HANDLERS = merge_tables(
    actors.HANDLERS,
    approvals.HANDLERS,
    changes.HANDLERS,
    clock.HANDLERS,
    crm.HANDLERS,
    diff.HANDLERS,
    events.HANDLERS,
    faults.HANDLERS,
    held_deliveries.HANDLERS,
    keys.HANDLERS,
    mail.HANDLERS,
    money.HANDLERS,
    moves.HANDLERS,
    museum.HANDLERS,
    people.HANDLERS,
    previews.HANDLERS,
    proofs.HANDLERS,
    world_data.HANDLERS,
    sendings.HANDLERS,
    simulate.HANDLERS,
    teams.HANDLERS,
    webhooks.HANDLERS,
    worlds.HANDLERS,
)


def control(
    definitions: Definitions, access: Access, actions: Actions, simulated: Sequence[Interface],
    machines_: Sequence[Machine[Any]], magic: Callable[[], Iterable[reference.MagicRow]], *, version: str,
) -> Interface:  # fmt: skip
    """The interface under `/_sim/v1`. Faults match, and usage counts, the operations of the `simulated` interfaces."""
    contract = Contract.load(CONTRACT)
    contracts = {**{each.name: each.contract for each in simulated}, "control": contract}
    built: dict[str, Handler] = {
        "getHealth": make_get_health(version),
        **ScenarioHandlers(actions.play, actions.scenarios).table(),
        "listFixtures": make_list_fixtures(actions.describe_fixtures),
        "createWorld": worlds.make_create_world(definitions.settings),
        "undoWorld": undo.make_undo_world(actions.undo),
        "listUndo": undo.make_list_undo(simulated),
        "listClaims": claims.make_list_claims(definitions.settings),
        "listMachines": machines.make_list_machines(machines_),
        "createFault": faults.make_create_fault(simulated),
        "getScenario": call_log.make_get_scenario(actions.record),
        "getUsage": call_log.make_get_usage(simulated),
        "listFaultChoices": fault_choices.make_list_fault_choices(simulated),
        **calls.make_call_handlers(simulated),
        **reference.reference_handlers(reference.Reference(contracts, definitions.settings, magic)),
    }
    return Interface(
        name="control", contract=contract, handlers=merge_tables(HANDLERS, built),
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
        return Response(200, {**body, **process(registry.ids.prefix)})

    return get_health
