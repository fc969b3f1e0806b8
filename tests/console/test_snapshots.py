"""Snapshots in the console, everything that can be undone, and settings."""

from __future__ import annotations

import threading

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.orders import order_body
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


def test_a_snapshot_is_saved_restored_and_deleted(console: Console, world: World, partner: PartnerClient) -> None:
    page = console.open("snapshots")
    assert page.heading == "Snapshots"
    assert "No snapshot is saved yet" in page.text
    console.press("Save", name="before")
    before = world.fingerprint()
    partner.create_order()
    world.advance("1d")
    page = console.open("snapshots")
    assert "+1 calls, +1 orders" in page.text
    page = console.press("Restore")
    assert world.fingerprint() == before
    assert "Done: Restore before." in page.text
    console.press("Undo")
    assert len(world.rows("orders")) == 1
    console.open("snapshots")
    console.press("Delete")
    assert world.call_control("GET", "/snapshots")["snapshots"] == []
    assert "Deleted the snapshot before." in console.page.text
    console.press("Undo")
    assert [row["name"] for row in world.call_control("GET", "/snapshots")["snapshots"]] == ["before"]


def test_a_name_that_is_refused_is_a_notice(console: Console, world: World) -> None:
    console.open("snapshots")
    page = console.press("Save", name=HOSTILE)
    assert "The snapshot was not saved: " in page.text
    assert "alert(1)</script>" not in console.response.text
    assert world.call_control("GET", "/snapshots")["snapshots"] == []


def test_what_was_done_is_listed_and_undone(console: Console, world: World, partner: PartnerClient) -> None:
    before = world.fingerprint()
    page = console.open("snapshots")
    assert "Nothing was done in this world yet" in page.text
    console.press("+1 d")
    after_day = world.fingerprint()
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    console.press("+1 h")
    page = console.open("snapshots")
    for text in ("createTeamOrder by partner.prepaid", "Claim a gift as a recipient", "the clock was advanced from"):
        assert text in page.text
    assert [button["text"] for form in page.forms for button in form.buttons if "Undo" in button["text"]] == [
        "Undo",
        "Undo it",
        "Undo to here",
        "Undo to here",
        "Undo to here",
    ]
    forms = [form for form in page.forms if form.action.endswith("/undo")]
    page = console.submit(forms[3])
    assert "Undone: POST /api/external/team-orders." in page.text
    assert world.fingerprint() == after_day
    console.press("Undo it")
    assert world.fingerprint() == before


def test_a_hostile_path_shows_as_text(console: Console, world: World, partner: PartnerClient) -> None:
    path, headers = (
        "/api/external/team-orders?x=<script>alert(1)</script>",
        world.credentials["partner.prepaid"]["headers"],
    )
    assert partner.client.call("POST", path, body=order_body(), headers=headers).status == 201
    console.open("snapshots")
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
    console.open("snapshots")
    page = console.press("Stop the advance")
    assert "The advance ends here." in page.text
    world.call_control("POST", f"/deliveries/{held['seq']}/answer", {"status": 200})
    advance.join()
    assert "Stopped early: " in browser.page.text
    assert world.now == held["at"]
    console.open()
    assert not console.page.has_button("Stop the advance")


def test_the_world_is_reset_and_forked_from_here(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order()
    console.open("snapshots")
    console.press("Reset to its creation")
    assert world.rows("orders") == []
    console.open("snapshots")
    page = console.press("Fork and compare")
    assert page.heading == "Compare worlds"
    world.control.delete(f"/worlds/{console.path.partition('with=')[2]}")
