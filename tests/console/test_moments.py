"""Moments in the console: snapshots, actions that can be taken back, writes that can be undone, and settings."""

from __future__ import annotations

import threading

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.orders import order_body
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


def test_a_moment_is_saved_restored_and_deleted(console: Console, world: World, partner: PartnerClient) -> None:
    page = console.open("moments")
    assert page.heading == "Moments"
    assert "No moment is saved yet" in page.text
    console.press("Save", name="before")
    before = world.fingerprint()
    partner.create_order()
    world.advance("1d")
    page = console.open("moments")
    assert "+1 calls, +1 orders" in page.text
    page = console.press("Restore")
    assert world.fingerprint() == before
    assert "Done: Restore before." in page.text
    console.press("Undo")
    assert len(world.rows("orders")) == 1
    console.open("moments")
    console.press("Delete")
    assert world.call_control("GET", "/snapshots")["snapshots"] == []
    assert "Deleted the moment before." in console.page.text


def test_a_name_that_is_refused_is_a_notice(console: Console, world: World) -> None:
    console.open("moments")
    page = console.press("Save", name=HOSTILE)
    assert "The moment was not saved: " in page.text
    assert "alert(1)</script>" not in console.response.text
    assert world.call_control("GET", "/snapshots")["snapshots"] == []


def test_actions_of_the_console_are_listed_and_taken_back(console: Console, world: World) -> None:
    before = world.now
    console.open("moments")
    console.press("+1 d")
    console.press("+1 h")
    page = console.open("moments")
    assert "Advance by 1 day" in page.text
    assert "No moment is saved yet" in page.text
    form = next(form for form in page.forms if form.fields.get("name", "").endswith("1-day"))
    console.submit(form)
    assert world.now == before


def test_the_last_writes_are_undone(console: Console, world: World, partner: PartnerClient) -> None:
    page = console.open("moments")
    assert "No client has changed anything" in page.text
    for key in ("a", "b", "c"):
        partner.create_order(idempotency_key=key)
    page = console.open("moments")
    assert page.text.count("createTeamOrder") == 3
    page = console.press("Undo the last 2")
    assert len(world.rows("orders")) == 1
    assert "Undone: 2 writes, back to before POST /api/external/team-orders." in page.text
    console.press("Undo it")
    assert world.rows("orders") == []


def test_a_hostile_path_shows_as_text(console: Console, world: World, partner: PartnerClient) -> None:
    path, headers = (
        "/api/external/team-orders?x=<script>alert(1)</script>",
        world.credentials["partner.prepaid"]["headers"],
    )
    assert partner.client.call("POST", path, body=order_body(), headers=headers).status == 201
    console.open("moments")
    assert "<script>alert(1)" not in console.response.text


def test_an_advance_that_is_under_way_is_stopped(console: Console, world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.set_receiver(mode="hold")
    browser = Console(world.simulator, world.id)
    browser.open()
    assert not browser.page.has_button("Stop the advance")
    advance = threading.Thread(target=lambda: browser.press("+1 w"))
    advance.start()
    [held] = world.call_control("GET", "/deliveries/held?wait=true")["held"]
    console.open("moments")
    page = console.press("Stop the advance")
    assert "The advance ends here." in page.text
    world.call_control("POST", f"/deliveries/{held['seq']}/answer", {"status": 200})
    advance.join()
    assert "Stopped early. It is " in browser.page.text
    assert world.now == held["at"]
    console.open()
    assert not console.page.has_button("Stop the advance")


def test_the_world_is_reset_and_forked_from_here(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order()
    console.open("moments")
    console.press("Reset to its creation")
    assert world.rows("orders") == []
    console.open("moments")
    page = console.press("Fork and compare")
    assert page.heading == "Compare"
    world.control.delete(f"/worlds/{console.path.partition('with=')[2]}")
