"""Refunds that take time: granted, then done or failed; and refunds of a card that comes back (G441, G442).

A refund at once, as all are unless the setting `refunds.settle_after` says otherwise, has no record: it is an entry of
the ledger. It gets one if the bank of its card sends it back. Each is divided between wallet and card (P-3.13).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from giftsim.engine.kernel.setting import choice, duration
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import After, Machine, Row
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.money.account import ACCOUNTS, NO_CARD, Account, move_money

PENDING, DONE, FAILED = "pending", "done", "failed"
TO_CARD, TO_WALLET = "card", "wallet"
REFUND_KIND, RETURN_KIND = "refund", "return"

SETTLE_AFTER = duration("refunds.settle_after", "0s", "how long a refund is pending before its money arrives (G441)")
CLOSED_CARD = choice(
    "refunds.closed_card",
    (TO_CARD, TO_WALLET),
    "whether the card's part of a refund goes to the card that paid, or to the wallet if no card is saved any more"
    " (G442)",
)


class Refund(Record, frozen=True, gc=False):
    """A refund to an account (a slot): `wallet_cents` for its wallet and `card_cents` for its card.

    It takes the money from the ledger account `source`; `ref` names what was paid. With `for_good` it stays failed:
    its money went elsewhere, to the wallet or back to a bank.
    """

    account: int
    ref: str
    source: str
    wallet_cents: int
    card_cents: int
    created_ms: int
    status: str = PENDING
    closed_ms: int | None = None
    for_good: bool = False

    @property
    def total_cents(self) -> int:
        return self.wallet_cents + self.card_cents


REFUNDS: TableSpec[Refund] = TableSpec("refunds", Refund, groups={"ref": "ref"}, sparse=True)


def _due(state: State, refund: Refund) -> int | None:
    return refund.created_ms + state.setting(SETTLE_AFTER)


REFUND: Machine[Refund] = Machine(
    "refund",
    REFUNDS,
    initial=(PENDING, DONE),
    final=(),
    rows=[
        Row(PENDING, "settle", DONE, after=After(_due, 1, "a refund takes its time")),
        Row(PENDING, "fail", FAILED),
        Row(DONE, "fail", FAILED, guard=lambda _, refund: refund.card_cents > 0),
        Row(FAILED, "settle", DONE, guard=lambda _, refund: not refund.for_good),
    ],
)


def refund_parts(amount_cents: int, wallet_left_cents: int) -> tuple[int, int]:
    """`(wallet_cents, card_cents)` of a refund: the wallet's part of the charge is refunded first (P-3.13).

    `wallet_left_cents` is what the wallet paid for the whole order minus what was already refunded to it.
    """
    if amount_cents < 0 or wallet_left_cents < 0:
        raise ValueError(f"cannot refund {amount_cents} cents with {wallet_left_cents} cents left for the wallet")
    wallet_cents = min(amount_cents, wallet_left_cents)
    return wallet_cents, amount_cents - wallet_cents


def goes_to_wallet(state: State, account: Account) -> bool:
    """Whether the card's part of a refund goes to the wallet: no card is saved, and the setting says so (G442)."""
    return account.card == NO_CARD and state.setting(CLOSED_CARD) == TO_WALLET


def postpone_refund(
    state: State, account: Account, ref: str, source: str, wallet_cents: int, card_cents: int = 0
) -> bool:
    """Make a refund pending, if refunds take time. False if it has to be done now."""
    if not state.setting(SETTLE_AFTER):
        return False
    table = state[REFUNDS]
    refund = Refund(table.next_n, account.n, ref, source, wallet_cents, card_cents, state.now_ms)
    REFUND.enter(state, table.add(refund))
    return True


def refunds_of(state: State, ref: str) -> Sequence[Refund]:
    """The refunds of what was paid that have a record, oldest first."""
    return state[REFUNDS].rows_in("ref", ref)


def unarrived_cents(state: State, ref: str) -> int:
    """What was granted and has not arrived: it is pending, or has failed."""
    return sum([each.total_cents for each in refunds_of(state, ref) if each.status != DONE and not each.for_good])


def settle_refund(state: State, refund: Refund) -> Refund:
    """The money arrives, if it can; else the refund fails, as that of a card that is closed (G442)."""
    account = state[ACCOUNTS].get(refund.account)
    if refund.status == PENDING and refund.card_cents and goes_to_wallet(state, account):
        return fail_refund(state, refund)
    refund = REFUND.fire(state, refund, "settle", closed_ms=state.now_ms)
    postings = (
        (account.wallet, refund.wallet_cents),
        (account.external_source, refund.card_cents),
        (refund.source, -refund.total_cents),
    )
    move_money(state, account, REFUND_KIND, refund.ref, postings)
    return refund


def fail_refund(state: State, refund: Refund) -> Refund:
    """The money does not arrive. What should go to a card goes to the wallet; other money stays where it is (G442)."""
    account, was_done, card_cents = state[ACCOUNTS].get(refund.account), refund.status == DONE, refund.card_cents
    if was_done and not card_cents:
        raise InvalidState("this refund went to the wallet or the balance alone: only one of a card can come back")
    refund = REFUND.fire(state, refund, "fail", closed_ms=state.now_ms, for_good=card_cents > 0)
    if was_done:
        postings = ((account.external_source, -card_cents), (account.wallet, card_cents))
        move_money(state, account, RETURN_KIND, refund.ref, postings)
    elif card_cents:
        total_cents = refund.total_cents
        move_money(
            state, account, REFUND_KIND, refund.ref, ((account.wallet, total_cents), (refund.source, -total_cents))
        )
    return refund


def send_back(state: State, account: Account, ref: str, source: str, card_cents: int) -> Refund:
    """The bank of a card sends a refund back that was done at once: its money goes to the wallet."""
    table = state[REFUNDS]
    refund = table.add(
        Refund(table.next_n, account.n, ref, source, 0, card_cents, state.now_ms, DONE, closed_ms=state.now_ms)
    )
    return fail_refund(state, refund)


def withdraw_refunds(state: State, ref: str) -> int:
    """Close the refunds that have not arrived, because a bank took back the money for them; how much they were."""
    cents = unarrived_cents(state, ref)
    for refund in refunds_of(state, ref):
        if refund.status == PENDING:
            REFUND.fire(state, refund, "fail", closed_ms=state.now_ms, for_good=True)
        elif refund.status == FAILED and not refund.for_good:
            state[REFUNDS].put(msgspec.structs.replace(refund, for_good=True))
    return cents


def _settle_due(state: State, n: int) -> None:
    settle_refund(state, state[REFUNDS].get(n))


TIMERS = {"refund.settle": _settle_due}
SETTINGS = (SETTLE_AFTER, CLOSED_CARD)
