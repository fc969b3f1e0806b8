"""The page of a trace, as somebody reads it who has only the file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from werkzeug import Response

from giftsim.testing import InProcess
from giftsim.testing.world_for_test import open_world
from giftsim.workbench.har.reading import parse_har
from giftsim.workbench.har.writing import in_order, write_har
from tests.support.axe import findings_in_both_schemes
from tests.support.browser import PHONE, Visit
from tests.support.har_schema import problems
from tests.support.listening import server_of
from tests.support.orders import RENO, email_recipients
from tests.support.responses import created
from tests.support.trace_page import entry, follow, link_of, region, show
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

HOSTILE = "</script><img src=x onerror=alert(1)>'\"&amp;"
KINDS = ["curl", "requests", "fetch", "pytest", "Vitest", "scenario"]
CONSOLE = "http://127.0.0.1:8080"  # the address that a trace tries first
ANOTHER_PROGRAM = Response("a page of another program", content_type="text/html")
# The titles of the list that do not fit.
CUT = """() => [...document.querySelectorAll(".entries .what")].filter((what) => {
  const title = document.createRange();
  title.selectNodeContents(what.firstChild);
  return title.getBoundingClientRect().bottom > what.getBoundingClientRect().bottom + 1;
}).map((what) => what.innerText)"""
FIRST = "reate a team order and charge it"


@pytest.fixture
def told(world: World) -> World:
    """A world in which an answer was lost, the order came again with a new key, and a webhook was tried for days."""
    partner = world.partner()
    partner.subscribe("team_order.claimed")
    world.set_receiver(script=[{"status": 500}, {"timeout": True}])
    fault = {"match": {"operation": "createTeamOrder"}, "when": {"first": 1}}
    world.add_fault({"drop": "after"}, **fault)
    with pytest.raises(ConnectionError):
        partner.create_order(idempotency_key="one", recipients=email_recipients(1))
    order = created(partner.create_order(idempotency_key="two", recipients=email_recipients(1)))
    world.simulate("claim", team_order_id=order["team_order"]["id"], recipient=0, address=RENO)
    world.advance("10d")
    partner.get("/team-order")
    return world


def trace_of(world: World) -> str:
    """The file of a world's trace."""
    response = world.control.get(f"/worlds/{world.id}/trace")
    assert response.status == 200
    return response.text


def test_links_lead_from_the_second_charge_to_the_lost_answer_and_to_its_fault(visit: Visit, told: World) -> None:
    page = show(visit, trace_of(told))
    follow(page, link_of(page, FIRST, "201"))
    assert "had the same method, path and body" in page.locator(".hint").inner_text()
    assert region(page, "Caused by").get_by_role("link").count() == 0
    follow(page, page.locator(".hint").get_by_role("link"))
    text = "No answer: the connection was closed. The call was carried out all the same."
    region(page, "Response").get_by_text(text).wait_for()
    assert "charge" in region(page, "Changes").inner_text()
    follow(page, region(page, "Caused by").get_by_role("link", name="Inject a fault"))
    assert '"drop": "after"' in region(page, "Request").inner_text()


def test_a_webhook_leads_back_to_the_claim_and_on_through_its_attempts(visit: Visit, told: World) -> None:
    page = show(visit, trace_of(told))
    follow(page, link_of(page, "team_order.claimed, attempt 1"))
    assert "X-Service-Event-Id" in (region(page, "Request").locator("pre").first.text_content() or "")
    assert region(page, "Signature").get_by_text("v1", exact=True).count() == 1
    attempts = region(page, "Attempts").get_by_role("listitem")
    assert [row.split("\n")[2] for row in attempts.all_inner_texts()] == ["500", "timeout", "200"]
    follow(page, region(page, "Caused by").get_by_role("link", name="team_order.claimed", exact=True))
    follow(page, region(page, "Caused by").get_by_role("link", name="Claim a gift"))
    assert "after" in region(page, "Causes").inner_text()


def test_keys_and_the_slider_move_through_time_and_the_state_with_them(visit: Visit, told: World) -> None:
    page = show(visit, trace_of(told), 1)
    before = region(page, "State").inner_text()
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('[role=slider]').getAttribute('aria-valuenow') !== '1'")
    after, last = region(page, "State").inner_text(), entry(page)
    assert ("No orders." in before, "No orders." in after) == (True, False)
    for key, there in (("ArrowLeft", last - 1), ("PageUp", last - 11), ("ArrowRight", last - 10), ("Home", 1)):
        page.keyboard.press(key)
        page.locator(f'[role=slider][aria-valuenow="{there}"]').wait_for()
    assert region(page, "State").inner_text() == before
    box = page.locator(".strip-drawing").bounding_box()
    assert box
    page.mouse.move(box["x"] + 100, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 60, steps=5)
    page.mouse.up()
    page.locator(f'[role=slider][aria-valuenow="{last}"]').wait_for()
    assert page.url.endswith(f"#n={last}")
    page.keyboard.press("+")
    assert entry(page) == last


