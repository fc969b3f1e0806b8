"""The comparisons of a soak: a world's orders, money and deliveries with the soak's own books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.properties.world_checks import check_entries
from tests.support.moves import NET_TERMS
from tools.soak.findings import (
    CHANGED,
    DOUBLED_EVENT,
    DOUBLED_ORDER,
    FAILED_DELIVERY,
    FOREIGN_ORDER,
    LOST_EVENT,
    LOST_ORDER,
    MONEY,
    Findings,
)
from tools.soak.ledger import WorldLedger

ReadRows = Callable[[str], list[Any]]


@dataclass(frozen=True)
class Orders:
    """The orders of a world: ids of the partner's by their key, and ids of the team's."""

    partner: Mapping[str, int]
    team: frozenset[int | str]
    doubled: tuple[str, ...] = ()

    @classmethod
    def read(cls, rows: Iterable[Any]) -> Orders:
        """The orders of a listing of the control API."""
        listed = list(rows)
        keyed = [row for row in listed if row["account_id"] is not None]
        references = Counter(str(row["reference"]) for row in keyed)
        return cls(
            {str(row["reference"]): row["id"] for row in keyed},
            frozenset(row["id"] for row in listed if row["team_id"] is not None),
            tuple(key for key, times in references.items() if times > 1),
        )


@dataclass(frozen=True)
class TakeBack:
    """What an undo, restore or reset may do: take back up to `most` orders, or leave exactly `exactly`.

    A call that was held acts after calls that began later. So an undo of those takes it back too, and does not count
    it: `held` are the keys of such calls.
    """

    name: str
    most: int | None = None
    exactly: Orders | None = None
    held: frozenset[str] = frozenset()
    unsure: bool = False


def compare_orders(ledger: WorldLedger, orders: Orders, findings: Findings) -> None:
    """Compare the orders of a world with what was acknowledged there, while no call is in progress."""
    for key in orders.doubled:
        findings.fail(DOUBLED_ORDER, f"{ledger.world}: the key {key} has more than one order")
    with ledger.lock:
        sent, acknowledged = set(ledger.partner.sent), dict(ledger.partner.acknowledged)
        team_sent, team = len(ledger.team.sent), {each.order_id: key for key, each in ledger.team.acknowledged.items()}
    for key in set(orders.partner) - sent:
        findings.fail(FOREIGN_ORDER, f"{ledger.world}: order {orders.partner[key]} has the reference {key!r}")
    if len(orders.team) > team_sent:
        findings.fail(DOUBLED_ORDER, f"{ledger.world}: {len(orders.team)} team orders of {team_sent} keys")
    for key, order in acknowledged.items():
        found = orders.partner.get(key)
        if found is None:
            findings.fail(LOST_ORDER, f"{ledger.world}: order {order.order_id} of key {key}")
        elif found != order.order_id:
            findings.fail(CHANGED, f"{ledger.world}: the order of key {key} was {order.order_id} and is {found}")
    for order_id in set(team) - orders.team:
        findings.fail(LOST_ORDER, f"{ledger.world}: team order {order_id} of key {team[order_id]}")


def compare_taken_back(world: str, before: Orders, after: Orders, how: TakeBack, findings: Findings) -> None:
    """Check that an undo, restore or reset took back what it may, and nothing else."""
    lost = set(before.partner) - set(after.partner)
    appeared = set(after.partner) - set(before.partner)
    if appeared and how.exactly is None:
        findings.fail(FOREIGN_ORDER, f"{world}: {how.name} made orders appear: {sorted(appeared)[:5]}")
    if how.unsure and not lost and before.team == after.team:
        return
    if how.exactly is not None:
        if dict(after.partner) != dict(how.exactly.partner) or after.team != how.exactly.team:
            missing = set(how.exactly.partner) - set(after.partner)
            findings.fail(LOST_ORDER, f"{world}: after {how.name} {len(missing)} orders are missing", len(missing) or 1)
        return
    many = len(lost - how.held) + len(before.team - after.team)
    if how.most is not None and many > how.most:
        findings.fail(LOST_ORDER, f"{world}: {how.name} of {how.most} took back {many} orders", many - how.most)
    kept = max((before.partner[key] for key in set(before.partner) - lost), default=0)
    if any(before.partner[key] < kept for key in lost):
        findings.fail(LOST_ORDER, f"{world}: {how.name} took back an order and left a later one")


def compare_after_race(ledger: WorldLedger, orders: Orders, most: int | None, findings: Findings) -> None:
    """Compare the orders of a world after an undo, restore or reset that ran beside its clients.

    An undo takes back up to `most` calls and what held calls did. An order whose answer came before and that was made
    again has another id: it counts as taken back.
    """
    for key in orders.doubled:
        findings.fail(DOUBLED_ORDER, f"{ledger.world}: the key {key} has more than one order")
    with ledger.lock:
        sent, acknowledged = set(ledger.partner.sent), dict(ledger.partner.acknowledged)
        held = ledger.partner.keys_of(NET_TERMS)
    for key in set(orders.partner) - sent:
        findings.fail(FOREIGN_ORDER, f"{ledger.world}: order {orders.partner[key]} has the reference {key!r}")
    lost = {key for key, order in acknowledged.items() if key not in orders.partner} - held
    if most is not None and len(lost) > most:
        findings.fail(LOST_ORDER, f"{ledger.world}: an undo of {most} beside clients took back {len(lost)} orders")
    with ledger.lock:
        ledger.partner.forget({key for key, order in acknowledged.items() if orders.partner.get(key) != order.order_id})
        for book in (ledger.partner, ledger.team):
            book.forget_answers()


def forget_taken_back(ledger: WorldLedger, orders: Orders) -> None:
    """Take out of the books what a world no longer has."""
    with ledger.lock:
        ledger.partner.forget(set(ledger.partner.acknowledged) - set(orders.partner))
        team = ledger.team.acknowledged
        ledger.team.forget({key for key, order in team.items() if order.order_id not in orders.team})
        ledger.tickets.clear()


def check_money(world: str, read_rows: ReadRows, findings: Findings) -> None:
    """Check that every entry of the ledger sums to zero and that wallets are the sums of their postings."""
    try:
        check_entries(read_rows("ledger"), read_rows("accounts"))
    except AssertionError as error:
        findings.fail(MONEY, f"{world}: {error}")


@dataclass
class DeliveryBook:
    """The deliveries of a world to its good receiver, between two moments at which none is in flight.

    An attempt that was delivered arrived once. A kill may cut it off before its outcome is written; then it is sent
    again, once per kill at the most.
    """

    delivered: Counter[str] = field(default_factory=Counter)
    kills: int = 0

    def compare(
        self, world: str, rows: Iterable[Any], arrived: tuple[Counter[str], set[str]], kills: int, findings: Findings
    ) -> None:
        """Compare the attempts in a listing with what arrived since the last time."""
        counts, excused = arrived
        now, attempts = Counter[str](), Counter[str]()
        for row in rows:
            attempts[row["event_id"]] += 1
            if row["outcome"] == "delivered":
                now[row["event_id"]] += 1
            else:
                findings.fail(FAILED_DELIVERY, f"{world}: {row['event_id']}: {row['outcome']} {row['status']}")
        findings.count("events arrived", sum(counts.values()))
        for event in now | counts:
            excess = counts[event] - (now[event] - self.delivered[event])
            if excess < 0 and event not in excused:
                findings.fail(
                    LOST_EVENT, f"{world}: {event} was delivered {now[event]} times and {-excess} did not arrive"
                )
            elif excess > (kills - self.kills) * max(1, attempts[event]) and event not in excused:
                findings.fail(DOUBLED_EVENT, f"{world}: {event} arrived {excess} times too often")
        self.begin(rows, kills)

    def begin(self, rows: Iterable[Any], kills: int) -> None:
        """Count from here on."""
        self.delivered = Counter(row["event_id"] for row in rows if row["outcome"] == "delivered")
        self.kills = kills
