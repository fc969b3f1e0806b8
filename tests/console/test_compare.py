"""Two worlds compared: a fork beside its world, records, events, money and settings that differ."""

from __future__ import annotations

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.worlds import ExistingWorld, World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


def other_of(console: Console) -> str:
    """The world that the page compares with."""
    return console.path.partition("with=")[2].partition("&")[0]


def test_a_world_is_forked_and_compared_with_its_fork(console: Console, world: World) -> None:
    page = console.open("compare")
    assert page.heading == "Compare worlds"
    assert "Choose a second world" in page.text
    page = console.press("Fork and compare now")
    assert "Nothing differs" in page.text
    world.control.delete(f"/worlds/{other_of(console)}")


def test_records_events_and_money_that_differ_are_shown(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order()
    console.open("compare")
    console.press("Fork and compare now")
    path = console.path
    fork = ExistingWorld(world.simulator, other_of(console))
    fork.simulate("claim", team_order_id=1001, recipient=0)
    fork.partner().create_order(idempotency_key="there", gift_sender=HOSTILE)
    world.partner().create_order(idempotency_key="here", gift_sender="Ada")
    fork.partner().create_order(idempotency_key="more", name=HOSTILE)
    page = console.open(path)
    assert "team_order.claimed" in page.text
    assert f"only in {fork.id}" in page.text
    assert "What the ledger moved" in page.text
    assert HOSTILE in page.text
    assert "alert(1)</script>" not in console.response.text
    page = console.follow("parcel 2")
    assert "awaiting" in page.text
    assert "gift sender" not in page.text
    page = console.follow(f"Open {fork.id}")
    assert console.path == f"/w/{fork.id}/"
    fork.call_control("DELETE", "")


def test_two_clocks_are_brought_to_one_instant(console: Console, world: World) -> None:
    console.open("compare")
    console.press("Fork and compare now")
    fork = ExistingWorld(world.simulator, other_of(console))
    fork.advance("2d")
    console.open(console.path)
    page = console.press("Advance to the same instant")
    assert world.now == fork.now
    assert "Nothing differs" in page.text
    fork.call_control("DELETE", "")


def test_settings_that_differ_are_shown(console: Console, world: World) -> None:
    console.open("compare")
    console.press("Fork and compare now")
    fork = ExistingWorld(world.simulator, other_of(console))
    fork.change_settings(partner__claim_expiry_days=3)
    page = console.open(console.path)
    assert "partner.claim_expiry_days" in page.text
    fork.call_control("DELETE", "")


def test_a_world_that_does_not_exist_cannot_be_compared(console: Console) -> None:
    console.open("compare?with=nowhere")
    assert console.status == 404
    assert "There is no world 'nowhere'" in console.page.text


def test_a_fork_that_is_refused_is_a_notice(console: Console) -> None:
    console.open("compare")
    page = console.press("Fork and compare", id="Not A Name!")
    assert "The world was not forked" in page.text
