"""The module of each operation's handler. The first call of an operation imports it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from giftsim.engine.gateway.call import Handler, handler_in
from giftsim.engine.gateway.simulated_service import Areas
from giftsim.engine.kernel.first_use import MadeAtFirstUse

if TYPE_CHECKING:  # each is imported by the first call of one of its operations
    from giftsim.engine.control import (  # noqa: F401
        calls,
        changes,
        clock,
        control_coverage,
        control_trace,
        deliveries,
        diff,
        endpoints,
        events,
        faults,
        machines,
        reference,
        scenarios,
        undo,
        worlds,
    )

# The engine's own operations of each area, by their ids in the contract.
AREAS: Final = Areas(
    __name__.rpartition(".")[0],
    {
        "calls": "listCalls getCall getCallScenario getCallEffects getUsage",
        "changes": "listChanges",
        "clock": "getClock setClock advanceClock cancelAdvance listTimers",
        "control_coverage": "getCoverage getWholeCoverage",
        "deliveries": (
            "listReceivers putReceiver deleteReceiver listDeliveries getDelivery verifyDelivery resendDelivery "
            "getDeliveryRequest listHeld answerDelivery noteAppAnswer"
        ),
        "diff": "diffWorlds",
        "endpoints": "listEndpoints getEndpoint testEndpoint",
        "events": "listEvents getEvent",
        "faults": "listFaults deleteFault deleteFaults createFault listFaultChoices",
        "machines": "listMachines",
        "reference": (
            "listFixtures listStatements listRoutes listErrors listEventTypes listSettings listMagicValues listVerbs"
        ),
        "scenarios": (
            "getScenario playScenario listScenarios getLibraryScenario listScenarioSessions createScenarioSession "
            "getScenarioSession stepScenarioSession deleteScenarioSession"
        ),
        "control_trace": "getTrace makeTrace",
        "undo": "undoWorld listUndo",
        "worlds": (
            "listWorlds getWorld renameWorld deleteWorld resetWorld forkWorld getFingerprint listSnapshots "
            "saveSnapshot restoreSnapshot deleteSnapshot getSettings changeSettings createWorld getHealth"
        ),
    },
)


def handlers(areas: Iterable[Areas]) -> Mapping[str, Handler]:
    """The handler of each operation, found by its first call."""
    return MadeAtFirstUse(
        {
            operation: partial(_handler, f"{each.package}.{area}", operation)
            for each in areas
            for area, operations in each.operations.items()
            for operation in operations.split()
        }
    )


def _handler(module: str, operation: str) -> Handler:
    return handler_in([import_module(module)], operation)
