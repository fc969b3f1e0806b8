"""Accounts: a wallet that is prepaid or on net terms, a saved card and limits (P-1.5, P-1.6, B11, B13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from giftsim.domain.money.ledger import OUTSIDE, Posting, post_entry
from giftsim.kernel.signals import Signal
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec
from giftsim.problem import Problem

PREPAID, NET_TERMS = "prepaid", "net_terms"
NO_CARD, GOOD_CARD, DECLINED_CARD = "none", "good", "declined"
FIRST_ID = 501

# What may be set by hand; the wallet has verbs of its own, since money moves then.
EDITABLE_COLUMNS = ("label", "billing_mode", "card", "card_fallback", "credit_limit_cents", "daily_limit_cents")

# The cash of a team's account changed: the account before and after.
TEAM_CASH_CHANGED: Signal[Callable[[State, Account, Account], None]] = Signal("team_cash_changed")


class Account(Record, frozen=True, gc=False):
    """`cash_cents` equals the wallet's balance in the ledger at all times; it is below zero by what net terms owe.

    `held_cents` is what charges under way have set aside. `daily_limit_cents` is for each key of the account (B13).
    An account with a `team` (a slot) is that team's balance or its terms, of which the partner interface knows nothing.
    """

    label: str = ""
    billing_mode: str = PREPAID
    cash_cents: int = 0
    held_cents: int = 0
    card: str = NO_CARD
    card_fallback: bool = True
    credit_limit_cents: int = 0
    daily_limit_cents: int | None = None
    team: int | None = None

    @property
    def id(self) -> int:
        return FIRST_ID + self.n

    @property
    def owner(self) -> str:
        return f"account {self.n}"

    @property
    def wallet(self) -> str:
        return f"wallet {self.n}"

    @property
    def external_source(self) -> str:
        """Where money comes from that is not in the wallet: the card, or a team's bank."""
        return f"card {self.n}" if self.team is None else f"bank {self.n}"

    @property
    def owed_cents(self) -> int:
        return max(0, -self.cash_cents)


class AccountNotFound(Problem):
    """The world has no account of this id."""

    status = 404
    code = "account_not_found"


ACCOUNTS: TableSpec[Account] = TableSpec("accounts", Account)


def find_account(state: State, account_id: int) -> Account:
    """The account of a public id; AccountNotFound otherwise."""
    account = state[ACCOUNTS].at(account_id - FIRST_ID)
    if account is None or account.team is not None:
        raise AccountNotFound(f"there is no account {account_id}")
    return account


def open_account(state: State, choices: Mapping[str, Any], team: int | None = None) -> Account:
    """A new account with the LIMITS and `wallet_cents` among the choices; its opening balance is a ledger entry."""
    account = state[ACCOUNTS].add(Account(state[ACCOUNTS].next_n, team=team))
    return change_account(state, account, choices)


def change_account(state: State, account: Account, choices: Mapping[str, Any]) -> Account:
    """The account with other LIMITS, its wallet set to `wallet_cents`, then `add_cents` put in (both in whole cents).

    A `daily_limit_cents` of None is no limit. Money comes from and goes to the outside, by entries in the ledger.
    """
    limits = {name: choices[name] for name in EDITABLE_COLUMNS if name in choices}
    account = state[ACCOUNTS].put(msgspec.structs.replace(account, **limits))
    wanted_cents = choices.get("wallet_cents")
    if wanted_cents is not None:
        account = _adjust(state, account, wanted_cents - account.cash_cents)
    return _adjust(state, account, choices.get("add_cents") or 0)


def _adjust(state: State, account: Account, cents: int) -> Account:
    if not cents:
        return account
    return move_money(state, account, "adjustment", account.owner, ((account.wallet, cents), (OUTSIDE, -cents)))


def move_money(
    state: State, account: Account, kind: str, ref: str, postings: Sequence[Posting], held_cents: int | None = None
) -> Account:
    """Post an entry in the account's books, and with it change its cash and, if given, what is held.

    For a team's account this calls TEAM_CASH_CHANGED.
    """
    wallet, cash_cents = account.wallet, account.cash_cents
    for name, cents in postings:
        if name == wallet:
            cash_cents += cents
    post_entry(state, kind, account.owner, ref, postings)
    held_cents = account.held_cents if held_cents is None else held_cents
    after = state[ACCOUNTS].put(msgspec.structs.replace(account, cash_cents=cash_cents, held_cents=held_cents))
    if account.team is not None:
        state.handler(TEAM_CASH_CHANGED)(state, account, after)
    return after


def reserve(state: State, account: Account, cents: int) -> Account:
    """Set a part of the wallet aside for a charge, or give it back (cents below zero)."""
    return state[ACCOUNTS].put(msgspec.structs.replace(account, held_cents=account.held_cents + cents))
