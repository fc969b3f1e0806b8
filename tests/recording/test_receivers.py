"""Scenario variables in recorded text: `${world}` and `${origin}` replace what differs from world to world."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.kernel.placeholders import ORIGIN, WORLD, fill_text
from giftsim.engine.log.inputs import AttemptCompleted
from giftsim.workbench.recording.receivers import RecordedReceiver, RecordedReceivers
from giftsim.workbench.recording.world_text import WorldVariables
from giftsim.workbench.scenario.variables import escape_variables, map_texts

VARIABLES = WorldVariables("w1", "http://127.0.0.1:8080")
# A `$` right before a placeholder cannot be recorded: `$${world}` is the escaped text `${world}`. No response has one.
TEXTS = st.text(st.sampled_from([*"$${}aworldigin/:", ORIGIN, WORLD]), max_size=20).filter(
    lambda text: f"${ORIGIN}" not in text and f"${WORLD}" not in text
)


def substituted(text: str, origin: str, world: str) -> str:
    """What a scenario makes of recorded text: `$${` is a literal `${`, and the variables have their values."""
    parts = [part.replace("${origin}", origin).replace("${world}", world) for part in text.split("$${")]
    return "${".join(parts)


@pytest.mark.parametrize(
    ("text", "recorded"),
    [
        ("Bearer pk_live_w1_prepaid", "Bearer pk_live_${world}_prepaid"),
        ("ptk_test_w1_approver", "ptk_test_${world}_approver"),
        ("sess_w1", "sess_${world}"),
        ("http://127.0.0.1:8080/claim/w1/token", "${origin}/claim/${world}/token"),
        ("museum.w1:secret", "museum.${world}:secret"),
    ],
)
def test_the_world_id_in_keys_and_links_becomes_a_variable(text: str, recorded: str) -> None:
    assert VARIABLES.request_text(text) == recorded


@pytest.mark.parametrize("text", ["w1", "/orders/w1", "pk_live_w12_prepaid", "xpk_live_w1_", "/claim/w1x"])
def test_the_world_id_elsewhere_is_the_clients_own_text(text: str) -> None:
    assert VARIABLES.request_text(text) == text


def test_a_world_id_with_characters_of_a_pattern_is_matched_literally() -> None:
    variables = WorldVariables("a.b", "http://giftsim.example")
    assert variables.request_text("pk_live_a.b_x pk_live_axb_x") == "pk_live_${world}_x pk_live_axb_x"


def test_placeholders_of_a_stored_response_become_variables() -> None:
    assert VARIABLES.stored_text(f"{ORIGIN}/claim/{WORLD}/t") == "${origin}/claim/${world}/t"


def test_text_that_looks_like_a_variable_is_escaped() -> None:
    assert escape_variables("${world} $${x} $x") == "$${world} $$${x} $x"
    assert VARIABLES.request_text("${origin}") == VARIABLES.stored_text("${origin}") == "$${origin}"


@given(TEXTS)
def test_recorded_text_gives_the_stored_text_of_the_other_world(text: str) -> None:
    recorded = VARIABLES.stored_text(text)
    assert substituted(recorded, "http://other", "w2") == fill_text(text, "http://other", "w2")


def test_every_string_of_json_data_is_converted_but_no_member_name() -> None:
    data: Any = {"pk_live_w1_a": ["pk_live_w1_a", 1, None, {"x": "http://127.0.0.1:8080"}]}
    assert VARIABLES.request_data(data) == {"pk_live_w1_a": ["pk_live_${world}_a", 1, None, {"x": "${origin}"}]}


def test_mapping_strings_leaves_the_original_data_unchanged() -> None:
    data = {"a": ["x", True]}
    assert map_texts(data, str.upper) == {"a": ["X", True]}
    assert data == {"a": ["x", True]}


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
