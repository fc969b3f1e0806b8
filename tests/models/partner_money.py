"""How a partner's charges are paid: wallet, saved card, credit and limits, and charges whose outcome is unknown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from tests.models.compare import Learned

PREPAID, NET_TERMS = "prepaid", "net_terms"
CRASH = "crash"


@dataclass(eq=False)
class Account:
    """What all keys of an account share. `held` is the part of the wallet reserved by unknown charges (G28)."""

    mode: str
    wallet: int
    card: str = "good"
    card_fallback: bool = True
    credit_limit: int = 0
    daily_limit: int | None = None
    held: int = 0

    @property
    def free(self) -> int:
        """What a charge may take: what is reserved for a charge with an unknown outcome is not free (G28)."""
        return self.wallet - self.held

    @property
    def owed(self) -> int:
        """On net terms the balance may go below zero; what is missing is owed (P-1.6)."""
        return max(0, -self.wallet)


@dataclass(eq=False)
class Key:
    """An API key, bound to an account; the daily limit counts per key, by the day in Los Angeles (B13)."""

    name: str
    account: Account
    spent: Counter[str] = field(default_factory=Counter)


@dataclass(eq=False)
class Charge:
    """One charge: `paid`, `failed`, or `unknown` because it was sent and its outcome was not recorded (G28)."""

    key: Key
    wallet: int
    card: int
    day: str = ""
    status: str = "failed"
    code: str = ""
    reserved: int = 0
    balance_after: int = 0
    sent_at: int = 0
    turn: int = 0
    transaction: Learned = field(default_factory=lambda: Learned(str))

    @property
    def cents(self) -> int:
        """The wallet's part and the card's part add up to the charge (P-2.30)."""
        return self.wallet + self.card

    def close(self, paid: bool) -> None:
        """Record the outcome. Only now the wallet is debited, and a failed charge takes nothing (B11, G28)."""
        account, self.status = self.key.account, "paid" if paid else "failed"
        account.held -= self.reserved
        if paid:
            account.wallet -= self.wallet
            self.balance_after = account.wallet
        elif self.day:
            self.key.spent[self.day] -= self.cents


def los_angeles_day(at: int) -> str:
    """The day whose spending limit a charge counts against (B13)."""
    return datetime.fromtimestamp(at, UTC).astimezone(ZoneInfo("America/Los_Angeles")).date().isoformat()


def refusal(key: Key, cents: int, at: int) -> str:
    """Why a charge is refused before a card is charged, if it is; funds come before the daily limit (G208)."""
    account = key.account
    if account.mode == NET_TERMS and cents > account.free + account.credit_limit:
        return "credit_limit_exceeded"  # P-7.13: exactly the room passes
    if account.mode == PREPAID and cents > max(0, account.free):
        if account.card == "none":
            return "insufficient_funds_no_card"  # P-7.12
        if not account.card_fallback:
            return "insufficient_funds"  # P-7.11
    if account.daily_limit is not None and key.spent[los_angeles_day(at)] + cents > account.daily_limit:
        return "daily_spend_limit_exceeded"  # P-7.14
    return ""


def charge(key: Key, cents: int, at: int, fault: str = "") -> Charge:
    """Charge an order. `fault` is the code of an injected refusal, or a crash after the charge was sent (G16, G28)."""
    wallet = cents if key.account.mode == NET_TERMS else min(cents, max(0, key.account.free))  # P-1.5, P-1.6, B12
    made = Charge(key, wallet, cents - wallet, los_angeles_day(at))
    made.code = fault if fault not in ("", CRASH) else refusal(key, cents, at)
    if not made.code:
        key.spent[made.day] += cents  # an unknown charge counts until it fails; refunds free no room (B13)
        made.reserved = wallet
        _process(made, fault)
    return made


def settlement(key: Key, cents: int, fault: str = "") -> Charge:
    """Pay what is owed on net terms by card; it counts against no limit (P-1.7, B16)."""
    made = Charge(key, -cents, cents)
    no_card = "insufficient_funds_no_card" if key.account.card == "none" else ""
    made.code = fault if fault not in ("", CRASH) else no_card
    if not made.code:
        _process(made, fault)
    return made


def _process(made: Charge, fault: str) -> None:
    """Let the processor work. Until the outcome is recorded, the wallet's part is reserved (G28)."""
    made.key.account.held += made.reserved
    if fault == CRASH:
        made.status = "unknown"
        return
    if made.card and made.key.account.card != "good":
        made.code = "card_charge_failed"  # P-7.15; the wallet is not taken either (B11)
    made.close(paid=not made.code)
