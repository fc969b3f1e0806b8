"""Questions to a world: what they can be about, what is answered, and how they are refused."""

from __future__ import annotations

import subprocess
import sys
from typing import Any
from urllib.parse import urlencode

import pytest

from giftsim import Simulator
from giftsim.workbench.why.engine import ORDER, rules
from tests.support.api_clients import PartnerClient
from tests.support.orders import email_recipients
from tests.support.secret_scanner import findings
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World

SHIPPED = "team_order.shipped"
pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")


def why(world: World, about: str, expected: str | None = None) -> Any:
    """The verdicts on a question."""
    query = {"about": about, **({"expected": expected} if expected else {})}
    return world.call_control("GET", f"/why?{urlencode(query)}")["verdicts"]


def refused(world: World, about: str, expected: str | None = None) -> tuple[int, str, str]:
    """The status, the code and the message with which a question is refused."""
    query = {"about": about, **({"expected": expected} if expected else {})}
    response = world.control.call("GET", f"/worlds/{world.id}/why?{urlencode(query)}", None)
    error = response.json()["error"]
    return response.status, error["code"], error["message"]


@pytest.fixture
def order(world: World, partner: PartnerClient) -> int:
    """An order that is claimed, whose events nobody is subscribed to."""
    order: int = partner.create_order(recipients=email_recipients(1)).json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    return order


def test_a_question_is_answered_by_a_sentence_with_its_proof_and_a_line_for_each_place(
    world: World, order: int
) -> None:
    [verdict] = why(world, f"order:{order}", SHIPPED)
    assert verdict["kind"] == "not_due"
    assert f"{SHIPPED} of order {order} is due at 2027-01-07T09:00:00Z" in verdict["sentence"]
    trace = world.control.get(f"/worlds/{world.id}/trace?format=json").json()
    [mark] = verdict["marks"]
    assert trace["entries"][mark["entry"] - 1]["control"]["operation"] == "simulateClaim"
    assert verdict["mend"]["pytest"] == 'giftsim.advance("3d")'
    assert verdict["mend"]["vitest"] == "await world.advance('3d')"
    assert verdict["mend"]["scenario"] == "- advance: 3d"
    assert f"/worlds/{world.id}/clock/advance" in verdict["mend"]["curl"]
    assert verdict["why_not"] is None


def test_a_time_to_wait_is_said_in_whole_hours_or_minutes(world: World, order: int) -> None:
    world.advance("3723543ms")
    verdict = why(world, f"order:{order}", SHIPPED)[0]
    assert verdict["sentence"].endswith("the clock is at 2027-01-04T10:02:03.543Z: advance 71h more")
    assert verdict["mend"]["scenario"] == "- advance: 71h"
    world.advance("71h")
    assert {row["type"] for row in world.rows("events")} >= {SHIPPED}


def test_once_it_is_due_the_question_has_another_answer(world: World, order: int) -> None:
    world.advance("3d")
    verdicts = why(world, f"order:{order}", SHIPPED)
    assert verdicts[0]["kind"] == "not_subscribed"
    assert findings(str(verdicts)) == []


def test_a_question_about_an_event_needs_no_expectation(world: World, order: int) -> None:
    world.advance("3d")
    [event] = [row for row in world.rows("events") if row["type"] == SHIPPED]
    assert why(world, f"event:{event['id']}")[0]["kind"] == "not_subscribed"


def test_a_question_leaves_the_world_as_it_is(world: World, order: int) -> None:
    before = world.call_control("GET", "/fingerprint"), world.rows("events")
    why(world, f"order:{order}", "delivered")
    assert (world.call_control("GET", "/fingerprint"), world.rows("events")) == before


def test_where_no_rule_holds_it_says_so_and_marks_nothing_as_a_cause(world: World, order: int) -> None:
    [verdict] = why(world, "call:1")
    assert verdict["kind"] == "unknown"
    assert verdict["sentence"].startswith("no cause is known;")
    assert "not the cause" in verdict["marks"][0]["what"]
    assert set(verdict["mend"].values()) == {None}
    assert verdict["why_not"]


def test_gifts_and_approvals_are_known_by_their_ids(world: World) -> None:
    gift = create_gift(TeamClients(world).live)
    assert why(world, f"gift:{gift['id']}")
    [approval] = world.rows("approvals")
    assert why(world, f"approval:{approval['id']}")


