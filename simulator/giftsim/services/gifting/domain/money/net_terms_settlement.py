"""Pay by card what a net-terms account owes (P-1.7, B16, G35)."""

from __future__ import annotations

from giftsim.engine.kernel.setting import flag
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.api_key import ApiKey
from giftsim.services.gifting.domain.money.account import NET_TERMS, Account
from giftsim.services.gifting.domain.money.charge import (
    Charge,
    ChargeFault,
    CrashAfterCharge,
    mark_unknown,
    open_settlement,
    process_charge,
    unknown_charges,
)
from giftsim.services.gifting.domain.money.money_errors import REFUSALS, MoreThanOwed, NothingToSettle, OutcomeUnknown

SETTLE_ENABLED = flag("partner.settle_enabled", True, "whether POST /billing/settle exists (B16)")


def open_net_terms_settlement(
    state: State, account: Account, key: ApiKey, amount_cents: int | None, fault: ChargeFault
) -> Charge:
    """Open a charge of the card for what is owed, or for a part of it.

    NothingToSettle if nothing is owed, MoreThanOwed, OutcomeUnknown while the outcome of an earlier settlement is
    unknown.
    """
    if account.billing_mode != NET_TERMS or not account.owed_cents:
        raise NothingToSettle("nothing is owed on this account")
    amount_cents = account.owed_cents if amount_cents is None else amount_cents
    if amount_cents > account.owed_cents:
        raise MoreThanOwed(f"amount_cents is {amount_cents}, but only {account.owed_cents} cents are owed")
    if unknown_settlement(state, account):
        raise OutcomeUnknown("the outcome of an earlier settlement is unknown; nothing was charged now")
    return open_settlement(state, account, key, amount_cents, fault.declined)


def settle_or_raise(state: State, charge: Charge, fault: ChargeFault) -> Charge:
    """The paid charge, with the new `balance_cents`; PaymentRefused if the card is declined.

    CrashAfterCharge, with the charge committed as sent, if `fault` says so.
    """
    if fault.crash and not charge.code:
        mark_unknown(state, charge)
        state.commit_so_far()
        raise CrashAfterCharge(charge.transaction_id)
    charge = process_charge(state, charge)
    if charge.code:
        raise REFUSALS[charge.code](f"nothing was settled: {REFUSALS[charge.code].explanation}")
    return charge


def unknown_settlement(state: State, account: Account) -> Charge | None:
    """The account's settlement whose outcome is unknown, if there is one."""
    unknown = [charge for charge in unknown_charges(state) if charge.purpose == "settlement"]
    return next((charge for charge in unknown if charge.account == account.n), None)


def on_charge_closed(_: State, charge: Charge) -> None:
    """Do nothing: the ledger already has the settlement."""


SETTINGS = (SETTLE_ENABLED,)
