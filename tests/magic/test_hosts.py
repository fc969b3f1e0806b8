"""Magic hosts: who answers for a webhook's URL does as its name says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.magic.format import HOST
from giftsim.magic.receiver_hosts import HOSTS
from tests.support.api_clients import PartnerClient
from tests.support.team import webhooks as team_webhooks
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World


def outcomes(world: World, host: str, span: str = "30h") -> list[tuple[str, int | None]]:
    """What came of the attempts to tell the host of a claim, in that span."""
    world.partner().subscribe("team_order.claimed", host=host)
    world.partner().create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.advance(span)
    return [(row["outcome"], row["status"]) for row in world.deliveries()]


@pytest.mark.parametrize(
    ("label", "came"),
    [
        ("status-503", [("http_status", 503)] * 7),
        ("status-410", [("http_status", 410)] * 7),
        ("status-204", [("delivered", 204)]),
        ("timeout", [("timeout", None)] * 7),
        ("reset", [("connection_reset", None)] * 7),
        ("refuse", [("connection_refused", None)] * 7),
        ("fails-2", [*[("http_status", 503)] * 2, ("delivered", 200)]),
        ("shop-7.fails-1", [("http_status", 503), ("delivered", 200)]),
        ("down-1d", [*[("http_status", 503)] * 7, ("delivered", 200)]),
    ],
)
def test_a_magic_host_answers_as_its_name_says(world: World, label: str, came: Any) -> None:
    assert outcomes(world, label + HOST, "100h" if label == "down-1d" else "30h") == came


@pytest.mark.parametrize("label", ["status-999", "status-1", "fails-0", "fails-101", "down-soon", "timeouts", "www"])
def test_a_host_that_says_nothing_known_is_an_ordinary_one(world: World, label: str) -> None:
    assert outcomes(world, label + HOST) == [("delivered", 200)]
    assert world.call_control("GET", "/receivers")["receivers"] == []


def test_an_entry_of_the_receiver_table_goes_before(world: World) -> None:
    world.set_receiver("timeout" + HOST, then={"status": 200})
    assert outcomes(world, "timeout" + HOST) == [("delivered", 200)]


def test_hosts_are_ordinary_once_magic_is_off(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"magic_values": False})
    assert outcomes(world, "timeout" + HOST) == [("delivered", 200)]


def test_a_team_s_webhook_hears_by_magic_too(world: World) -> None:
    team = TeamClients(world)
    team_webhooks.subscribe(team.live, "approval.requested", host="fails-1" + HOST)
    create_gift(team.live)
    world.advance("1h")
    assert [row["status"] for row in world.deliveries()] == [503, 200]


def test_the_receiver_is_made_once_and_shown(world: World, partner: PartnerClient) -> None:
    for kind in ("team_order.claimed", "team_order.shipped"):
        partner.subscribe(kind, host="fails-3" + HOST)
    (row,) = world.call_control("GET", "/receivers")["receivers"]
    assert (row["host"], len(row["script"])) == ("fails-3" + HOST, 3)


def test_every_row_of_hosts_has_an_example_that_acts(world: World, partner: PartnerClient) -> None:
    for row in HOSTS:
        partner.subscribe("team_order.claimed", host=row.example + HOST)
    assert [entry["host"] for entry in world.call_control("GET", "/receivers")["receivers"]] == [
        row.example + HOST for row in HOSTS
    ]