@pytest.mark.parametrize(
    ("about", "expected", "status", "code", "words"),
    [
        ("ordr:1001", None, 400, "invalid_parameter", "did you mean order?"),
        ("1001", None, 400, "invalid_parameter", "KIND:ID with a kind of order, gift, campaign, event, approval, call"),
        ("order:", None, 400, "invalid_parameter", "KIND:ID"),
        ("order:1002", None, 404, "record_not_found", "there is no order '1002'; did you mean 1001?"),
        ("order:x", None, 404, "record_not_found", "known are 1001"),
        ("gift:7", None, 404, "record_not_found", "there is no gift '7'; known are none"),
        ("call:7", None, 404, "record_not_found", "there is no call '7'; the calls so far are 1 to 1"),
        ("call:x", None, 404, "record_not_found", "there is no call 'x'"),
        ("event:evt_1", None, 404, "record_not_found", "there is no event 'evt_1'"),
        ("order:1001", "team_order.shiped", 400, "invalid_parameter", "did you mean team_order.shipped?"),
        ("order:1001", "deliverd", 400, "invalid_parameter", "did you mean delivered?"),
        ("order:1001", "999", 400, "invalid_parameter", "nor an HTTP status"),
    ],
)
def test_a_question_that_names_nothing_is_refused_with_what_there_is(
    world: World, order: int, about: str, expected: str | None, status: int, code: str, words: str
) -> None:
    found = refused(world, about, expected)
    assert found[:2] == (status, code), found
    assert words in found[2]


def test_a_simulator_without_gifts_answers_questions_about_calls(simulator_of_museum: World) -> None:
    world = simulator_of_museum
    world.client.call("GET", "/v1.1/museum-hours", headers=world.credentials["museum"]["headers"])
    assert why(world, "call:1")[0]["kind"] == "unknown"
    assert refused(world, "order:1")[:2] == (404, "record_not_found")


@pytest.fixture
def simulator_of_museum() -> World:
    """A world of a simulator that has the museum alone."""
    return World(Simulator(services=["museum"]), fixture="empty")


def test_a_failed_test_is_explained_by_its_facts(world: World, order: int) -> None:
    failure = {"message": f"AssertionError: expected a webhook {SHIPPED}, found none", "text": ""}
    test = {"id": "test_it", "outcome": "failed", "seconds": 0, "failure": failure}
    [verdict] = world.call_control("POST", "/why", {"test": test})["verdicts"]
    assert verdict["kind"] == "not_due"
    passed = {"id": "test_it", "outcome": "passed", "seconds": 0}
    assert world.call_control("POST", "/why", {"test": passed}) == {"verdicts": []}


def test_what_a_trace_is_asked_to_hide_no_verdict_shows(world: World, order: int) -> None:
    failure = {"message": f"assert 'x' == '{SHIPPED}'", "text": ""}
    test = {"id": "test_it", "outcome": "failed", "seconds": 0, "failure": failure}
    verdicts = world.call_control("POST", "/why", {"test": test, "redact": [str(order)]})["verdicts"]
    assert str(order) not in str(verdicts)


def test_every_rule_has_a_place_in_the_order() -> None:
    assert {rule.kind for rule in rules()} <= set(ORDER)
    assert len(set(ORDER)) == len(ORDER)


def test_a_trace_without_a_failure_does_not_import_what_explains() -> None:
    code = """
import sys
from giftsim import Simulator
from giftsim.testing import InProcess
from giftsim.testing.world_for_test import open_world
with open_world(InProcess(Simulator())) as world:
    world.call("GET", "/api/external/products", credential="partner.prepaid")
    world.trace({"test": {"id": "test_it", "outcome": "passed", "seconds": 0}})
    assert "giftsim.workbench.trace.trace" in sys.modules
    assert not [name for name in sys.modules if name.startswith("giftsim.workbench.why")]
    failure = {"message": "assert 1 == 2", "text": ""}
    world.trace({"test": {"id": "test_it", "outcome": "failed", "seconds": 0, "failure": failure}})
    assert "giftsim.workbench.why.engine" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_bug_in_what_explains_costs_a_test_no_trace(
    world: World, order: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_facts: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("giftsim.workbench.why.engine.explain", fail)
    test = {"id": "test_it", "outcome": "failed", "seconds": 0, "failure": {"message": "assert 1 == 2", "text": ""}}
    trace = world.call_control("POST", "/trace?format=json", {"test": test})
    assert trace["entries"][-1]["kind"] == "failure"
    assert "verdicts" not in trace
    assert "ZeroDivisionError" in caplog.text
