"""An application's own clock held at the world's time: in threads, at each delivery, with real time-outs."""

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
from types import ModuleType
from typing import Any, ClassVar

import pytest

from giftsim import Simulator
from giftsim.engine.worlds import system_clock
from giftsim.testing import Giftsim, InProcess
from giftsim.testing.world_for_test import open_world
from tests.support.application import WebhookApp, create_order

HOUR_S = 3600


def clock() -> datetime:
    """The time as the application reads it."""
    return datetime.fromtimestamp(time.time(), UTC)  # noqa: TID251


class Handler(BaseHTTPRequestHandler):
    """A webhook endpoint that measures a signature's age by its own clock."""

    protocol_version = "HTTP/1.1"
    app: ClassVar[Any]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = int(self.headers["X-Service-Signature"].partition(",")[0].removeprefix("t="))
        age_s = abs(clock().timestamp() - signed)
        self.app(self, json.loads(body), age_s)

    def respond(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Do nothing."""


@contextmanager
def serve(app: Any) -> Iterator[str]:
    handler = type("Bound", (Handler,), {"app": staticmethod(app)})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def clock_in_a_thread() -> datetime:
    readings: list[datetime] = []
    thread = threading.Thread(target=lambda: readings.append(clock()))
    thread.start()
    thread.join()
    return readings[0]


def test_the_applications_clock_follows_the_worlds(sim: Giftsim) -> None:
    real = clock()
    with sim.freeze_app():
        assert clock() == datetime.now(UTC) == sim.now == clock_in_a_thread()  # noqa: TID251
        moment = sim.snapshot()
        sim.advance("3d")
        assert clock() == sim.now == datetime(2027, 1, 7, 9, tzinfo=UTC) == clock_in_a_thread()
        sim.restore(moment)
        assert clock() == sim.now == datetime(2027, 1, 4, 9, tzinfo=UTC)
    assert abs((clock() - real).total_seconds()) < HOUR_S


def test_the_simulator_and_client_libraries_are_not_frozen(local_sim: Giftsim) -> None:
    real = system_clock.seconds()
    with local_sim.freeze_app():
        assert abs(system_clock.seconds() - real) < HOUR_S
        assert local_sim.requests().get("/api/external/team-orders", timeout=10).status_code == 200


def test_an_application_whose_name_begins_as_an_exempt_library_is_frozen(local_sim: Giftsim) -> None:
    app = ModuleType("gifts_app")
    exec("import time\ndef clock(): return time.time()", vars(app))
    with local_sim.freeze_app():
        assert app.clock() == local_sim.now.timestamp()


def test_signatures_carry_the_worlds_time_while_frozen(sim: Giftsim) -> None:
    before = sim.settings()["webhooks.signature_time"]
    with sim.freeze_app():
        assert sim.settings()["webhooks.signature_time"] == "simulated"
    assert sim.settings()["webhooks.signature_time"] == before


def test_the_applications_clock_is_at_the_instant_of_each_delivery(sim: Giftsim) -> None:
    """The application's threaded server calls the API with a time-out of ten seconds; the first delivery fails."""
    ages: list[float] = []
    seen: list[tuple[str, datetime]] = []
    statuses = iter((503, 200, 200))

    def app(request: Handler, event: Any, age_s: float) -> None:
        ages.append(age_s)
        seen.append((event["type"], clock()))
        response = sim.call("GET", "/api/external/team-orders", credential="partner.prepaid", timeout_s=10)
        request.respond(next(statuses) if response.status == 200 else 500)

    with serve(app) as origin:
        sim.receiver(mode="forward", to=origin)
        sim.subscribe("team_order.claimed", "team_order.shipped")
        sim.claim(create_order(sim))
        with sim.freeze_app():
            sim.advance("10d")
    assert [round(age_s) for age_s in ages] == [0, 0, 0]
    hooks = sim.webhooks()
    assert [hook.status for hook in hooks] == [503, 200, 200]
    assert [(kind, f"{at:%Y-%m-%dT%H:%M:%SZ}") for kind, at in seen] == [(hook.type, hook.at) for hook in hooks]


def test_a_real_time_out_is_not_shortened_by_an_advance(local_sim: Giftsim) -> None:
    """The application's client waits at most ten real seconds while its clock advances by two days, five times."""
    ages: list[float] = []

    def app(request: Handler, _event: Any, age_s: float) -> None:
        ages.append(age_s)
        local_sim.advance("2d")
        request.respond(204)

    with serve(app) as origin, local_sim.freeze_app():
        start = clock()
        for _ in range(5):
            line = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=10)
            line.request("POST", "/", b"{}", {"X-Service-Signature": f"t={int(clock().timestamp())},v1="})
            assert line.getresponse().status == 204
            line.close()
        assert (clock() - start).days == 10
    assert ages == [0] * 5


def test_deliver_to_holds_the_applications_clock_at_each_attempt(sim: Giftsim) -> None:
    app = WebhookApp(sim.subscribe("team_order.claimed", "team_order.shipped")["secret"])
    ages: list[float] = []

    def app_with_clock(environ: Any, start_response: Any) -> Any:
        signed = int(environ["HTTP_X_SERVICE_SIGNATURE"].partition(",")[0].removeprefix("t="))
        ages.append(clock().timestamp() - signed)
        return app(environ, start_response)

    with sim.freeze_app():
        sim.claim(create_order(sim))
        sim.advance("10d")
        assert [result.status for result in sim.deliver_to(app_with_clock)] == [204, 204]
    assert ages == [0, 0]


@pytest.mark.parametrize("goal", [{"by": "12h"}, {"to": "2027-01-05T00:00:00Z"}, {"until": "next"}, {"until": "idle"}])
def test_freeze_app_does_not_change_the_result_of_an_advance(
    server_sim: Giftsim, simulator: Simulator, goal: dict[str, Any]
) -> None:
    with open_world(InProcess(simulator)) as plain:
        for sim in (plain, server_sim):
            sim.subscribe("team_order.claimed", "team_order.shipped")
            sim.receiver(script=[{"status": 503}, {"status": 500}])
            sim.claim(create_order(sim))
        with server_sim.freeze_app():
            report = server_sim.advance(**goal)
            assert clock() == server_sim.now
        server_sim.settings({"webhooks.signature_time": plain.settings()["webhooks.signature_time"]})
        expected = plain.advance(**goal)
        assert {**report, "slow": []} == {**expected, "slow": []}
        assert sys.modules["time"].time.__name__ == "time"
        assert [hook.at for hook in server_sim.webhooks()] == [hook.at for hook in plain.webhooks()]
