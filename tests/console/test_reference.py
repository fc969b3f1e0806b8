"""The reference page of the console: what is there, found by a search, and settings that a form changes."""

from __future__ import annotations

import gzip
import re

import pytest

from giftsim import Simulator
from giftsim.console.app import GZIP_LEVEL, STATIC
from giftsim.console.highlight import code
from giftsim.console.pages.reference import SECTIONS, allowed_values, as_text, read_value
from giftsim.engine.client.response import Response
from giftsim.engine.control.access import Access
from giftsim.frontend.offline_page import shared_text
from tests.support.api_clients import PartnerClient
from tests.support.console import HOST, Console
from tests.support.console_map import console, reachable_pages
from tests.support.console_story import HOSTILE, play_story
from tests.support.html_page import HtmlPage
from tests.support.worlds import World

OWN_SCRIPT = re.compile(r"/console/[\w./-]+\?[0-9a-f]+")
SCRIPT = "<script>alert(1)</script>"
SENT_SCRIPT = "%3Cscript%3Ealert(1)%3C/script%3E"  # as part of a path


def test_hostile_texts_are_text_on_every_page() -> None:
    simulator = Simulator(fixture="bare")
    world = play_story(simulator)
    found = reachable_pages(console(), Console(simulator, world), f"/w/{world}/", visits=9, apart=("worlds.trace",))
    pages = [page for several in found.values() for page in several]
    for path, page in pages:
        for tag, given in page.elements:
            assert tag != "script" or OWN_SCRIPT.fullmatch(given["src"]), path
            assert not [name for name in given if name.startswith("on") or name == "style"], path
            assert not given.get("href", "").startswith("javascript:"), path
        assert page.text.count("alert(1)") == page.text.count(SCRIPT) + page.text.count(SENT_SCRIPT), path
    assert [path for path, page in pages if HOSTILE in page.text], "no page shows the hostile texts"


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
    assert "It is Mon 4 Jan 2027, 10:00 now" in console.page.text
    form = console.page.form("+1 h")
    response = console.client.call(
        "POST", form.action, body="by=1h", environ=SOCKET,
        headers={"Host": HOST, "Origin": f"http://{HOST}", "Content-Type": "application/x-www-form-urlencoded"},
    )  # fmt: skip
    cookie = response.headers["set-cookie"].partition(";")[0]
    seen = []
    for headers in ({"Giftsim-Update": "true"}, {}):
        page = console.client.call("GET", console.path, headers={"Host": HOST, "Cookie": cookie, **headers})
        seen.append(("It is Mon 4 Jan 2027, 11:00 now" in page.text, "set-cookie" in page.headers))
    assert seen == [(False, False), (True, True)]


