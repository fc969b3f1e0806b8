"""The order, gift or campaign that money was paid for, found from what the ledger refers to."""

from __future__ import annotations

from typing import Any

from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.order_charge import PURPOSE
from giftsim.domain.money.charge import Charge, find_charge
from giftsim.domain.team.billing.billable import bill_of
from giftsim.domain.team.billing.invoice import INVOICES
from giftsim.domain.team.billing.payment import PAYMENTS
from giftsim.domain.team.billing.wallet_payment import PURPOSE as TEAM
from giftsim.domain.team.campaigns import campaign
from giftsim.kernel.state import State

Subject = dict[str, Any]
CAMPAIGN = "campaign"


def paid_subject(state: State, ref: str) -> Subject | None:
    """The subject of a ledger entry by its `ref`: a charge, a refund or a bank's payment. None for an adjustment."""
    kind, _, number = ref.partition(" ")
    if kind == "team_order":
        return {"kind": "team_order", "id": int(number)}
    if kind == "payment":
        payment = state[PAYMENTS].get(int(number))
        return billed_subject(state, payment.resource_type, payment.resource)
    if kind == "invoice":
        invoice = state[INVOICES].get(int(number))
        return billed_subject(state, invoice.resource_type, invoice.resource)
    charge = find_charge(state, ref)
    return None if charge is None else charged_subject(state, charge)


def charged_subject(state: State, charge: Charge) -> Subject | None:
    """What a charge pays for. None for the settlement of an account."""
    if charge.purpose == PURPOSE:
        return {"kind": "team_order", "id": state[FULFILMENTS].get(charge.subject).id}
    if charge.purpose == TEAM:
        payment = state[PAYMENTS].get(charge.subject)
        return billed_subject(state, payment.resource_type, payment.resource)
    return None


def billed_subject(state: State, resource_type: str | None, slot: int | None) -> Subject | None:
    """What a team's payment or invoice is for. None for the balance. A batch counts as its campaign."""
    if resource_type is None or slot is None:
        return None
    bill = bill_of(state, resource_type, slot)
    return {"kind": CAMPAIGN if bill.type == campaign.RESOURCE else bill.type, "id": bill.id}
