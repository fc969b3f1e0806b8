"""What people call orders, gifts and campaigns."""

from __future__ import annotations

import pytest

from tests.support.orders import email_recipients
from tests.support.team.campaigns import prepared_campaign
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World


def titles(world: World, of: str) -> list[tuple[str, int | str, str]]:
    """The titles of some records."""
    found = world.call_control("GET", f"/titles?of={of}")["titles"]
    return [(each["kind"], each["id"], each["title"]) for each in found]


def test_an_order_is_called_by_its_name_or_by_whom_it_is_for(world: World) -> None:
    partner = world.partner()
    partner.create_order(recipients=email_recipients(1))
    partner.create_order(idempotency_key="b", recipients=email_recipients(3))
    partner.create_order(idempotency_key="c", recipients=email_recipients(2))
    partner.create_order(idempotency_key="d", name="Spring fair")
    assert [row["title"] for row in world.rows("orders")] == [
        "Person 0’s stoneware mug",
        "Stoneware mug for Person 0 and 2 others",
        "Stoneware mug for Person 0 and 1 other",
        "Spring fair",
    ]
    assert titles(world, "team_order:1004,team_order:1001,gift:1") == [
        ("team_order", 1004, "Spring fair"),
        ("team_order", 1001, "Person 0’s stoneware mug"),
    ]


def test_gifts_and_campaigns_have_titles_and_orders_are_counted_without_them(world: World) -> None:
    team = TeamClients(world)
    gift, campaign = create_gift(team.live, 1), prepared_campaign(team.live, 3)
    assert [row["title"] for row in world.rows("gifts")] == ["Guest 0’s stoneware mug and 2 more"]
    assert [row["title"] for row in world.rows("campaigns")] == [campaign["name"]]
    assert [each[1] for each in titles(world, f"campaign:{campaign['id']},gift:{gift['id']}")] == [
        campaign["id"],
        gift["id"],
    ]
    assert world.call_control("GET", "")["counts"]["orders"] == 0


@pytest.mark.parametrize("of", ["1001", "endpoint:1", "gift:"])
def test_what_is_not_a_kind_and_an_id_is_refused(world: World, of: str) -> None:
    answer = world.control.get(f"/worlds/{world.id}/titles?of={of}")
    assert (answer.status, answer.json()["error"]["code"]) == (400, "invalid_parameter")
