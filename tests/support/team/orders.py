"""Builders and operations of team orders, gifts and approvals."""

from __future__ import annotations

from typing import Any

from tests.support.responses import expect_status
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.worlds import World

# The welcome kit (a mug, a notebook and a pen) and its shipping to the United States.
KIT = "welcome-kit"
KIT_CENTS, PARCEL_CENTS = 1800 + 1400 + 600, 800
EACH_CENTS = KIT_CENTS + PARCEL_CENTS


def typed_recipients(count: int) -> list[dict[str, Any]]:
    """So many typed recipients."""
    return [{"name": f"Guest {i}", "email": f"guest{i}@example.com"} for i in range(count)]


def order_body(**members: Any) -> dict[str, Any]:
    """A body for an order of welcome kits for two typed recipients. Members given as None are left out."""
    body = {"collection": KIT, "headcount": 2, "recipients": typed_recipients(2), **members}
    return {name: value for name, value in body.items() if value is not None}


def create_order(client: TeamClient, **members: Any) -> Any:
    """Create a team order."""
    return client.post_json("/team-orders", order_body(**members))


def gift_body(count: int = 1, **members: Any) -> dict[str, Any]:
    """A body for a gift send of welcome kits to so many typed recipients."""
    return {"recipients": typed_recipients(count), "gift": {"collection_slug": KIT}, **members}


def create_gift(client: TeamClient, count: int = 1, **members: Any) -> Any:
    """Create a gift send; its full representation."""
    return client.get_json(f"/gifts/{client.post_json('/gifts', gift_body(count, **members))['id']}")


def reload(client: TeamClient, record: Any) -> Any:
    """Read an order or gift again."""
    return client.get_json(f"/{'gifts' if 'gift' in record else 'team-orders'}/{record['id']}")


def reference(record: Any) -> dict[str, Any]:
    """The member that names an order or gift in a `simulate` body."""
    return {"gift_id" if "gift" in record else "team_order_id": record["id"]}


def approve(world: World, record: Any, note: str | None = None) -> Any:
    """Approve an order or gift, as a human; the approval."""
    return world.simulate("approval", **reference(record), decision="approve", **({"note": note} if note else {}))


def reject(world: World, record: Any) -> Any:
    """Reject an order or gift, as a human; the approval."""
    return world.simulate("approval", **reference(record), decision="reject")


def approve_and_reload(team: TeamClients, record: Any) -> Any:
    """Approve an order or gift and read it again."""
    approve(team.world, record)
    return reload(team.live, record)


def request_approval(client: TeamClient, record: Any, **members: Any) -> Any:
    """Request approval of an order; the approval."""
    return client.post_json(f"/team-orders/{record['id']}/request-approval", members, 200)


def move_parcels(world: World, record: Any, to: str, **recipient: Any) -> None:
    """Move parcels of an order or gift to a status; all of them unless `recipient` names one."""
    world.simulate("shipment", **reference(record), to=to, **recipient)


def claim(world: World, record: Any, recipient: int = 0) -> None:
    """Claim a gift, as a recipient who enters an address."""
    world.simulate("claim", **reference(record), recipient=recipient)


def cancel(client: TeamClient, record: Any, **members: Any) -> Any:
    """Cancel an order, which must succeed; the order."""
    return expect_status(client.post(f"/team-orders/{record['id']}/cancel", members), 200).json()


def event_types(world: World) -> list[str]:
    """The types of all webhook events, in order."""
    return [event["type"] for event in world.events()]


def recipient_statuses(record: Any) -> list[str]:
    """The status of each recipient, in order."""
    return [row["status"] for row in record["recipients"]]


def mailed_tokens(world: World) -> list[str]:
    """The tokens of the claim links in all mails."""
    return [link.rsplit("/", 1)[1] for letter in world.mail() for link in letter["links"]]
