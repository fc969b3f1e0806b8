"""What each kind of step sends to the simulator, and what it makes of the answer."""

from __future__ import annotations

import pytest

from giftsim.scenario import load, play
from tests.scenario.service import START, WORLD, Service, reply, told

ORDERS = "POST /api/external/team-orders"


def test_the_world_is_fresh_and_as_the_head_of_the_file_says() -> None:
    service = Service()
    told("  - advance: 1d", service, seed="7", now="2027-03-02T09:00:00Z", settings="{webhooks.url_ports: [443]}")
    assert service.sent("POST /_sim/v1/worlds") == [
        {
            "fixture": "empty",
            "seed": 7,
            "now": "2027-03-02T09:00:00Z",
            "settings": {"webhooks.url_ports": [443]},
        }
    ]


def test_a_head_that_says_little_leaves_the_start_to_the_simulator() -> None:
    service = Service()
    told("  - advance: 1d", service, fixture="{accounts: []}")
    assert service.sent("POST /_sim/v1/worlds") == [{"fixture": {"accounts": []}, "seed": 1}]


def test_a_world_that_cannot_be_made_fails_before_the_first_step() -> None:
    service = Service()
    service.answer("POST /_sim/v1/worlds", reply(400, {"error": {"code": "invalid_body", "message": "no fixture x"}}))
    report = told("  - advance: 1d", service, fixture="x")
    assert [(step.number, step.outcome) for step in report.steps] == [(0, "failed"), (1, "skipped")]
    assert report.steps[0].detail == (
        "story.yaml: the world could not be made\n  POST /_sim/v1/worlds answered 400 "
        '{"error": {"code": "invalid_body", "message": "no fixture x"}}'
    )
    assert report.fingerprint is None


def test_a_call_goes_out_with_its_credential_headers_and_body() -> None:
    service = Service()
    service.answer(ORDERS, reply(201))
    told(
        """
  - call: POST /api/external/team-orders
    as: partner.prepaid
    headers: {X-Sim-Fault: drop=after, X-Count: 3}
    body: {items: [1]}
""",
        service,
    )
    [made] = [made for made in service.made if made.call == ORDERS]
    assert made.body == {"items": [1]}
    assert made.headers == {"Authorization": "Bearer pk_1", "X-Sim-Fault": "drop=after", "X-Count": "3"}


def test_headers_of_the_step_overrule_those_of_the_credential() -> None:
    service = Service()
    service.answer("GET /v1.1/museum-hours", reply(200, []))
    told("  - {call: GET /v1.1/museum-hours, as: museum, headers: {Authorization: Basic x}}", service)
    assert service.made[1].headers == {"Authorization": "Basic x"}


def test_a_call_without_credential_names_its_world() -> None:
    service = Service()
    service.answer("GET /v1.1/museum-hours", reply(200, []))
    told("  - call: GET /v1.1/museum-hours", service)
    assert service.made[1].headers == {"X-Sim-World": "w1"}


def test_an_unknown_credential_fails_and_names_the_nearest() -> None:
    report = told("  - {call: GET /x, as: partner.prepayed}")
    assert report.steps[0].detail == (
        "story.yaml:3: step 1, GET /x as partner.prepayed\n"
        '  "partner.prepayed" is no credential of this world; did you mean "partner.prepaid"?'
    )


def test_text_goes_out_as_it_is() -> None:
    service = Service()
    service.answer("POST /x", reply(400))
    told("  - {call: POST /x, body: '{broken', expect: {status: 400}}", service)
    assert service.sent("POST /x") == ["{broken"]


def test_a_link_is_called_on_the_simulator_whatever_its_origin() -> None:
    service = Service()
    service.answer("GET /mail", reply(200, {"link": "http://giftsim.example/claim/w1/token?lang=en"}))
    service.answer("GET /claim/w1/token?lang=en", reply(200, {}))
    report = told("  - {call: GET /mail, save: {link: $.link}}\n  - call: GET ${link}", service)
    assert report.outcome == "passed"


def test_a_call_is_repeated_and_counts() -> None:
    service = Service()
    for number in (1, 2, 3):
        service.answer(f"POST /x/{number}", reply(201, {"number": number}))
    report = told("  - {call: 'POST /x/${n}', repeat: 3, body: {n: '${n}'}, expect: {body: {number: '${n}'}}}", service)
    assert [service.sent(f"POST /x/{number}") for number in (1, 2, 3)] == [[{"n": 1}], [{"n": 2}], [{"n": 3}]]
    assert report.steps[0].detail == "201, 3 times"


def test_a_repeated_call_ends_at_the_first_that_fails() -> None:
    service = Service()
    service.answer("POST /x", reply(201), reply(409, {"error": {"code": "too_many_endpoints"}}))
    report = told("  - {call: POST /x, repeat: 3}", service)
    assert report.outcome == "failed"
    assert len(service.sent("POST /x")) == 2


def test_what_is_saved_fills_later_steps_with_its_type() -> None:
    service = Service()
    service.answer("GET /x", reply(200, {"rows": [{"mail": "a", "id": 1}, {"mail": "b", "id": 2}]}))
    service.answer("POST /y/2", reply(200, {"id": 2}))
    report = told(
        """
  - {call: GET /x, save: {id: "$.rows[?(@.mail == 'b')].id", rows: $.rows}}
  - {call: "POST /y/${id}", body: {id: "${id}", all: "${rows}"}, expect: {body: {id: "${id}"}}}
""",
        service,
    )
    assert report.outcome == "passed", report.timeline
    assert service.sent("POST /y/2") == [{"id": 2, "all": [{"mail": "a", "id": 1}, {"mail": "b", "id": 2}]}]


