"""The wallet of a team: its balance and its credit terms, each an account in the ledger (A5.6, A5.7, G28).

The balance is the cash of one account, and what that account holds is reserved. The terms are another account, on net
terms: what is owed is its negative cash. A sandbox sees figures that never change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from giftsim.engine.kernel.signals import Signal
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.money.account import ACCOUNTS, NET_TERMS, Account, change_account, open_account
from giftsim.services.gifting.domain.team.billing.billing_profile import SANDBOX_BALANCE, SANDBOX_CREDIT
from giftsim.services.gifting.domain.team.tenant import Tenant, live_tenant

NONE, ACTIVE, SUSPENDED = "none", "active", "suspended"
STATUSES = (NONE, ACTIVE, SUSPENDED)
DEFAULT_NET_DAYS = 30

# The endpoints (slots) of an owner that are subscribed to `balance.low`, each with its threshold in cents.
BALANCE_THRESHOLDS: Signal[Callable[[State, str], Iterable[tuple[int, int]]]] = Signal(
    "balance_thresholds", lambda _state, _owner: ()
)


class Wallet(Record, frozen=True, gc=False):
    """The wallet of a team (a slot): `balance` and `terms` are slots of accounts, `status` is that of the terms."""

    team: int
    balance: int
    terms: int
    status: str = NONE
    net_days: int = DEFAULT_NET_DAYS


class Balance(msgspec.Struct, frozen=True, gc=False):
    """The balance, and what is reserved of it for payments."""

    balance_cents: int
    reserved_cents: int

    @property
    def available_cents(self) -> int:
        return self.balance_cents - self.reserved_cents


class Terms(msgspec.Struct, frozen=True, gc=False):
    """Credit terms: what is reserved is neither available nor outstanding."""

    status: str
    net_days: int
    credit_limit_cents: int
    outstanding_cents: int
    available_cents: int


WALLETS: TableSpec[Wallet] = TableSpec("team.purse", Wallet, unique={"team": "team"})


def create_wallet(state: State, team: int, label: str) -> Wallet:
    """Create an empty wallet without terms for a team (a slot)."""
    balance = open_account(state, {"label": f"{label} balance"}, team)
    terms = open_account(state, {"label": f"{label} terms", "billing_mode": NET_TERMS}, team)
    return state[WALLETS].add(Wallet(state[WALLETS].next_n, team, balance.n, terms.n))


def wallet_of(state: State, team: int) -> Wallet:
    """The wallet of a team (a slot); an empty one is created for a team without."""
    return state[WALLETS].find("team", team) or create_wallet(state, team, f"team {team}")


def balance_account(state: State, team: int) -> Account:
    """The account whose cash is the team's balance."""
    return state[ACCOUNTS].get(wallet_of(state, team).balance)


def terms_account(state: State, team: int) -> Account:
    """The account on net terms, which owes what the team bought on terms."""
    return state[ACCOUNTS].get(wallet_of(state, team).terms)


def read_balance(state: State, tenant: Tenant) -> Balance:
    """The balance that keys of a tenant see."""
    if not tenant.livemode:
        return Balance(state.setting(SANDBOX_BALANCE), 0)
    account = balance_account(state, tenant.team)
    return Balance(account.cash_cents, account.held_cents)


def read_terms(state: State, tenant: Tenant) -> Terms:
    """The terms that keys of a tenant see; nothing is available unless they are active."""
    if not tenant.livemode:
        limit_cents = state.setting(SANDBOX_CREDIT)
        return Terms(ACTIVE, DEFAULT_NET_DAYS, limit_cents, 0, limit_cents)
    wallet, account = wallet_of(state, tenant.team), terms_account(state, tenant.team)
    free_cents = account.credit_limit_cents + account.cash_cents - account.held_cents
    available_cents = max(0, free_cents) if wallet.status == ACTIVE else 0
    net_days = 0 if wallet.status == NONE else wallet.net_days
    return Terms(wallet.status, net_days, account.credit_limit_cents, account.owed_cents, available_cents)


def change_balance(state: State, team: int, balance_cents: int) -> Account:
    """Set the balance; the ledger records the difference as an adjustment."""
    return change_account(state, balance_account(state, team), {"wallet_cents": balance_cents})


def add_to_balance(state: State, team: int, cents: int) -> Account:
    """Add to the balance, or take from it; a ledger entry records it. InvalidState for what would take it below 0."""
    account = balance_account(state, team)
    if cents < 0 and account.cash_cents + cents < 0:
        raise InvalidState(f"the balance is {account.cash_cents} cents; {-cents} cents cannot be taken from it")
    return change_account(state, account, {"add_cents": cents})


def change_terms(state: State, team: int, choices: Mapping[str, Any]) -> Wallet:
    """Change `status`, `net_days` or `credit_limit_cents`; the first credit limit also activates the terms."""
    wallet = wallet_of(state, team)
    if "credit_limit_cents" in choices:
        account = terms_account(state, team)
        change_account(state, account, {"credit_limit_cents": choices["credit_limit_cents"]})
    first = ACTIVE if wallet.status == NONE and choices.get("credit_limit_cents") else wallet.status
    columns = {"status": choices.get("status", first), "net_days": choices.get("net_days", wallet.net_days)}
    return state[WALLETS].put(msgspec.structs.replace(wallet, **columns))


def on_cash_changed(state: State, before: Account, after: Account) -> None:
    """Emit `balance.low` for each threshold that the balance fell below (handles TEAM_CASH_CHANGED; A6.6, T-6.13).

    A balance equal to the threshold is not below it. Reservations do not change the balance.
    """
    if after.team is None or after.cash_cents >= before.cash_cents or after.billing_mode == NET_TERMS:
        return
    owner = live_tenant(after.team).owner
    for endpoint, cents in tuple(state.handler(BALANCE_THRESHOLDS)(state, owner)):
        if after.cash_cents < cents <= before.cash_cents:
            state.emit("balance.low", owner, after.team, livemode=True, only=(endpoint,), endpoint=endpoint)
