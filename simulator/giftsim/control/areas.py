"""Where the handlers of the operations are, by area. The first call of an operation imports the module of its area."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from giftsim.gateway.call import Handler, handler_in
from giftsim.kernel.first_use import MadeAtFirstUse

if TYPE_CHECKING:  # each is imported by the first call of one of its operations
    from giftsim.control import (  # noqa: F401
        actors,
        approvals,
        calls,
        changes,
        clock,
        crm,
        diff,
        events,
        faults,
        health,
        held_deliveries,
        keys,
        machines,
        mail,
        money,
        moves,
        museum,
        people,
        placed,
        previews,
        proofs,
        reference,
        scenarios,
        simulate,
        teams,
        undo,
        usage,
        webhooks,
        world_data,
        worlds,
    )

# The operations of each area, by their ids in the contract.
AREAS: Final[Mapping[str, str]] = {
    "actors": "listActors createActor deleteActor deleteActors",
    "approvals": "simulateApproval listApprovals getApproval",
    "calls": "listCalls getCall getCallScenario",
    "changes": "listChanges",
    "clock": "getClock setClock advanceClock cancelAdvance listTimers",
    "crm": "simulateCrm",
    "diff": "diffWorlds",
    "events": "listEvents getEvent",
    "faults": "listFaults deleteFault deleteFaults createFault listFaultChoices",
    "health": "getHealth",
    "held_deliveries": "listHeld answerDelivery",
    "keys": "listKeys getKey createKey changeKey revokeKey",
    "machines": "listMachines",
    "mail": "listMail getMail",
    "money": "listInvoices getInvoice listCertificates simulatePayment simulateInvoice simulateCertificate",
    "moves": "listMoves",
    "museum": "listMuseumDays listMuseumEvents listMuseumTickets getMuseumTicket",
    "people": "listPeople listContacts listRecipients",
    "placed": "listOrders listGifts listCampaigns getOrder getGift getCampaign",
    "previews": "listPreviews getPreview simulatePreview simulateFile",
    "proofs": "listProofs getProof simulateProof",
    "reference": "listFixtures listClaims listRoutes listErrors listEventTypes listSettings listMagicValues",
    "scenarios": (
        "playScenario listScenarios getLibraryScenario listScenarioSessions createScenarioSession "
        "getScenarioSession stepScenarioSession deleteScenarioSession"
    ),
    "simulate": (
        "listVerbs simulateClaim simulateClaimLink simulateShipment simulateSingleOrder simulateAccount "
        "simulateOutcome simulatePrice simulatePersonalization"
    ),
    "teams": "createSession simulateTeam listTeams",
    "undo": "undoWorld listUndo",
    "usage": "getScenario getUsage",
    "webhooks": (
        "listReceivers putReceiver deleteReceiver listDeliveries getDelivery verifyDelivery resendDelivery "
        "getDeliveryRequest"
    ),
    "world_data": "listPayments listLedger listParcels listCatalogue listAccounts listEndpoints",
    "worlds": (
        "listWorlds getWorld deleteWorld resetWorld forkWorld getFingerprint listSnapshots saveSnapshot "
        "restoreSnapshot deleteSnapshot getSettings changeSettings createWorld"
    ),
}


def handlers() -> Mapping[str, Handler]:
    """The handler of each operation, found by its first call."""
    return MadeAtFirstUse(
        {
            operation: partial(_handler, area, operation)
            for area, operations in AREAS.items()
            for operation in operations.split()
        }
    )


def _handler(area: str, operation: str) -> Handler:
    return handler_in([import_module(f"giftsim.control.{area}")], operation)
