"""What pages need to follow their world: where they begin, the stream behind them, and notices left alone."""

from __future__ import annotations

import pytest

from giftsim import Simulator
from giftsim.client.response import Response
from giftsim.control.access import Access
from tests.support.api_clients import PartnerClient
from tests.support.console import HOST, Console
from tests.support.worlds import World

SOCKET = {"giftsim.in_process": False}
TOKEN = "a-token-for-the-console"


def live_part(console: Console) -> dict[str, str]:
    """The attributes of the part of the page that follows the world."""
    return next(attributes for _, attributes in console.page.elements if attributes.get("id") == "live")


def changes(simulator: Simulator, world: str, **headers: str) -> Response:
    """The changes of a world, as a browser asks the console for them."""
    path = f"/w/{world}/changes?from=now"
    return simulator.client.call("GET", path, headers={"Host": HOST, **headers}, environ=SOCKET)


def test_a_page_knows_after_which_change_it_was_made(console: Console, world: World, partner: PartnerClient) -> None:
    for _ in range(2):
        console.open()
        end = world.call_control("GET", "/changes?from=now")["next"]
        assert (live_part(console)["data-world"], live_part(console)["data-cursor"]) == (world.id, str(end))
        partner.get("/team-orders")


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_an_update_of_a_page_leaves_the_notice_to_the_next_page(console: Console) -> None:
    console.open()
    console.press("+1 h")
    assert "It is 2027-01-04 10:00:00 now" in console.page.text
    form = console.page.form("+1 h")
    response = console.client.call(
        "POST", form.action, body="by=1h", environ=SOCKET,
        headers={"Host": HOST, "Origin": f"http://{HOST}", "Content-Type": "application/x-www-form-urlencoded"},
    )  # fmt: skip
    cookie = response.headers["set-cookie"].partition(";")[0]
    seen = []
    for headers in ({"HX-Request": "true"}, {}):
        page = console.client.call("GET", console.path, headers={"Host": HOST, "Cookie": cookie, **headers})
        seen.append(("It is 2027-01-04 11:00:00 now" in page.text, "set-cookie" in page.headers))
    assert seen == [(False, False), (True, True)]


def test_the_changes_of_a_world_are_read_at_its_pages(console: Console, world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders")
    assert changes(world.simulator, world.id).json() == {"changes": [], "next": 1, "dropped": 0}


@pytest.mark.parametrize(("headers", "status"), [({"Host": "evil.example"}, 403), ({"Origin": "https://a.b"}, 403)])
def test_a_foreign_page_reads_no_changes(world: World, headers: dict[str, str], status: int) -> None:
    assert changes(world.simulator, world.id, **headers).status == status


def test_a_browser_that_signed_in_reads_changes() -> None:
    simulator = Simulator(fixture="bare", access=Access(token=TOKEN))
    cookie = f"giftsim-control={TOKEN}"
    try:
        statuses = [changes(simulator, "default", **each).status for each in ({}, {"Cookie": cookie})]
        assert statuses == [401, 200]
    finally:
        simulator.close()
