"""Named moments in the console, undo and redo."""

from __future__ import annotations

import threading

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.html_page import Form, HtmlPage
from tests.support.orders import order_body
from tests.support.worlds import World


def redos(page: HtmlPage) -> list[Form]:
    """The forms of a page that bring back what was undone."""
    return [form for form in page.forms if form.action.endswith("/redo")]


HOSTILE = "<script>alert(1)</script>\"'&<b>"


def test_a_moment_is_named_returned_to_and_forgotten(console: Console, world: World, partner: PartnerClient) -> None:
    page = console.open("moments")
    assert page.heading == "Moments"
    assert "No moment has a name yet" in page.text
    page = console.press("Name it", name=" before  the sale ")
    assert "This moment is “before the sale” now." in page.text
    before = world.fingerprint()
    partner.create_order()
    world.advance("1d")
    page = console.open("moments")
    assert "+1 calls, +1 orders" in page.text
    page = console.press("Return to before the sale")
    assert world.fingerprint() == before
    assert "It is Mon 4 Jan, 09:00 again: “before the sale”." in page.text
    console.press("Undo")
    assert len(world.rows("orders")) == 1
    console.open("moments")
    console.press("Forget before the sale")
    assert world.call_control("GET", "/snapshots")["snapshots"] == []
    assert "The moment “before the sale” is forgotten." in console.page.text
    console.press("Undo")
    assert [row["name"] for row in world.call_control("GET", "/snapshots")["snapshots"]] == ["before the sale"]


def test_a_moment_is_named_from_the_menu_of_time_on_any_page(console: Console, world: World) -> None:
    console.open("orders")
    page = console.press("Name it", name="here")
    assert page.heading == "Orders"
    assert [row["name"] for row in world.call_control("GET", "/snapshots")["snapshots"]] == ["here"]


def test_a_moment_is_shared_by_its_link(console: Console, world: World) -> None:
    for name in ("first one", "second"):
        world.call_control("POST", "/snapshots", {"name": name})
        world.advance("1d")
    console.open("moments")
    link = f"/w/{world.id}/moments?name=first+one"
    assert link in console.response.text
    console.open("moments?name=first+one")
    assert 'aria-current="true"><span><b><bdi>first one' in console.response.text
    assert "No moment of this world is called “lost”" in console.open("moments?name=lost").text


def test_a_moment_is_shared_as_a_file_from_which_its_world_opens(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.create_order()
    world.advance("1d")
    world.call_control("POST", "/snapshots", {"name": "with one order"})
    partner.create_order(idempotency_key="second")
    world.advance("3d")
    worlds = world.json_of(world.control.get("/worlds"))["worlds"]
    console.open("moments")
    console.press("File of with one order")
    assert console.response.headers["content-disposition"] == 'attachment; filename="with one order.html"'
    assert [each["id"] for each in world.json_of(world.control.get("/worlds"))["worlds"]] == [w["id"] for w in worlds]
    opened = world.json_of(world.control.post("/worlds", {"trace": console.response.text}))
    assert opened["now"] == "2027-01-05T09:00:00Z"
    assert opened["counts"]["orders"] == 1
    world.control.delete(f"/worlds/{opened['id']}")


def test_a_name_that_is_refused_is_a_notice(console: Console, world: World) -> None:
    console.open("moments")
    page = console.press("Name it", name=HOSTILE)
    assert "Name this moment <script>" in page.text
    assert "alert(1)</script>" not in console.response.text
    assert world.call_control("GET", "/snapshots")["snapshots"] == []


def test_what_was_undone_comes_back_from_the_toast_and_from_the_bar(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.create_order()
    world.advance("2d")
    before = world.fingerprint()
    page = console.open("orders")
    assert not redos(page)
    page = console.press("Undo")
    assert "Undone: the clock was advanced from Mon 4 Jan, 09:00 to Wed 6 Jan, 09:00." in page.text
    assert "It is Mon 4 Jan, 09:00 again." in page.text
    assert len(redos(page)) == 2
    page = console.submit(redos(page)[-1])
    assert world.fingerprint() == before
    assert "Back again: the clock was advanced" in page.text
    assert "It is Wed 6 Jan, 09:00." in page.text
    console.press("Undo")
    page = console.open("moments")
    assert "You can redo it until something else happens." in page.text
    console.press("Redo")
    assert world.fingerprint() == before
    console.press("Undo")
    partner.create_order(idempotency_key="new")
    assert not redos(console.open("orders"))
    console.submit(Form(f"/w/{world.id}/redo", "post"))
    assert "Nothing came back: " in console.page.text


def test_what_was_done_is_listed_and_undone(console: Console, world: World, partner: PartnerClient) -> None:
    before = world.fingerprint()
    page = console.open("moments")
    assert "Nothing was done in this world yet" in page.text
    console.press("+1 d")
    after_day = world.fingerprint()
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    console.press("+1 h")
    page = console.open("moments")
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
    assert "Stopped early: " in browser.page.text
    assert world.now == held["at"]
    console.open()
    assert not console.page.has_button("Stop the advance")
