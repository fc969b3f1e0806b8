"""Apps that do not play along: not there, no contract, hanging, hanging up, refusing events, or going away."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.explore.explorer import Finding
from giftsim.explore.plan import Order, Outage, Plan
from tests.explore.shops import hunting
from tests.harness import order_body
from tests.scenario.downstream import Asked, Behave, running

SECRET = "a secret"


def app(**answers: tuple[int, Any] | None) -> Behave:
    """An app that is content with everything, but for the last part of a path given by name."""
    usual: dict[str, tuple[int, Any] | None] = {"check": (200, {"ok": True})}
    return lambda asked: {**usual, **answers}.get(asked.path.rpartition("/")[2], (200, {}))


def ordering(answers: Behave) -> Behave:
    """An app that places the orders it is asked for by the partner interface, and answers webhooks as told."""
    at: dict[str, str] = {}

    def behave(asked: Asked) -> tuple[int, Any] | None:
        if asked.path == "/giftsim/start":
            at.update(origin=asked.body["simulator"], key=asked.body["key"])
        if asked.path == "/giftsim/do":
            body = order_body(idempotency_key=asked.body["reference"], recipients=[asked.body["recipient"]])
            with suppress(OSError, HTTPException):  # whatever became of it
                headers = {"Authorization": f"Bearer {at['key']}", "Content-Type": "application/json"}
                urlopen(Request(f"{at['origin']}/api/external/team-orders", json.dumps(body).encode(), headers))
        return answers(asked) if asked.path == "/giftsim/webhooks" else (200, {"ok": True})

    return behave


def found(behave: Behave, folder: Path, *, seeds: int = 1, **contract: Any) -> list[Finding]:
    with running(behave) as downstream, hunting(downstream.url, **contract) as hunt:
        list(hunt.explore(range(1, seeds + 1)))
        return list(hunt.findings(folder, lambda *_: None))


def explore(url: str, *words: str) -> Result:
    return CliRunner().invoke(main, ["explore", "--app", url, *words])


def play(path: Path, url: str, *words: str) -> Result:
    return CliRunner().invoke(main, ["play", str(path), "--app", url, *words])


def test_an_app_that_is_not_there_is_said_at_once_with_what_should_answer() -> None:
    with running() as downstream:
        url = downstream.url
    done = explore(url)
    assert done.exit_code == 2
    assert f"the app at {url} cannot be reached (Connection refused); start it" in done.output
    assert "POST /giftsim/start     {simulator, key, webhook_url, secret, world}" in done.output


@pytest.mark.parametrize(("name", "call"), [("start", "POST /giftsim/start"), ("check", "GET /giftsim/check")])
def test_an_app_that_does_not_know_the_contract_is_told_it(name: str, call: str) -> None:
    with running(app(**{name: (404, {})})) as downstream:
        done = explore(downstream.url)
    assert (done.exit_code, f"does not play along: {call} answered 404" in done.output) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--app", "http://shop.example"], "'http://shop.example' is not on this machine"),
        (["--app", "http://127.0.0.1:9", "--do-path", "do"], "--do-path is a path like /giftsim/do, not 'do'"),
    ],
)
def test_options_that_cannot_be_are_refused(words: list[str], message: str) -> None:
    done = CliRunner().invoke(main, ["explore", *words])
    assert (done.exit_code, message in done.output) == (2, True)


def test_the_paths_of_an_app_are_its_own(tmp_path: Path) -> None:
    paths = {"start": "/test/begin", "do": "/test/act", "webhooks": "/hooks", "check": "/test/ok"}
    with running(lambda _: (200, {"ok": True})) as downstream:
        options = [word for name, path in paths.items() for word in (f"--{name}-path", path)]
        done = explore(downstream.url, "--seed", "1", "--out", str(tmp_path), *options)
        assert {asked.path for asked in downstream.asked} == {paths[name] for name in ("start", "do", "check")}
    assert (done.exit_code, "all held: nothing is wrong in seed 1" in done.output) == (0, True)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"do": (500, {})}, "POST /giftsim/do answered 500"),
        ({"do": None}, "POST /giftsim/do hung up without an answer"),
        ({"check": (500, {})}, "GET /giftsim/check answered 500"),
        ({"check": (200, {"fine": True})}, "GET /giftsim/check says neither ok nor wrong"),
        ({"check": (200, {"wrong": ""})}, "wrong, without a reason"),
    ],
)
def test_an_answer_outside_the_contract_is_wrong_in_itself(answers: Any, reason: str, tmp_path: Path) -> None:
    [finding] = found(app(**answers), tmp_path)
    assert (finding.reason, finding.repeats) == (reason, True)


def test_several_reasons_of_one_run_are_several_findings_and_numbers_make_no_difference(tmp_path: Path) -> None:
    counts = iter(range(1000))

    def behave(asked: Asked) -> tuple[int, Any]:
        return 200, {"wrong": [f"order {next(counts)} is lost", "the till is open"]}

    digits = dict.fromkeys(map(ord, "0123456789"))
    reasons = [finding.reason for finding in found(behave, tmp_path, seeds=3)]
    assert [reason.translate(digits) for reason in reasons] == ["order  is lost", "the till is open"]


def test_an_app_that_hangs_is_found_and_does_not_hang_the_exploration(tmp_path: Path) -> None:
    stuck = threading.Event()

    def behave(asked: Asked) -> tuple[int, Any] | None:
        if asked.path == "/giftsim/do":
            stuck.wait(30)
            return None
        return 200, {"ok": True}

    [finding] = found(behave, tmp_path, timeout_s=1)
    stuck.set()
    assert finding.reason == "POST /giftsim/do did not answer within 1 s"


def test_an_event_that_an_app_never_takes_is_found_and_the_file_fails_for_it(tmp_path: Path) -> None:
    behave = ordering(lambda asked: (500 if asked.body["type"] == "team_order.delivered" else 200, {}))
    [finding] = found(behave, tmp_path, seeds=12)
    assert finding.reason == "team_order.delivered was never accepted: 500"
    with running(behave) as downstream:
        done = play(finding.path, downstream.url)
    assert (done.exit_code, "deliveries of team_order.delivered.last" in done.output) == (1, True)


def test_events_that_the_plan_itself_keeps_from_an_app_are_no_fault_of_the_app() -> None:
    ten_days = Plan("address", True, (Outage(240), Order(1)))
    with running(ordering(lambda _: (200, {}))) as downstream, hunting(downstream.url) as hunt:
        assert hunt.stage.play(ten_days, 1).wrongs == ()


def test_an_app_that_goes_away_ends_the_exploration(tmp_path: Path) -> None:
    with running() as downstream, hunting(downstream.url) as hunt:
        downstream.behave = app()
        seeds = hunt.explore(range(1, 10))
        next(seeds)
        downstream.server.shutdown()
        downstream.server.server_close()
        assert list(seeds) == [2]
        assert hunt.stopped == "stopped at seed 2: the app went away"
        [finding] = hunt.findings(tmp_path, lambda *_: None)
    assert finding.reason == "the app went away"


def test_a_command_says_what_is_wrong_and_play_asks_it_too(tmp_path: Path) -> None:
    check = f'echo checking "$GIFTSIM_WORLD" at "$GIFTSIM_ORIGIN"; echo "{SECRET}"; exit 3'
    with running(app(check=(500, {}))) as downstream:
        done = explore(downstream.url, "--seeds", "2", "--check", check, "--out", str(tmp_path))
        assert (done.exit_code, f"1. {SECRET}" in done.output) == (1, True)
        [path] = tmp_path.iterdir()
        failed, passed = play(path, downstream.url, "--check", check), play(path, downstream.url, "--check", "true")
    assert (failed.exit_code, SECRET in failed.output, passed.exit_code) == (1, True, 0)
    assert "/giftsim/check" not in path.read_text()


def test_an_app_that_only_listens_has_its_orders_placed_for_it(tmp_path: Path) -> None:
    heard: list[str] = []

    def behave(asked: Asked) -> tuple[int, Any]:
        if asked.path == "/giftsim/start":
            heard.clear()
        if asked.path == "/giftsim/webhooks":
            heard.append(asked.body["id"])
        return 200, {"wrong": "heard it twice"} if len(heard) > len(set(heard)) else {"ok": True}

    with running(behave) as downstream:
        done = explore(downstream.url, "--receiver-only", "--seeds", "20", "--out", str(tmp_path))
        assert not [asked for asked in downstream.asked if asked.path == "/giftsim/do"]
        [path] = tmp_path.iterdir()
        assert play(path, downstream.url).exit_code == 1
    assert (done.exit_code, "1. heard it twice\n     order-1 is asked for\n" in done.output) == (1, True)
    assert "the next delivery comes twice" in path.read_text()