def test_two_instants_are_compared(visit: Visit, told: World) -> None:
    page = show(visit, trace_of(told), 1)
    region(page, "State").get_by_role("button", name="Compare").click()
    page.keyboard.press("End")
    page.get_by_text("between 1 and").wait_for()
    shown = region(page, "State").inner_text()
    assert "’s stoneware mug" in shown
    assert "→" in shown
    region(page, "State").get_by_role("button", name="Stop comparing").click()
    assert "Due next" in region(page, "State").inner_text()


def test_search_and_lanes_filter_the_entries(visit: Visit, told: World) -> None:
    page = show(visit, trace_of(told), 1)
    rows = page.get_by_role("navigation", name="Entries").get_by_role("link")
    page.keyboard.press("/")
    page.keyboard.type("attempt 3")
    page.get_by_text("found").wait_for()
    assert all("attempt 3" in row.lower() for row in rows.all_inner_texts())
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Your app").click()
    assert not [row for row in rows.all_inner_texts() if FIRST in row]
    unfold = page.get_by_role("button", name="1 folded")
    assert (unfold.get_attribute("aria-expanded"), unfold.get_attribute("title")) == ("false", "Unfold Your app")
    unfold.click()
    assert [row for row in rows.all_inner_texts() if FIRST in row]


def test_time_that_passes_is_a_fold_that_says_how_much_it_leaves_out(visit: Visit, told: World) -> None:
    page = show(visit, trace_of(told), 1)
    titles = page.locator(".strip .fold + title").all_text_contents()
    assert titles
    assert all(re.fullmatch(r"fold: .+ left out, in which nothing happens", title) for title in titles)
    fault = page.locator(".strip .band.fault title")
    assert "Fault" in (fault.text_content() or "")
    before = page.locator(".strip .mark").count()
    page.keyboard.press("+")
    page.keyboard.press("+")
    assert page.locator(".strip .mark").count() < before


def copied(page: Page, kind: str) -> str:
    """The code that the menu gives for all steps up to the entry."""
    page.get_by_role("button", name=kind, exact=True).click()
    return page.get_by_label("Code").input_value()


def test_the_test_and_the_scenario_that_are_copied_pass(visit: Visit, told: World) -> None:
    page = show(visit, trace_of(told))
    follow(page, link_of(page, "Claim a gift"))
    page.get_by_role("button", name="Copy as").click()
    page.get_by_label("all up to here").check()
    codes = {kind: copied(page, kind) for kind in KINDS}
    assert all("/team-orders" in code and "/simulate/claim" in code for code in codes.values())
    compile(codes["requests"], "requests", "exec")
    names: dict[str, Any] = {}
    exec(codes["pytest"], names)
    with open_world(InProcess(told.simulator), fixture="empty") as giftsim:
        names["test_reproduces"](giftsim)
        assert [order["id"] for order in giftsim.listed("orders")] == [1001, 1002]
    report = told.control.call("POST", "/scenarios/play", body=codes["scenario"])
    assert (report.status, report.json()["outcome"]) == (200, "passed"), report.text
    page.get_by_label("all up to here").uncheck()
    assert copied(page, "curl").count("curl -s") == 1


def test_what_was_sent_is_copied_as_har(visit: Visit, told: World) -> None:
    page = show(visit, trace_of(told))
    page.keyboard.press("End")
    page.get_by_role("button", name="Copy as").click()
    page.get_by_label("all up to here").check()
    content = copied(page, "HAR")
    assert problems(json.loads(content)) == []
    read = parse_har(content.encode(), "copied.har")
    rows = in_order(told.rows("calls"), told.rows("deliveries"), "http://127.0.0.1:8080")
    written = parse_har(write_har(rows, "1"), "written.har")
    assert [(each.method, each.target, each.body) for each in read.exchanges] == [
        (each.method, each.target, each.body) for each in written.exchanges
    ]
    follow(page, link_of(page, "Claim a gift"))
    page.get_by_role("button", name="Copy as").click()
    page.get_by_label("all up to here").uncheck()
    assert "neither a call nor a webhook" in copied(page, "HAR")


def test_a_path_that_no_operation_has_is_told_the_nearest_one(visit: Visit, told: World) -> None:
    page = show(visit, trace_of(told))
    page.keyboard.press("End")
    page.get_by_text("No operation has this path.").wait_for()
    assert "/api/external/team-orders" in page.locator(".hint").inner_text()


def test_a_running_console_takes_the_trace_and_opens_it_at_the_entry(visit: Visit, told: World, tmp_path: Path) -> None:
    how = how_to_continue(visit, told, tmp_path)
    there = continue_at(how, visit.origin)
    there.locator("button:focus", has_text="Open the trace").wait_for()
    how.get_by_text(f"The console at {visit.origin} has the trace").wait_for()
    assert there.get_by_label("After entry").input_value() == "5"
    there.get_by_role("button", name="Open the trace").click()
    there.get_by_text("Opened the trace as").wait_for()
    world = there.url.split("/w/")[1].split("/")[0]
    assert told.client.call("GET", f"/_sim/v1/worlds/{world}").json()["counts"]["orders"] == 1
    there.close()
    told.client.call("DELETE", f"/_sim/v1/worlds/{world}")


