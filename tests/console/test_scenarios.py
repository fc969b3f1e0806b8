"""The scenarios of the console: the library by question, source beside steps, and playing one step by step."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.console.app import console_app
from giftsim.engine.client.response import Client, Response
from tests.support.console import Console
from tests.support.console_story import UNCLAIMED
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"
FAILING = """scenario: A mug for {name}
steps:
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      idempotency_key: first
      gift_sender: Ada
      items: [{{sku_code: MUG-01}}]
      recipients: [{{name: Bo, email: bo@example.com}}]
    expect: {{status: 201, body: {{team_order: {{status: delivered}}}}}}
  - advance: 1d
"""


@pytest.fixture(autouse=True)
def _without_sessions(world: World) -> Iterator[None]:
    """Delete the sessions of the test at the end."""
    before = session_ids(world)
    yield
    for session in session_ids(world) - before:
        world.control.delete(f"/scenarios/sessions/{session}")


def session_ids(world: World) -> set[str]:
    """The ids of all sessions."""
    return {row["id"] for row in world.json_of(world.control.get("/scenarios/sessions"))["sessions"]}


def world_count(world: World) -> int:
    """How many worlds there are."""
    return len(world.control.get("/worlds?limit=1000").json()["worlds"])


def test_the_library_is_listed_by_the_questions_that_scenarios_answer(console: Console) -> None:
    page = console.open("scenarios")
    assert (console.status, page.heading) == (200, "Scenarios")
    assert "What if a payment fails?" in page.text
    assert page.link("A card is declined, and a retry after a top-up pays for the same order").endswith(
        "/scenarios/partner.declined_card"
    )
    assert "How do automatic gifts work?" not in page.text
    console.open("scenarios?folder=team")
    assert "How do automatic gifts work?" in console.page.text


def test_the_library_is_searched_in_all_folders(console: Console) -> None:
    console.open("scenarios")
    page = console.search("first hour")
    assert "I cancel a whole order within the first hour" in page.text
    assert "A card is declined" not in page.text
    page = console.search("no scenario says this")
    assert "No scenario has these words" in page.text
    assert "curl -s" in page.text


def test_a_scenario_has_its_source_beside_its_steps(console: Console) -> None:
    console.open("scenarios")
    page = console.follow("A card is declined, and a retry after a top-up pays for the same order")
    assert "What if a payment fails?" in page.text
    assert "idempotency_key: declined-then-funded" in page.text
    assert "11 steps, as they are played" in page.text
    assert "POST /api/external/webhooks as partner.prepaid" in page.text


def test_a_scenario_is_stepped_through_in_a_world_of_its_own(console: Console, world: World) -> None:
    console.open("scenarios/partner.declined_card")
    page = console.press("Step through it")
    assert page.heading == "A card is declined, and a retry after a top-up pays for the same order"
    assert f"/w/{world.id}/" not in console.path
    assert "0 of 11 steps played" in page.text
    for _ in range(6):
        page = console.press("Next step")
    assert "6 of 11 steps played" in page.text
    assert "Played: POST /api/external/team-orders as partner.prepaid." in page.text
    assert "POST /api/external/team-orders: 201" in page.text
    assert "#1001" in page.text
    page = console.press("Play to the end")
    assert "every step passed" in page.text
    assert not page.has_button("Next step")
    assert world.rows("orders") == []


def test_a_scenario_is_played_whole(console: Console) -> None:
    console.open("scenarios/partner.declined_card")
    page = console.press("Play it whole")
    assert "every step passed" in page.text
    assert "11 of 11 steps played" in page.text


def test_a_failing_line_is_shown_with_what_was_expected(console: Console) -> None:
    console.open("scenarios")
    page = console.press("Play it whole", text=FAILING.format(name=HOSTILE.replace('"', "").replace("&", "and")))
    assert "Step 1 failed: POST /api/external/team-orders as partner.prepaid" in page.text
    assert "body.team_order.status" in page.text
    assert '"delivered"' in page.text
    assert '"collecting_addresses"' in page.text
    assert page.link("scenario.yaml, line 3").endswith("#scenario.yaml:3")
    failed = [
        attributes["id"]
        for _, attributes in page.elements
        if attributes.get("class") == "failed" and "id" in attributes
    ]
    assert failed == [f"scenario.yaml:{line}" for line in range(3, 11)]


def test_a_scenario_that_cannot_be_played_says_where_and_why(console: Console) -> None:
    console.open("scenarios")
    page = console.press("Step through it", text="scenario: A\nsteps:\n  - advanse: 1d\n")
    assert page.heading == "Scenarios"
    assert "The scenario cannot be played: line 3, column 5:" in page.text
    wrong = [given["id"] for tag, given in page.elements if tag == "tr" and given.get("class") == "error"]
    assert wrong == ["scenario.yaml:3"]
    assert page.form("Step through it").fields["text"] == "scenario: A\nsteps:\n  - advanse: 1d\n"


def test_a_session_is_stopped_with_its_world_or_without_it(console: Console, world: World) -> None:
    console.open("scenarios/partner.ping")
    console.press("Step through it")
    made = console.path.split("/")[2]
    page = console.press("Stop and keep the world")
    assert (page.title, console.path) == ("Home – giftsim", f"/w/{made}/")
    world.control.delete(f"/worlds/{made}")
    console.open("scenarios/partner.ping")
    console.press("Step through it")
    made = console.path.split("/")[2]
    page = console.press("Stop and delete the world")
    assert page.heading == "Scenarios"
    assert world.control.get(f"/worlds/{made}").status == 404


def test_the_session_of_a_deleted_world_is_gone_in_words(console: Console, world: World) -> None:
    console.open("scenarios/partner.ping")
    console.press("Step through it")
    path = console.path
    world.control.delete(f"/worlds/{path.split('/')[2]}")
    console.open(path)
    assert console.status == 404
    console.open("scenarios/partner.nothing")
    assert console.status == 404
    assert "did you mean" in console.page.text


def test_sessions_under_way_are_listed(console: Console) -> None:
    console.open("scenarios/partner.ping")
    console.press("Step through it")
    console.open(f"/w/{console.world}/scenarios")
    assert "Being played" in console.page.text
    assert "0 of " in console.page.text


def test_hostile_text_in_a_scenario_shows_as_text(tmp_path: Path) -> None:
    title = HOSTILE.replace("'", "''")
    (tmp_path / "bad.yaml").write_text(
        f"# {HOSTILE}\n# question: {HOSTILE}?\nscenario: '{title}'\nsteps:\n  - snapshot: a\n"
        f"  - control: POST /undo\n    body: {{count: 9}}\n"
        f"    expect: {{status: 409, body: {{error: {{message: '{title}'}}}}}}\n"
    )
    simulator = Simulator(fixture="bare", scenarios=tmp_path)
    try:
        console = Console(simulator)
        for path in ("scenarios?folder=own", "scenarios/own.bad"):
            page = console.open(path)
            assert HOSTILE in page.text, path
            assert "alert(1)</script>" not in console.response.text, path
        page = console.press("Play it whole")
        assert "alert(1)</script>" not in console.response.text
        assert page.heading == HOSTILE
        assert "Step 2 failed" in page.text
    finally:
        simulator.close()


def test_a_scenario_is_edited_until_it_passes_and_says_why_it_did_not(console: Console) -> None:
    console.open("scenarios")
    page = console.press("Play it whole", text=UNCLAIMED)
    assert "Step 3 failed" in page.text
    assert "Why. Bo has not claimed order 1001" in page.text
    assert "- simulate: claim" in page.text
    claim = "  - simulate: claim\n    with: {team_order_id: '${order}', recipient: 0}\n  - advance"
    wrong = console.press("Run again from step 3", text=UNCLAIMED.replace("- advance: 10d", "- advence: 10d"))
    assert "line 12" in wrong.text
    assert "advence" in wrong.text
    console.press("Step through it", text=UNCLAIMED)
    console.press("Play to the end")
    page = console.press("Play it whole", text=UNCLAIMED.replace("  - advance", claim))
    assert "passed 4 of 4 steps" in " ".join(page.text.split())
    assert "Why. " not in page.text
    page = console.press("One step back")
    assert "ready 3 of 4 steps" in " ".join(page.text.split())
    console.press("Next step")
    console.press("Delete the world")


class StepsRefused:
    """The simulator, but no step of a session can be played, as if another call were at it."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """Make one call."""
        if path.partition("?")[0].endswith("/step"):
            error = {"code": "session_busy", "message": "a step is being played"}
            return Response(409, {"content-type": "application/json"}, json.dumps({"error": error}).encode())
        return self.client.call(method, path, body=body, headers=headers)


def test_a_scenario_whose_steps_are_refused_leaves_no_session(console: Console, world: World) -> None:
    console.open("scenarios")
    console.press("Step through it", text=UNCLAIMED)
    before = session_ids(world), world_count(world)
    (session,) = session_ids(world)
    browser = console_app(StepsRefused(world.client), "0").test_client()
    for path in ("sessions", f"sessions/{session}/edit"):
        form = {"text": UNCLAIMED, "play": "true"}
        assert browser.post(f"/w/{world.id}/scenarios/{path}", data=form).status_code == 303
        page = browser.get(f"/w/{world.id}/").text
        assert "The scenario cannot be played: a step is being played" in page
        assert (session_ids(world), world_count(world)) == before
    console.press("Stop and delete the world")


def test_the_source_of_a_scenario_is_highlighted(console: Console) -> None:
    console.open("scenarios")
    console.press("Step through it", text=UNCLAIMED)
    assert "- <b>advance:</b> 10d <i># long enough</i>" in console.response.text
    assert "status: delivered}}}" in console.page.text
    console.press("Stop and delete the world")
