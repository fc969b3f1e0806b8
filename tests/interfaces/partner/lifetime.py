"""Orders brought to where a test wants them, instants counted from the world's own, and what the money did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from giftsim.gateway.in_process_client import Answer
from tests.harness import Face, World, people

STATUSES = (
    "awaiting", "submitted", "in_production", "labeled", "shipped", "delivered", "delayed", "rejected", "expired",
    "canceled",
)  # fmt: skip
MUG_CENTS, PARCEL_CENTS = 1800, 800
ROW_CENTS = MUG_CENTS + PARCEL_CENTS


def later(world: World, **span: float) -> str:
    """The instant so much after the world's own; `span` as `timedelta` takes it."""
    return (datetime.fromisoformat(world.now) + timedelta(**span)).strftime("%Y-%m-%dT%H:%M:%SZ")


def day(world: World, days: int = 0) -> str:
    """The UTC day so many days after the world's own."""
    return later(world, days=days)[:10]


def made(answer: Answer) -> Any:
    """The JSON of a create that must have been paid."""
    assert answer.status == 201, answer.text
    return answer.json()


def code(answer: Answer, status: int) -> str:
    """The error code of an answer that must have this status."""
    assert answer.status == status, answer.text
    return str(answer.json()["error"]["code"])


def standing(detail: Any) -> list[str]:
    """Where the rows of an order stand."""
    return [row["status"] for row in detail["recipients"]]


def ids(detail: Any) -> list[int]:
    """The ids of the recipients."""
    return [row["recipient_id"] for row in detail["recipients"]]


def cancel(partner: Face, order: Any, rows: Iterable[int] | None = None, **members: Any) -> Answer:
    """Cancel the rows at those places, or all."""
    known = ids(order)
    named = {} if rows is None else {"recipient_ids": [known[place] for place in rows]}
    return partner.post(f"/team-orders/{order['team_order']['id']}/cancel", {**named, **members})


def canceled(partner: Face, order: Any, rows: Iterable[int] | None = None, **members: Any) -> Any:
    """The JSON of a cancel that must do something."""
    answer = cancel(partner, order, rows, **members)
    assert answer.status == 200, answer.text
    return answer.json()


def move(world: World, order: Any, to: str, place: int | None = None) -> None:
    """A parcel of the order, or all of them, goes to a stage."""
    row = {} if place is None else {"recipient": place}
    world.simulate("shipment", team_order_id=order["team_order"]["id"], to=to, **row)


def stand(world: World, partner: Face, statuses: Sequence[str], **members: Any) -> Any:
    """A paid link-mode order whose rows stand in those statuses, as a read shows it."""
    key = f"standing {len(world.rows('orders'))}"
    order = made(partner.order(idempotency_key=key, recipients=people(len(statuses)), claim_expiry_days=1, **members))
    world.advance("1d")
    order_id = order["team_order"]["id"]
    for place, status in enumerate(statuses):
        if status == "awaiting":
            world.simulate("claim_link", team_order_id=order_id, recipient=place)
        elif status == "submitted":
            world.simulate("claim", team_order_id=order_id, recipient=place)
        elif status == "canceled":
            canceled(partner, order, [place])
        elif status != "expired":
            move(world, order, status, place)
    detail = partner.read(order_id)
    assert standing(detail) == list(statuses)
    return detail


def account(world: World, key: str = "partner.prepaid") -> Any:
    """The account of a key, as the control plane shows it."""
    return next(row for row in world.ask("GET", "/accounts")["accounts"] if key in row["keys"])


def books(world: World) -> Counter[str]:
    """What every ledger account holds, such as `wallet 501`, `card 501` or `order 1001`; each entry sums to zero."""
    held: Counter[str] = Counter()
    for entry in world.rows("ledger"):
        assert sum(posting["cents"] for posting in entry["postings"]) == 0, entry
        for posting in entry["postings"]:
            held[posting["account"]] += posting["cents"]
    assert sum(held.values()) == 0
    return held


def leave_unknown(world: World, partner: Face, **members: Any) -> int:
    """Create an order whose charge has an unknown outcome: the connection is lost; the order's id."""
    world.fault({"crash": "after_charge"}, when={"first": 1})
    try:
        partner.order(**members)
    except ConnectionError:
        return int(world.rows("orders")[-1]["id"])
    raise AssertionError("the crash after the charge left an answer")