def test_where_no_console_runs_the_trace_says_how_to_start_one(visit: Visit, told: World, tmp_path: Path) -> None:
    server = server_of(ANOTHER_PROGRAM)
    server.start()
    try:
        how, taken = how_to_continue(visit, told, tmp_path), server.origin
        visit.others.append(taken)
        continue_at(how, taken).close()
        how.get_by_text(f"Opened {taken}. It has not asked for the trace: another program may be there.").wait_for()
    finally:
        server.stop()
    how.get_by_role("button", name="Continue there").click()
    how.get_by_text(f"No console answers at {taken}.").wait_for()
    assert "giftsim serve --trace trace.html --at 5\n" in how.locator("pre").inner_text()
    visit.problems.clear()  # the browser notes the refused connection


def how_to_continue(visit: Visit, told: World, folder: Path) -> Locator:
    """How the file of a world's trace says that its fifth entry is continued, after the address that it tries first."""
    file = folder / "trace.html"
    file.write_text(trace_of(told), encoding="utf-8")
    visit.others += [CONSOLE, "file://"]
    page = visit.page
    page.route(f"{CONSOLE}/**", lambda route: route.abort())  # whatever runs at the usual port of this machine
    page.goto(f"{file.as_uri()}#n=5")
    assert region(page, "How to continue").count() == 0, "nobody is asked before the button is pressed"
    page.get_by_role("button", name="Continue from 5").click()
    how = region(page, "How to continue")
    how.get_by_text(f"No console answers at {CONSOLE}.").wait_for()
    visit.problems.clear()  # the browser notes the refused connection
    return how


def continue_at(how: Locator, origin: str) -> Page:
    """The window that opens when a trace is continued at an address."""
    how.get_by_role("textbox").fill(origin)
    with how.page.expect_popup() as opened:
        how.get_by_role("button", name="Continue there").click()
    return opened.value


def test_hostile_texts_are_shown_as_text(visit: Visit, world: World) -> None:
    recipients = [{"name": HOSTILE, "email": "a@example.com"}]
    created(world.partner().create_order(gift_sender=HOSTILE, gift_message=HOSTILE, recipients=recipients))
    page = show(visit, trace_of(world))
    follow(page, link_of(page, FIRST))
    assert "onerror=alert(1)" in page.locator("main").inner_text()
    assert page.locator("img").count() == 0


def test_the_list_has_names_for_ids_and_no_title_is_cut(visit: Visit, told: World) -> None:
    page = show(visit, trace_of(told), 1)
    shown = "".join(page.locator(".entries, aside").all_inner_texts())
    assert "stoneware mug" in shown
    assert not re.search(r"team_order \d|recipient \d|order \d{4}", shown)
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize("size", [(1440, 900), PHONE], ids=["desktop", "phone"])
def test_everyone_can_use_it(visit: Visit, told: World, size: Any) -> None:
    page = show(visit, trace_of(told))
    follow(page, link_of(page, "team_order.claimed, attempt 1"))
    assert findings_in_both_schemes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Copy as").click()
    assert findings_in_both_schemes(page) == []


def test_a_world_is_shared_and_opened_from_the_console(visit: Visit, told: World, tmp_path: Path) -> None:
    page = visit.page
    page.goto(f"/w/{told.id}/worlds")
    with page.expect_download() as download:
        page.get_by_role("link", name="Share this world").click()
    file = tmp_path / "shared.html"
    download.value.save_as(file)
    page.get_by_label("File").set_input_files(file)
    page.get_by_label("After entry").fill("5")
    page.get_by_role("button", name="Open the trace").click()
    page.get_by_text("Opened the trace as").wait_for()
    opened = page.url.split("/w/")[1].split("/")[0]
    assert told.client.call("GET", f"/_sim/v1/worlds/{opened}").json()["counts"]["orders"] == 1
    page.goto("about:blank")  # it follows the world no more
    told.client.call("DELETE", f"/_sim/v1/worlds/{opened}")


def test_a_trace_that_is_dropped_on_the_page_is_opened(visit: Visit, told: World) -> None:
    page = visit.page
    page.goto(f"/w/{told.id}/worlds")
    drop = """text => {
        const data = new DataTransfer();
        data.items.add(new File([text], "trace.html", { type: "text/html" }));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(drop, trace_of(told))
    page.get_by_text("Opened the trace as").wait_for()
    opened = page.url.split("/w/")[1].split("/")[0]
    fingerprint = told.client.call("GET", f"/_sim/v1/worlds/{opened}/fingerprint").json()
    assert fingerprint["sha256"] == told.fingerprint()
    page.goto("about:blank")  # it follows the world no more
    told.client.call("DELETE", f"/_sim/v1/worlds/{opened}")
