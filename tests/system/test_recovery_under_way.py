"""What was under way when a simulator ended, and what the next one with its journal makes of it (G4, G5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from giftsim import Simulator
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.http_receiver import OK_RESPONSE, HttpReceiver, http_receiver, never_respond, respond_always
from tests.support.orders import order_body
from tests.support.restarts import WORLD, RestartableSimulator
from tests.support.waiting import wait_until

PATIENCE_S = 10


def claimed(life: RestartableSimulator) -> None:
    """An order whose only recipient has claimed, so that there is something to tell of at the next full hour."""
    order_id = life.order("a").json()["team_order"]["id"]
    address = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
    life.call_control("POST", "/simulate/claim", {"team_order_id": order_id, "recipient": 0, "address": address})


def test_a_call_that_was_held_and_let_go_is_where_it_went_on(life: RestartableSimulator) -> None:
    life.call_control("POST", "/faults", {"id": "wait", "effect": {"hold": True}, "when": {"first": 1}})
    caller = life.call_in_thread("POST", "/api/external/team-orders", order_body(idempotency_key="held"))
    wait_until(lambda: bool(life.call_control("GET", "/faults")["faults"][0]["hits"]))
    life.order("meanwhile")
    life.call_control("POST", "/clock/advance", {"by": "2d"})
    life.call_control("DELETE", "/faults/wait")
    caller.join(PATIENCE_S)
    life.order("after")
    assert len(life.call_control("GET", "/orders")["orders"]) == 3
    before = life.fingerprint
    life.restart()
    assert life.fingerprint == before


def test_a_call_that_was_held_to_the_end_never_happened_and_its_key_is_free(life: RestartableSimulator) -> None:
    life.call_control("POST", "/faults", {"id": "wait", "effect": {"hold": True}, "when": {"first": 1}})
    life.call_in_thread("POST", "/api/external/team-orders", order_body(idempotency_key="held"))
    wait_until(lambda: bool(life.call_control("GET", "/faults")["faults"][0]["hits"]))
    copy = life.journal.with_name("copy")
    copy.write_bytes(life.journal.read_bytes())  # as `kill -9` would leave it
    with_copy = RestartableSimulator(copy)
    try:
        assert with_copy.call("GET", "/api/external/team-orders").json()["team_orders"] == []
        answer = with_copy.order("held")
        assert answer.status == 201
        assert "idempotent-replayed" not in answer.headers
    finally:
        with_copy.simulator.close()


def test_a_ping_is_answered_as_it_was_and_nobody_is_asked_again(life: RestartableSimulator) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        endpoint = life.subscribe(receiver)
        assert life.call("POST", f"/api/external/webhooks/{endpoint}/test").status < 300
        life.order("a")
        before = life.fingerprint
        life.restart()
        assert life.fingerprint == before
        assert len(receiver.requests) == 1


def test_deliveries_that_came_back_are_kept_and_nobody_is_asked_again(life: RestartableSimulator) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        life.subscribe(receiver)
        claimed(life)
        life.call_control("POST", "/clock/advance", {"by": "2h"})
        before = life.call_control("GET", "/deliveries")
        assert [row["outcome"] for row in before["deliveries"]] == ["delivered"]
        life.restart()
        assert life.call_control("GET", "/deliveries") == before
        assert len(receiver.requests) == 1


def test_a_delivery_that_was_under_way_is_made_again_with_the_same_event(life: RestartableSimulator) -> None:
    with http_receiver(never_respond) as deaf:
        life.subscribe(deaf)
        claimed(life)
        caller = life.call_in_thread("POST", f"{WORLD}/clock/advance", {"by": "2h"})
        wait_until(lambda: bool(deaf.requests))
        life.restart()
        caller.join(PATIENCE_S)
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        life.call_control(
            "PUT", f"/receivers/{WEBHOOK_HOST}", {"mode": "forward", "to": f"http://127.0.0.1:{receiver.port}"}
        )
        life.simulator.resend_in_flight()
        [row] = life.call_control("GET", "/deliveries")["deliveries"]
        assert (row["attempt"], row["outcome"]) == (1, "delivered")
        [first], [second] = deaf.requests, receiver.requests
        assert first.partition(b"\r\n\r\n")[2] == second.partition(b"\r\n\r\n")[2]
    before = life.fingerprint
    life.restart()
    assert life.fingerprint == before


def test_what_a_receiver_did_while_an_advance_stood_is_done_there_again(life: RestartableSimulator) -> None:
    def call_back(connection: Any, receiver: HttpReceiver) -> None:
        while receiver.read(connection) is not None:
            life.order(f"from the receiver {len(receiver.requests)}")
            connection.sendall(OK_RESPONSE)

    with http_receiver(call_back) as receiver:
        life.subscribe(receiver)
        claimed(life)
        life.call_control("POST", "/clock/advance", {"by": "3d"})
        assert len(receiver.requests) == 1
    orders = life.call_control("GET", "/orders")
    assert len(orders["orders"]) == 2
    before = life.fingerprint
    life.restart()
    assert life.call_control("GET", "/orders") == orders
    assert life.fingerprint == before


def test_a_running_clock_goes_on_from_the_last_recorded_instant(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    first = Simulator(fixture="empty", journal=journal, rate=1.0)
    first.client.call("POST", f"{WORLD}/clock/advance", body={"by": "10d"})
    first.close()
    second = Simulator(fixture="empty", journal=journal, rate=1.0)
    clock = second.client.call("GET", f"{WORLD}/clock").json()
    second.close()
    assert clock["mode"] == "running"
    assert clock["now"].startswith("2027-01-14T09:00:0")
