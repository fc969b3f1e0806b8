"""Journeys foretell: once their conditions are met, what happens is exactly what they said, for any orders."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from tests.support.journeys import foretold, happened, meet_conditions, parcels_of, read_journey
from tests.support.orders import RENO
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift, create_order
from tests.support.worlds import World

LONDON = {"address1": "1 Pall Mall", "city": "London", "state": None, "zip": "SW1Y 5NQ", "country": "GB"}
LEADS = ("0s", "1s", "90m", "24h", "40h", "72h", "6d")
TIMES = st.fixed_dictionaries(
    {
        "production": st.sampled_from(LEADS),
        "label": st.sampled_from(LEADS),
        "shipped": st.sampled_from(LEADS),
        "transit": st.sampled_from(LEADS),
        "transit.GB": st.sampled_from((None, "10d")),
    }
)
PEOPLE = st.lists(st.sampled_from(("claims", "Reno", "London")), min_size=1, max_size=5)
ORDERS = st.fixed_dictionaries(
    {"people": PEOPLE, "by": st.sampled_from(("partner", "order", "gift")), "wait": st.sampled_from(("0s", "1h", "8d"))}
)
ACTORS = st.lists(
    st.sampled_from(
        (
            {"recipient": "any", "claims": "3d"},
            {"recipient": "p0@example.com", "claims": "2h"},
            {"recipient": "any", "claims": "never"},
            {"approver": "any", "decides": "approve", "after": "5h"},
        )
    ),
    max_size=2,
)


def place(world: World, order: dict[str, Any], number: int) -> str:
    """Place an order, and let some time pass; what journeys call it."""
    people = order["people"]
    if order["by"] == "partner":
        is_linked = people[0] == "claims"
        recipients = [
            {"name": f"P{i}", "email": f"p{i}@example.com"}
            if is_linked
            else {"name": f"P{i}", "address": LONDON if where == "London" else RENO}
            for i, where in enumerate(people)
        ]
        made = world.partner("partner.prepaid").create_order(idempotency_key=f"order-{number}", recipients=recipients)
        about = f"order:{made.json()['team_order']['id']}"
    else:
        recipients = [{"name": f"P{i}", "email": f"p{i}@example.com"} for i in range(len(people))]
        live = TeamClients(world).live
        if order["by"] == "gift":
            about = f"gift:{create_gift(live, recipients=recipients)['id']}"
        else:
            about = f"order:{create_order(live, recipients=recipients, headcount=len(people))['id']}"
    world.advance(order["wait"])
    return about


@given(TIMES, ACTORS, st.lists(ORDERS, min_size=1, max_size=3), st.sampled_from(("5d", "26h")))
@settings(max_examples=30, deadline=None)
def test_what_a_journey_foretells_is_what_happens(
    simulator: Simulator,
    times: dict[str, Any],
    actors: list[dict[str, Any]],
    orders: list[dict[str, Any]],
    window: str,
) -> None:
    world = World(simulator)
    world.change_settings(**{f"partner.lead_times.{name}": value for name, value in times.items() if value})
    world.change_settings(**{"partner.promised_window": window})
    for actor in actors:
        world.call_control("POST", "/actors", actor)
    abouts = [place(world, order, number) for number, order in enumerate(orders)]
    for about in abouts:
        before, said = happened(parcels_of(world, about)), foretold(read_journey(world, about))
        snapshot = world.call_control("POST", "/snapshots", {"name": "now"})
        meet_conditions(world, about)
        world.advance("90d")
        assert happened(parcels_of(world, about)) - before == said
        assert not foretold(read_journey(world, about)), "something is still to come"
        world.call_control("POST", f"/snapshots/{snapshot['name']}/restore")
    simulator.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")