def test_saving_what_is_not_there_fails() -> None:
    service = Service()
    service.answer("GET /x", reply(200, {"id": 1}))
    report = told("  - {call: GET /x, save: {order: $.order.id}}", service)
    assert report.steps[0].detail == (
        "story.yaml:3: step 1, GET /x\n"
        "  save.order: expected a value at $.order.id, actual none\n"
        '  the answer was 200 {"id": 1}'
    )


def test_saving_from_an_answer_without_body_fails() -> None:
    service = Service()
    service.answer("GET /x", reply(204))
    report = told("  - {call: GET /x, save: {order: $.id}}", service)
    assert "save.order: expected a value at $.id, actual none" in report.steps[0].detail


def test_a_verb_is_played_with_its_members_and_may_save() -> None:
    service = Service()
    service.answer(f"POST {WORLD}/simulate/claim", reply(200, {"status": "submitted"}))
    report = told(
        """
  - simulate: claim
    with: {team_order_id: 7, recipient: 0, address: {country: US}}
    expect: {status: 200, body: {status: submitted}}
    save: {status: $.status}
""",
        service,
    )
    assert report.outcome == "passed"
    assert service.sent(f"POST {WORLD}/simulate/claim") == [
        {"team_order_id": 7, "recipient": 0, "address": {"country": "US"}}
    ]


@pytest.mark.parametrize(
    ("step", "sent"),
    [
        ("10d", {"by": "10d"}),
        ("{by: PT36H}", {"by": "PT36H"}),
        ("{to: +3d}", {"to": "2027-01-07T09:00:00Z"}),
        ("{to: 2027-02-01T00:00:00Z}", {"to": "2027-02-01T00:00:00Z"}),
        ("{until: idle}", {"until": "idle"}),
    ],
)
def test_time_advances_by_a_span_to_a_moment_or_until_an_end(step: str, sent: dict[str, str]) -> None:
    service = Service()
    told(f"  - advance: {step}", service)
    assert service.sent(f"POST {WORLD}/clock/advance") == [sent]


def test_offsets_count_from_the_start_and_not_from_now() -> None:
    service = Service()
    told("  - advance: 10d\n  - advance: {to: +11d}", service)
    assert service.sent(f"POST {WORLD}/clock/advance")[1] == {"to": "2027-01-15T09:00:00Z"}


def test_a_receiver_gets_instants_for_offsets_and_captures_unless_told() -> None:
    service = Service()
    told(
        """
  - receiver:
      host: hooks.example.com
      script: [{status: 503}, {timeout: true}]
      then: {status: 200}
      outage: {from: +3d, to: 2027-01-08T09:00:00Z, status: 503}
""",
        service,
    )
    assert service.sent(f"PUT {WORLD}/receivers/hooks.example.com") == [
        {
            "mode": "capture",
            "script": [{"status": 503}, {"timeout": True}],
            "then": {"status": 200},
            "outage": {"from": "2027-01-07T09:00:00Z", "to": "2027-01-08T09:00:00Z", "status": 503},
        }
    ]


def test_a_receiver_with_a_target_forwards_and_a_star_stays_a_star() -> None:
    service = Service()
    told("  - receiver: {host: '*', to: 'http://127.0.0.1:9000'}", service)
    assert service.sent(f"PUT {WORLD}/receivers/*") == [{"mode": "forward", "to": "http://127.0.0.1:9000"}]


def test_faults_begin_and_end() -> None:
    service = Service()
    told(
        """
  - fault: {id: decline, match: {interface: partner}, when: {from: +1h}, effect: {charge: card_charge_failed}}
  - fault: {clear: decline}
  - fault: {clear: all}
""",
        service,
    )
    assert service.sent(f"POST {WORLD}/faults") == [
        {
            "id": "decline",
            "match": {"interface": "partner"},
            "when": {"from": "2027-01-04T10:00:00Z"},
            "effect": {"charge": "card_charge_failed"},
        }
    ]
    assert [made.call for made in service.made if made.call.startswith("DELETE")][:2] == [
        f"DELETE {WORLD}/faults/decline",
        f"DELETE {WORLD}/faults",
    ]


def test_settings_change() -> None:
    service = Service()
    told("  - settings: {partner.lead_times.production: 1h}", service)
    assert service.sent(f"PATCH {WORLD}/settings") == [{"partner.lead_times.production": "1h"}]


def test_what_the_simulator_refuses_is_a_failed_step() -> None:
    service = Service()
    service.answer(f"PATCH {WORLD}/settings", reply(400, {"error": {"code": "invalid_setting", "message": "no x"}}))
    report = told("  - settings: {x: 1}", service)
    assert report.steps[0].detail == (
        f"story.yaml:3: step 1, settings x\n  PATCH {WORLD}/settings answered 400 "
        '{"error": {"code": "invalid_setting", "message": "no x"}}'
    )


def test_the_world_goes_away_unless_it_is_kept() -> None:
    service, kept = Service(), Service()
    scenario = load(f"scenario: A\nnow: {START}\nsteps: [advance: 1d]\n")
    assert play(scenario, service).world is None
    assert service.made[-1].call == f"DELETE {WORLD}"
    assert play(scenario, kept, keep=True).world == "w1"
    assert all(made.call != f"DELETE {WORLD}" for made in kept.made)


def test_the_world_goes_away_when_the_play_breaks_off() -> None:
    service = Service()
    service.answer(f"GET {WORLD}/events", ConnectionError("gone"))
    with pytest.raises(ConnectionError):
        told("  - advance: 1d", service)
    assert service.made[-1].call == f"DELETE {WORLD}"
