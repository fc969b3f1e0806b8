"""Charges: opened and sent to the payment processor, then settled or failed (G28, B11 to B13).

Transaction 1 opens the charge, the processor is called, and transaction 2 settles or fails it. If a crash prevents
transaction 2, the outcome is unknown, and the wallet's part stays reserved until the charge is closed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec

from giftsim.engine.kernel.index import Derived
from giftsim.engine.kernel.instants import HOUR, local_date
from giftsim.engine.kernel.setting import choice
from giftsim.engine.kernel.signals import KeyedSignal
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import After, Machine, Row
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.api_key import API_KEYS, ApiKey
from giftsim.services.gifting.domain.money.account import (
    ACCOUNTS,
    GOOD_CARD,
    NET_TERMS,
    NO_CARD,
    Account,
    move_money,
    reserve,
)
from giftsim.services.gifting.domain.money.money_errors import (
    CardChargeFailed,
    CreditLimitExceeded,
    DailySpendLimitExceeded,
    InsufficientFunds,
    InsufficientFundsNoCard,
)

SENT, PAID, FAILED = "sent", "paid", "failed"
SPEND_ZONE = "America/Los_Angeles"

RECONCILE = choice(
    "partner.reconcile_unknown",
    ("never", PAID, FAILED),
    "how a charge whose outcome is unknown is closed at the next full hour (G28)",
)

# A charge is paid or has failed; by its purpose.
CHARGE_CLOSED: KeyedSignal[Callable[[State, Charge], None]] = KeyedSignal("charge_closed")


class ChargeFault(msgspec.Struct, frozen=True, gc=False):
    """An injected fault of a charge: `declined` with a documented code, or a `crash` after the processor has the money.

    Without arguments, the charge has no fault.
    """

    declined: str | None = None
    crash: bool = False


class CrashAfterCharge(Exception):
    """The processor took the money and the outcome was not recorded. The call has no response (G28)."""


class Charge(Record, frozen=True, gc=False):
    """`purpose` and `subject` (a slot) are what is paid; `toward` is the ledger account that receives the money.

    `wallet_cents` and `card_cents` are its parts (B12). `code` is why it failed. `balance_cents` is the wallet after
    it. `day` is the Los Angeles day whose limit it counts against. `unknown` is whether its outcome is unknown, so that
    its wallet part is reserved. `key` (a slot) is None if a person pays.
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
        return "txn_" + str(self.n + 1).zfill(9)


UNKNOWN = "unknown"  # the key of the charges whose outcome is, in the index `unpaid`


def failed_key(purpose: str, subject: int) -> str:
    """The key of the charges that failed for one purpose and subject, in the index `unpaid`."""
    return f"{FAILED} {purpose} {subject}"


def _unpaid(charge: Charge) -> str | None:
    if charge.unknown:
        return UNKNOWN
    return failed_key(charge.purpose, charge.subject) if charge.status == FAILED else None


CHARGES: TableSpec[Charge] = TableSpec("charges", Charge, moving={"unpaid": Derived(("unknown", "status"), _unpaid)})


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
    """The Los Angeles day of an instant, cached by the hour, since days begin at full hours."""
    return _day(now_ms // HOUR)


def payment_parts(account: Account, amount_cents: int) -> tuple[int, int]:
    """`(wallet_cents, card_cents)` of a payment: on net terms all from the wallet, else the card pays what it lacks."""
    if account.billing_mode == NET_TERMS:
        return amount_cents, 0
    wallet_cents = min(amount_cents, max(0, account.cash_cents - account.held_cents))
    return wallet_cents, amount_cents - wallet_cents


def spent_today(state: State, key: ApiKey) -> int:
    """The cents a key has spent on the current Los Angeles day (B13)."""
    return key.spent_cents if key.spent_on == spend_day(state.now_ms) else 0


def refusal_code(account: Account, key: ApiKey, amount_cents: int, day: str) -> str | None:
    """The code with which a charge is refused before the card is charged (B11, B13), or None."""
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
    state: State,
    account: Account,
    key: ApiKey,
    amount_cents: int,
    *,
    purpose: str,
    subject: int,
    toward: str,
    declined: str | None = None,
) -> Charge:
    """Transaction 1: open a charge that is sent and counts against the day's limit, or one that has failed.

    One that is sent is not in its table yet: settle it, fail it or mark it as unknown next, which adds it. `declined`
    is the code of an injected refusal.
    """
    day = spend_day(state.now_ms)
    code = declined or refusal_code(account, key, amount_cents, day)
    wallet_cents, card_cents = payment_parts(account, amount_cents)
    charge = Charge(
        state[CHARGES].next_n,
        account.n,
        key.n,
        purpose,
        subject,
        toward,
        FAILED if code else SENT,
        wallet_cents,
        card_cents,
        day,
        state.now_ms,
        state.now_ms if code else None,
        code,
    )
    if code:
        return state[CHARGES].add(charge)
    _count(state, charge, amount_cents)
    return charge


