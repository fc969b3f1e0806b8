"""What a journey foretells, and what parcels did, as counts that can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tests.support.worlds import World

STAMPS = {
    "submitted": "claimed_at",
    "in_production": "produced_at",
    "labeled": "labeled_at",
    "shipped": "shipped_at",
    "delivered": "delivered_at",
}


def read_journey(world: World, about: str) -> Any:
    """The journey of a record."""
    return world.call_control("GET", f"/journey?about={about}")


def foretold(journey: Mapping[str, Any]) -> Counter[tuple[str, str]]:
    """How many parcels become what, and when."""
    found: Counter[tuple[str, str]] = Counter()
    for step in journey["ahead"]:
        if step["status"] in STAMPS:
            found[step["at"], step["status"]] += step["count"]
    return found


def happened(parcels: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """How many parcels became what until now, and when."""
    return Counter((row[stamp], status) for row in parcels for status, stamp in STAMPS.items() if row[stamp])


def parcels_of(world: World, about: str) -> list[Any]:
    """The parcels of an order, gift or campaign, or one parcel."""
    kind, _, id_ = about.partition(":")
    rows = world.rows("parcels")
    member = {"order": "team_order_id", "gift": "gift_id", "campaign": "campaign_id", "parcel": "order_id"}[kind]
    return [row for row in rows if str(row[member]) == id_]


def meet_conditions(world: World, about: str) -> None:
    """Do what a journey waits for as soon as it can be done, as somebody outside: approve, send links, claim."""
    for _ in range(200):
        journey = read_journey(world, about)
        step = next((each for each in journey["ahead"] if each["wait"] and each["wait"]["verb"]), None)
        if step is None:
            return
        if step["at"] > journey["now"]:
            world.advance(to=step["at"])
        else:
            world.simulate(step["wait"]["verb"], **step["wait"]["body"])
    raise AssertionError(f"{about} waits on")
