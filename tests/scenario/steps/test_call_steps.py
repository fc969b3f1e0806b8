"""The `app` step, and how the app reaches the simulator."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.workbench.scenario import load_scenario, play
from tests.scenario.builders import FILE, FakeSimulator, assert_passed, play_steps, response
from tests.support.downstream_app import AppRequest, run_app

SCENARIO = """
scenario: An app that asks the simulator
app: http://127.0.0.1:9
steps:
  - app: POST /start
    body: {simulator: "${origin}", world: "${world}"}
    expect: {status: 201, body: {now: 2027-01-04T09:00:00Z}}
    save: {now: $.now}
  - app: GET /seen?at=${now}
"""


def read_clock(request: AppRequest) -> tuple[int, object]:
    """An app that reads the clock of the world in its request."""
    if request.method == "GET":
        return 200, {}
    with urlopen(f"{request.body['simulator']}/_sim/v1/worlds/{request.body['world']}/clock") as answer:
        return 201, json.load(answer)


def test_an_app_call_has_body_and_headers_and_its_response_can_be_checked_and_saved() -> None:
    with run_app(lambda request: (201, {"id": 7, "got": request.body})) as app:
        report = play_steps(
            """
  - app: POST /orders?dry=1
    headers: {X-Count: 3}
    body: {simulator: "${origin}", app: "${app}"}
    expect: {status: 201, body: {id: 7}}
    save: {id: $.id}
  - {app: "POST /orders/${id}", body: "text ${id}", expect: {status: 201}}
  - {app: GET https://elsewhere.example/orders, expect: {status: 201}}
""",
            app=app.url,
        )
    assert_passed(report)
    first, second, third = app.requests
    assert (first.method, first.path, first.headers["x-count"]) == ("POST", "/orders?dry=1", "3")
    assert first.body == {"simulator": "http://giftsim.example", "app": app.url}
    assert (second.path, second.body) == ("/orders/7", "text 7")
    assert (third.method, third.path) == ("GET", "/orders")


def test_the_address_of_an_app_may_have_a_path() -> None:
    with run_app() as app:
        play_steps("  - app: GET /orders", app=f"{app.url}/gifts/")
    assert [request.path for request in app.requests] == ["/gifts/orders"]


def test_an_app_call_can_be_repeated_and_must_succeed() -> None:
    with run_app(lambda request: (500 if request.path == "/3" else 200, {})) as app:
        report = play_steps("  - {app: 'GET /${n}', repeat: 4}", app=app.url)
    assert len(app.requests) == 3
    assert report.steps[0].detail == (
        "scenario.yaml:4: step 1, app GET /${n}\n  status: expected 2xx, actual 500\n  the response was 500 {}"
    )


def test_an_app_that_is_not_running_fails_the_step() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        report = play_steps("  - app: GET /orders", app=url)
    assert report.steps[0].detail == (
        f"scenario.yaml:4: step 1, app GET /orders\n  the app at {url} cannot be reached (Connection refused); "
        "start it, or give another address with --app URL"
    )


def test_an_app_that_closes_the_connection_loses_it() -> None:
    with run_app(lambda _: None) as app:
        report = play_steps("  - {app: GET /orders, expect: {connection: lost}}", app=app.url)
    assert_passed(report)


def test_localhost_is_this_machine() -> None:
    with run_app() as app:
        assert play_steps("  - app: GET /", app=app.url.replace("127.0.0.1", "localhost")).outcome == "passed"


def test_the_address_of_the_app_can_be_overridden() -> None:
    with run_app() as app:
        scenario = load_scenario("scenario: A\napp: http://127.0.0.1:9\nsteps: [app: GET /]\n", app=app.url)
        assert play(scenario, FakeSimulator()).outcome == "passed"
    with pytest.raises(ValueError, match=r"^'http://elsewhere.example' is not on this machine; "):
        load_scenario("scenario: A\nsteps: [app: GET /]\n", app="http://elsewhere.example")


def test_play_serves_the_simulator_for_the_app(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_text(SCENARIO, encoding="utf-8")
    with run_app(read_clock) as app:
        done = CliRunner().invoke(main, ["play", str(file), "--app", app.url])
    assert done.exit_code == 0, done.output
    assert app.requests[1].path == "/seen?at=2027-01-04T09:00:00Z"
    assert app.requests[0].body["simulator"].startswith("http://127.0.0.1:")


def test_play_refuses_an_app_on_another_machine(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_text(SCENARIO, encoding="utf-8")
    done = CliRunner().invoke(main, ["play", str(file), "--app", "http://10.0.0.1:80"])
    assert done.exit_code == 2
    assert "--app: 'http://10.0.0.1:80' is not on this machine; an app must be on this machine" in done.output


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
