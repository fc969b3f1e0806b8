"""Steps that run while a delivery is held, in process and over HTTP, with the same result each time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Client
from giftsim.workbench.scenario import InvalidScenario, Report, load_scenario
from tests.scenario.builders import assert_passed, play_text
from tests.support.served_simulator import serve_simulator

NAMES = '"order", "origin", "run", "start", "start_date" and "world"'
START = """
scenario: A scenario
steps:
  - receiver: {host: hooks.partner.example, mode: hold, script: [{status: 500}]}
  - call: POST /api/external/webhooks
    as: partner.prepaid
    body: {url: "https://hooks.partner.example/gifts", events: [team_order.claimed]}
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      {idempotency_key: first, gift_sender: Ada, items: [{sku_code: MUG-01, quantity: 1}],
       recipients: [{name: Bo, email: bo@example.com}]}
    save: {order: $.team_order.id}
  - {simulate: claim, with: {team_order_id: '${order}', recipient: 0}}
"""


@pytest.fixture(scope="module")
def remote() -> Iterator[Client]:
    """A client of a simulator in another process."""
    with serve_simulator("--fixture", "bare") as served:
        yield served.client


@pytest.fixture(params=["in process", "over http"])
def client(request: pytest.FixtureRequest, simulator: Simulator) -> Client:
    """A client of a simulator, in process or over HTTP."""
    remote: Client = simulator.client if request.param == "in process" else request.getfixturevalue("remote")
    return remote


def play_after_claim(client: Client, steps: str) -> Report:
    """Play steps after a claim that causes a webhook event."""
    return play_text(START + steps.strip("\n") + "\n", client)


def error_message(steps: str) -> str:
    """The message of the error in such a scenario."""
    with pytest.raises(InvalidScenario) as caught:
        load_scenario(START + steps.strip("\n") + "\n")
    return caught.value.message


TWO_ENTRIES = """
  - advance: 2h
    on_delivery:
      - type: team_order.claimed
        attempt: 1
        steps:
          - call: GET /api/external/team-orders/${delivery.body.data.team_order.id}
            as: partner.prepaid
            expect: {body: {team_order: {status: in_progress}}}
            save: {seen: $.team_order.id}
      - {host: hooks.partner.example, attempt: 2, answer: {status: 204}}
    expect: {deliveries: {type: team_order.claimed, outcomes: [500, 204]}}
  - call: GET /api/external/team-orders/${seen}
    as: partner.prepaid
"""


def test_steps_run_while_a_delivery_is_held(client: Client) -> None:
    report = play_after_claim(client, TWO_ENTRIES)
    assert_passed(report)
    inner = next(step for step in report.steps if step.number == 6)
    assert (inner.at, inner.outcome, inner.detail) == ("2027-01-04T10:00:00Z", "passed", "200")
    assert [step.number for step in report.steps] == [1, 2, 3, 4, 5, 6, 7]


def test_the_same_scenario_gives_the_same_world(client: Client, simulator: Simulator) -> None:
    reports = [play_after_claim(one, TWO_ENTRIES) for one in (client, client, simulator.client)]
    assert len({report.fingerprint for report in reports}) == 1
    assert len({report.timeline for report in reports}) == 1


def test_the_receiver_answers_deliveries_that_match_no_entry(client: Client) -> None:
    report = play_after_claim(
        client,
        """
  - advance: 2h
    expect: {deliveries: {type: team_order.claimed, outcomes: [500, 200]}}
""",
    )
    assert_passed(report)


def test_a_step_may_replace_the_receiver_that_holds_the_delivery(client: Client) -> None:
    report = play_after_claim(
        client,
        """
  - advance: 2h
    on_delivery:
      - steps:
          - receiver: {host: hooks.partner.example}
    expect: {deliveries: {type: team_order.claimed, outcomes: [timeout, 200]}}
""",
    )
    assert_passed(report)


def test_an_entry_that_is_never_used_fails_the_step(client: Client) -> None:
    report = play_after_claim(
        client,
        """
  - advance: 2h
    on_delivery:
      - {type: team_order.claimed, attempt: 3}
      - {type: team_order.claimed}
""",
    )
    assert report.outcome == "failed"
    assert report.steps[-1].detail.split("\n")[1] == (
        '  on_delivery[0]: expected {"type": "team_order.claimed", "attempt": 3} at a receiver of mode hold, actual '
        "team_order.claimed attempt 1, team_order.claimed attempt 2"
    )


def test_a_failed_nested_step_is_reported_and_the_rest_is_skipped(client: Client) -> None:
    report = play_after_claim(
        client,
        """
  - advance: 2h
    on_delivery:
      - attempt: 1
        steps:
          - call: GET /api/external/team-orders/1
            as: partner.prepaid
          - call: GET /api/external/team-orders
            as: partner.prepaid
      - {attempt: 2}
  - advance: 1h
""",
    )
    assert [step.outcome for step in report.steps[4:]] == ["failed", "failed", "skipped", "skipped"]
    assert "status: expected 2xx, actual 404" in report.steps[5].detail


IMMEDIATE = """
scenario: A scenario
steps:
  - receiver: {host: hooks.team.example, mode: hold}
  - call: POST /api/teams/v1/webhooks
    as: team.live_approver
    headers: {Idempotency-Key: a}
    body: {url: "https://hooks.team.example/gifts", events: [approval.requested]}
  - call: POST /api/teams/v1/gifts
    as: team.live_approver
    headers: {Idempotency-Key: b}
    body: {recipients: [{name: Bo, email: bo@example.com}], gift: {collection_slug: welcome-kit}}
"""


def test_an_immediate_delivery_is_handled_by_the_next_advance(client: Client) -> None:
    after = """
  - advance: 1h
    on_delivery: [{type: approval.requested, answer: {status: 202}}]
  - expect: {deliveries: {type: approval.requested, outcomes: [202]}}
"""
    report = play_text(IMMEDIATE + after.lstrip("\n"), client)
    assert_passed(report)


def test_deliveries_held_at_the_end_are_released(client: Client) -> None:
    report = play_text(IMMEDIATE, client)
    assert_passed(report)
    assert report.fingerprint


def test_a_held_ping_continues_in_the_background(client: Client) -> None:
    report = play_after_claim(
        client,
        """
  - call: POST /api/external/webhooks/1/test
    as: partner.prepaid
    background: ping
  - advance: 0s
    on_delivery: [{type: ping, answer: {status: 503}}]
  - await: ping
    expect: {body: {status_code: 503}}
""",
    )
    assert_passed(report)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            "{attemp: 1}",
            '"attemp" is not a member of an entry of on_delivery; did you mean "attempt"?',
        ),
        (
            "{steps: [{advance: 1h}]}",
            '"advance" is not allowed here: the clock and the world must not change while a delivery is held',
        ),
        ("{steps: [{cal: GET /}]}", '"cal" is not a kind of step; did you mean "call"?'),
        (
            "{event: '${delivery.event_id}'}",
            f"${{delivery.event_id}} is not defined here; known are {NAMES}",
        ),
        (
            "{steps: [{call: GET /, save: {delivery: $.id}}]}",
            '"delivery" is the name of a built-in variable',
        ),
        ("{answer: {status: 99}}", '"status" must be at least 200, not 99'),
    ],
)
def test_an_invalid_entry_is_refused(entry: str, message: str) -> None:
    assert error_message(f"  - advance: 1h\n    on_delivery: [{entry}]\n") == message
