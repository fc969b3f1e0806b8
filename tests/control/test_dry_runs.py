"""Dry runs: what an advance would do, computed on a copy of the world."""

from __future__ import annotations

from tests.support.actors import create_actor
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World


def test_a_dry_run_has_the_same_result_and_does_not_change_the_world(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    before = world.fingerprint()
    dry_run = world.advance("10d", dry_run=True)
    assert world.fingerprint() == before
    assert world.deliveries() == []
    result = world.advance("10d")
    assert (dry_run.pop("dry_run"), result.pop("dry_run")) == (True, False)
    assert dry_run == result
    assert dry_run["delivery_count"] == 2
    assert dry_run["events_by_type"] == {"team_order.delivered": 1, "team_order.shipped": 1}


def test_a_dry_run_shows_the_mail_that_would_be_sent(world: World) -> None:
    create_gift(TeamClients(world).live)
    create_actor(world, approver="any", decides="approve", after="2h")
    dry_run = world.advance("3h", dry_run=True)
    assert world.mail() == []
    world.advance("3h")
    members = ("seq", "at", "to", "kind", "subject")
    assert dry_run["mail"] == [{name: mail[name] for name in members} for mail in world.mail()]
    assert dry_run["mail_count"] == len(world.mail()) == 1


def test_a_dry_run_makes_no_network_calls(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(mode="forward", to="http://127.0.0.1:9")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    dry_run = world.advance("2h", dry_run=True)
    assert [row["outcome"] for row in dry_run["deliveries"]] == ["delivered"]
    assert dry_run["slow"] == []
    result = world.advance("2h")
    assert result["deliveries"][0]["outcome"] == "connection_refused"
    assert result["slow"][0]["host"] == WEBHOOK_HOST
