"""A team that pays, in a state of the domain alone, without catalogue and HTTP."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from giftsim.engine.kernel.definitions import merge_definitions
from giftsim.engine.kernel.instants import DAY, parse_duration, parse_instant
from giftsim.engine.kernel.signals import connect, connect_key
from giftsim.engine.kernel.state import EMITTED, Definitions, State
from giftsim.engine.problem import ERRORS
from giftsim.services.gifting.domain.api_key import API_KEYS, ApiKey, issue_key
from giftsim.services.gifting.domain.domain_definitions import DEFINITIONS as DOMAIN
from giftsim.services.gifting.domain.money.account import ACCOUNTS, Account
from giftsim.services.gifting.domain.money.charge import ChargeFault
from giftsim.services.gifting.domain.team.billing.billable import BILLABLE, Bill, Billable
from giftsim.services.gifting.domain.team.billing.payment import PAYMENTS, Payment
from giftsim.services.gifting.domain.team.billing.payment_errors import PriceChanged
from giftsim.services.gifting.domain.team.billing.wallet import (
    BALANCE_THRESHOLDS,
    change_balance,
    change_terms,
    create_wallet,
    wallet_of,
)
from giftsim.services.gifting.domain.team.billing.wallet_payment import pay_for_record
from giftsim.services.gifting.domain.team.team import create_team
from giftsim.services.gifting.domain.team.team_definitions import DEFINITIONS as TEAM
from giftsim.services.gifting.domain.team.tenant import Tenant, live_tenant

NOW = "2027-01-04T09:00:00Z"
THING = "thing"
PER_REQUEST, MONTHLY = 10_000, 20_000


class PayingTeam:
    """A live team with two keys, which pay for things. `closed` and `unpayable` things cannot be paid.

    `paid` lists the things of settled payments, `unpaid` those of failed ones, `events` all events as (kind, facts).
    """

    def __init__(self, now: str = NOW, balance_cents: int = 100_000, limit_cents: int = 100_000) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.paid: list[int] = []
        self.unpaid: list[int] = []
        self.prices: list[int] = []
        self.closed: list[int] = []
        self.unpayable: list[int] = []
        self.thresholds: list[tuple[int, int]] = []
        self.state = State(self._definitions(), 1, parse_instant(now))
        with self.state.transaction():
            self.record = create_team(self.state, "north", "North", created_ms=self.state.now_ms - 400 * DAY)
            create_wallet(self.state, self.record.n, "north")
            change_balance(self.state, self.record.n, balance_cents)
            change_terms(self.state, self.record.n, {"credit_limit_cents": limit_cents})
            self.keys = [self._issue_key(name) for name in ("first", "second")]

    @property
    def tenant(self) -> Tenant:
        return live_tenant(self.record.n)

    @property
    def balance(self) -> Account:
        return self.state[ACCOUNTS].get(wallet_of(self.state, self.record.n).balance)

    @property
    def terms(self) -> Account:
        return self.state[ACCOUNTS].get(wallet_of(self.state, self.record.n).terms)

    def totals(self) -> tuple[int, int, int]:
        """The balance, what is reserved of it, and what is owed, in cents."""
        return self.balance.cash_cents, self.balance.held_cents, self.terms.owed_cents

    def add_thing(self, cents: int) -> int:
        """Add a thing with this price: its slot."""
        self.prices.append(cents)
        return len(self.prices) - 1

    def pay(
        self, cents: int, *, key: int | None = 0, method: str = "balance", crash: bool = False, thing: int | None = None
    ) -> Payment:
        """Pay for a new or the given thing, in a transaction of its own."""
        slot = self.add_thing(cents) if thing is None else thing
        payer = None if key is None else self.state[API_KEYS].get(self.keys[key].n)
        with self.state.transaction():
            return pay_for_record(
                self.state, self.tenant, key=payer, method=method, amount_cents=cents, resource_type=THING, slot=slot,
                fault=ChargeFault(crash=crash),
            )  # fmt: skip

    def last(self) -> Payment:
        """The newest payment."""
        return self.state[PAYMENTS].get(self.state[PAYMENTS].next_n - 1)

    def change_settings(self, **settings: Any) -> None:
        """Change settings; names with `__` for the dots."""
        with self.state.transaction():
            for name, raw in settings.items():
                self.state.set_setting(name.replace("__", "."), raw)

    def advance(self, by: str) -> None:
        """Advance the clock by a duration and fire the due timers."""
        self.advance_to(self.state.now_ms + parse_duration(by))

    def advance_to(self, at_ms: int) -> None:
        """Advance the clock to an instant and fire the due timers."""
        while (timer := self.state.timers.peek()) and timer.due_ms <= at_ms:
            self.state.fire(timer)
        self.state.now_ms = at_ms

    def count_events(self, kind: str) -> int:
        """The number of events of a kind."""
        return sum(each == kind for each, _ in self.events)

    def _issue_key(self, name: str) -> ApiKey:
        return issue_key(
            self.state, "team", name=name, team=self.record.n, role="approver", scopes=("orders:pay",),
            per_request_cents=PER_REQUEST, monthly_cents=MONTHLY, capabilities=(),
        )  # fmt: skip

    def _definitions(self) -> Definitions:
        definitions = merge_definitions(DOMAIN, TEAM)
        others = [each for each in definitions.connections if each.signal is not BALANCE_THRESHOLDS]
        own = (
            connect(EMITTED, lambda _state, kind, _owner, _subject, **facts: self.events.append((kind, facts))),
            connect(BALANCE_THRESHOLDS, lambda _state, _owner: self.thresholds),
            connect_key(BILLABLE, THING, BillableThing(self)),
        )
        return replace(definitions, connections=(*others, *own)).compiled(ERRORS)


class BillableThing(Billable):
    """The things of a `PayingTeam` as something that can be paid for."""

    def __init__(self, team: PayingTeam) -> None:
        self.team = team

    def bill(self, _: State, slot: int) -> Bill:
        open_ = slot not in self.team.closed
        return Bill(THING, 900 + slot, f"Thing {slot}", self.team.prices[slot], is_open=open_)

    def check_payable(self, _: State, slot: int) -> None:
        if slot in self.team.unpayable:
            raise PriceChanged("prices have changed")

    def on_paid(self, state: State, payment: int) -> None:
        self.team.paid.append(state[PAYMENTS].get(payment).resource)

    def on_payment_failed(self, _: State, slot: int) -> None:
        self.team.unpaid.append(slot)
