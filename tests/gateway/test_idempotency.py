"""Idempotency: which calls are the same call, how long a key is remembered, and what is replayed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from giftsim.engine.gateway import idempotency, json_body
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.idempotency_record import IDEMPOTENCY_RECORDS, IdempotencyKey
from giftsim.engine.gateway.problem import IdempotencyKeyRequired, InFlight, InvalidIdempotencyKey, PayloadMismatch
from giftsim.engine.kernel.instants import DAY
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.engine.worlds.world_calls import BusyKey
from tests.support.sample_api import gateway_state, make_call, sample_interface


@pytest.fixture
def state() -> State:
    """A world without any key."""
    return gateway_state()


def put(state: State | None = None, text: str = '{"name": "a"}', key: str | None = "k1", **options: Any) -> Call:
    """A call that changes a thing, with its key in the header."""
    headers: dict[str, Any] = {"Idempotency_Key": key} if key is not None else {}
    call = make_call(**{"method": "PUT", "path": "/things/1", "state": state, **options}, **headers)
    call.body, call.canonical = json_body.parse_with_canonical(text.encode())
    return call


def create(state: State, key: Any, name: str = "a") -> Call:
    """A call that creates a thing, with its key in the body."""
    call = make_call("POST", "/things", state=state)
    text = json.dumps({"idempotency_key": key, "name": name}).encode()
    call.body, call.canonical = json_body.parse_with_canonical(text)
    return call


def look_up(call: Call) -> IdempotencyKey:
    """The key of a call that has one."""
    key = idempotency.look_up(call)
    assert key
    return key


def store(call: Call, response: Response) -> None:
    """Store a response under the key of a call, within a transaction."""
    look_up(call).store(call.state, response.status, response.content_type, response.headers, response.bytes())


def stored(call: Call, response: Response | None = None) -> None:
    """Store a response under the key of a call."""
    with call.state.transaction():
        store(call, response or Response(201, {"id": 1}))


def fingerprint(text: str, **options: Any) -> str:
    """The fingerprint of a payload."""
    return look_up(put(text=text, **options)).fingerprint


@pytest.mark.parametrize(
    "text", ['{"count": 1, "name": "a"}', '{ "name" : "\\u0061",\n"count":1 }', '{"name":"a","count":1}']
)
def test_member_order_and_spelling_do_not_change_a_fingerprint(text: str) -> None:
    assert fingerprint(text) == fingerprint('{"name": "a", "count": 1}')


def test_one_and_one_point_zero_and_true_are_three_payloads() -> None:
    texts = ["1", "1.0", "true", '"1"', "null", "[1]", '{"1": 1}']
    assert len({fingerprint(text) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    "change", [{"path": "/things/2"}, {"query": "a=1"}, {"method": "POST", "path": "/things/1/copies"}]
)
def test_method_path_and_query_are_part_of_a_fingerprint(change: dict[str, str]) -> None:
    assert fingerprint("{}", **change) != fingerprint("{}")


def test_a_key_used_with_another_payload_is_refused(state: State) -> None:
    stored(put(state))
    with pytest.raises(PayloadMismatch) as refused:
        idempotency.look_up(put(state, '{"name": "b"}'))
    assert refused.value.message == "the idempotency key 'k1' was used with another payload; take a new key"


def test_a_refusal_can_do_without_repeating_the_key(state: State) -> None:
    stored(put(state))
    with pytest.raises(PayloadMismatch, match=r"^the idempotency key was used with another payload; take a new key$"):
        idempotency.look_up(put(state, '{"name": "b"}', interface=sample_interface(echoes_input=False)))


def test_a_key_of_a_call_in_progress_is_refused_for_a_second(state: State) -> None:
    call = put(state)
    call.world.calls.busy_keys["ada k1"] = BusyKey(1, look_up(put(state)).fingerprint)
    with pytest.raises(InFlight, match=r"^a call with the idempotency key 'k1' is still in progress$"):
        idempotency.look_up(call)
    assert call.headers == {"Retry-After": "1"}


def test_another_payload_is_a_mismatch_while_the_first_call_is_in_progress(state: State) -> None:
    call = put(state)
    call.world.calls.busy_keys["ada k1"] = BusyKey(1, look_up(put(state, '{"name": "b"}')).fingerprint)
    with pytest.raises(PayloadMismatch):
        idempotency.look_up(call)


def test_a_replay_has_the_stored_bytes_and_says_so(state: State) -> None:
    headers = {"Location": "/things/1", "X-Request-Id": "r1", "Content-Disposition": "inline"}
    stored(put(state), Response(201, {"id": 1}, headers, "application/vnd.thing"))
    row = look_up(put(state)).row
    assert row
    replayed = idempotency.replay(row)
    assert (replayed.status, replayed.bytes(), replayed.content_type) == (201, b'{"id":1}', "application/vnd.thing")
    assert replayed.headers == {
        "Location": "/things/1",
        "Content-Disposition": "inline",
        "Idempotent-Replayed": "true",
    }


def test_two_callers_may_use_the_same_key(state: State) -> None:
    stored(put(state))
    assert look_up(put(state, '{"name": "b"}', caller="bo")).row is None


def test_a_key_in_a_header_is_forgotten_after_its_lifetime(state: State) -> None:
    stored(put(state))
    state.now_ms += DAY - 1
    assert look_up(put(state)).row
    state.now_ms += 1
    assert look_up(put(state, '{"name": "b"}')).row is None
    assert list(state[IDEMPOTENCY_RECORDS]) == []


def test_a_key_in_the_body_is_never_forgotten(state: State) -> None:
    stored(create(state, "k1"))
    state.now_ms += 10_000 * DAY
    assert look_up(create(state, "k1")).row
    with pytest.raises(PayloadMismatch):
        idempotency.look_up(create(state, "k1", name="b"))


@pytest.mark.parametrize("key", [None, 1, ["k1"]])
def test_a_key_in_the_body_must_be_text(state: State, key: object) -> None:
    assert idempotency.look_up(create(state, key)) is None


def test_a_bound_key_keeps_its_record_when_a_response_is_stored(state: State) -> None:
    call = create(state, "k1")
    with state.transaction():
        look_up(call).bind(state, 77, "things")
    row = look_up(create(state, "k1")).row
    assert row
    assert (row.subject, row.body) == (77, None)
    stored(create(state, "k1"))
    row = look_up(create(state, "k1")).row
    assert row
    assert (row.subject, row.body and row.body.read()) == (77, b'{"id":1}')
    assert len(list(state[IDEMPOTENCY_RECORDS])) == 1


def test_a_key_is_bound_to_the_last_record(state: State) -> None:
    call = create(state, "k1")
    call.idempotency_key = look_up(call)
    with state.transaction():
        call.bind(77, "things")
        call.bind(78, "things")
    assert [(row.subject, row.kind) for row in state[IDEMPOTENCY_RECORDS]] == [(78, "things")]


def test_a_refused_call_leaves_no_key(state: State) -> None:
    def change_and_fail() -> None:
        with state.transaction():
            store(put(state), Response(200, {}))
            raise InvalidState("the order is canceled")

    with pytest.raises(InvalidState):
        change_and_fail()
    assert look_up(put(state, '{"name": "b"}')).row is None


def test_a_required_key_must_be_given() -> None:
    with pytest.raises(IdempotencyKeyRequired) as refused:
        idempotency.header_key(put(key=None, method="POST", path="/things/1/copies"))
    assert refused.value.message == "POST /things/{id}/copies requires an Idempotency-Key header"
    assert idempotency.header_key(put(key=None)) is None


@pytest.mark.parametrize("key", ["", "x" * 129, "tab\t", "ä", "\x7f"])
def test_a_malformed_key_is_refused(key: str) -> None:
    with pytest.raises(InvalidIdempotencyKey, match=r"^an Idempotency-Key is 1 to 128 printable ASCII characters$"):
        idempotency.header_key(put(key=key))


@pytest.mark.parametrize("key", ["x", "x" * 128, " !~"])
def test_a_key_is_1_to_128_printable_characters(key: str) -> None:
    assert idempotency.header_key(put(key=key)) == key


def test_an_operation_without_idempotency_ignores_the_header() -> None:
    assert idempotency.look_up(make_call("GET", "/things/1", Idempotency_Key="\t")) is None


def test_repetitions_of_a_call_have_the_same_identity(state: State) -> None:
    assert idempotency.identity(put(state)) == idempotency.identity(put(state, '{"name": "b"}')) == "ada k1"
    without_key = [idempotency.identity(put(state, text, key=None)) for text in ('{"a": 1}', '{"a":1}', '{"a": 2}')]
    assert without_key[0] == without_key[1] != without_key[2]
