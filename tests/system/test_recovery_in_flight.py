"""Recovery of calls and deliveries that were in flight when a simulator ended (G4, G5)."""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.system import SYSTEM
from giftsim.engine.webhooks.attempt import ATTEMPT
from giftsim.engine.webhooks.outgoing import Outcome
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.http_receiver import (
    OK_RESPONSE,
    HttpReceiver,
    http_receiver,
    never_respond,
    outgoing_request,
    respond_always,
)
from tests.support.orders import order_body
from tests.support.refusing_disk import RefusingDisk
from tests.support.restarts import WORLD, RestartableSimulator
from tests.support.waiting import wait_until

PATIENCE_S = 60
RESENT = b'"t":"carried"'  # how a journal file names the event that deliveries are sent again


def claim_order(restartable: RestartableSimulator) -> None:
    """Claim an order, so that a webhook is due at the next full hour."""
    order_id = restartable.order("a").json()["team_order"]["id"]
    address = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
    restartable.call_control("POST", "/simulate/claim", {"team_order_id": order_id, "recipient": 0, "address": address})


def test_a_released_call_is_recovered_at_its_instant_of_release(restartable: RestartableSimulator) -> None:
    restartable.call_control("POST", "/faults", {"id": "wait", "effect": {"hold": True}, "when": {"first": 1}})
    caller = restartable.call_in_thread("POST", "/api/external/team-orders", order_body(idempotency_key="held"))
    wait_until(lambda: bool(restartable.call_control("GET", "/faults")["faults"][0]["hits"]))
    restartable.order("meanwhile")
    restartable.call_control("POST", "/clock/advance", {"by": "2d"})
    restartable.call_control("DELETE", "/faults/wait")
    caller.join(PATIENCE_S)
    restartable.order("after")
    assert len(restartable.call_control("GET", "/orders")["orders"]) == 3
    before = restartable.fingerprint
    restartable.restart()
    assert restartable.fingerprint == before


def test_a_call_still_held_has_no_effect_and_its_idempotency_key_is_unused(restartable: RestartableSimulator) -> None:
    restartable.call_control("POST", "/faults", {"id": "wait", "effect": {"hold": True}, "when": {"first": 1}})
    restartable.call_in_thread("POST", "/api/external/team-orders", order_body(idempotency_key="held"))
    wait_until(lambda: bool(restartable.call_control("GET", "/faults")["faults"][0]["hits"]))
    copy = restartable.journal.with_name("copy")
    copy.write_bytes(restartable.journal.read_bytes())  # as `kill -9` would leave it
    with_copy = RestartableSimulator(copy)
    try:
        assert with_copy.call("GET", "/api/external/team-orders").json()["team_orders"] == []
        response = with_copy.order("held")
        assert response.status == 201
        assert "idempotent-replayed" not in response.headers
    finally:
        with_copy.simulator.close()


def test_a_ping_is_recovered_without_sending_it_again(restartable: RestartableSimulator) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        endpoint = restartable.subscribe(receiver)
        assert restartable.call("POST", f"/api/external/webhooks/{endpoint}/test").status < 300
        restartable.order("a")
        before = restartable.fingerprint
        restartable.restart()
        assert restartable.fingerprint == before
        assert len(receiver.requests) == 1


def test_finished_deliveries_are_recovered_without_sending_them_again(restartable: RestartableSimulator) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        restartable.subscribe(receiver)
        claim_order(restartable)
        restartable.call_control("POST", "/clock/advance", {"by": "2h"})
        before = restartable.call_control("GET", "/deliveries")
        assert [row["outcome"] for row in before["deliveries"]] == ["delivered"]
        restartable.restart()
        assert restartable.call_control("GET", "/deliveries") == before
        assert len(receiver.requests) == 1


def test_an_unfinished_delivery_is_sent_again_with_the_same_event(restartable: RestartableSimulator) -> None:
    with http_receiver(never_respond) as deaf:
        restartable.subscribe(deaf)
        claim_order(restartable)
        caller = restartable.call_in_thread("POST", f"{WORLD}/clock/advance", {"by": "2h"})
        wait_until(lambda: bool(deaf.requests))
        restartable.restart()
        caller.join(PATIENCE_S)
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        restartable.call_control(
            "PUT", f"/receivers/{WEBHOOK_HOST}", {"mode": "forward", "to": f"http://127.0.0.1:{receiver.port}"}
        )
        restartable.simulator.resend_in_flight()
        assert RESENT in restartable.journal.read_bytes()
        [row] = restartable.call_control("GET", "/deliveries")["deliveries"]
        assert (row["attempt"], row["outcome"]) == (1, "delivered")
        [first], [second] = deaf.requests, receiver.requests
        assert first.partition(b"\r\n\r\n")[2] == second.partition(b"\r\n\r\n")[2]
    before = restartable.fingerprint
    restartable.restart()
    assert restartable.fingerprint == before


