"""Magic hosts: the receiver of a webhook answers as the host in its URL says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.magic.receiver_hosts import HOSTS
from giftsim.magic.value_format import HOST
from tests.support.api_clients import PartnerClient
from tests.support.team import webhooks as team_webhooks
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World


def outcomes(world: World, host: str, span: str = "30h") -> list[tuple[str, int | None]]:
    """Outcome and status of the attempts to send an event about a claim to the host, within a span."""
    world.partner().subscribe("team_order.claimed", host=host)
    world.partner().create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.advance(span)
    return [(row["outcome"], row["status"]) for row in world.deliveries()]


@pytest.mark.parametrize(
    ("label", "expected"),
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
def test_a_magic_host_answers_as_its_label_says(world: World, label: str, expected: Any) -> None:
    assert outcomes(world, label + HOST, "100h" if label == "down-1d" else "30h") == expected


@pytest.mark.parametrize("label", ["status-999", "status-1", "fails-0", "fails-101", "down-soon", "timeouts", "www"])
def test_a_host_with_an_unknown_label_is_ordinary(world: World, label: str) -> None:
    assert outcomes(world, label + HOST) == [("delivered", 200)]
    assert world.call_control("GET", "/receivers")["receivers"] == []


def test_an_existing_receiver_takes_precedence(world: World) -> None:
    world.set_receiver("timeout" + HOST, then={"status": 200})
    assert outcomes(world, "timeout" + HOST) == [("delivered", 200)]


def test_hosts_are_ordinary_when_the_setting_is_off(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"magic_values": False})
    assert outcomes(world, "timeout" + HOST) == [("delivered", 200)]


def test_a_magic_host_works_for_a_webhook_of_a_team(world: World) -> None:
    team = TeamClients(world)
    team_webhooks.subscribe(team.live, "approval.requested", host="fails-1" + HOST)
    create_gift(team.live)
    world.advance("1h")
    assert [row["status"] for row in world.deliveries()] == [503, 200]


def test_two_webhooks_share_one_receiver(world: World, partner: PartnerClient) -> None:
    for kind in ("team_order.claimed", "team_order.shipped"):
        partner.subscribe(kind, host="fails-3" + HOST)
    (row,) = world.call_control("GET", "/receivers")["receivers"]
    assert (row["host"], len(row["script"])) == ("fails-3" + HOST, 3)


def test_every_host_in_the_table_has_a_working_example(world: World, partner: PartnerClient) -> None:
    for row in HOSTS:
        partner.subscribe("team_order.claimed", host=row.example + HOST)
    assert [entry["host"] for entry in world.call_control("GET", "/receivers")["receivers"]] == [
        row.example + HOST for row in HOSTS
    ]
