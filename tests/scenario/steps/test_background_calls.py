"""Background calls, `await` and `control` steps on the real simulator, in process and over HTTP."""

from __future__ import annotations

from typing import Any

from giftsim import Simulator
from giftsim.engine.client.response import Client
from giftsim.workbench.scenario import Report
from tests.scenario.builders import assert_passed, play_steps
from tests.support.downstream_app import AppRequest, run_app
from tests.support.served_simulator import HttpClient

ORDER = """
  - &order
    call: POST /api/external/team-orders
    as: partner.prepaid
    background: first
    body: &body
      idempotency_key: first
      gift_sender: Ada
      items: [{sku_code: MUG-01}]
      recipients: [{name: Bo, email: bo@example.com}]
"""
HOLD = "  - fault: {id: slow, match: {operation: createTeamOrder}, effect: {hold: true}}\n"


def details(report: Report) -> list[str]:
    return [step.detail for step in report.steps]


def test_other_steps_run_while_a_call_is_held(client: Client) -> None:
    report = assert_passed(
        play_steps(
            f"""{HOLD}{ORDER}
  - {{call: GET /api/external/team-orders, as: partner.prepaid, expect: {{body: {{team_orders: {{$length: 0}}}}}}}}
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body: *body
    expect: {{status: 409, body: {{error: {{code: idempotency_outcome_unknown}}}}}}
  - advance: 1h
  - fault: {{clear: slow}}
  - await: first
    expect: {{status: 201, body: {{team_order: {{claim_expires_at: "${{start+721h}}"}}}}}}
    save: {{order: $.team_order.id}}
  - {{call: "GET /api/external/team-orders/${{order}}", as: partner.prepaid}}
""",
            client,
        )
    )
    assert [details(report)[n] for n in (1, 6)] == ["in the background", "201"]


def test_a_call_that_is_not_held_is_answered_before_the_next_step(client: Client) -> None:
    report = assert_passed(
        play_steps(
            f"""{ORDER}
  - {{call: GET /api/external/team-orders, as: partner.prepaid, expect: {{body: {{team_orders: {{$length: 1}}}}}}}}
  - {{await: first, expect: {{status: 201}}}}
""",
            client,
        )
    )
    assert details(report)[0] == "in the background"


def test_a_delayed_call_takes_effect_before_the_next_step(client: Client) -> None:
    late = ORDER.replace("    background", "    headers: {X-Sim-Fault: delay_s=0.4}\n    background")
    report = assert_passed(
        play_steps(
            f"""{late}
  - {{call: GET /api/external/team-orders, as: partner.prepaid, expect: {{body: {{team_orders: {{$length: 1}}}}}}}}
  - {{await: first, expect: {{status: 201}}}}
""",
            client,
        )
    )
    assert details(report)[0] == "in the background"


def test_two_held_calls_can_be_awaited_in_any_order(client: Client) -> None:
    held = "  - fault: {{id: {id}, match: {{operation: {operation}}}, effect: {{hold: true}}}}\n"
    assert_passed(
        play_steps(
            held.format(id="a", operation="createTeamOrder")
            + held.format(id="b", operation="listWebhooks")
            + f"""{ORDER}
  - {{call: GET /api/external/webhooks, as: partner.prepaid, background: second}}
  - fault: {{clear: b}}
  - {{await: second, expect: {{status: 200}}}}
  - fault: {{clear: all}}
  - {{await: first, expect: {{status: 201}}}}
""",
            client,
        )
    )


def test_awaiting_a_held_call_fails_at_once(client: Client) -> None:
    report = play_steps(f"{HOLD}{ORDER}  - await: first\n", client)
    assert report.steps[2].detail.partition("\n  why: ")[0] == (
        "scenario.yaml:14: step 3, await first\n  the call first is still held; "
        "first end the fault or answer the delivery that holds it"
    )


