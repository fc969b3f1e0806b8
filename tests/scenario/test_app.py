"""Steps that call a downstream app, and how the app reaches the simulator."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.scenario import load, play
from tests.scenario.downstream import Asked, running
from tests.scenario.service import Service, told

STORY = """
scenario: An app that asks the simulator
app: http://127.0.0.1:9
steps:
  - app: POST /start
    body: {simulator: "${origin}", world: "${world}"}
    expect: {status: 201, body: {now: 2027-01-04T09:00:00Z}}
    save: {now: $.now}
  - app: GET /seen?at=${now}
"""


def asks_back(asked: Asked) -> tuple[int, object]:
    """An app that looks up what time it is in the world it is told of."""
    if asked.method == "GET":
        return 200, {}
    with urlopen(Request(f"{asked.body['simulator']}/_sim/v1/worlds/{asked.body['world']}/clock")) as answer:
        return 201, json.load(answer)


def test_an_app_is_called_with_body_and_headers_and_what_it_answers_can_be_expected_and_saved() -> None:
    with running(lambda asked: (201, {"id": 7, "got": asked.body})) as app:
        report = told(
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
    assert report.outcome == "passed", report.timeline
    first, second, third = app.asked
    assert (first.method, first.path, first.headers["x-count"]) == ("POST", "/orders?dry=1", "3")
    assert first.body == {"simulator": "http://giftsim.example", "app": app.url}
    assert (second.path, second.body) == ("/orders/7", "text 7")
    assert (third.method, third.path) == ("GET", "/orders")


def test_an_app_below_a_path_is_called_there() -> None:
    with running() as app:
        told("  - app: GET /orders", app=f"{app.url}/gifts/")
    assert [asked.path for asked in app.asked] == ["/gifts/orders"]


def test_an_app_call_can_be_repeated_and_fails_like_any_other() -> None:
    with running(lambda asked: (500 if asked.path == "/3" else 200, {})) as app:
        report = told("  - {app: 'GET /${n}', repeat: 4}", app=app.url)
    assert len(app.asked) == 3
    assert report.steps[0].detail == (
        "story.yaml:4: step 1, app GET /${n}\n  status: expected 2xx, actual 500\n  the answer was 500 {}"
    )


def test_an_app_that_is_not_there_fails_the_step_and_says_what_to_do() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        report = told("  - app: GET /orders", app=url)
    assert report.steps[0].detail == (
        f"story.yaml:4: step 1, app GET /orders\n  the app at {url} cannot be reached (Connection refused); "
        "start it, or name another with --app URL"
    )


def test_an_app_that_hangs_up_has_lost_the_connection() -> None:
    with running(lambda _: None) as app:
        report = told("  - {app: GET /orders, expect: {connection: lost}}", app=app.url)
    assert report.outcome == "passed", report.timeline


def test_localhost_is_looked_for_on_this_machine_alone() -> None:
    with running() as app:
        assert told("  - app: GET /", app=app.url.replace("127.0.0.1", "localhost")).outcome == "passed"


def test_the_address_of_the_file_can_be_overridden() -> None:
    with running() as app:
        scenario = load("scenario: A\napp: http://127.0.0.1:9\nsteps: [app: GET /]\n", app=app.url)
        assert play(scenario, Service()).outcome == "passed"
    with pytest.raises(ValueError, match=r"^'http://elsewhere.example' is not on this machine; "):
        load("scenario: A\nsteps: [app: GET /]\n", app="http://elsewhere.example")


def test_play_serves_the_simulator_for_the_app_to_call(tmp_path: Path) -> None:
    file = tmp_path / "story.yaml"
    file.write_text(STORY, encoding="utf-8")
    with running(asks_back) as app:
        done = CliRunner().invoke(main, ["play", str(file), "--app", app.url])
    assert done.exit_code == 0, done.output
    assert app.asked[1].path == "/seen?at=2027-01-04T09:00:00Z"
    assert app.asked[0].body["simulator"].startswith("http://127.0.0.1:")


def test_play_refuses_an_app_that_is_elsewhere(tmp_path: Path) -> None:
    file = tmp_path / "story.yaml"
    file.write_text(STORY, encoding="utf-8")
    done = CliRunner().invoke(main, ["play", str(file), "--app", "http://10.0.0.1:80"])
    assert done.exit_code == 2
    assert "--app: 'http://10.0.0.1:80' is not on this machine; an app is called on this machine" in done.output
