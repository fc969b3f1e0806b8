"""Stepping sessions: a scenario is played one step at a time, in a world of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from tests.support.responses import status_and_code
from tests.support.waiting import wait_until
from tests.support.worlds import World

ORDER = """
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      idempotency_key: first
      gift_sender: Ada
      items: [{sku_code: MUG-01}]
      recipients: [{name: Bo, email: bo@example.com}]
    expect: {status: 201}
    save: {order: $.team_order.id}
"""
CLAIM = """
  - simulate: claim
    with: {team_order_id: "${order}", recipient: 0}
    expect: {events: [team_order.claimed]}
"""
WRONG = """
  - call: GET /api/external/team-orders/${order}
    as: partner.prepaid
    expect:
      status: 200
      body: {team_order: {status: delivered}}
"""
UNUSED = """
  - fault: {effect: {status: 503}}
"""


def text(*steps: str) -> str:
    """A scenario with these steps; its first step is on line 4."""
    return "scenario: One mug\nsteps:\n" + "".join(steps)


@pytest.fixture(scope="module")
def own_simulator() -> Iterator[Simulator]:
    """A simulator whose sessions are those of these tests."""
    simulator = Simulator(fixture="bare")
    yield simulator
    simulator.close()


@pytest.fixture
def sessions(own_simulator: Simulator) -> Iterator[World]:
    """A world to call the control API with; all sessions are deleted at the end."""
    world = World(own_simulator)
    yield world
    for session in world.json_of(world.control.get("/scenarios/sessions"))["sessions"]:
        world.control.delete(f"/scenarios/sessions/{session['id']}")


def begin(world: World, source: str) -> Response:
    """Send a scenario as YAML to be stepped through."""
    return world.client.call(
        "POST", "/_sim/v1/scenarios/sessions", body=source, headers={"Content-Type": "application/yaml"}
    )


def begun(world: World, *steps: str) -> Any:
    """A session of a scenario with these steps."""
    return world.json_of(begin(world, text(*steps)))


def step(world: World, session: Any, **body: Any) -> Response:
    """Play the next step or steps."""
    return world.control.post(f"/scenarios/sessions/{session['id']}/step", body)


def stepped(world: World, session: Any, **body: Any) -> Any:
    """The session after the next step or steps."""
    return world.json_of(step(world, session, **body))


def read(world: World, session: Any, query: str = "") -> Any:
    """The session as it is now."""
    return world.json_of(world.control.get(f"/scenarios/sessions/{session['id']}{query}"))


def test_a_session_begins_with_a_world_of_its_own_and_no_step_played(sessions: World) -> None:
    session = begun(sessions, ORDER, CLAIM)
    assert (session["scenario"], session["state"], session["played"], session["next_step"]) == (
        "One mug",
        "ready",
        0,
        1,
    )
    assert sessions.json_of(sessions.control.get(f"/worlds/{session['world']}/orders"))["orders"] == []
    assert [(each["step"], each["kind"], each["line"], each["outcome"]) for each in session["steps"]] == [
        (1, "call", 4, None), (2, "simulate", 14, None),
    ]  # fmt: skip
    assert session["steps"][1]["text"] == CLAIM.strip("\n").replace("\n  ", "\n").lstrip()
    assert session["files"] == [{"file": "scenario.yaml", "text": text(ORDER, CLAIM)}]
    assert (session["failure"], session["report"]) == (None, None)


def test_each_step_shows_what_it_did(sessions: World) -> None:
    session = begun(sessions, ORDER, CLAIM, "  - advance: 6d\n")
    after_first = stepped(sessions, session)
    assert [each["step"] for each in after_first["steps"]] == [1, 2, 3]
    first = after_first["steps"][0]
    assert (first["outcome"], first["at"], first["detail"]) == ("passed", "2027-01-04T09:00:00Z", "201")
    assert (after_first["state"], after_first["next_step"]) == ("ready", 2)
    second = stepped(sessions, session)["steps"][0]
    assert (second["step"], second["events"]) == (2, [{"at": "2027-01-04T09:00:00Z", "type": "team_order.claimed"}])
    done = stepped(sessions, session)
    assert (done["state"], done["next_step"], done["report"]["outcome"]) == ("passed", None, "passed")
    now = sessions.json_of(sessions.control.get(f"/worlds/{session['world']}"))["now"]
    assert now == "2027-01-10T09:00:00Z"


def test_what_the_last_steps_did_is_a_part_of_the_changes_of_the_world(sessions: World) -> None:
    session = begun(sessions, ORDER, CLAIM)
    stepped(sessions, session)
    after = stepped(sessions, session)["changes_after"]
    changes = sessions.json_of(sessions.control.get(f"/worlds/{session['world']}/changes?after={after}"))["changes"]
    assert [change["kind"] for change in changes] == ["control", "event"]


def test_a_stepped_scenario_has_the_report_of_one_that_is_played(sessions: World) -> None:
    source = text(ORDER, CLAIM, "  - advance: 6d\n")
    played = sessions.client.call(
        "POST", "/_sim/v1/scenarios/play", body=source, headers={"Content-Type": "application/yaml"}
    ).json()
    session = sessions.json_of(begin(sessions, source))
    stepped(sessions, session, count=2)
    report = stepped(sessions, session, to="end")["report"]
    assert {**report, "world": None} == played
    assert report["world"] == session["world"]


def test_a_failing_step_is_shown_with_its_line_and_what_was_expected(sessions: World) -> None:
    session = begun(sessions, ORDER, WRONG, CLAIM)
    failed = stepped(sessions, session, to="end")
    assert (failed["state"], failed["played"], failed["next_step"]) == ("failed", 2, None)
    assert [each["outcome"] for each in failed["steps"]] == ["passed", "failed", "skipped"]
    failure = failed["failure"]
    assert (failure["step"], failure["file"], failure["line"]) == (2, "scenario.yaml", 14)
    assert failure["failures"] == [
        {
            "message": 'body.team_order.status: expected "delivered", actual "collecting_addresses"',
            "path": "body.team_order.status", "expected": '"delivered"', "actual": '"collecting_addresses"',
        }
    ]  # fmt: skip
    assert failure["detail"].startswith("scenario.yaml:14: step 2, GET /api/external/team-orders/${order}")
    assert failed["steps"][1]["failures"] == failure["failures"]
    assert status_and_code(step(sessions, session)) == (409, "session_over")
    orders = sessions.json_of(sessions.control.get(f"/worlds/{session['world']}/orders"))["orders"]
    assert len(orders) == 1


def test_what_was_set_up_and_never_used_fails_after_the_last_step(sessions: World) -> None:
    session = stepped(sessions, begun(sessions, UNUSED), to="end")
    assert session["state"] == "failed"
    assert [each["outcome"] for each in session["steps"]] == ["passed"]
    assert (session["failure"]["step"], session["failure"]["line"]) == (None, 4)
    assert session["failure"]["failures"][0]["message"].startswith("expected the fault to act, actual never")


def test_a_scenario_of_the_library_is_stepped_through_by_its_name(sessions: World) -> None:
    session = sessions.json_of(sessions.control.post("/scenarios/sessions?name=partner.calls_back"))
    assert (session["name"], session["file"]) == ("partner.calls_back", "partner/calls_back.yaml")
    done = stepped(sessions, session, to="end")
    assert done["state"] == "passed"
    assert {each["outcome"] for each in done["steps"]} == {"passed"}
    assert any(each["within"] for each in done["steps"])


def test_forks_of_a_session_are_named(sessions: World) -> None:
    session = begun(sessions, "  - fork: other\n", "  - advance: 1d\n    in: other\n")
    done = stepped(sessions, session, to="end")
    assert list(done["forks"]) == ["other"]
    fork = sessions.json_of(sessions.control.get(f"/worlds/{done['forks']['other']}"))
    assert fork["now"] == "2027-01-05T09:00:00Z"
    sessions.control.delete(f"/scenarios/sessions/{session['id']}")
    assert sessions.control.get(f"/worlds/{fork['id']}").status == 404


def test_a_session_is_deleted_with_its_world_or_without_it(sessions: World) -> None:
    first, second = begun(sessions, ORDER), begun(sessions, ORDER)
    assert sessions.control.delete(f"/scenarios/sessions/{first['id']}").status == 200
    assert sessions.control.get(f"/worlds/{first['world']}").status == 404
    assert sessions.control.delete(f"/scenarios/sessions/{second['id']}?keep=true").status == 200
    assert sessions.control.get(f"/worlds/{second['world']}").status == 200
    for session in (first, second):
        assert status_and_code(step(sessions, session)) == (404, "session_not_found")
    sessions.control.delete(f"/worlds/{second['world']}")


def test_a_session_goes_away_with_its_world(sessions: World) -> None:
    session = begun(sessions, ORDER)
    sessions.control.delete(f"/worlds/{session['world']}")
    response = sessions.control.get(f"/scenarios/sessions/{session['id']}")
    assert status_and_code(response) == (404, "session_not_found")
    assert sessions.json_of(sessions.control.get("/scenarios/sessions"))["sessions"] == []


def test_twenty_sessions_are_kept(sessions: World) -> None:
    first, *_ = [begun(sessions, ORDER) for _ in range(20)]
    assert status_and_code(begin(sessions, text(ORDER))) == (409, "too_many_sessions")
    sessions.control.delete(f"/scenarios/sessions/{first['id']}")
    assert begin(sessions, text(ORDER)).status == 201
    listed = sessions.json_of(sessions.control.get("/scenarios/sessions?limit=2&after=18"))
    assert (len(listed["sessions"]), listed["next"]) == (2, None)
    assert "steps" not in listed["sessions"][0]


def test_steps_come_in_pages(sessions: World) -> None:
    session = begun(sessions, "  - for_each: {hours: [1, 2, 3]}\n    steps: [{advance: 1h}]\n")
    page = read(sessions, session, "?limit=2")
    assert ([each["step"] for each in page["steps"]], page["next"]) == ([1, 2], 2)
    rest = read(sessions, session, "?after=2")
    assert ([each["step"] for each in rest["steps"]], rest["next"], rest["files"]) == ([3], None, [])


def test_a_session_needs_a_scenario_that_can_be_played(sessions: World) -> None:
    broken = begin(sessions, text("  - advanse: 1d\n"))
    assert status_and_code(broken) == (400, "invalid_scenario")
    assert broken.json()["error"]["details"]["line"] == 3
    assert status_and_code(begin(sessions, "")) == (400, "invalid_body")
    unknown = sessions.control.post("/scenarios/sessions?name=partner.nothing")
    assert status_and_code(unknown) == (404, "scenario_not_found")
    assert status_and_code(step(sessions, begun(sessions, ORDER), count=2, to="end")) == (400, "invalid_body")
    assert sessions.json_of(sessions.control.get("/scenarios/sessions"))["sessions"][0]["played"] == 0


def test_a_session_is_stopped_while_a_step_waits_and_refuses_a_second_step_meanwhile(sessions: World) -> None:
    session = begun(
        sessions, "  - receiver: {host: hooks.partner.example, mode: hold}\n", SUBSCRIBE, ORDER, CLAIM, ADVANCE
    )
    answers: list[Response] = []
    playing = threading.Thread(target=lambda: answers.append(step(sessions, session, to="end")))
    playing.start()
    held = f"/worlds/{session['world']}/deliveries/held"
    wait_until(lambda: bool(sessions.json_of(sessions.control.get(held))["held"]))
    assert read(sessions, session)["state"] == "playing"
    assert status_and_code(step(sessions, session)) == (409, "session_busy")
    sessions.json_of(sessions.control.delete(f"/scenarios/sessions/{session['id']}"))
    playing.join()
    assert status_and_code(answers[0]) == (404, "session_not_found")


SUBSCRIBE = """
  - call: POST /api/external/webhooks
    as: partner.prepaid
    body: {url: "https://hooks.partner.example/", events: [team_order.claimed]}
    expect: {status: 201}
"""
ADVANCE = """
  - control: POST /clock/advance
    body: {by: 2d}
"""
