"""The module of each operation's handler. The first call of an operation imports it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from giftsim.engine.gateway.call import Handler, handler_in
from giftsim.engine.kernel.first_use import MadeAtFirstUse

if TYPE_CHECKING:  # each is imported by the first call of one of its operations
    from giftsim.engine.control import (  # noqa: F401
        accounts,
        actors,
        approvals,
        call_effects,
        calls,
        catalogue,
        changes,
        claim_links,
        clock,
        coverage,
        crm,
        deliveries,
        diff,
        endpoints,
        events,
        faults,
        health,
        keys,
        machines,
        mail,
        money,
        museum,
        orders,
        parcels,
        people,
        possible_moves,
        previews,
        proofs,
        reference,
        scenarios,
        teams,
        titles,
        trace,
        undo,
        usage,
        worlds,
    )

# The operations of each area, by their ids in the contract.
AREAS: Final[Mapping[str, str]] = {
    "accounts": "listAccounts simulateAccount",
    "actors": "listActors createActor deleteActor deleteActors",
    "approvals": "simulateApproval listApprovals getApproval",
    "call_effects": "getCallEffects",
    "calls": "listCalls getCall getCallScenario",
    "catalogue": "listCatalogue simulatePrice simulatePersonalization",
    "changes": "listChanges",
    "claim_links": "getClaimLink",
    "clock": "getClock setClock advanceClock cancelAdvance listTimers",
    "coverage": "getCoverage getWholeCoverage",
    "crm": "simulateCrm",
    "deliveries": (
        "listReceivers putReceiver deleteReceiver listDeliveries getDelivery verifyDelivery resendDelivery "
        "getDeliveryRequest listHeld answerDelivery noteAppAnswer"
    ),
    "diff": "diffWorlds",
    "endpoints": "listEndpoints getEndpoint testEndpoint",
    "events": "listEvents getEvent",
    "faults": "listFaults deleteFault deleteFaults createFault listFaultChoices",
    "health": "getHealth",
    "keys": "listKeys getKey createKey changeKey revokeKey",
    "machines": "listMachines",
    "mail": "listMail getMail readMail",
    "money": (
        "listPayments listLedger listInvoices getInvoice listCertificates simulatePayment simulateInvoice "
        "simulateCertificate simulateOutcome"
    ),
    "museum": "listMuseumDays listMuseumEvents listMuseumTickets getMuseumTicket",
    "orders": "listOrders listGifts listCampaigns getOrder getGift getCampaign",
    "parcels": "listParcels simulateClaim simulateClaimLink simulateShipment simulateSingleOrder",
    "people": "listPeople listContacts listRecipients",
    "possible_moves": "listMoves",
    "previews": "listPreviews getPreview simulatePreview simulateFile",
    "proofs": "listProofs getProof simulateProof",
    "reference": (
        "listFixtures listStatements listRoutes listErrors listEventTypes listSettings listMagicValues listVerbs"
    ),
    "scenarios": (
        "getScenario playScenario listScenarios getLibraryScenario listScenarioSessions createScenarioSession "
        "getScenarioSession stepScenarioSession deleteScenarioSession"
    ),
    "teams": "createSession simulateTeam listTeams",
    "titles": "listTitles",
    "trace": "getTrace makeTrace",
    "undo": "undoWorld listUndo",
    "usage": "getUsage",
    "worlds": (
        "listWorlds getWorld renameWorld deleteWorld resetWorld forkWorld getFingerprint listSnapshots "
        "saveSnapshot restoreSnapshot deleteSnapshot getSettings changeSettings createWorld"
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
    return handler_in([import_module(f"giftsim.engine.control.{area}")], operation)
