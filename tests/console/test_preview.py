"""The preview of an advance, as a page and in the bubble of the time strip: one list of sentences in order of time."""

from __future__ import annotations

from tests.support.actors import create_actor
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.console import Console
from tests.support.instants import later
from tests.support.orders import address_recipients
from tests.support.responses import created
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World


def test_a_preview_changes_nothing_and_leads_to_the_advance(console: Console, world: World) -> None:
    console.open()
    console.press("Send a gift to Bo")
    before = world.call_control("GET", "/fingerprint")
    page = console.follow("+1 w")
    assert page.heading == "Advance by 1 week: a preview"
    assert world.call_control("GET", "/fingerprint") == before
    console.press("Advance by 1 week")
    assert console.path == f"/w/{world.id}/orders/order/1001"
    assert "It is " in console.page.text


def test_a_preview_shows_the_events_and_the_mail_to_come(console: Console, world: World) -> None:
    create_gift(TeamClients(world).live)
    create_actor(world, approver="any", decides="approve", after="2h")
    console.open()
    page = console.follow("+1 d")
    assert "1 × approval.decided" in page.text
    assert "Mail to guest0@example.com: " in page.text
    assert world.mail() == []


def test_a_preview_of_very_much_ends_early_and_says_so(console: Console, world: World, partner: PartnerClient) -> None:
    world.simulate("account", key="partner.prepaid", add_cents=10**8)
    for n in range(3):
        partner.create_order(idempotency_key=f"many-{n}", recipients=address_recipients(100))
    page = console.open("time/preview?by=30d")
    assert "it ends after 1,000 timers, and the advance goes on" in page.text
    assert "More than" in console.open(f"strip/ahead?at={later(world.now, '30d')}").text
    assert "it ends after" not in console.open("time/preview?by=1h").text


def test_a_preview_says_what_would_be_answered_and_of_what_once(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(outage={"from": "+0d", "to": "+30d", "status": 503})
    for n in range(2):
        order = created(partner.create_order(idempotency_key=f"key-{n}"))["team_order"]["id"]
        world.simulate("claim", team_order_id=order, recipient=0)
    page = console.open("time/preview?by=1h")
    assert f"2 × team_order.claimed to {WEBHOOK_HOST}: answered 503" in page.text
    assert "2 of 2 webhooks would fail" in page.text
    assert "evt_" not in page.text.partition("In order of time")[2]
    ahead = console.open(f"strip/ahead?at={later(world.now, '1h')}").text
    assert f"2 × team_order.claimed to {WEBHOOK_HOST}: answered 503" in ahead


def test_a_preview_lists_what_changes_in_order_of_time(console: Console, world: World, partner: PartnerClient) -> None:
    world.advance("2d")
    partner.create_order(idempotency_key="later", recipients=address_recipients(2))
    world.advance("3h")
    partner.create_order(idempotency_key="last", recipients=address_recipients(2))
    page = console.open("time/preview?by=14d")
    shown = [given["datetime"] for tag, given in page.elements if tag == "time" and given["datetime"] > world.now]
    changes = shown[shown.index(min(shown)) :][:4]
    assert len(set(changes)) > 1
    assert changes == sorted(changes)


def test_a_preview_names_what_changes_as_people_do(console: Console, world: World, partner: PartnerClient) -> None:
    create_gift(TeamClients(world).live)
    partner.create_order(idempotency_key="three", recipients=address_recipients(3))
    page = console.open("time/preview?by=3d")
    told = page.text.partition("In order of time")[2].partition("In all")[0]
    assert "Stoneware mug for Person 0 and 2 others #1002, 3 parcels: in production, then labeled, then shipped" in told
    assert "shipment 5" not in told
    assert console.follow("Stoneware mug for Person 0 and 2 others #1002").heading.startswith("Stoneware mug")