def open_settlement(state: State, account: Account, key: ApiKey, amount_cents: int, declined: str | None) -> Charge:
    """Transaction 1 of a card payment of what is owed on net terms; it counts against no limit (B16)."""
    code = declined or (InsufficientFundsNoCard.code if account.card == NO_CARD else None)
    charge = Charge(
        state[CHARGES].next_n,
        account.n,
        key.n,
        "settlement",
        account.n,
        account.wallet,
        FAILED if code else SENT,
        0,
        amount_cents,
        "",
        state.now_ms,
        state.now_ms if code else None,
        code,
    )
    return state[CHARGES].add(charge)


def open_team_charge(
    state: State,
    account: Account,
    wallet_cents: int,
    bank_cents: int,
    *,
    key: int | None,
    purpose: str,
    subject: int,
    toward: str,
) -> Charge:
    """Transaction 1 for a team's account: open a charge that is sent. The caller has checked funds and limits.

    It counts against no day's limit, and the caller closes it: there is no card to charge.
    """
    charge = Charge(
        state[CHARGES].next_n,
        account.n,
        key,
        purpose,
        subject,
        toward,
        SENT,
        wallet_cents,
        bank_cents,
        "",
        state.now_ms,
    )
    return state[CHARGES].add(charge)


def find_charge(state: State, transaction_id: str) -> Charge | None:
    """The charge with a `transaction_id`, which is its `ref` in the ledger, or None."""
    head, _, number = transaction_id.partition("_")
    return state[CHARGES].at(int(number) - 1) if head == "txn" else None


def process_charge(state: State, charge: Charge) -> Charge:
    """Transaction 2: settle a sent charge, or fail it if its card is declined (P-7.15)."""
    if charge.status != SENT:
        return charge
    if charge.card_cents and state[ACCOUNTS].get(charge.account).card != GOOD_CARD:
        return fail_charge(state, charge, CardChargeFailed.code)
    return settle_charge(state, charge)


def mark_unknown(state: State, charge: Charge) -> None:
    """Mark the outcome of a sent charge as unknown: reserve its wallet part and start the reconciliation timer."""
    reserve(state, state[ACCOUNTS].get(charge.account), charge.wallet_cents)
    charge = msgspec.structs.replace(charge, unknown=True)
    table = state[CHARGES]
    CHARGE.enter(state, table.add(charge) if charge.n == table.next_n else table.put(charge))


def unknown_charges(state: State) -> list[Charge]:
    """Every charge whose outcome is unknown, oldest first."""
    return state[CHARGES].rows_in("unpaid", UNKNOWN)


def settle_charge(state: State, charge: Charge, trigger: str = "settle") -> Charge:
    """Close a charge as paid: move the money from wallet and card to `toward`, and notify the charge's purpose."""
    account = state[ACCOUNTS].get(charge.account)
    postings = [(account.wallet, -charge.wallet_cents)]
    if charge.card_cents:
        postings.append((account.external_source, -charge.card_cents))
    postings.append((charge.toward, charge.wallet_cents + charge.card_cents))
    held_cents = account.held_cents - charge.wallet_cents if charge.unknown else account.held_cents
    account = move_money(state, account, "charge", charge.transaction_id, postings, held_cents)
    charge = CHARGE.fire(
        state, charge, trigger, closed_at_ms=state.now_ms, balance_cents=account.cash_cents, unknown=False
    )
    state.handler_of(CHARGE_CLOSED, charge.purpose)(state, charge)
    return charge


def fail_charge(state: State, charge: Charge, code: str = CardChargeFailed.code, trigger: str = "fail") -> Charge:
    """Close a charge as failed: release what was reserved and subtract it from the day's spending."""
    if charge.unknown:
        reserve(state, state[ACCOUNTS].get(charge.account), -charge.wallet_cents)
    if charge.day:
        _count(state, charge, -charge.amount_cents)
    charge = CHARGE.fire(state, charge, trigger, closed_at_ms=state.now_ms, code=code, unknown=False)
    state.handler_of(CHARGE_CLOSED, charge.purpose)(state, charge)
    return charge


def reschedule_unknown(state: State) -> None:
    """Restart the reconciliation timer of every unknown charge, after `partner.reconcile_unknown` has changed."""
    for charge in unknown_charges(state):
        CHARGE.enter(state, charge)


def _count(state: State, charge: Charge, cents: int) -> None:
    """Add to the key's spending on the charge's day, unless a later day has begun."""
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
