"""Partner team orders: bring them to a state, and read what became of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from giftsim.engine.client.response import Response
from tests.support.api_clients import PartnerClient
from tests.support.orders import email_recipients, order_body
from tests.support.responses import created, error_code, expect_status
from tests.support.worlds import World

STATUSES = (
    "awaiting", "submitted", "in_production", "labeled", "shipped", "delivered", "delayed", "rejected", "expired",
    "canceled",
)  # fmt: skip


def order_id(order: Any) -> int:
    """The id of an order in a response's JSON."""
    return int(order["team_order"]["id"])


def recipient_ids(detail: Any) -> list[int]:
    """The ids of an order's recipients."""
    return [row["recipient_id"] for row in detail["recipients"]]


def recipient_statuses(detail: Any) -> list[str]:
    """The status of each recipient in an order's detail."""
    return [row["status"] for row in detail["recipients"]]


def shipment_statuses(partner: PartnerClient, order: Any) -> list[str]:
    """The status of each recipient's shipment, read from the API."""
    return [row["shipment"]["status"] for row in partner.read_order(order_id(order))["recipients"]]


def list_orders(world: World) -> list[Any]:
    """Every team order as the control API lists it, oldest first."""
    return world.rows("orders")


def manifest_rows(partner: PartnerClient, order: Any) -> list[dict[str, str]]:
    """The rows of an order's manifest."""
    response = expect_status(partner.get(f"/team-orders/{order_id(order)}/manifest.csv"), 200)
    return list(csv.DictReader(io.StringIO(response.text, newline="")))


def refused_order(world: World, partner: PartnerClient, status: int = 400, **members: Any) -> str:
    """The code with which an order is refused; it must change nothing and leave its idempotency key unused."""
    with world.assert_unchanged():
        response = partner.create_order(**members)
    code = error_code(response, status)
    assert created(partner.post("/team-orders", order_body())), "the idempotency key is in use"
    return code


def request_cancel(partner: PartnerClient, order: Any, rows: Iterable[int] | None = None, **members: Any) -> Response:
    """Cancel the recipients at these indexes, or all; the response."""
    known = recipient_ids(order)
    chosen = {} if rows is None else {"recipient_ids": [known[index] for index in rows]}
    return partner.post(f"/team-orders/{order_id(order)}/cancel", {**chosen, **members})


def cancel_rows(partner: PartnerClient, order: Any, rows: Iterable[int] | None = None, **members: Any) -> Any:
    """Cancel the recipients at these indexes, or all, which must succeed; the response's JSON."""
    return expect_status(request_cancel(partner, order, rows, **members), 200).json()


def move_parcels(world: World, order: Response | Mapping[str, Any], to: str, recipient: int | None = None) -> None:
    """Move the parcel of one recipient, or of all, to a status."""
    detail = order.json() if isinstance(order, Response) else order
    chosen = {} if recipient is None else {"recipient": recipient}
    world.simulate("shipment", team_order_id=order_id(detail), to=to, **chosen)


def order_with_statuses(world: World, partner: PartnerClient, statuses: Sequence[str], **members: Any) -> Any:
    """A paid order whose recipients have these statuses; its detail."""
    key = f"standing {len(world.rows('orders'))}"
    recipients = email_recipients(len(statuses))
    order = created(partner.create_order(idempotency_key=key, recipients=recipients, claim_expiry_days=1, **members))
    world.advance("1d")
    # what is delivered comes last: an order that was delivered stays so (G359)
    for index, status in sorted(enumerate(statuses), key=lambda row: row[1] == "delivered"):
        if status == "awaiting":
            world.simulate("claim_link", team_order_id=order_id(order), recipient=index)
        elif status == "submitted":
            world.simulate("claim", team_order_id=order_id(order), recipient=index)
        elif status == "canceled":
            cancel_rows(partner, order, [index])
        elif status != "expired":
            move_parcels(world, order, status, index)
    detail = partner.read_order(order_id(order))
    assert recipient_statuses(detail) == list(statuses)
    return detail


def order_with_unknown_charge(world: World, partner: PartnerClient, **members: Any) -> int:
    """Create an order whose connection is lost after the charge, so that its outcome is unknown; the order's id."""
    world.add_fault({"crash": "after_charge"}, when={"first": 1})
    try:
        partner.create_order(**members)
    except ConnectionError:
        return int(world.rows("orders")[-1]["id"])
    raise AssertionError("the fault `crash: after_charge` did not close the connection")
