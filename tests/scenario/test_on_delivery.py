"""Steps in the midst of a delivery: taken while an attempt stands, in process and over HTTP, the same every time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.scenario import Client, InvalidScenario, Report, load, play
from tests.support.served_simulator import serve_simulator

NAMES = '"order", "origin", "start", "start_date" and "world"'
START = """
scenario: A story
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
    """A simulator in a process of its own."""
    with serve_simulator("--fixture", "bare") as served:
        yield served.client


@pytest.fixture(params=["in process", "over http"])
def client(request: pytest.FixtureRequest, simulator: Simulator) -> Client:
    """A simulator, reached without a socket and with one."""
    found: Client = simulator.client if request.param == "in process" else request.getfixturevalue("remote")
    return found


def played(client: Client, steps: str) -> Report:
    """The story of a claim that an endpoint is to hear of, and what follows."""
    return play(load(START.lstrip() + steps.strip("\n") + "\n", "story.yaml"), client)


def refusal(steps: str) -> str:
    """Why such a story is refused."""
    with pytest.raises(InvalidScenario) as caught:
        load(START.lstrip() + steps.strip("\n") + "\n", "story.yaml")
    return caught.value.message


FIRST_TWO = """
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


def test_steps_are_taken_while_the_attempt_stands(client: Client) -> None:
    report = played(client, FIRST_TWO)
    assert report.outcome == "passed", report.timeline
    inner = next(step for step in report.steps if step.number == 6)
    assert (inner.at, inner.outcome, inner.detail) == ("2027-01-04T10:00:00Z", "passed", "200")
    assert [step.number for step in report.steps] == [1, 2, 3, 4, 5, 6, 7]


def test_the_same_story_gives_the_same_world(client: Client, simulator: Simulator) -> None:
    reports = [played(one, FIRST_TWO) for one in (client, client, simulator.client)]
    assert len({report.fingerprint for report in reports}) == 1
    assert len({report.timeline for report in reports}) == 1


def test_what_no_entry_means_is_answered_as_the_receiver_would(client: Client) -> None:
    report = played(
        client,
        """
  - advance: 2h
    expect: {deliveries: {type: team_order.claimed, outcomes: [500, 200]}}
""",
    )
    assert report.outcome == "passed", report.timeline


def test_a_step_may_change_the_receiver_at_which_the_attempt_stands(client: Client) -> None:
    report = played(
        client,
        """
  - advance: 2h
    on_delivery:
      - steps:
          - receiver: {host: hooks.partner.example}
    expect: {deliveries: {type: team_order.claimed, outcomes: [timeout, 200]}}
""",
    )
    assert report.outcome == "passed", report.timeline


def test_an_entry_that_never_happened_fails_the_story(client: Client) -> None:
    report = played(
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


def test_a_step_that_fails_is_told_of_and_the_rest_is_skipped(client: Client) -> None:
    report = played(
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


PROMPT = """
scenario: A story
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


def test_a_prompt_delivery_is_met_by_the_next_advance(client: Client) -> None:
    after = """
  - advance: 1h
    on_delivery: [{type: approval.requested, answer: {status: 202}}]
  - expect: {deliveries: {type: approval.requested, outcomes: [202]}}
"""
    report = play(load((PROMPT + after.lstrip("\n")).lstrip(), "story.yaml"), client)
    assert report.outcome == "passed", report.timeline


def test_what_stands_at_the_end_holds_nothing_up(client: Client) -> None:
    report = play(load(PROMPT.lstrip(), "story.yaml"), client)
    assert report.outcome == "passed", report.timeline
    assert report.fingerprint


def test_a_ping_that_stands_goes_on_in_the_background(client: Client) -> None:
    report = played(
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
    assert report.outcome == "passed", report.timeline


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            "{attemp: 1}",
            '"attemp" is no part of an entry of on_delivery; did you mean "attempt"?',
        ),
        (
            "{steps: [{advance: 1h}]}",
            '"advance" cannot stand here: while an attempt stands, so does the clock, and the world stays one',
        ),
        ("{steps: [{cal: GET /}]}", '"cal" is no kind of step; did you mean "call"?'),
        (
            "{event: '${delivery.event_id}'}",
            f"${{delivery.event_id}} is filled by nothing before it; there is {NAMES}",
        ),
        (
            "{steps: [{call: GET /, save: {delivery: $.id}}]}",
            '"delivery" is filled by the scenario itself',
        ),
        ("{answer: {status: 99}}", '"status" must be at least 100, not 99'),
    ],
)
def test_an_entry_that_cannot_be_meant_is_refused(entry: str, said: str) -> None:
    assert refusal(f"  - advance: 1h\n    on_delivery: [{entry}]\n") == said
