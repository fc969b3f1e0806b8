"""Apps that fail or cannot be explored: no app, no protocol, time-outs, lost connections, refused webhooks."""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.workbench.app.process import AppNotStarted, AppProcess
from giftsim.workbench.explore.explorer import Finding
from giftsim.workbench.explore.plan import Action, CallFault, FailedAttempt, OrderRequest, Outage, Plan, WebhookFault
from tests.explore.sample_apps import exploring
from tests.support.downstream_app import AppRequest, Respond, run_app
from tests.support.free_ports import free_ports
from tests.support.orders import order_body

# It listens, and takes a moment to end, while the shell that started it is gone at once.
SLOW_TO_END = """
import signal, socket, sys, time
signal.signal(signal.SIGTERM, lambda *_: (time.sleep(0.5), sys.exit()))
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    server.accept()[0].close()
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    """The command of an app that takes a moment to end."""
    path = tmp_path / "app.py"
    path.write_text(SLOW_TO_END)
    return f"{sys.executable} {path} {{port}}; true"


def test_an_app_that_ends_slowly_has_ended_when_it_is_closed(program: str) -> None:
    port = free_ports(1)
    for _ in range(2):
        app = AppProcess(program, f"http://127.0.0.1:{port}")
        app.wait()
        app.close()
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_an_address_that_is_taken_is_named(program: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"http://127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(AppNotStarted, match=f"something listens on {url} already"):
            AppProcess(program, url)


SECRET = "a secret"


def app(**responses: tuple[int, Any] | None) -> Respond:
    """An app that accepts every call, except those given by the last part of their path."""
    usual: dict[str, tuple[int, Any] | None] = {"check": (200, {"ok": True})}
    return lambda request: {**usual, **responses}.get(request.path.rpartition("/")[2], (200, {}))


def ordering_app(on_webhook: Respond) -> Respond:
    """An app that places the requested orders over the partner interface and answers webhooks with `on_webhook`."""
    service: dict[str, str] = {}

    def respond(request: AppRequest) -> tuple[int, Any] | None:
        if request.path == "/giftsim/start":
            service.update(origin=request.body["simulator"], key=request.body["key"])
        if request.path == "/giftsim/do":
            body = order_body(idempotency_key=request.body["reference"], recipients=[request.body["recipient"]])
            with suppress(OSError, HTTPException):  # a real app would retry; this one need not
                headers = {"Authorization": f"Bearer {service['key']}", "Content-Type": "application/json"}
                urlopen(Request(f"{service['origin']}/api/external/team-orders", json.dumps(body).encode(), headers))
        return on_webhook(request) if request.path == "/giftsim/webhooks" else (200, {"ok": True})

    return respond


def findings_of(respond: Respond, folder: Path, *, seeds: int = 1, **protocol: Any) -> list[Finding]:
    with run_app(respond) as downstream, exploring(downstream.url, **protocol) as explorer:
        list(explorer.run_seeds(range(1, seeds + 1)))
        return list(explorer.shrink_failures(folder, lambda *_: None))


def explore(url: str, *options: str) -> Result:
    return CliRunner().invoke(main, ["explore", "--app", url, *options])


def play(path: Path, url: str, *options: str) -> Result:
    return CliRunner().invoke(main, ["play", str(path), "--app", url, *options])


def test_an_unreachable_app_is_reported_with_the_protocol() -> None:
    with run_app() as downstream:
        url = downstream.url
    done = explore(url)
    assert done.exit_code == 2
    assert f"the app at {url} cannot be reached (Connection refused); start it" in done.output
    assert "POST /giftsim/start     {simulator, key, webhook_url, secret, world}" in done.output


@pytest.mark.parametrize(("name", "call"), [("start", "POST /giftsim/start"), ("check", "GET /giftsim/check")])
def test_an_app_without_the_protocol_is_reported_with_the_call_that_failed(name: str, call: str) -> None:
    with run_app(app(**{name: (404, {})})) as downstream:
        done = explore(downstream.url)
    assert (done.exit_code, f"cannot be explored: {call} answered 404" in done.output) == (2, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--app", "http://shop.example"], "'http://shop.example' is not on this machine"),
        (["--app", "http://127.0.0.1:9", "--do-path", "do"], "--do-path is a path like /giftsim/do, not 'do'"),
    ],
)
def test_invalid_options_are_refused(options: list[str], message: str) -> None:
    done = CliRunner().invoke(main, ["explore", *options])
    assert (done.exit_code, message in done.output) == (2, True)


def test_options_set_the_paths_of_an_app(tmp_path: Path) -> None:
    paths = {"start": "/test/begin", "do": "/test/act", "webhooks": "/hooks", "check": "/test/ok"}
    with run_app(lambda _: (200, {"ok": True})) as downstream:
        options = [argument for name, path in paths.items() for argument in (f"--{name}-path", path)]
        done = explore(downstream.url, "--seed", "1", "--out", str(tmp_path), *options)
        assert {request.path for request in downstream.requests} == {paths[name] for name in ("start", "do", "check")}
    assert (done.exit_code, "no findings in seed 1" in done.output) == (0, True)


@pytest.mark.parametrize(
    ("responses", "reason"),
    [
        ({"do": (500, {})}, "POST /giftsim/do answered 500"),
        (
            {"do": (500, {"error": "KeyError: 'recipient'"})},
            "POST /giftsim/do order answered 500: KeyError: 'recipient'",
        ),
        ({"do": (500, "Traceback\n  in order\nKeyError: 'x'")}, "POST /giftsim/do order answered 500: KeyError: 'x'"),
        (
            {"do": (501, {})},
            "the app does not offer order: it answered 501, so `actions` should not list it",
        ),
        ({"check": (500, {"error": {"code": "down"}})}, 'GET /giftsim/check answered 500: {"code":"down"}'),
        ({"do": None}, "POST /giftsim/do closed the connection without an answer"),
        ({"check": (500, {})}, "GET /giftsim/check answered 500"),
        ({"check": (200, {"fine": True})}, 'GET /giftsim/check answered neither {"ok": true} nor {"wrong": ...}'),
        ({"check": (200, {"wrong": ""})}, "the app gave no reason"),
    ],
)
def test_a_response_that_breaks_the_protocol_is_a_failure(responses: Any, reason: str, tmp_path: Path) -> None:
    [finding] = findings_of(app(**responses), tmp_path)
    assert (finding.reason, finding.repeats) == (reason, True)


def test_reasons_that_differ_in_more_than_numbers_are_findings_of_their_own(tmp_path: Path) -> None:
    counts = iter(range(1000))

    def respond(request: AppRequest) -> tuple[int, Any]:
        return 200, {"wrong": [f"order {next(counts)} is lost", "the till is open"]}

    digits = dict.fromkeys(map(ord, "0123456789"))
    reasons = [finding.reason for finding in findings_of(respond, tmp_path, seeds=3)]
    assert [reason.translate(digits) for reason in reasons] == ["order  is lost", "the till is open"]


def test_a_call_that_times_out_is_a_failure(tmp_path: Path) -> None:
    stuck = threading.Event()

    def respond(request: AppRequest) -> tuple[int, Any] | None:
        if request.path == "/giftsim/do":
            stuck.wait(30)
            return None
        return 200, {"ok": True}

    [finding] = findings_of(respond, tmp_path, timeout_s=1)
    stuck.set()
    assert finding.reason == "POST /giftsim/do did not answer within 1 s"


def test_an_app_whose_start_fails_is_a_failure_whose_drawing_has_no_action(tmp_path: Path) -> None:
    [finding] = findings_of(app(start=(500, {})), tmp_path)
    assert finding.reason == "POST /giftsim/start answered 500"
    assert [row.kind for row in finding.drawing if row.kind in ("step", "wrong")] == ["wrong"]


def test_a_webhook_that_the_app_never_accepts_is_a_failure_of_the_run_and_of_the_file(tmp_path: Path) -> None:
    respond = ordering_app(lambda request: (500 if request.body["type"] == "team_order.delivered" else 200, {}))
    [finding] = findings_of(respond, tmp_path, seeds=12)
    assert finding.reason == "team_order.delivered was never accepted: 500"
    with run_app(respond) as downstream:
        done = play(finding.path, downstream.url)
    assert (done.exit_code, "deliveries of team_order.delivered.last" in done.output) == (1, True)


def test_a_webhook_that_the_plan_keeps_from_the_app_is_not_a_failure() -> None:
    ten_days = Plan("address", True, (Outage(240), OrderRequest(1)))
    with run_app(ordering_app(lambda _: (200, {}))) as downstream, exploring(downstream.url) as explorer:
        assert explorer.runner.run(ten_days, 1).failures == ()


@pytest.mark.parametrize(
    ("actions", "status"),
    [
        ((Outage(6), OrderRequest(1)), 500),
        ((WebhookFault("duplicate", 3), FailedAttempt("503", 3), OrderRequest(1)), 500),
        ((CallFault("getTeamOrder", "429", 3), OrderRequest(1)), 503),
    ],
)
def test_a_short_failure_of_the_plan_does_not_hide_that_the_app_never_accepts_a_webhook(
    actions: tuple[Action, ...], status: int
) -> None:
    respond = ordering_app(lambda request: (status if request.body["type"] == "team_order.delivered" else 200, {}))
    with run_app(respond) as downstream, exploring(downstream.url) as explorer:
        [failure] = explorer.runner.run(Plan("address", True, actions), 1).failures
    assert failure.reason == f"team_order.delivered was never accepted: {status}"


def test_an_app_that_stops_answering_ends_the_exploration(tmp_path: Path) -> None:
    with run_app() as downstream, exploring(downstream.url) as explorer:
        downstream.respond = app()
        seeds = explorer.run_seeds(range(1, 10))
        next(seeds)
        downstream.server.shutdown()
        downstream.server.server_close()
        assert list(seeds) == [2]
        assert explorer.stop_reason == "stopped at seed 2: the app stopped answering"
        [finding] = explorer.shrink_failures(tmp_path, lambda *_: None)
    assert finding.reason == "the app stopped answering"


def test_a_command_checks_the_app_in_explore_and_in_play(tmp_path: Path) -> None:
    check = f'echo checking "$GIFTSIM_WORLD" at "$GIFTSIM_ORIGIN"; echo "{SECRET}"; exit 3'
    with run_app(app(check=(500, {}))) as downstream:
        done = explore(downstream.url, "--seeds", "2", "--check", check, "--out", str(tmp_path))
        assert (done.exit_code, f"1. {SECRET}" in done.output) == (1, True)
        [path] = tmp_path.glob("*.yaml")
        failed, passed = play(path, downstream.url, "--check", check), play(path, downstream.url, "--check", "true")
    assert (failed.exit_code, SECRET in failed.output, passed.exit_code) == (1, True, 0)
    assert "/giftsim/check" not in path.read_text()


def test_orders_are_placed_for_an_app_that_only_receives_webhooks(tmp_path: Path) -> None:
    received: list[str] = []

    def respond(request: AppRequest) -> tuple[int, Any]:
        if request.path == "/giftsim/start":
            received.clear()
        if request.path == "/giftsim/webhooks":
            received.append(request.body["id"])
        return 200, {"wrong": "received it twice"} if len(received) > len(set(received)) else {"ok": True}

    with run_app(respond) as downstream:
        done = explore(downstream.url, "--receiver-only", "--seeds", "20", "--out", str(tmp_path))
        assert not [request for request in downstream.requests if request.path == "/giftsim/do"]
        [path] = tmp_path.glob("*.yaml")
        assert play(path, downstream.url).exit_code == 1
    assert (done.exit_code, "   received it twice\n     order-1 is requested\n" in done.output) == (1, True)
    assert re.search(r"^1\. .* was sent twice ", done.output, re.MULTILINE)
    assert "the next webhook arrives twice" in path.read_text()
