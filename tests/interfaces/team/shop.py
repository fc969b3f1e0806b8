"""What tests of orders, gifts, approvals, the store and sandbox events make again and again."""

from __future__ import annotations

from typing import Any

from tests.harness import World
from tests.interfaces.team.scene import Team, TeamFace, well

# The welcome kit: a mug, a notebook and a pen, and a parcel to the United States.
KIT = "welcome-kit"
KIT_CENTS, PARCEL_CENTS = 1800 + 1400 + 600, 800
EACH_CENTS = KIT_CENTS + PARCEL_CENTS
NOBODY = "00000000-0000-4000-8000-000000000000"


def guests(count: int) -> list[dict[str, Any]]:
    """Typed recipients."""
    return [{"name": f"Guest {i}", "email": f"guest{i}@example.com"} for i in range(count)]


def order_body(**members: Any) -> dict[str, Any]:
    """A welcome kit for two heads with names; a member given as None is left out."""
    body = {"collection": KIT, "headcount": 2, "recipients": guests(2), **members}
    return {name: value for name, value in body.items() if value is not None}


def order(face: TeamFace, **members: Any) -> Any:
    """A new team order."""
    return face.make("/team-orders", order_body(**members))


def gift_body(count: int = 1, **members: Any) -> dict[str, Any]:
    """A welcome kit for so many typed recipients."""
    return {"recipients": guests(count), "gift": {"collection_slug": KIT}, **members}


def gift(face: TeamFace, count: int = 1, **members: Any) -> Any:
    """A new gift, as its own read shows it."""
    return face.got(f"/gifts/{face.make('/gifts', gift_body(count, **members))['id']}")


def again(face: TeamFace, record: Any) -> Any:
    """An order or gift as it is now."""
    return face.got(f"/{'gifts' if 'gift' in record else 'team-orders'}/{record['id']}")


def named(record: Any) -> dict[str, Any]:
    """How a verb names an order or gift."""
    return {"gift_id" if "gift" in record else "team_order_id": record["id"]}


def approve(team: Team, record: Any, note: str | None = None) -> Any:
    """A human says yes."""
    return team.world.simulate("approval", **named(record), decision="approve", **({"note": note} if note else {}))


def reject(team: Team, record: Any) -> Any:
    """A human says no."""
    return team.world.simulate("approval", **named(record), decision="reject")


def approved(team: Team, record: Any) -> Any:
    """An order or gift as it is after a human's yes."""
    approve(team, record)
    return again(team.live, record)


def asked(face: TeamFace, record: Any, **members: Any) -> Any:
    """The approval that an order's request gives."""
    return face.make(f"/team-orders/{record['id']}/request-approval", members, 200)


def move(team: Team, record: Any, to: str, **who: Any) -> None:
    """Parcels of an order or gift go on."""
    team.world.simulate("shipment", **named(record), to=to, **who)


def claim(team: Team, record: Any, recipient: int = 0) -> None:
    """A recipient enters an address."""
    team.world.simulate("claim", **named(record), recipient=recipient)


def cancel(face: TeamFace, record: Any, **members: Any) -> Any:
    """The order after its cancel, which must succeed."""
    return well(face.post(f"/team-orders/{record['id']}/cancel", members), 200).json()


def balance_cents(team: Team) -> int:
    """What the team has."""
    return int(team.live.got("/billing/balance")["balance_cents"])


def kinds(world: World) -> list[str]:
    """What happened, in order."""
    return [event["type"] for event in world.events()]


def statuses(record: Any) -> list[str]:
    """Where each recipient stands."""
    return [row["status"] for row in record["recipients"]]


def tokens(world: World) -> list[str]:
    """The tokens of the claim links that were mailed."""
    return [link.rsplit("/", 1)[1] for letter in world.mail() for link in letter["links"]]
