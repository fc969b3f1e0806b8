"""An app in another process whose clock follows the world of a test: the fixture `app_clock`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.worlds.app_clock import AppClock, Together
from giftsim.testing import Giftsim
from giftsim.testing.app_clocks import following
from giftsim.testing.app_environment import MAX_ASKED_FOR, AppEnvironment, ShownClock, app_environment
from tests.support.application import create_order
from tests.support.downstream_app import AppRequest, run_app
from tests.support.pytest_projects import run


def at(text: str) -> int:
    return parse_instant(text) // 1000


@contextmanager
def app(environment: AppEnvironment) -> Iterator[subprocess.Popen[str]]:
    """An app that prints its time at the start, and again for each line that it gets."""
    code = (
        "import sys, time\nprint(int(time.time()), flush=True)\nfor _ in sys.stdin: print(int(time.time()), flush=True)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        assert process.stdin
        process.stdin.close()


def read(process: subprocess.Popen[str]) -> datetime:
    """What the app reads on its clock now."""
    assert process.stdin
    assert process.stdout
    process.stdin.write("\n")
    process.stdin.flush()
    return datetime.fromtimestamp(int(process.stdout.readline()), UTC)


def test_an_app_in_another_process_reads_the_worlds_time(server_sim: Giftsim) -> None:
    with app_environment(server_sim) as environment, app(environment) as process:
        assert process.stdout
        assert int(process.stdout.readline()) == at("2027-01-04T09:00:00Z")
        server_sim.advance("10d")
        assert read(process) == server_sim.now == datetime(2027, 1, 14, 9, tzinfo=UTC)
        server_sim.reset()
        assert read(process) == server_sim.now == datetime(2027, 1, 4, 9, tzinfo=UTC)
        assert (environment["GIFTSIM_URL"], environment["GIFTSIM_WORLD"]) == (server_sim.url, server_sim.world)


def test_an_app_that_is_asked_acts_between_the_webhooks_which_are_signed_at_its_time(server_sim: Giftsim) -> None:
    log: list[tuple[str, str]] = []
    ages: list[int] = []
    wanted = ["2027-01-05T00:00:00Z", "2027-01-08T00:00:00Z"]

    def respond(request: AppRequest) -> tuple[int, Any]:
        if request.path != "/giftsim/do":
            signed_s = int(request.headers["x-service-signature"].partition(",")[0].removeprefix("t="))
            ages.append(at(times[-1]) - signed_s)
            log.append((times[-1], request.body["type"]))
            return 200, {}
        times.append(request.body["now"])
        while wanted and wanted[0] <= times[-1]:
            log.append((times[-1], "reminder"))
            wanted.pop(0)
        return 200, {"next": wanted[0] if wanted else None}

    times: list[str] = []
    with run_app(respond) as running, app_environment(server_sim) as environment:
        environment.ask(f"{running.url}/hooks")
        server_sim.receiver(mode="forward", to=running.url)
        server_sim.subscribe("team_order.claimed", "team_order.shipped", "team_order.delivered")
        server_sim.claim(create_order(server_sim))
        report = server_sim.advance("10d")
    assert log == [
        ("2027-01-04T10:00:00Z", "team_order.claimed"),
        ("2027-01-05T00:00:00Z", "reminder"),
        ("2027-01-07T09:00:00Z", "team_order.shipped"),
        ("2027-01-08T00:00:00Z", "reminder"),
        ("2027-01-09T09:00:00Z", "team_order.delivered"),
    ]
    assert ages == [0, 0, 0]
    assert report["app_clock"]["problems"] == []
    assert (report["from"], report["to"], report["delivery_count"]) == ("2027-01-04T09:00:00Z", times[-1], 3)


def shown(sim: Giftsim, clock: AppClock, by: str) -> Any:
    """What the report of an advance says of an app with this clock."""
    with following(sim, ShownClock(Together([clock]), parse_instant("2027-01-04T09:00:00Z"))):
        return sim.advance(by)["app_clock"]


def test_an_app_that_asks_for_too_many_instants_is_bounded(server_sim: Giftsim) -> None:
    class EverySecond:
        def show(self, now_ms: int) -> int:
            return now_ms + 1_000

    told = shown(server_sim, EverySecond(), "1h")
    assert told["problems"] == ["the app asked for 1,000 instants in one advance, and that is the most"]
    assert told["asked_for"] == MAX_ASKED_FOR


def test_another_address_is_refused(server_sim: Giftsim) -> None:
    with app_environment(server_sim) as environment, pytest.raises(ValueError, match="is not the address of an app"):
        environment.ask("localhost:9000")


def test_the_fixture_is_the_environment_of_the_app(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import subprocess, sys

        def test_it(giftsim_server, app_clock):
            giftsim_server.advance("1d")
            said = subprocess.check_output([sys.executable, "-c", "import time; print(time.time())"], env=app_clock)
            assert float(said) == giftsim_server.now.timestamp()
        """
    )
    run(project).assert_outcomes(passed=1)
