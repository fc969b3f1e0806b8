"""What tests of orders, gifts, approvals, the store and sandbox events make again and again."""

from __future__ import annotations

from typing import Any

from tests.support.responses import expect_status
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.worlds import World

# The welcome kit: a mug, a notebook and a pen, and a parcel to the United States.
KIT = "welcome-kit"
KIT_CENTS, PARCEL_CENTS = 1800 + 1400 + 600, 800
EACH_CENTS = KIT_CENTS + PARCEL_CENTS
UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"


def typed_recipients(count: int) -> list[dict[str, Any]]:
    """Typed recipients."""
    return [{"name": f"Guest {i}", "email": f"guest{i}@example.com"} for i in range(count)]


def order_body(**members: Any) -> dict[str, Any]:
    """A welcome kit for two heads with names; a member given as None is left out."""
    body = {"collection": KIT, "headcount": 2, "recipients": typed_recipients(2), **members}
    return {name: value for name, value in body.items() if value is not None}


def create_order(face: TeamClient, **members: Any) -> Any:
    """A new team order."""
    return face.post_json("/team-orders", order_body(**members))


def gift_body(count: int = 1, **members: Any) -> dict[str, Any]:
    """A welcome kit for so many typed recipients."""
    return {"recipients": typed_recipients(count), "gift": {"collection_slug": KIT}, **members}


def create_gift(face: TeamClient, count: int = 1, **members: Any) -> Any:
    """A new gift, as its own read shows it."""
    return face.get_json(f"/gifts/{face.post_json('/gifts', gift_body(count, **members))['id']}")


def reload(face: TeamClient, record: Any) -> Any:
    """An order or gift as it is now."""
    return face.get_json(f"/{'gifts' if 'gift' in record else 'team-orders'}/{record['id']}")


def reference(record: Any) -> dict[str, Any]:
    """How a verb names an order or gift."""
    return {"gift_id" if "gift" in record else "team_order_id": record["id"]}


def approve(team: TeamClients, record: Any, note: str | None = None) -> Any:
    """A human says yes."""
    return team.world.simulate("approval", **reference(record), decision="approve", **({"note": note} if note else {}))


def reject(team: TeamClients, record: Any) -> Any:
    """A human says no."""
    return team.world.simulate("approval", **reference(record), decision="reject")


def approve_and_reload(team: TeamClients, record: Any) -> Any:
    """An order or gift as it is after a human's yes."""
    approve(team, record)
    return reload(team.live, record)


def request_approval(face: TeamClient, record: Any, **members: Any) -> Any:
    """The approval that an order's request gives."""
    return face.post_json(f"/team-orders/{record['id']}/request-approval", members, 200)


def move_parcels(team: TeamClients, record: Any, to: str, **who: Any) -> None:
    """Parcels of an order or gift go on."""
    team.world.simulate("shipment", **reference(record), to=to, **who)


def claim(team: TeamClients, record: Any, recipient: int = 0) -> None:
    """A recipient enters an address."""
    team.world.simulate("claim", **reference(record), recipient=recipient)


def cancel(face: TeamClient, record: Any, **members: Any) -> Any:
    """The order after its cancel, which must succeed."""
    return expect_status(face.post(f"/team-orders/{record['id']}/cancel", members), 200).json()


def balance_cents(team: TeamClients) -> int:
    """What the team has."""
    return int(team.live.get_json("/billing/balance")["balance_cents"])


def event_types(world: World) -> list[str]:
    """What happened, in order."""
    return [event["type"] for event in world.events()]


def recipient_statuses(record: Any) -> list[str]:
    """Where each recipient stands."""
    return [row["status"] for row in record["recipients"]]


def mailed_tokens(world: World) -> list[str]:
    """The tokens of the claim links that were mailed."""
    return [link.rsplit("/", 1)[1] for letter in world.mail() for link in letter["links"]]
