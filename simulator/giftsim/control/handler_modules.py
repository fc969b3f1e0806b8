"""Where the handlers of the operations are. The first call of an operation of a module imports it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from typing import Any, Final

from giftsim.gateway.call import Handler

# The operations in the table of each module. The handlers that a module makes of something are in `control`.
OPERATIONS: Final[Mapping[str, str]] = {
    "actors": "listActors createActor deleteActor deleteActors",
    "approvals": "simulateApproval listApprovals getApproval",
    "changes": "listChanges",
    "clock": "getClock setClock advanceClock cancelAdvance listTimers",
    "crm": "simulateCrm",
    "diff": "diffWorlds",
    "events": "listEvents getEvent",
    "faults": "listFaults deleteFault deleteFaults",
    "held_deliveries": "listHeld answerDelivery",
    "keys": "listKeys getKey createKey changeKey revokeKey",
    "mail": "listMail getMail",
    "money": "listInvoices getInvoice listCertificates simulatePayment simulateInvoice simulateCertificate",
    "moves": "listMoves",
    "museum": "listMuseumDays listMuseumEvents listMuseumTickets getMuseumTicket",
    "people": "listPeople listContacts listRecipients",
    "previews": "listPreviews getPreview simulatePreview simulateFile",
    "proofs": "listProofs getProof simulateProof",
    "placed": "listOrders listGifts listCampaigns getOrder getGift getCampaign",
    "simulate": (
        "listVerbs simulateClaim simulateClaimLink simulateShipment simulateSingleOrder simulateAccount"
        " simulateOutcome simulatePrice simulatePersonalization"
    ),
    "teams": "createSession simulateTeam listTeams",
    "webhooks": (
        "listReceivers putReceiver deleteReceiver listDeliveries getDelivery verifyDelivery resendDelivery"
        " getDeliveryRequest"
    ),
    "world_data": "listPayments listLedger listParcels listCatalogue listAccounts listEndpoints",
    "worlds": (
        "listWorlds getWorld deleteWorld resetWorld forkWorld getFingerprint listSnapshots saveSnapshot"
        " restoreSnapshot deleteSnapshot getSettings changeSettings"
    ),
}


def handlers_module(name: str) -> Any:
    """A module of handlers."""
    return import_module(f"giftsim.control.{name}")


def makers_of(operations: str, table: Callable[[], Mapping[str, Handler]]) -> dict[str, Callable[[], Handler]]:
    """For each operation a function that gets its handler from a table, which is made for the first of them."""
    kept = cache(table)
    return {operation: partial(_entry, kept, operation) for operation in operations.split()}


def table_makers() -> Iterator[dict[str, Callable[[], Handler]]]:
    """Those of the operations of every module that has a table."""
    for module, operations in OPERATIONS.items():
        yield makers_of(operations, partial(_table, module))


def _entry(table: Callable[[], Mapping[str, Handler]], operation: str) -> Handler:
    return table()[operation]


def _table(module: str) -> Mapping[str, Handler]:
    handlers: Mapping[str, Handler] = handlers_module(module).HANDLERS
    return handlers
