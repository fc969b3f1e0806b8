"""Accounts: a wallet (prepaid or on net terms), a saved card and limits (P-1.5, P-1.6, B11, B13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from giftsim.engine.kernel.signals import Signal
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem

OUTSIDE = "outside"
SHARED = 1_024  # names of accounts, each kept once: every entry of the ledger has some
Posting = tuple[str, int]


class LedgerName(NamedTuple):
    """What a name in the ledger refers to: a record by its slot (a partner's order by its id), such as `payment 3`.

    `n` is None if the name has no number, like `outside` or the transaction id of a charge.
    """

    kind: str
    n: int | None


def read_ledger_name(name: str) -> LedgerName:
    """The record that a ledger account or an entry's `ref` names."""
    kind, _, number = name.partition(" ")
    return LedgerName(kind, int(number) if number.isdigit() else None)


class Entry(Record, frozen=True, gc=False):
    """One movement of money: `postings` are (ledger account, cents) pairs, positive for the account that receives.

    `owner` is the owner of the ledger accounts, such as `account 3`; `ref` is what was paid, such as `team_order 1001`.
    """

    at_ms: int
    kind: str
    owner: str
    ref: str
    postings: tuple[Posting, ...]


class Unbalanced(Exception):
    """The postings of an entry do not sum to zero, which is a bug."""


ENTRIES: TableSpec[Entry] = TableSpec("ledger", Entry, groups={"owner": "owner"})


def post_entry(state: State, kind: str, owner: str, ref: str, postings: Iterable[Posting]) -> Entry:
    """Add an entry, without postings of zero cents; Unbalanced unless it sums to zero."""
    kept, total_cents = [], 0
    for posting in postings:
        if posting[1]:
            kept.append(posting)
            total_cents += posting[1]
    if total_cents:
        raise Unbalanced(f"{kind} for {ref} does not sum to zero: {kept}")
    table = state[ENTRIES]
    return table.add(Entry(table.next_n, state.now_ms, kind, owner, ref, tuple(kept)))


def balance_cents(state: State, owner: str, name: str) -> int:
    """The balance of an owner's ledger account, computed from all its entries; for reports and tests."""
    entries = state[ENTRIES].rows_in("owner", owner)
    return sum(cents for entry in entries for posted, cents in entry.postings if posted == name)


PREPAID, NET_TERMS = "prepaid", "net_terms"
NO_CARD, GOOD_CARD, DECLINED_CARD = "none", "good", "declined"
FIRST_ID = 501
_OWNER = "account "

# The columns that may be set directly. The wallet may not: a change of it is a movement of money.
EDITABLE_COLUMNS = ("label", "billing_mode", "card", "card_fallback", "credit_limit_cents", "daily_limit_cents")

# The cash of a team's account changed: the account before and after.
TEAM_CASH_CHANGED: Signal[Callable[[State, Account, Account], None]] = Signal("team_cash_changed")


@lru_cache(SHARED)
def account_owner(account: int) -> str:
    """The `owner` of the records, events and endpoints of the account in a slot. Those of a team are its tenants."""
    return f"{_OWNER}{account}"


def owning_account(owner: str) -> int | None:
    """The slot of the account that an `owner` names; None for a team or a sandbox."""
    return int(owner.removeprefix(_OWNER)) if owner.startswith(_OWNER) else None


@lru_cache(SHARED)
def _wallet(account: int) -> str:
    return f"wallet {account}"


class Account(Record, frozen=True, gc=False):
    """`cash_cents` always equals the wallet's balance in the ledger; on net terms it is negative by the amount owed.

    `held_cents` is reserved for charges that are not closed. `daily_limit_cents` applies to each key of the account
    (B13). An account with a `team` (a slot) is the balance or the credit terms of that team, which the partner
    interface cannot see.
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
        return account_owner(self.n)

    @property
    def wallet(self) -> str:
        return _wallet(self.n)

    @property
    def external_source(self) -> str:
        """The ledger account of money from outside the wallet: the saved card, or the bank of a team."""
        return f"card {self.n}" if self.team is None else f"bank {self.n}"

    @property
    def owed_cents(self) -> int:
        return max(0, -self.cash_cents)


class AccountNotFound(Problem, status=404, code="account_not_found"):
    """The world has no account of this id."""


ACCOUNTS: TableSpec[Account] = TableSpec("accounts", Account)


def find_account(state: State, account_id: int) -> Account:
    """The account with a public id; AccountNotFound if there is none."""
    account = state[ACCOUNTS].at(account_id - FIRST_ID)
    if account is None or account.team is not None:
        raise AccountNotFound(f"there is no account {account_id}")
    return account


def open_account(state: State, choices: Mapping[str, Any], team: int | None = None) -> Account:
    """A new account. `choices` may have the EDITABLE_COLUMNS and `wallet_cents`, the opening balance."""
    account = state[ACCOUNTS].add(Account(state[ACCOUNTS].next_n, team=team))
    return change_account(state, account, choices)


def change_account(state: State, account: Account, choices: Mapping[str, Any]) -> Account:
    """Change the EDITABLE_COLUMNS among `choices`, set the wallet to `wallet_cents`, then add `add_cents` to it.

    A `daily_limit_cents` of None means no limit. Changes of the wallet are ledger entries against OUTSIDE.
    """
    columns = {name: choices[name] for name in EDITABLE_COLUMNS if name in choices}
    account = state[ACCOUNTS].put(msgspec.structs.replace(account, **columns))
    wallet_cents = choices.get("wallet_cents")
    if wallet_cents is not None:
        account = _adjust(state, account, wallet_cents - account.cash_cents)
    return _adjust(state, account, choices.get("add_cents") or 0)


def _adjust(state: State, account: Account, cents: int) -> Account:
    if not cents:
        return account
    return move_money(state, account, "adjustment", account.owner, ((account.wallet, cents), (OUTSIDE, -cents)))


def move_money(
    state: State, account: Account, kind: str, ref: str, postings: Sequence[Posting], held_cents: int | None = None
) -> Account:
    """Post a ledger entry and update the account's cash, and `held_cents` if given.

    Calls TEAM_CASH_CHANGED for a team's account.
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
    """Reserve a part of the wallet for a charge, or release it (negative cents)."""
    return state[ACCOUNTS].put(msgspec.structs.replace(account, held_cents=account.held_cents + cents))
