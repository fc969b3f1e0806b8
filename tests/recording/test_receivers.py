"""Receivers in a recording: responses from outside the simulator become a script."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.event_log.inputs import AttemptCompleted
from giftsim.recording.receivers import RecordedReceiver, RecordedReceivers

HOST = "hooks.partner.example"
FORWARD = {"mode": "forward", "to": "http://127.0.0.1:9000"}


def completed(attempt: int, outcome: str, status: int | None = None, host: str = HOST) -> AttemptCompleted:
    return AttemptCompleted(attempt=attempt, host=host, outcome=outcome, status=status)


def script_of(*results: AttemptCompleted, **config: Any) -> dict[str, Any]:
    """The step of a forwarding receiver after these results, without its host."""
    receivers = RecordedReceivers({})
    receiver = receivers.configure(HOST, {**FORWARD, **config})
    for result in results:
        receivers.add_response(result)
    members: dict[str, Any] = receiver.step()["receiver"]
    assert members.pop("host") == HOST
    return members


def test_responses_from_outside_become_a_script_in_the_order_of_their_attempts() -> None:
    results = (completed(7, "http_status", 503), completed(3, "delivered", 201), completed(9, "delivered", 200))
    assert script_of(*results) == {"script": [{"status": 201}, {"status": 503}], "optional": True}


def test_the_last_response_is_repeated_by_then_instead_of_the_script() -> None:
    failures = [completed(n, "http_status", 503) for n in range(3)]
    assert script_of(*failures) == {"then": {"status": 503}}


@pytest.mark.parametrize(
    ("outcome", "response"),
    [
        ("connection_refused", {"refuse": True}),
        ("connection_reset", {"reset": True}),
        ("tls_error", {"tls_error": True}),
        ("dns_error", {"dns_error": True}),
        ("timeout", {"timeout": True}),
    ],
)
def test_an_attempt_without_a_response_fails_again_in_the_same_way(outcome: str, response: dict[str, Any]) -> None:
    assert script_of(completed(1, outcome)) == {"then": response}


def test_a_receiver_that_was_never_called_responds_with_200() -> None:
    assert script_of() == {}


def test_a_receivers_own_script_comes_first_and_addresses_are_kept() -> None:
    own = {"script": [{"status": 200}], "addresses": ["93.184.215.14"]}
    assert script_of(completed(1, "http_status", 500), **own) == {
        **own,
        "then": {"status": 500},
        "optional": True,
    }


def test_a_capturing_receiver_keeps_its_configuration() -> None:
    config = {"mode": "capture", "then": {"status": 503}}
    receiver = RecordedReceiver(HOST, config)
    assert (receiver.is_external, receiver.can_hold, receiver.replay_config()) == (False, False, config)


def test_a_receiver_of_any_host_gets_the_results_of_hosts_without_one() -> None:
    receivers = RecordedReceivers({})
    any_host = receivers.configure("*", FORWARD)
    receivers.add_response(completed(1, "http_status", 500, host="other.example"))
    assert any_host.step() == {"receiver": {"host": "*", "then": {"status": 500}}}


def test_hosts_are_compared_in_lower_case() -> None:
    receivers = RecordedReceivers({})
    receivers.configure("Hooks.Partner.Example", FORWARD)
    assert receivers.find(completed(1, "delivered", 200)) is not None
    receivers.remove("HOOKS.partner.example")
    assert receivers.find(completed(1, "delivered", 200)) is None


def test_initial_forwarding_needs_a_step_and_again_after_a_reset_only_with_new_responses() -> None:
    receivers = RecordedReceivers({HOST: "http://127.0.0.1:9000"})
    [first] = receivers.reset()
    [again] = receivers.reset(restored=True)
    assert (first.is_needed, again.is_needed) == (True, False)
    receivers.add_response(completed(1, "http_status", 500))
    assert (first.responses, again.is_needed) == ({}, True)


def test_a_restore_returns_to_the_receivers_of_its_snapshot() -> None:
    receivers = RecordedReceivers({})
    receivers.configure(HOST, FORWARD)
    receivers.save("before")
    receivers.remove(HOST)
    [restored] = receivers.restore("before")
    assert (restored.host, restored.config, restored.is_needed) == (HOST, FORWARD, False)


def test_a_holding_receiver_is_released_after_its_advance() -> None:
    receivers = RecordedReceivers({})
    holding = receivers.hold(receivers.configure(HOST, FORWARD))
    receivers.add_response(completed(1, "delivered", 202))
    assert holding.step() == {"receiver": {"host": HOST, "mode": "hold", "then": {"status": 202}}}
    [released] = receivers.release()
    assert (released.holds, released.is_needed, receivers.release()) == (False, False, [])


def test_a_receiver_with_a_script_of_its_own_cannot_hold() -> None:
    assert RecordedReceiver(HOST, FORWARD).can_hold
    assert not RecordedReceiver(HOST, {**FORWARD, "script": [{"status": 500}]}).can_hold
    assert RecordedReceiver(HOST, {"mode": "hold", "script": [{"status": 500}]}).can_hold