def test_calls_of_a_receiver_during_an_advance_are_recovered_there(restartable: RestartableSimulator) -> None:
    def call_back(connection: Any, receiver: HttpReceiver) -> None:
        while receiver.read(connection) is not None:
            restartable.order(f"from the receiver {len(receiver.requests)}")
            connection.sendall(OK_RESPONSE)

    with http_receiver(call_back) as receiver:
        restartable.subscribe(receiver)
        claim_order(restartable)
        restartable.call_control("POST", "/clock/advance", {"by": "3d"})
        assert len(receiver.requests) == 1
    orders = restartable.call_control("GET", "/orders")
    assert len(orders["orders"]) == 2
    before = restartable.fingerprint
    restartable.restart()
    assert restartable.call_control("GET", "/orders") == orders
    assert restartable.fingerprint == before


def test_a_running_clock_continues_from_the_last_recorded_instant(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    first = Simulator(fixture="empty", journal=journal, rate=1.0)
    first.client.call("POST", f"{WORLD}/clock/advance", body={"by": "10d"})
    first.close()
    second = Simulator(fixture="empty", journal=journal, rate=1.0)
    clock = second.client.call("GET", f"{WORLD}/clock").json()
    second.close()
    assert clock["mode"] == "running"
    assert clock["now"].startswith("2027-01-14T09:00:0")


def test_a_delivery_that_goes_out_before_those_of_the_former_process_is_sent_once(
    restartable: RestartableSimulator,
) -> None:
    with http_receiver(never_respond) as receiver:
        restartable.subscribe(receiver)
        claim_order(restartable)
        restartable.call_control("PUT", "/clock", {"mode": "running", "rate": 1_000_000})
        restartable.simulator.ticker.start()
        wait_until(lambda: bool(receiver.requests))  # sent by a timer of this process
        restartable.simulator.resend_in_flight()
        assert RESENT not in restartable.journal.read_bytes()
        restartable.call_control("PUT", f"/receivers/{WEBHOOK_HOST}", {"mode": "capture"})
    wait_until(lambda: all(row["outcome"] for row in restartable.call_control("GET", "/deliveries")["deliveries"]))
    assert len(receiver.requests) == 1
    restartable.restart()


def test_an_outcome_of_an_attempt_that_has_one_is_not_written(restartable: RestartableSimulator) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        restartable.subscribe(receiver)
        claim_order(restartable)
        restartable.call_control("POST", "/clock/advance", {"by": "2h"})
        world = restartable.simulator.registry.worlds["default"]
        [attempt] = world.state[ATTEMPT]
        before = restartable.journal.read_bytes()
        with (
            world.lock,
            pytest.raises(ValueError, match="attempt 1 is not in flight: its outcome is delivered already"),
        ):
            world.deliveries.record(
                [outgoing_request(receiver.port, attempt=attempt.n)], [Outcome("timeout", None, 1, 1)]
            )
    assert restartable.journal.read_bytes() == before


def test_a_key_of_a_call_that_was_held_at_the_end_stays_usable_after_every_restart(
    restartable: RestartableSimulator,
) -> None:
    restartable.held_order("held")
    copies = [restartable.journal.with_name("copy"), restartable.journal.with_name("copy of the copy")]
    copies[0].write_bytes(restartable.journal.read_bytes())  # as `kill -9` would leave it
    second = RestartableSimulator(copies[0])
    with closing(second.simulator):
        assert second.order("held").status == 201
        second.call_control("POST", "/reset")
        assert second.order("after").status == 201
        before = second.fingerprint
        copies[1].write_bytes(copies[0].read_bytes())
    third = RestartableSimulator(copies[1])
    with closing(third.simulator):
        assert third.fingerprint == before
        third.order("b")
        third.call_control("POST", "/undo")
        assert third.fingerprint == before


def test_a_call_whose_delivery_ended_with_a_reset_does_not_hinder_the_next_reset(
    restartable: RestartableSimulator,
) -> None:
    with http_receiver(never_respond) as receiver:
        endpoint = restartable.subscribe(receiver)
        caller = restartable.call_in_thread("POST", f"/api/external/webhooks/{endpoint}/test")
        wait_until(lambda: bool(receiver.requests))
        restartable.call_control("POST", "/reset")
        caller.join(PATIENCE_S)
    restartable.order("a")
    restartable.call_control("POST", "/reset")
    restartable.order("b")
    before = restartable.fingerprint
    restartable.restart()
    assert restartable.fingerprint == before


def test_the_outcome_of_a_delivery_that_a_full_disk_did_not_take_is_recorded_later(tmp_path: Path) -> None:
    disk, ok = RefusingDisk(), respond_always(OK_RESPONSE)
    restartable = RestartableSimulator(tmp_path / "journal", system=SYSTEM._replace(open_file=disk.open))

    def fill_the_disk(connection: socket.socket, receiver: HttpReceiver) -> None:
        disk.is_full = True
        ok(connection, receiver)

    with http_receiver(fill_the_disk) as receiver:
        restartable.subscribe(receiver)
        claim_order(restartable)
        advance = restartable.call("POST", f"{WORLD}/clock/advance", {"by": "1h"})
        assert (advance.status, advance.json()["error"]["code"]) == (503, "journal_not_written")
        assert restartable.call("GET", f"{WORLD}/deliveries").status == 503
        disk.is_full = False
        [delivery] = restartable.call_control("GET", "/deliveries")["deliveries"]
        assert (delivery["outcome"], len(receiver.requests)) == ("delivered", 1)
        before = restartable.fingerprint
        restartable.restart()
        assert (restartable.fingerprint, len(receiver.requests)) == (before, 1)
    restartable.simulator.close()