def test_a_call_waits_for_the_delivery_that_it_causes_to_be_answered(client: Client) -> None:
    assert_passed(
        play_steps(
            """
  - call: POST /api/external/webhooks
    as: partner.prepaid
    body: {url: "https://hooks.partner.example/gifts", events: [team_order.shipped]}
    save: {hook: $.endpoint.id}
  - control: PUT /receivers/hooks.partner.example
    body: {mode: hold}
  - {call: "POST /api/external/webhooks/${hook}/test", as: partner.prepaid, background: test}
  - {control: GET /deliveries/held, save: {seq: "$.held[0].seq"}}
  - {control: "POST /deliveries/${seq}/answer", body: {status: 503}}
  - {await: test, expect: {status: 200}}
""",
            client,
        )
    )


def test_the_report_is_the_same_over_http_as_in_process(served: Simulator) -> None:
    steps = f"""{HOLD}{ORDER}
  - fork: other
  - fault: {{clear: slow}}
  - {{await: first, save: {{id: $.team_order.id}}}}
  - {{advance: 40d, expect: {{events: [team_order.needs_attention]}}}}
  - {{call: "GET /api/external/team-orders/${{id}}", as: partner.prepaid, in: other}}
  - expect: {{fingerprint: {"0" * 64}}}
"""
    remote = HttpClient("127.0.0.1", int(served.registry.runtime.origin.rpartition(":")[2]))
    one, other = (play_steps(steps, client) for client in (served.client, remote))
    assert one.data == other.data
    assert one.outcome == "failed"
    assert one.timeline == other.timeline


def test_a_lost_connection_of_a_background_call_is_seen_when_it_is_awaited(client: Client) -> None:
    dropped = ORDER.replace("    background", "    headers: {X-Sim-Fault: drop=before}\n    background")
    assert_passed(play_steps(f"{dropped}  - {{await: first, expect: {{connection: lost}}}}\n", client))


def test_an_app_that_waits_for_a_held_call_can_be_in_the_background(client: Client, served: Simulator) -> None:
    def place_order(request: AppRequest) -> tuple[int, Any]:
        port = int(served.registry.runtime.origin.rpartition(":")[2])
        body = {key: request.body[key] for key in ("idempotency_key", "gift_sender", "items", "recipients")}
        headers = {"Authorization": f"Bearer {request.body['key']}"}
        response = HttpClient("127.0.0.1", port).call("POST", "/api/external/team-orders", body=body, headers=headers)
        return response.status, response.json()

    order = ORDER.replace("call: POST /api/external/team-orders", "app: POST /orders").replace(
        "    as: partner.prepaid\n", ""
    )
    with run_app(place_order) as app:
        report = play_steps(
            f"""{HOLD}{order}      key: "pk_live_${{world}}_prepaid"
  - {{call: GET /api/external/team-orders, as: partner.prepaid, expect: {{body: {{team_orders: {{$length: 0}}}}}}}}
  - fault: {{clear: slow}}
  - {{await: first, expect: {{status: 201}}}}
""",
            client,
            app=app.url,
        )
    assert_passed(report)


def test_a_key_made_by_a_control_call_can_be_used_by_name(client: Client) -> None:
    assert_passed(
        play_steps(
            """
  - control: POST /keys
    body: {interface: partner, account: {wallet_cents: 100}}
    expect: {status: 201}
    save: {name: $.name, key: $.key}
  - {call: GET /api/external/team-orders, as: "${name}", expect: {status: 200}}
  - control: GET /accounts
  - control: DELETE /keys/${key}
  - {call: GET /api/external/team-orders, headers: {Authorization: "Bearer ${key}"}, expect: {status: 401}}
""",
            client,
        )
    )


def test_a_key_made_by_a_team_can_be_used_by_value(client: Client) -> None:
    assert_passed(
        play_steps(
            """
  - call: POST /api/teams/v1/keys
    as: session.owner
    body: {name: mine, mode: live, role: approver, scopes: [catalog:read]}
    save: {key: $.key}
  - {call: GET /api/teams/v1/collections, as: "${key}", expect: {status: 200}}
""",
            client,
        )
    )


def test_clock_and_lists_are_read_again_after_control_calls(client: Client) -> None:
    report = assert_passed(
        play_steps(
            """
  - control: POST /clock/advance
    body: {by: 3h}
  - advance: 1s
  - control: POST /reset
  - expect: {events_exactly: []}
""",
            client,
        )
    )
    start = report.steps[0].at
    assert [step.at for step in report.steps] == [start, "2027-01-04T12:00:00Z", "2027-01-04T12:00:01Z", start]
