"""The control plane: its contract, its handlers and its ways of judging a call, put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from giftsim.control.access import Access
from giftsim.control.body_check import examine
from giftsim.control.handlers import (
    actors,
    approvals,
    call_log,
    clock,
    crm,
    faults,
    held_deliveries,
    keys,
    money,
    previews,
    records,
    simulate,
    teams,
    webhooks,
    worlds,
)
from giftsim.control.problem import Starting
from giftsim.event_log.events import ClientCall
from giftsim.gateway.call import Call, Handler, Interface, Response, merge_tables
from giftsim.gateway.contract import Contract
from giftsim.gateway.problem import InvalidJson
from giftsim.kernel.state import Definitions, State
from giftsim.problem import Problem
from giftsim.worlds.registry import DEFAULT
from giftsim.worlds.world import World

CONTRACT = Path(__file__).parent / "contract.yaml"
Play = Callable[[str, bool], dict[str, Any]]
TakeBack = Callable[[World, int], Sequence[ClientCall]]
Record = Callable[[World, State], str]


class Acts(NamedTuple):
    """What rooms above this one do for it.

    `play(text, keep)` plays a scenario and gives its report; `undo(world, count)` takes client writes back;
    `record(world, state)` writes all that was done to a world as a scenario.
    """

    play: Play
    undo: TakeBack
    record: Record


HANDLERS = merge_tables(
    actors.HANDLERS,
    approvals.HANDLERS,
    call_log.HANDLERS,
    clock.HANDLERS,
    crm.HANDLERS,
    faults.HANDLERS,
    held_deliveries.HANDLERS,
    keys.HANDLERS,
    money.HANDLERS,
    previews.HANDLERS,
    records.HANDLERS,
    simulate.HANDLERS,
    teams.HANDLERS,
    webhooks.HANDLERS,
    worlds.HANDLERS,
)


def control(
    definitions: Definitions, access: Access, acts: Acts, simulated: Sequence[Interface], *, version: str
) -> Interface:  # fmt: skip
    """The interface under `/_sim/v1`; `simulated` are those whose operations faults may match and usage counts."""
    made: dict[str, Handler] = {
        "getHealth": make_health(version),
        "playScenario": make_player(acts.play),
        "createWorld": worlds.make_world(definitions.settings),
        "undoWorld": worlds.make_undo(acts.undo),
        "createFault": faults.make_fault(simulated),
        "getScenario": call_log.make_scenario(acts.record),
        "getUsage": call_log.make_usage(simulated),
    }
    return Interface(
        name="control", contract=Contract.load(CONTRACT), handlers=merge_tables(HANDLERS, made),
        credential_world_id=lambda _: None, authenticate=access.check, locate=locate, validate_body=examine,
        envelope=envelope, simulated=False,
    )  # fmt: skip


def locate(call: Call) -> None:
    """The world that the path names; what a call leaves for the courier goes out behind its answer."""
    if "w" in call.params:
        call.selected_world = call.registry.find(call.params["w"])


def envelope(call: Call, problem: Problem) -> Response:
    """`{error: {code, message, request_id, details?}}`."""
    error: dict[str, Any] = {"code": problem.code, "message": problem.message, "request_id": call.request_id}
    if problem.details:
        error["details"] = problem.details
    return Response(problem.status, {"error": error})


def make_health(version: str) -> Handler:
    """The handler that says whether the default world stands."""

    def get_health(call: Call) -> Response:
        if DEFAULT not in call.registry.worlds:
            raise Starting("the default world does not stand yet")
        return Response(200, {"status": "ready", "version": version, "worlds": len(call.registry.worlds)})

    return get_health


def make_player(play: Play) -> Handler:
    """The handler that plays a scenario; its thread is lent to the server meanwhile."""

    def play_scenario(call: Call) -> Response:
        try:
            text = call.raw.decode()
        except UnicodeDecodeError:
            raise InvalidJson("the scenario is not UTF-8") from None
        with call.registry.runtime.lend_thread():
            return Response(200, play(text, call.query["keep"]))

    return play_scenario
