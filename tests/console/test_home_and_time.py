"""The home of a world, its time bar, previews, and taking actions back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from giftsim.console.filters import day
from giftsim.console.page import NAVIGATION
from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.console_map import console
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


PLACES = {place.title for places in console().extensions[NAVIGATION].values() for place in places}


def test_the_address_alone_shows_the_home_of_the_default_world(console: Console) -> None:
    page = console.open("/")
    assert (console.status, page.heading, page.title) == (200, "default", "Home – giftsim")
    assert console.response.headers["content-type"] == "text/html; charset=utf-8"
    assert "default" in page.text


def test_a_first_gift_is_a_real_order_and_can_be_taken_back(console: Console, world: World) -> None:
    console.open()
    page = console.press("Send a gift to Bo")
    (order,) = world.rows("orders")
    assert f"Sent: order {order['id']}. Bo has mail" in page.text
    assert console.path == f"/w/{world.id}/orders/order/{order['id']}"
    console.press("Undo")
    assert world.rows("orders") == []
    assert (console.page.heading, console.path) == (world.id, f"/w/{world.id}/")
    assert "Undone: Send a gift." in console.page.text
    assert not console.page.has_button("Undo")


@pytest.mark.parametrize(
    ("effect", "reason"),
    [({"drop": "before"}, "without a response"), ({"status": 503, "code": "idempotency_unavailable"}, "503 ")],
)
def test_a_first_gift_that_fails_is_said_and_leaves_nothing(
    console: Console, world: World, effect: dict[str, object], reason: str
) -> None:
    world.add_fault(effect, match={"operation": "createTeamOrder"})
    console.open()
    page = console.press("Send a gift to Bo")
    assert (console.status, page.heading) == (200, world.id)
    assert "Send a gift: " in page.text
    assert reason in page.text
    assert world.rows("orders") == []
    assert page.form("Undo").fields["label"] == "Inject a fault"


def test_the_command_that_is_shown_sends_the_same_gift(console: Console, world: World) -> None:
    text = console.open().text
    assert "/api/external/team-orders" in text
    assert f"GIFTSIM_KEY=pk_live_{world.id}_prepaid" in text
    assert '"sku_code": "MUG-01"' in text


def test_time_advances_by_a_button_and_goes_back_by_undo(console: Console, world: World) -> None:
    before = world.now
    console.open()
    page = console.press("+1 d")
    assert world.now != before
    assert day(world.now) in page.text
    console.press("Undo")
    assert world.now == before


def test_a_jump_takes_a_duration_or_an_instant(console: Console, world: World) -> None:
    console.open()
    console.press("Jump", when="3d")
    now = world.now
    console.press("Jump", when=f"{int(now[:4]) + 1}{now[4:10]} 00:00:00Z")
    assert world.now.startswith(str(int(now[:4]) + 1))


@pytest.mark.parametrize("when", ["", "yesterday", "1990-01-01", "<script>alert(1)</script>"])
def test_a_jump_nowhere_is_refused_in_words_and_changes_nothing(console: Console, world: World, when: str) -> None:
    console.open()
    before = world.call_control("GET", "/fingerprint")
    console.press("Jump", when=when)
    assert console.page.heading == world.id
    assert world.call_control("GET", "/fingerprint") == before
    assert "<script>alert" not in console.response.text
    assert not console.page.has_button("Undo")


def test_the_clock_runs_and_stops(console: Console, world: World) -> None:
    console.open()
    console.press("Run", rate="60")
    assert world.call_control("GET", "/clock")["rate"] == 60
    assert "Running, 60 ×" in console.page.text
    console.press("Stop the clock")
    assert world.call_control("GET", "/clock")["mode"] == "manual"


def test_a_rate_that_is_not_a_number_is_refused(console: Console, world: World) -> None:
    console.open()
    console.press("Run", rate="fast")
    assert "is not a number" in console.page.text
    assert world.call_control("GET", "/clock")["mode"] == "manual"


def test_an_action_is_undone_only_once(console: Console, world: World) -> None:
    console.open()
    form = console.press("+1 h").form("Undo")
    console.submit(form)
    now = world.now
    for to in (form.fields["to"], "-1", "99", "soon", ""):
        console.submit(form, to=to)
        assert "Nothing was undone: " in console.page.text
        assert world.now == now


def test_an_undo_of_the_notice_takes_back_what_others_did_since(
    console: Console, world: World, partner: PartnerClient
) -> None:
    before = world.fingerprint()
    console.open()
    form = console.press("+1 h").form("Undo")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    console.submit(form)
    assert "Undone: Advance by 1 hour." in console.page.text
    assert world.fingerprint() == before


def test_actions_leave_no_trace_but_themselves(console: Console, world: World) -> None:
    for number in range(100):
        world.call_control("POST", "/snapshots", {"name": f"mine-{number}"})
    saved = world.call_control("GET", "/snapshots?limit=200")
    console.open()
    for _ in range(25):
        console.press("+1 h")
    after_first = world.now
    console.press("Send a gift to Bo")
    assert world.call_control("GET", "/snapshots?limit=200")["snapshots"][0].keys() == saved["snapshots"][0].keys()
    recording = world.recording
    assert [line for line in recording.splitlines() if "snapshot" in line] == [
        f"  - snapshot: mine-{number}" for number in range(100)
    ]
    console.press("Undo")
    assert (world.rows("orders"), world.now) == ([], after_first)
    for _ in range(25):  # as many as there were: nothing bounds them but the history of the world
        console.press("Undo")
    recording = world.recording
    assert "advance" not in recording
    assert len(world.call_control("GET", "/snapshots?limit=200")["snapshots"]) == 100


def test_the_demo_is_played_in_a_world_of_its_own(console: Console, world: World) -> None:
    console.open()
    page = console.press("Play the demo")
    assert console.path != f"/w/{world.id}/"
    assert "a world in which the demo was played" in page.text
    assert "Approval: Ed’s stoneware mug and 2 more" in page.text
    assert "2 webhooks wait for hooks.partner.example" in page.text
    assert world.rows("orders") == []
    world.client.call("DELETE", f"/_sim/v1/worlds/{console.path.split('/')[2]}")


def test_worlds_are_created_forked_reset_and_deleted(console: Console, world: World) -> None:
    console.open("worlds")
    console.press("Create the world", id="made-here", fixture="empty", seed="7")
    assert console.path == "/w/made-here/"
    console.press("Send a gift to Bo")
    console.open("/w/made-here/worlds")
    console.press("Fork", id="fork-here")
    assert console.path == "/w/fork-here/"
    console.open("/w/made-here/worlds")
    assert "You cannot undo a reset" in console.page.text
    console.press("Reset")
    assert "made-here is as it was created" in console.page.text
    assert not console.page.has_button("Undo")
    for name in ("made-here", "fork-here"):
        console.open(f"/w/{name}/worlds")
        console.press("Delete")
        assert f"Deleted the world {name}" in console.page.text


@pytest.mark.parametrize("fields", [{"fixture": "no-such"}, {"id": "a b"}, {"now": "soon"}, {"seed": "-1"}])
def test_a_world_that_cannot_be_is_refused_in_words(console: Console, world: World, fields: dict[str, str]) -> None:
    console.open("worlds")
    console.press("Create the world", **fields)
    assert console.page.heading == "Worlds"
    assert "The world was not created: " in console.page.text


def test_a_world_that_is_not_there_is_a_page_in_words(console: Console) -> None:
    page = console.open("/w/nowhere/")
    assert (console.status, page.heading) == (404, "There is nothing here")
    assert "nowhere" in page.text


def test_hostile_names_show_as_text(new_world: Callable[..., World], console: Console) -> None:
    page = console.open("/w/%3Cscript%3Ealert(1)%3C%2Fscript%3E/")
    assert console.status == 404
    assert "<script>alert" not in console.response.text
    assert page.heading == "There is nothing here"


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("", "Home"),
        ("orders", "Orders"),
        ("orders/order/1001", "Orders"),
        ("gifts", "Gifts"),
        ("worlds", None),
        ("calls/1", "Calls"),
    ],
)
def test_the_navigation_says_where_one_is(console: Console, world: World, path: str, place: str | None) -> None:
    world.partner().create_order()
    page = console.open(path)
    assert console.status == 200
    present = {attributes["href"] for tag, attributes in page.elements if tag == "a" and "aria-current" in attributes}
    shown = {name for name, link in page.links if link in present and name in PLACES}
    assert shown == ({place} if place else set())


@pytest.mark.begins("2027-01-04T09:30:00Z")
def test_the_next_event_skips_hourly_runs_and_is_named_for_what_comes(console: Console, world: World) -> None:
    console.open()
    assert "Nothing is due" in console.page.text
    order = world.partner().create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    console.open()
    console.press("Bo’s stoneware mug: in production, in 1 d")
    assert world.now == "2027-01-05T09:30:00Z"
    assert "1 thing happened. It is Tue 5 Jan 2027, 09:30 now." in console.page.text
    assert "Bo’s stoneware mug submitted → in production" in console.page.text


def test_what_happened_is_listed_in_order_of_time_with_states_and_links(console: Console, world: World) -> None:
    world.partner().subscribe("team_order.shipped")
    order = world.partner().create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    console.open()
    page = console.press("+1 w")
    assert "5 things happened. It is " in page.text
    page = console.follow("2 more, in order of time")
    steps = ["submitted → in production", "in production → labeled", "labeled → shipped", "waiting → delivered"]
    places = [page.text.index(step) for step in (*steps, "shipped → delivered")]
    assert places == sorted(places)
    console.follow("team_order.shipped")
    assert console.status == 302  # from the attempt to its event


@pytest.mark.parametrize("path", ["nonesuch", "orders/order/nope"])
def test_what_is_not_there_is_told_in_its_world(new_world: Callable[..., World], path: str) -> None:
    world = new_world(id="elsewhere", fixture="empty")
    console = Console(world.simulator, world.id)
    page = console.open(path)
    assert (console.status, page.heading) == (404, "There is nothing here")
    assert ("Orders", "/w/elsewhere/orders") in page.links
    assert console.follow("Go to the home of elsewhere").heading != "There is nothing here"
    assert console.path == "/w/elsewhere/"
