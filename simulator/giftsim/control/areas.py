"""Where the handlers of the operations are, by area. The first call of an operation imports the module of its area."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import ModuleType
from typing import Final

from giftsim.gateway.call import Handler, handler_in
from giftsim.kernel.first_use import MadeAtFirstUse

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
    return handler_in([_module(area)], operation)


def _module(area: str) -> ModuleType:
    match area:
        case "actors":
            from giftsim.control import actors

            return actors
        case "approvals":
            from giftsim.control import approvals

            return approvals
        case "calls":
            from giftsim.control import calls

            return calls
        case "changes":
            from giftsim.control import changes

            return changes
        case "clock":
            from giftsim.control import clock

            return clock
        case "crm":
            from giftsim.control import crm

            return crm
        case "diff":
            from giftsim.control import diff

            return diff
        case "events":
            from giftsim.control import events

            return events
        case "faults":
            from giftsim.control import faults

            return faults
        case "health":
            from giftsim.control import health

            return health
        case "held_deliveries":
            from giftsim.control import held_deliveries

            return held_deliveries
        case "keys":
            from giftsim.control import keys

            return keys
        case "machines":
            from giftsim.control import machines

            return machines
        case "mail":
            from giftsim.control import mail

            return mail
        case "money":
            from giftsim.control import money

            return money
        case "moves":
            from giftsim.control import moves

            return moves
        case "museum":
            from giftsim.control import museum

            return museum
        case "people":
            from giftsim.control import people

            return people
        case "placed":
            from giftsim.control import placed

            return placed
        case "previews":
            from giftsim.control import previews

            return previews
        case "proofs":
            from giftsim.control import proofs

            return proofs
        case "reference":
            from giftsim.control import reference

            return reference
        case "scenarios":
            from giftsim.control import scenarios

            return scenarios
        case "simulate":
            from giftsim.control import simulate

            return simulate
        case "teams":
            from giftsim.control import teams

            return teams
        case "undo":
            from giftsim.control import undo

            return undo
        case "usage":
            from giftsim.control import usage

            return usage
        case "webhooks":
            from giftsim.control import webhooks

            return webhooks
        case "world_data":
            from giftsim.control import world_data

            return world_data
        case "worlds":
            from giftsim.control import worlds

            return worlds
    raise LookupError(area)