def test_the_changes_of_a_world_are_read_at_its_pages(console: Console, world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders")
    assert changes(world.simulator, world.id).json() == {"changes": [], "next": 1, "dropped": 0}


@pytest.mark.parametrize(("headers", "status"), [({"Host": "evil.example"}, 403), ({"Origin": "https://a.b"}, 403)])
def test_a_foreign_page_reads_no_changes(world: World, headers: dict[str, str], status: int) -> None:
    assert changes(world.simulator, world.id, **headers).status == status


def test_a_browser_that_signed_in_reads_changes() -> None:
    access = Access(token=TOKEN)
    simulator = Simulator(fixture="bare", access=access)
    cookie = f"giftsim-control={access.begin_session()}"
    try:
        statuses = [changes(simulator, "default", **each).status for each in ({}, {"Cookie": cookie})]
        assert statuses == [401, 200]
    finally:
        simulator.close()


MOST_BYTES = 87 * 1024  # that a browser transfers at its first page, compressed, with the typeface
FONT, MOST_FONT_BYTES = STATIC / "inter-latin.woff2", 24 * 1024
IMPORTED = re.compile(r'^import [^;(]*"\./([\w./]+)";', re.MULTILINE)


def loaded(page: HtmlPage) -> dict[str, str]:
    """The styles and scripts of the console that a page loads, with what its scripts import."""
    asked = [given.get("href", "") or given.get("src", "") for tag, given in page.elements if tag in ("link", "script")]
    waiting = [url.partition("?")[0].partition("/console/")[2] for url in asked]
    found: dict[str, str] = {}
    while waiting:
        name = waiting.pop()
        if name in found or not name.endswith(("css", "js")):
            continue
        shared = name.removeprefix("shared/")
        found[name] = shared_text(shared) if shared != name else (STATIC / name).read_text(encoding="utf-8")
        waiting += [f"shared/{each}" if shared != name else each for each in IMPORTED.findall(found[name])]
    return found


@pytest.mark.parametrize("section", [section.name for section in SECTIONS])
def test_every_section_has_rows_links_that_work_and_little_weight(console: Console, section: str) -> None:
    page = console.open(f"reference?show={section}")
    assert (console.status, page.heading) == (200, "Reference")
    beside = loaded(page)
    assert {"console.css", "console.js", "live.js", "shared/look.css"} <= beside.keys()
    texts = [console.response.body, *(text.encode() for text in beside.values())]
    assert sum(len(gzip.compress(text, GZIP_LEVEL)) for text in texts) + FONT.stat().st_size < MOST_BYTES
    assert FONT.stat().st_size < MOST_FONT_BYTES
    assert "Nothing matches" not in page.text
    path = console.path
    for link in sorted({href for _, href in page.links if "/reference" in href})[:8]:
        console.open(link)
        assert console.status == 200, f"{path} links to {link}"


def test_a_route_has_its_scopes_its_sources_and_a_command(console: Console) -> None:
    page = console.open("reference?show=routes&q=sendGift")
    assert "POST /api/teams/v1/gifts" in page.text
    assert "gifts:send" in page.text
    copied = [given["data-copy"] for tag, given in page.elements if tag == "button" and "data-copy" in given]
    assert any('-H "Authorization: Bearer $GIFTSIM_KEY"' in each and "Idempotency-Key" in each for each in copied)


def test_what_was_decided_has_a_badge_that_leads_to_the_decision(console: Console) -> None:
    page = console.open("reference?show=errors&q=no such path&interface=partner")
    assert "decided" in page.text.splitlines()[-8:] or "decided" in page.text.partition("not_found")[2]
    console.follow("B16")
    assert "B16 decided" in console.page.text
    page = console.open("reference?show=errors&q=card_charge_failed&interface=partner")
    assert "decided" not in page.text.partition("402 card_charge_failed")[2]


def test_a_long_list_is_read_page_by_page(console: Console) -> None:
    console.open("reference")
    first = console.page.text
    console.follow("More")
    assert "From the beginning" in console.page.text
    assert console.page.text != first
    console.follow("From the beginning")
    assert "getTeam" in console.page.text


def test_the_interface_and_the_search_stay_together(console: Console) -> None:
    console.open("reference?show=errors&q=not_found")
    page = console.follow("museum")
    assert console.path.endswith("show=errors&q=not_found&interface=museum")
    assert "team" not in page.text.partition("How to cause it")[2].split()


def test_a_search_without_a_find_says_so_and_leads_back(console: Console) -> None:
    for section in SECTIONS:
        page = console.open(f"reference?show={section.name}&q=%3Cscript%3Ealert(1)%3C/script%3E%22%27%26%3Cb%3E")
        assert console.status == 200
        assert "Nothing matches" in page.text
        assert "alert" not in "".join(str(given) for tag, given in page.elements if tag in ("script", "b"))
    console.open("reference?show=settings&q=nothing-of-this-name")
    console.follow("Show all of settings")
    assert "museum.open" in console.open("reference?show=settings&q=museum").text
    assert console.open("reference?show=nonsense").heading == "There is nothing here"


def test_a_setting_is_changed_by_its_form_and_back(console: Console, world: World) -> None:
    console.open("reference?show=settings&q=claim_expiry_days")
    page = console.press("Set", value="7")
    assert world.call_control("GET", "/settings")["partner.claim_expiry_days"] == 7
    assert "partner.claim_expiry_days is 7 now." in page.text
    assert "changed here" in page.text
    page = console.press("Default")
    assert world.call_control("GET", "/settings")["partner.claim_expiry_days"] == 30
    assert "changed here" not in page.text
    console.press("Undo")
    assert world.call_control("GET", "/settings")["partner.claim_expiry_days"] == 7


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("museum.open", "true", True), ("partner.lead_times.label", "36h", "36h"), ("approvals.expire_days", "5", 5),
        ("partner.destination_countries", "US, DE", ["US", "DE"]), ("webhooks.url_ports", "443, 8443", [443, 8443]),
        ("partner.address_mode", "12", "12"),
    ],
)  # fmt: skip
def test_a_value_is_read_in_the_type_of_its_setting(
    console: Console, world: World, name: str, text: str, value: object
) -> None:
    console.open(f"reference?show=settings&q={name}")
    console.press("Set", value=text)
    assert world.call_control("GET", "/settings")[name] == value


@pytest.mark.parametrize("text", ["never", "", "<script>alert(1)</script>\"'&<b>"])
def test_a_wrong_value_changes_nothing_and_says_why(console: Console, world: World, text: str) -> None:
    before = world.call_control("GET", "/settings")
    console.open("reference?show=settings&q=claim_expiry_days")
    page = console.press("Set", value=text)
    assert world.call_control("GET", "/settings") == before
    assert "Change partner.claim_expiry_days: setting partner.claim_expiry_days takes a whole number" in page.text
    assert not page.has_button("Undo")


def test_a_setting_that_is_not_there_is_refused_in_words(console: Console, world: World) -> None:
    console.open("reference?show=settings&q=museum.open")
    page = console.submit(console.page.form("Set"), name="<b>nothing</b>")
    assert "there is no setting '<b>nothing</b>'" in page.text


def test_values_are_shown_as_they_are_entered() -> None:
    for value, default in ((None, None), (["US", "DE"], ["US"]), (5, None), (True, False), ("24h", "24h")):
        assert read_value(as_text(value), default) == value
    assert allowed_values("true or false") == ("true", "false")
    assert allowed_values("one of a, b") == ("a", "b")
    assert allowed_values("a whole number") == ()


def test_backticks_are_code_and_all_else_is_text() -> None:
    assert code("a `b` <i>") == "a <code>b</code> &lt;i&gt;"
