"""An application's own clock held at the world's: by threads, at each delivery, without upsetting real time-outs."""

from __future__ import annotations

import http.client
import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from giftsim import Simulator
from giftsim.testing import Giftsim, InProcess
from giftsim.testing.world import open_world
from giftsim.worlds import system_clock
from tests.testing.test_handle import ordered
from tests.testing.test_inbox import App

HOUR_S = 3600


def clock() -> datetime:
    """The time as an application asks for it."""
    return datetime.fromtimestamp(time.time(), UTC)  # noqa: TID251


class Handler(BaseHTTPRequestHandler):
    """A webhook endpoint that refuses what is signed too long ago by its own clock, as the documents advise."""

    protocol_version = "HTTP/1.1"
    app: ClassVar[Any]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = int(self.headers["X-Service-Signature"].partition(",")[0].removeprefix("t="))
        age_s = abs(clock().timestamp() - signed)
        self.app(self, json.loads(body), age_s)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def serving(app: Any) -> Iterator[str]:
    handler = type("Bound", (Handler,), {"app": staticmethod(app)})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def asked_in_a_thread() -> datetime:
    found: list[datetime] = []
    thread = threading.Thread(target=lambda: found.append(clock()))
    thread.start()
    thread.join()
    return found[0]


def test_the_applications_clock_is_the_worlds_and_moves_with_it(held: Giftsim) -> None:
    real = clock()
    with held.freeze_app():
        assert clock() == datetime.now(UTC) == held.now == asked_in_a_thread()  # noqa: TID251
        moment = held.snapshot()
        held.advance("3d")
        assert clock() == held.now == datetime(2027, 1, 7, 9, tzinfo=UTC) == asked_in_a_thread()
        held.restore(moment)
        assert clock() == held.now == datetime(2027, 1, 4, 9, tzinfo=UTC)
    assert abs((clock() - real).total_seconds()) < HOUR_S


def test_the_simulator_and_what_carries_calls_are_off_the_freeze(here: Giftsim) -> None:
    real = system_clock.seconds()
    with here.freeze_app():
        assert abs(system_clock.seconds() - real) < HOUR_S
        assert here.requests().get("/api/external/team-orders", timeout=10).status_code == 200


def test_signatures_are_of_the_worlds_instant_while_frozen(held: Giftsim) -> None:
    before = held.settings()["webhooks.signature_time"]
    with held.freeze_app():
        assert held.settings()["webhooks.signature_time"] == "simulated"
    assert held.settings()["webhooks.signature_time"] == before


def test_each_delivery_meets_the_applications_clock_at_its_own_instant(held: Giftsim) -> None:
    """A threaded server of the application, which calls back with a time-out of ten seconds; the first is refused."""
    ages: list[float] = []
    seen: list[tuple[str, datetime]] = []
    answers = iter((503, 200, 200))

    def app(request: Handler, event: Any, age_s: float) -> None:
        ages.append(age_s)
        seen.append((event["type"], clock()))
        back = held.call("GET", "/api/external/team-orders", credential="partner.prepaid", timeout_s=10)
        request.answer(next(answers) if back.status == 200 else 500)

    with serving(app) as origin:
        held.receiver(mode="forward", to=origin)
        held.subscribe("team_order.claimed", "team_order.shipped")
        held.claim(ordered(held))
        with held.freeze_app():
            held.advance("10d")
    assert [round(age_s) for age_s in ages] == [0, 0, 0]
    hooks = held.webhooks()
    assert [hook.status for hook in hooks] == [503, 200, 200]
    assert [(kind, f"{at:%Y-%m-%dT%H:%M:%SZ}") for kind, at in seen] == [(hook.type, hook.at) for hook in hooks]


def test_a_real_time_out_is_not_moved_by_a_leap_of_the_world(here: Giftsim) -> None:
    """The application's client waits at most ten real seconds; meanwhile its clock goes on by two days, five times."""
    ages: list[float] = []

    def app(request: Handler, _event: Any, age_s: float) -> None:
        ages.append(age_s)
        here.advance("2d")
        request.answer(204)

    with serving(app) as origin, here.freeze_app():
        began = clock()
        for _ in range(5):
            line = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=10)
            line.request("POST", "/", b"{}", {"X-Service-Signature": f"t={int(clock().timestamp())},v1="})
            assert line.getresponse().status == 204
            line.close()
        assert (clock() - began).days == 10
    assert ages == [0] * 5


def test_captured_webhooks_are_fed_at_their_instant_while_frozen(held: Giftsim) -> None:
    app = App(held.subscribe("team_order.claimed", "team_order.shipped")["secret"])
    ages: list[float] = []

    def aware(environ: Any, start_response: Any) -> Any:
        signed = int(environ["HTTP_X_SERVICE_SIGNATURE"].partition(",")[0].removeprefix("t="))
        ages.append(clock().timestamp() - signed)
        return app(environ, start_response)

    with held.freeze_app():
        held.claim(ordered(held))
        held.advance("10d")
        assert [fed.status for fed in held.deliver_to(aware)] == [204, 204]
    assert ages == [0, 0]


@pytest.mark.parametrize("goal", [{"by": "12h"}, {"to": "2027-01-05T00:00:00Z"}, {"until": "next"}, {"until": "idle"}])
def test_a_frozen_application_changes_nothing_about_an_advance(
    there: Giftsim, simulator: Simulator, goal: dict[str, str]
) -> None:
    with open_world(InProcess(simulator)) as plain:
        for held in (plain, there):
            held.subscribe("team_order.claimed", "team_order.shipped")
            held.receiver(script=[{"status": 503}, {"status": 500}])
            held.claim(ordered(held))
        with there.freeze_app():
            told = there.advance(**goal)
            assert clock() == there.now
        there.settings({"webhooks.signature_time": plain.settings()["webhooks.signature_time"]})
        expected = plain.advance(**goal)
        assert {**told, "fired": [], "slow": []} == {**expected, "fired": [], "slow": []}
        assert sys.modules["time"].time.__name__ == "time"
        assert [hook.at for hook in there.webhooks()] == [hook.at for hook in plain.webhooks()]
