"""Nothing that comes from outside is an internal error: bodies that are not asked for, the ends of time."""

from __future__ import annotations

import threading
from http.client import HTTPException

import pytest

from giftsim import Simulator
from giftsim.scenario import load, play
from tests.support.orders import order_body
from tests.support.served_simulator import ServedSimulator, serve_simulator
from tests.support.worlds import World

FIRST, LAST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"
CLIENTS = 8


@pytest.mark.parametrize("body", [b'{"a":1', b"\xff\xfe", b"[" * 1_000, b'{"a": 1, "a": 2}'])
def test_a_body_that_a_call_does_not_take_spoils_no_recording(body: bytes) -> None:
    simulator = Simulator(fixture="empty")
    path = "/_sim/v1/worlds/default"
    simulator.client.call("POST", f"{path}/faults", body={"effect": {"status": 503}})
    assert simulator.client.call("DELETE", f"{path}/faults", body=body).status == 200
    assert simulator.client.call("GET", f"{path}/journal").status == 200
    recording = simulator.client.call("GET", f"{path}/journal/scenario")
    assert recording.status == 200, recording.text
    assert play(load(recording.body), simulator.client).outcome == "passed"
    simulator.close()


@pytest.mark.parametrize("now", [FIRST, LAST])
@pytest.mark.parametrize("fixture", ["bare", "empty", "default"])
def test_at_both_ends_of_time_nothing_fails(fixture: str, now: str) -> None:
    simulator = Simulator(fixture="bare")
    call = simulator.client.call
    created = call("POST", "/_sim/v1/worlds", body={"id": "end", "fixture": fixture, "now": now})
    if (fixture, now) == ("default", LAST):
        assert created.status == 400, "its museum has an event on a day that does not come"
    else:
        assert created.status == 201, created.text
        world = World(simulator, id="copy", fixture=fixture, now=now)
        calls = [
            ("POST", "/fork", {"id": "fork"}),
            ("POST", "/snapshots", {"name": "s"}),
            ("GET", "/fingerprint", None),
        ]
        calls += [("GET", f"/{name}", None) for name in ("timers", "events", "ledger", "catalogue", "journal/scenario")]
        calls += [("POST", "/clock/advance", {"by": "40d"}), ("POST", "/clock/advance", {"to": LAST})][
            : 2 - (now == FIRST)
        ]
        for method, path, body in calls:
            assert call(method, f"/_sim/v1/worlds/copy{path}", body=body).status < 500, path
        order = call("POST", "/api/external/team-orders", body=order_body(), headers=world.partner().headers)
        assert order.status < 500, order.text
        gifts = world.credentials["team.live_approver"]["headers"]
        assert call("GET", "/api/teams/v1/people/upcoming", headers=gifts).status < 500
    simulator.close()


def test_a_server_ends_under_load_without_an_error() -> None:
    statuses: set[int] = set()

    def keep_calling(served: ServedSimulator, ended: threading.Event, number: int) -> None:
        headers = {"Authorization": "Bearer pk_live_default_prepaid"}
        while not ended.is_set():
            try:
                body = order_body(idempotency_key=f"key-{number}-{len(statuses)}")
                made = served.client.call("POST", "/api/external/team-orders", body=body, headers=headers)
                moved = served.client.call("POST", "/_sim/v1/worlds/default/clock/advance", body={"by": "1m"})
                statuses.update((made.status, moved.status))
            except (OSError, HTTPException):
                return

    ended = threading.Event()
    with serve_simulator("--fixture", "empty", "--clock", "running@3600") as served:
        threads = [threading.Thread(target=keep_calling, args=(served, ended, number)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            assert served.client.call("GET", "/_sim/v1/health").status == 200
    ended.set()  # by now the process has ended with status 0, and printed nothing but its banner
    for thread in threads:
        thread.join()
    assert statuses <= {200, 201, 409, 429, 402}
