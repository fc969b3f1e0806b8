"""Charges: an intent is sent, then what came of it is recorded; between the two nobody knows (G28, B11 to B13).

Transaction 1 opens the intent; then the processor is asked; transaction 2 settles it or lets it fail. Nobody can look
in between, unless the second one never comes: then the outcome is unknown, and the wallet's part is held until it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec

from giftsim.domain.access.api_key import API_KEYS, ApiKey
from giftsim.domain.money.account import ACCOUNTS, GOOD_CARD, NET_TERMS, NO_CARD, Account, move_money, reserve
from giftsim.domain.money.charge_refusal import (
    CardChargeFailed,
    CreditLimitExceeded,
    DailySpendLimitExceeded,
    InsufficientFunds,
    InsufficientFundsNoCard,
)
from giftsim.kernel.instants import HOUR, local_date
from giftsim.kernel.setting import choice
from giftsim.kernel.signals import KeyedSignal
from giftsim.kernel.state import State
from giftsim.kernel.state_machine import After, Machine, Row
from giftsim.kernel.table import Record, TableSpec

SENT, PAID, FAILED = "sent", "paid", "failed"
SPEND_ZONE = "America/Los_Angeles"

RECONCILE = choice(
    "partner.reconcile_unknown",
    ("never", PAID, FAILED),
    "what the next full hour makes of a charge whose outcome is unknown (G28)",
)

# A charge is paid or has failed; by its purpose.
CHARGE_CLOSED: KeyedSignal[Callable[[State, Charge], None]] = KeyedSignal("charge_closed")


class ChargeFault(msgspec.Struct, frozen=True, gc=False):
    """What the outside world does to a charge: refuses it with a code of the documents, or crashes after taking it."""

    declined: str | None = None
    crash: bool = False


class CrashAfterCharge(Exception):
    """The processor took the money, and nobody recorded it: what was before is kept, and there is no answer (G28)."""


class Charge(Record, frozen=True, gc=False):
    """`purpose` and `subject` (a slot) say what is paid; `toward` is the ledger account that receives it.

    `wallet_cents` and `card_cents` are the parts (B12); `code` says why it failed; `balance_cents` is the wallet after.
    `day` is the Los Angeles day on which it counts against the key's limit. `unknown` is whether the charge was left
    without an outcome, so that its wallet part is held. `key` is None where a person pays.
    """

    account: int
    key: int | None
    purpose: str
    subject: int
    toward: str
    status: str
    wallet_cents: int
    card_cents: int
    day: str
    opened_at_ms: int
    closed_at_ms: int | None = None
    code: str | None = None
    balance_cents: int | None = None
    unknown: bool = False

    @property
    def amount_cents(self) -> int:
        return self.wallet_cents + self.card_cents

    @property
    def transaction_id(self) -> str:
        return f"txn_{self.n + 1:09d}"


def _unknown(charge: Charge) -> str | None:
    return "all" if charge.unknown else None


CHARGES: TableSpec[Charge] = TableSpec("charges", Charge, moving={"unknown": _unknown})


def _reconciled(outcome: str) -> After:
    def due(state: State, charge: Charge) -> int | None:
        if state.setting(RECONCILE) != outcome or state[ACCOUNTS].get(charge.account).team is not None:
            return None
        return (state.now_ms // HOUR + 1) * HOUR

    return After(due, least_ms=1, because=f"unknown outcomes are taken as {outcome} at the next full hour")


CHARGE: Machine[Charge] = Machine(
    "charge",
    CHARGES,
    initial=(SENT, FAILED),
    final=(PAID, FAILED),
    rows=[
        Row(SENT, "settle", PAID),
        Row(SENT, "fail", FAILED),
        Row(SENT, "reconcile_paid", PAID, after=_reconciled(PAID)),
        Row(SENT, "reconcile_failed", FAILED, after=_reconciled(FAILED)),
    ],
)


@lru_cache(maxsize=64)
def _day(hour: int) -> str:
    return local_date(hour * HOUR, SPEND_ZONE)


def spend_day(now_ms: int) -> str:
    """The Los Angeles day of an instant; its days begin at full hours, so that one hour asks the calendar once."""
    return _day(now_ms // HOUR)


def payment_parts(account: Account, amount_cents: int) -> tuple[int, int]:
    """`(wallet_cents, card_cents)`: on net terms all on the wallet, else the wallet first and the card for the rest."""
    if account.billing_mode == NET_TERMS:
        return amount_cents, 0
    wallet_cents = min(amount_cents, max(0, account.cash_cents - account.held_cents))
    return wallet_cents, amount_cents - wallet_cents


def spent_today(state: State, key: ApiKey) -> int:
    """What a key has spent on the present Los Angeles day (B13)."""
    return key.spent_cents if key.spent_on == spend_day(state.now_ms) else 0


def refusal_code(account: Account, key: ApiKey, amount_cents: int, day: str) -> str | None:
    """The code of what stands against a charge before any card is asked (B11, B13), or None."""
    free_cents = account.cash_cents - account.held_cents
    if account.billing_mode == NET_TERMS:
        if amount_cents > free_cents + account.credit_limit_cents:
            return CreditLimitExceeded.code
    elif amount_cents > max(0, free_cents):
        if account.card == NO_CARD:
            return InsufficientFundsNoCard.code
        if not account.card_fallback:
            return InsufficientFunds.code
    spent_cents = key.spent_cents if key.spent_on == day else 0
    if account.daily_limit_cents is not None and spent_cents + amount_cents > account.daily_limit_cents:
        return DailySpendLimitExceeded.code
    return None


def open_charge(
    state: State, account: Account, key: ApiKey, amount_cents: int, *, purpose: str, subject: int, toward: str,
    declined: str | None = None,
) -> Charge:  # fmt: skip
    """Transaction 1: an intent that is sent and counts against the day; or one that has failed for want of funds.

    `declined` is a refusal that the outside decides on.
    """
    day = spend_day(state.now_ms)
    code = declined or refusal_code(account, key, amount_cents, day)
    wallet_cents, card_cents = payment_parts(account, amount_cents)
    charge = Charge(
        state[CHARGES].next_n, account.n, key.n, purpose, subject, toward, FAILED if code else SENT, wallet_cents,
        card_cents, day, state.now_ms, state.now_ms if code else None, code,
    )  # fmt: skip
    if not code:
        _count(state, charge, amount_cents)
    return state[CHARGES].add(charge)


def open_settlement(state: State, account: Account, key: ApiKey, amount_cents: int, declined: str | None) -> Charge:
    """Transaction 1 of paying by card what net terms owe: it counts against no limit (B16)."""
    code = declined or (InsufficientFundsNoCard.code if account.card == NO_CARD else None)
    charge = Charge(
        state[CHARGES].next_n, account.n, key.n, "settlement", account.n, account.wallet, FAILED if code else SENT, 0,
        amount_cents, "", state.now_ms, state.now_ms if code else None, code,
    )  # fmt: skip
    return state[CHARGES].add(charge)


def open_team_charge(
    state: State, account: Account, wallet_cents: int, bank_cents: int, *, key: int | None, purpose: str, subject: int,
    toward: str,
) -> Charge:  # fmt: skip
    """Transaction 1 for a team's account: an intent that is sent, after its purpose has judged what stands against it.

    It counts against no day, and is settled or fails by itself: no card is asked.
    """
    charge = Charge(
        state[CHARGES].next_n, account.n, key, purpose, subject, toward, SENT, wallet_cents, bank_cents, "",
        state.now_ms,
    )  # fmt: skip
    return state[CHARGES].add(charge)


def find_charge(state: State, transaction_id: str) -> Charge | None:
    """The charge that a `transaction_id` names, as the ledger refers to it, or None."""
    head, _, number = transaction_id.partition("_")
    return state[CHARGES].at(int(number) - 1) if head == "txn" else None


def process_charge(state: State, charge: Charge) -> Charge:
    """Transaction 2: settle a sent intent, or let it fail where its card declines (P-7.15)."""
    if charge.status != SENT:
        return charge
    if charge.card_cents and state[ACCOUNTS].get(charge.account).card != GOOD_CARD:
        return fail_charge(state, charge, CardChargeFailed.code)
    return settle_charge(state, charge)


def mark_unknown(state: State, charge: Charge) -> None:
    """Let the intent stand with its wallet part held, and arm what `partner.reconcile_unknown` makes of it (G28)."""
    reserve(state, state[ACCOUNTS].get(charge.account), charge.wallet_cents)
    CHARGE.enter(state, state[CHARGES].put(msgspec.structs.replace(charge, unknown=True)))


def unknown_charges(state: State) -> list[Charge]:
    """Every charge whose outcome nobody recorded, oldest first."""
    return state[CHARGES].rows_in("unknown", "all")


def settle_charge(state: State, charge: Charge, trigger: str = "settle") -> Charge:
    """The money moves: wallet and card pay `toward`, and whoever is paid for hears of it."""
    account = state[ACCOUNTS].get(charge.account)
    postings = (
        (account.wallet, -charge.wallet_cents),
        (account.external_source, -charge.card_cents),
        (charge.toward, charge.amount_cents),
    )
    held_cents = account.held_cents - charge.wallet_cents if charge.unknown else account.held_cents
    account = move_money(state, account, "charge", charge.transaction_id, postings, held_cents)
    charge = CHARGE.fire(
        state, charge, trigger, closed_at_ms=state.now_ms, balance_cents=account.cash_cents, unknown=False
    )
    state.handler_of(CHARGE_CLOSED, charge.purpose)(state, charge)
    return charge


def fail_charge(state: State, charge: Charge, code: str = CardChargeFailed.code, trigger: str = "fail") -> Charge:
    """Nothing moves: what was held is free again, and the day has its room back."""
    if charge.unknown:
        reserve(state, state[ACCOUNTS].get(charge.account), -charge.wallet_cents)
    if charge.day:
        _count(state, charge, -charge.amount_cents)
    charge = CHARGE.fire(state, charge, trigger, closed_at_ms=state.now_ms, code=code, unknown=False)
    state.handler_of(CHARGE_CLOSED, charge.purpose)(state, charge)
    return charge


def reschedule_unknown(state: State) -> None:
    """Arm every unknown charge anew, after the setting `partner.reconcile_unknown` was changed."""
    for charge in unknown_charges(state):
        CHARGE.enter(state, charge)


def _count(state: State, charge: Charge, cents: int) -> None:
    """Add to what the key spent on the charge's day, unless a later day has begun since."""
    if charge.key is None:
        return
    key = state[API_KEYS].get(charge.key)
    if key.spent_on == charge.day:
        state[API_KEYS].put(msgspec.structs.replace(key, spent_cents=key.spent_cents + cents))
    elif cents > 0:
        state[API_KEYS].put(msgspec.structs.replace(key, spent_on=charge.day, spent_cents=cents))


def _reconcile_paid(state: State, n: int) -> None:
    settle_charge(state, state[CHARGES].get(n), "reconcile_paid")


def _reconcile_failed(state: State, n: int) -> None:
    fail_charge(state, state[CHARGES].get(n), trigger="reconcile_failed")


TIMERS = {"charge.reconcile_paid": _reconcile_paid, "charge.reconcile_failed": _reconcile_failed}
SETTINGS = (RECONCILE,)
