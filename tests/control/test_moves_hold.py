"""What the list of moves says holds: a possible move is accepted, another is refused in the same words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.team.artwork import create_preview
from tests.support.team.campaigns import prepared_campaign
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift, create_order
from tests.support.team.proofs import add_version, create_branded_order, first_proof
from tests.support.worlds import World


def subjects(world: World) -> Iterator[tuple[str, object]]:
    """One record of each kind and status that the world has."""
    seen: dict[tuple[str, str], object] = {}
    for kind, view, member in (
        ("order", "orders", "id"), ("gift", "gifts", "id"), ("campaign", "campaigns", "id"),
        ("parcel", "parcels", "order_id"), ("approval", "approvals", "id"),
    ):  # fmt: skip
        for row in world.rows(view):
            seen.setdefault((kind, row["status"]), row[member])
    yield from ((kind, subject_id) for (kind, _), subject_id in seen.items())


def assert_holds(world: World, kind: str, subject_id: object) -> int:
    """Send each listed verb, from the same state; how many were sent."""
    moves = [move for move in read(world, kind, subject_id) if move["body"] is not None]
    for move in moves:
        response = world.control.call("POST", f"/worlds/{world.id}/simulate/{move['verb']}", move["body"])
        assert (response.status == 200) is move["allowed"], (kind, subject_id, move, response.text)
        if move["allowed"]:
            world.call_control("POST", "/snapshots/before/restore")
        else:
            assert response.json()["error"]["message"] == move["why_not"]
    return len(moves)


def read(world: World, kind: str, subject_id: object) -> Any:
    return world.call_control("GET", f"/moves?kind={kind}&id={subject_id}")["moves"]


def test_every_move_of_the_showcase_is_as_it_is_listed(new_world: Any) -> None:
    world = new_world(fixture="default")
    world.call_control("POST", "/snapshots", {"name": "before"})
    sent = sum([assert_holds(world, kind, subject_id) for kind, subject_id in subjects(world)])
    assert sent > 200


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients of the team that the named credentials belong to."""
    return TeamClients(world)


def test_moves_of_a_team_that_is_at_work_are_as_they_are_listed(team: TeamClients) -> None:
    world = team.world
    order, gift, campaign = create_order(team.live), create_gift(team.live, 2), prepared_campaign(team.live, 2)
    sandbox_order, branded = create_order(team.test), create_branded_order(team.live)
    preview = create_preview(team.live)
    proof = first_proof(team.live, branded)
    add_version(team.live, proof["id"])
    invoice = team.live.post_json("/deposit-invoices", {"amount_cents": 100_000})
    certificate = team.live.post_json("/tax-certificates", {"url": "https://files.example.com/a.pdf", "region": "NV"})
    world.call_control("POST", "/snapshots", {"name": "before"})
    for kind, record in (
        ("order", order), ("order", sandbox_order), ("order", branded), ("gift", gift), ("campaign", campaign),
        ("preview", preview), ("proof", proof), ("invoice", invoice), ("certificate", certificate),
    ):  # fmt: skip
        assert assert_holds(world, kind, record["id"]) > 0


def test_a_payment_without_an_outcome_is_settled_failed_or_lost_as_listed(team: TeamClients) -> None:
    world = team.world
    order = create_order(team.live)
    world.change_settings(payments__settle_after="1h")
    world.simulate("approval", team_order_id=order["id"], decision="approve")
    [payment] = world.call_control("GET", f"/orders/{order['id']}")["money"]["payments"]
    world.call_control("POST", "/snapshots", {"name": "before"})
    assert assert_holds(world, "payment", payment["payment_id"]) == 3
    assert {move["trigger"]: move["due"] for move in read(world, "payment", payment["payment_id"])}["settle"]
