"""The module of each operation of the control API that shows or does something of gifting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from giftsim.engine.gateway.simulated_service import Areas

if TYPE_CHECKING:  # each is imported by the first call of one of its operations
    from giftsim.services.gifting.records import (  # noqa: F401
        accounts,
        actors,
        approvals,
        claim_links,
        crm,
        keys,
        mail_records,
        money,
        order_records,
        parcels,
        person_records,
        possible_moves,
        previews,
        product_records,
        proofs,
        teams,
        titles,
    )

# The operations of each area, by their ids in the contract.
AREAS: Final = Areas(
    __name__.rpartition(".")[0],
    {
        "accounts": "listAccounts simulateAccount",
        "actors": "listActors createActor deleteActor deleteActors",
        "approvals": "simulateApproval listApprovals getApproval",
        "product_records": "listCatalogue simulatePrice simulatePersonalization",
        "claim_links": "getClaimLink",
        "crm": "simulateCrm",
        "keys": "listKeys getKey createKey changeKey revokeKey",
        "mail_records": "listMail getMail readMail",
        "money": (
            "listPayments listLedger listInvoices getInvoice listCertificates simulatePayment simulateInvoice "
            "simulateCertificate simulateOutcome"
        ),
        "order_records": "listOrders listGifts listCampaigns getOrder getGift getCampaign",
        "parcels": "listParcels simulateClaim simulateClaimLink simulateShipment simulateSingleOrder",
        "person_records": "listPeople listContacts listRecipients",
        "possible_moves": "listMoves",
        "previews": "listPreviews getPreview simulatePreview simulateFile",
        "proofs": "listProofs getProof simulateProof",
        "teams": "createSession simulateTeam listTeams",
        "titles": "listTitles",
    },
)
