"""Invariants of a world, checked through the control API: money, parcels and deliveries.

`tests/models` says what each call must do; this holds whatever happened, also after a fork, an undo or a restart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from giftsim.engine.kernel.state_machine import Machine
from giftsim.services.gifting.domain.fulfilment.shipment import SHIPMENT
from giftsim.services.gifting.domain.money.charge import CHARGE
from tests.support.worlds import World

STAMPS = ("produced_at", "labeled_at", "shipped_at", "delivered_at")
STATES = frozenset({"pending", "delivered", "dead", "dropped"})


def reachable(machine: Machine[Any]) -> Mapping[str, frozenset[str]]:
    """For each state, the states a record can have later, including itself."""
    reached = {state: {state} for state in machine.states}
    for _ in machine.states:
        for row in machine.rows:
            for states in reached.values():
                if row.state in states:
                    states.add(row.target)
    return {state: frozenset(states) for state, states in reached.items()}


PARCEL_TRANSITIONS = reachable(SHIPMENT)
CHARGE_TRANSITIONS = reachable(CHARGE)


class WorldCheck:
    """The state of a world at one moment, with checks on it. Orders, parcels and payments are those of partners."""

    def __init__(self, world: World) -> None:
        self.now = world.now
        self.accounts = {row["account_id"]: row for row in world.rows("accounts")}
        self.entries = world.rows("ledger")
        self.payments = [row for row in world.rows("payments") if row["team_payment"] is None]
        self.orders = {row["id"]: row for row in world.rows("orders") if row["account_id"] is not None}
        self.parcels = [row for row in world.rows("parcels") if row["team_order_id"] in self.orders]
        self.events = world.rows("events")
        self.balances = balances_of(self.entries)

    def check(self) -> None:
        """Make all checks of one moment."""
        self.check_ledger()
        self.check_limits()
        self.check_charges()
        self.check_parcels()

    def check_ledger(self) -> None:
        """Every entry sums to zero, and a wallet is the sum of its postings."""
        check_entries(self.entries, self.accounts.values())

    def check_limits(self) -> None:
        """Wallets less held amounts are not below zero, or on net terms not below the credit limit."""
        for account_id, account in self.accounts.items():
            unknown = [row for row in self.payments if row["account_id"] == account_id and row["status"] == "sent"]
            assert account["held_cents"] == sum(row["wallet_cents"] for row in unknown)
            minimum = -account["credit_limit_cents"] if account["billing_mode"] == "net_terms" else 0
            assert account["wallet_cents"] - account["held_cents"] >= minimum, account

    def check_charges(self) -> None:
        """An order is charged at most once; its balance is the charge less refunds and never negative."""
        paid = Counter(row["team_order_id"] for row in self.payments if row["status"] == "paid")
        amounts = {row["team_order_id"]: row["amount_cents"] for row in self.payments if row["status"] == "paid"}
        for order_id, order in self.orders.items():
            assert paid[order_id] == (order["paid_at"] is not None), order
            assert order["charged_cents"] == amounts.get(order_id, 0)
            assert 0 <= order["refunded_cents"] <= order["charged_cents"]
            assert self.balances[f"order {order_id}"] == order["charged_cents"] - order["refunded_cents"]
            assert order["status"] != "canceled" or order["refunded_cents"] == order["charged_cents"], order
        for account_id in self.accounts:
            assert self.balances[f"card {account_id}"] <= 0

    def check_parcels(self) -> None:
        """Timestamps are in order and not in the future; parcels of unpaid orders do not move."""
        for parcel in self.parcels:
            stamps = [parcel[name] for name in STAMPS if parcel[name]]
            assert stamps == sorted(stamps)
            assert [bool(parcel[name]) for name in STAMPS] == [True] * len(stamps) + [False] * (4 - len(stamps))
            assert all(stamp <= self.now for stamp in stamps)
            if self.orders[parcel["team_order_id"]]["paid_at"] is None:
                assert parcel["status"] in ("awaiting", "submitted", "canceled")
            if parcel["status"] in ("awaiting", "expired"):
                assert not parcel["claimed_at"]

    def check_since(self, before: WorldCheck) -> None:
        """Time does not go back, no record disappears, and records move only along their machine's rows."""
        assert before.now <= self.now
        for rows, earlier, key, transitions in (
            (self.parcels, before.parcels, "order_id", PARCEL_TRANSITIONS),
            (self.payments, before.payments, "id", CHARGE_TRANSITIONS),
        ):
            statuses = {row[key]: row["status"] for row in rows}
            for row in earlier:
                assert statuses[row[key]] in transitions[row["status"]], (row, statuses[row[key]])
        assert self.entries[: len(before.entries)] == before.entries
        assert [row["id"] for row in self.events[: len(before.events)]] == [row["id"] for row in before.events]


def balances_of(entries: Iterable[Any]) -> Counter[str]:
    """The sum of the postings of each account of the ledger."""
    balances: Counter[str] = Counter()
    for entry in entries:
        for posting in entry["postings"]:
            balances[posting["account"]] += posting["cents"]
    return balances


def check_entries(entries: Sequence[Any], accounts: Iterable[Any]) -> None:
    """Check that every entry of the ledger sums to zero, and that a wallet is the sum of its postings."""
    for entry in entries:
        assert sum(posting["cents"] for posting in entry["postings"]) == 0, entry
    balances = balances_of(entries)
    for account in accounts:
        assert balances[f"wallet {account['account_id']}"] == account["wallet_cents"], account
        assert account["owed_cents"] == max(0, -account["wallet_cents"]), account


def check_deliveries(details: Iterable[Any], listed: Sequence[Any]) -> None:
    """Check that each event has one delivery per endpoint, and that the endpoint's counts agree (G26).

    `details` are the detail responses of the endpoints in `listed`; they show up to 50 deliveries.
    """
    for detail, row in zip(details, listed, strict=True):
        deliveries = detail["deliveries"]
        events = [delivery["event_id"] for delivery in deliveries]
        states = Counter(delivery["status"] for delivery in deliveries)
        assert len(set(events)) == len(events)
        assert set(states) <= STATES
        if len(deliveries) < 50:
            assert (row["pending_count"], row["dead_count"]) == (states["pending"], states["dead"])
        for delivery in deliveries:
            assert (delivery["status"] == "dead") <= (delivery["attempts"] >= 9)
            assert (delivery["next_attempt_at"] is None) or delivery["status"] == "pending"
            assert row["status"] == "active" or delivery["status"] != "pending"
