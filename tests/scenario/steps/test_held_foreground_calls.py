"""A step that waits for a call which a fault or a receiver holds fails at once, with the way on (G81)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Client
from tests.scenario.builders import assert_passed, play_steps
from tests.support.downstream_app import AppRequest, run_app

FOREGROUND = """
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      idempotency_key: first
      gift_sender: Ada
      items: [{sku_code: MUG-01}]
      recipients: [{name: Bo, email: bo@example.com}]
"""
ORDER = FOREGROUND.replace("    body", "    background: first\n    body")
HOLD = "  - fault: {id: slow, match: {operation: createTeamOrder}, effect: {hold: true}}\n"
HELD = "a fault or a receiver holds this call, and no later step can release it while this step waits for its response"


@pytest.mark.parametrize(
    ("steps", "number", "title"),
    [
        (HOLD + FOREGROUND, 2, "POST /api/external/team-orders as partner.prepaid"),
        (
            "  - control: POST /faults\n    body: {effect: {hold: true}}\n" + FOREGROUND, 2,
            "POST /api/external/team-orders as partner.prepaid",
        ),
        (
            FOREGROUND.replace("    body", "    headers: {X-Sim-Fault: hold}\n    body"), 1,
            "POST /api/external/team-orders as partner.prepaid",
        ),
        (
            """
  - receiver: {host: hooks.partner.example, mode: hold}
  - call: POST /api/external/webhooks
    as: partner.prepaid
    body: {url: "https://hooks.partner.example/", events: [team_order.claimed]}
    save: {id: $.endpoint.id}
  - {call: "POST /api/external/webhooks/${id}/test", as: partner.prepaid}
""", 3, "POST /api/external/webhooks/${id}/test as partner.prepaid",
        ),
    ],
    ids=["fault", "control call", "header", "ping"],
)  # fmt: skip
def test_a_call_in_the_foreground_that_is_held_fails_with_its_step_and_the_way_on(
    client: Client, steps: str, number: int, title: str
) -> None:
    report = play_steps(f"{steps}  - {{advance: 1h}}\n", client)
    assert report.outcome == "failed"
    failed = next(step for step in report.steps if step.outcome == "failed")
    assert failed.number == number
    place, message, *_ = failed.detail.split("\n  ")
    assert place.endswith(f": step {number}, {title}")
    assert message.startswith(HELD)
    assert "`background: NAME`" in message
    assert report.steps[-1].outcome == "skipped"


def test_an_app_whose_call_is_held_fails_its_step(client: Client, served: Simulator) -> None:
    def order(request: AppRequest) -> tuple[int, Any]:
        body = {"idempotency_key": "first", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
                "recipients": [{"name": "Bo", "email": "bo@example.com"}]}  # fmt: skip
        headers = {"Authorization": f"Bearer {request.body['key']}"}
        return served.client.call("POST", "/api/external/team-orders", body=body, headers=headers).status, {}

    with run_app(order) as app:
        report = play_steps(
            f"""{HOLD}
  - app: POST /order
    body: {{key: "pk_live_${{world}}_prepaid"}}
""",
            client,
            app=app.url,
        )
    assert report.outcome == "failed"
    assert HELD in report.steps[1].detail


def test_a_slow_call_in_the_foreground_is_not_taken_for_a_held_one(client: Client) -> None:
    assert_passed(
        play_steps(
            f"""{HOLD}{ORDER}
  - call: GET /api/external/team-orders
    as: partner.prepaid
    headers: {{X-Sim-Fault: delay_s=0.2}}
    expect: {{status: 200}}
  - fault: {{clear: slow}}
  - {{await: first, expect: {{status: 201}}}}
""",
            client,
        )
    )
