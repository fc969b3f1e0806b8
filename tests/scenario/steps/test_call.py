"""The `call` step: what it sends, and how often."""

from __future__ import annotations

from tests.scenario.builders import FakeSimulator, play_steps, response

ORDERS = "POST /api/external/team-orders"


def test_a_call_has_its_credential_headers_and_body() -> None:
    fake = FakeSimulator()
    fake.respond(ORDERS, response(201))
    play_steps(
        """
  - call: POST /api/external/team-orders
    as: partner.prepaid
    headers: {X-Sim-Fault: drop=after, X-Count: 3}
    body: {items: [1]}
""",
        fake,
    )
    [made] = [made for made in fake.calls if made.call == ORDERS]
    assert made.body == {"items": [1]}
    assert made.headers == {"Authorization": "Bearer pk_1", "X-Sim-Fault": "drop=after", "X-Count": "3"}


def test_headers_of_the_step_replace_those_of_the_credential() -> None:
    fake = FakeSimulator()
    fake.respond("GET /v1.1/museum-hours", response(200, []))
    play_steps("  - {call: GET /v1.1/museum-hours, as: museum, headers: {Authorization: Basic x}}", fake)
    assert fake.calls[1].headers == {"Authorization": "Basic x"}


def test_a_call_without_credential_names_its_world() -> None:
    fake = FakeSimulator()
    fake.respond("GET /v1.1/museum-hours", response(200, []))
    play_steps("  - call: GET /v1.1/museum-hours", fake)
    assert fake.calls[1].headers == {"X-Sim-World": "w1"}


def test_an_unknown_credential_fails_with_a_suggestion() -> None:
    report = play_steps("  - {call: GET /x, as: partner.prepayed}")
    assert report.steps[0].detail == (
        "scenario.yaml:3: step 1, GET /x as partner.prepayed\n"
        '  this world has no credential "partner.prepayed"; did you mean "partner.prepaid"?'
    )


def test_a_text_body_is_sent_unchanged() -> None:
    fake = FakeSimulator()
    fake.respond("POST /x", response(400))
    play_steps("  - {call: POST /x, body: '{broken', expect: {status: 400}}", fake)
    assert fake.bodies("POST /x") == ["{broken"]


def test_a_link_is_called_on_the_simulator_whatever_its_origin() -> None:
    fake = FakeSimulator()
    fake.respond("GET /mail", response(200, {"link": "http://giftsim.example/claim/w1/token?lang=en"}))
    fake.respond("GET /claim/w1/token?lang=en", response(200, {}))
    report = play_steps("  - {call: GET /mail, save: {link: $.link}}\n  - call: GET ${link}", fake)
    assert report.outcome == "passed"


def test_a_call_is_repeated_and_counted() -> None:
    fake = FakeSimulator()
    for number in (1, 2, 3):
        fake.respond(f"POST /x/{number}", response(201, {"number": number}))
    report = play_steps(
        "  - {call: 'POST /x/${n}', repeat: 3, body: {n: '${n}'}, expect: {body: {number: '${n}'}}}", fake
    )
    assert [fake.bodies(f"POST /x/{number}") for number in (1, 2, 3)] == [[{"n": 1}], [{"n": 2}], [{"n": 3}]]
    assert report.steps[0].detail == "201, 3 times"


def test_a_repeated_call_ends_at_the_first_failure() -> None:
    fake = FakeSimulator()
    fake.respond("POST /x", response(201), response(409, {"error": {"code": "too_many_endpoints"}}))
    report = play_steps("  - {call: POST /x, repeat: 3}", fake)
    assert report.outcome == "failed"
    assert len(fake.bodies("POST /x")) == 2
