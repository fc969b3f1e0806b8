"""Faults of calls: which calls a fault of the table or a header hits, and what it does to them."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.gateway.call import Call, ConnectionDropped, Response
from giftsim.engine.gateway.effect_types import FaultNotFound, InvalidFault
from giftsim.engine.gateway.faults import effects, injection, page_faults, table
from giftsim.engine.gateway.faults.injection import parse_header
from giftsim.engine.gateway.faults.table import FAULTS
from giftsim.engine.gateway.problem import InjectedFault
from giftsim.engine.kernel.instants import HOUR, format_instant
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.service import CLAIM_PAGE
from giftsim.services.known import merged_service
from tests.support.sample_api import echo, gateway_state, make_call, sample_interface

TYPES = merged_service().effect_types


def message_of(effect: dict[str, Any]) -> str:
    """The message with which an effect is refused."""
    with pytest.raises(InvalidFault) as refused:
        TYPES.check(effect)
    return refused.value.message


@pytest.mark.parametrize(
    "effect",
    [
        {"status": 503}, {"status": 418, "undocumented": True, "code": "teapot", "retry_after": 0}, {"drop": "after"},
        {"delay_s": 0.5}, {"delay_s": {"from": 0, "to": 120}}, {"hold": True}, {"charge": "card_charge_failed"},
        {"crash": "after_charge"}, {"signing_key": "missing"}, {"webhook": "reorder"},
    ],
)  # fmt: skip
def test_an_effect_has_the_type_that_it_names(effect: dict[str, Any]) -> None:
    assert TYPES.check(effect) is TYPES.type_of(effect) is TYPES.by_name[next(iter(effect))]


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ({}, "an effect is one of charge, status, drop, crash, delay_s, hold, signing_key, webhook; got none"),
        ({"hold": True, "drop": "after"}, "webhook; got 2 (hold, drop)"),
        ({"code": "x"}, "webhook; got code"),
        ({"stauts": 503}, "there is no effect 'stauts'; did you mean status?"),
        ({"status": 99}, "status takes an HTTP status from 200 to 599; not '99'"),
        ({"status": True}, "status takes an HTTP status from 200 to 599; not 'True'"),
        ({"status": 503, "retry_after": -1}, "retry_after takes whole seconds, for the header `Retry-After`; not '-1'"),
        ({"hold": 1}, "hold takes true (in the header nothing); not '1'"),
        ({"delay_s": {"from": 2, "to": 1}}, "or {from, to} for a seeded choice between (in the header `1..3`); not"),
        ({"delay_s": 120.1}, "delay_s takes 0 to 120 real seconds"),
        ({"drop": "after", "code": "x"}, "code does not go with drop; it goes with status"),
    ],
)
def test_an_invalid_effect_is_refused_with_the_reason(effect: dict[str, Any], message: str) -> None:
    assert message in message_of(effect)


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("hold", {"hold": True}),
        ("status=429; retry_after=7", {"status": 429, "retry_after": 7}),
        (" status = 418 ;undocumented; code=teapot", {"status": 418, "undocumented": True, "code": "teapot"}),
        ("status=418; undocumented=true", {"status": 418, "undocumented": True}),
        ("delay_s=1.5", {"delay_s": 1.5}),
        ("delay_s=1..3", {"delay_s": {"from": 1, "to": 3}}),
        ("webhook=duplicate", {"webhook": "duplicate"}),
    ],
)
def test_a_header_is_an_effect_with_its_options(text: str, effect: dict[str, Any]) -> None:
    assert parse_header(TYPES, text) == effect


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hold; hold", "hold is given twice"),
        ("status", "status takes an HTTP status from 200 to 599; not 'True'"),
        ("status=soon", "status takes an HTTP status from 200 to 599; not 'soon'"),
        ("", "there is no effect ''; known are charge"),
        ("hold=false", "hold takes true (in the header nothing); not 'false'"),
    ],
)
def test_a_malformed_header_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(InvalidFault) as refused:
        parse_header(TYPES, text)
    assert message in refused.value.message


def test_a_status_is_injected_with_its_code_and_retry_after() -> None:
    def injected(effect: dict[str, Any]) -> tuple[int, str, int | None]:
        call = make_call()
        call.effect, call.fault = effect, "f1"
        with pytest.raises(InjectedFault, match=r"^injected by the fault f1$") as fault:
            effects.inject_status(call)
        return fault.value.injected

    assert injected({"status": 503}) == (503, "unavailable", None)
    assert injected({"status": 503, "code": "unavailable", "retry_after": 9}) == (503, "unavailable", 9)
    assert injected({"status": 503, "code": "own", "undocumented": True}) == (503, "own", None)
    assert injected({"status": 418, "undocumented": True}) == (418, "status_418", None)


def test_only_a_documented_error_can_be_injected_unless_it_says_undocumented() -> None:
    call = make_call()
    for effect in ({"status": 418}, {"status": 200}):
        call.effect = effect
        assert not effects.can_refuse(call.operation, effect)
        with pytest.raises(InvalidFault) as refused:
            effects.inject_status(call)
        assert refused.value.message == (
            f"listThings documents the errors 503, not {effect['status']}; say undocumented: true to get it"
        )
        assert effects.can_refuse(call.operation, {**effect, "undocumented": True})


def test_a_delay_of_a_range_is_drawn_from_the_seed() -> None:
    span = {"from": 1, "to": 3}
    delays = [effects.draw_delay(seed, "delay r1", span) for seed in range(50)]
    assert delays == [effects.draw_delay(seed, "delay r1", span) for seed in range(50)]
    assert 1 <= min(delays) < 1.5 < 2.5 < max(delays) <= 3
    assert effects.draw_delay(1, "delay r1", 2) == 2.0


def test_an_effect_can_act_where_the_contract_documents_its_error() -> None:
    list_things = make_call().operation
    create_thing = make_call("POST").operation
    assert TYPES.can_act(list_things, {"status": 503})
    assert not TYPES.can_act(create_thing, {"charge": "card_charge_failed"})
    assert not TYPES.can_act(list_things, {"webhook": "duplicate"})
    assert TYPES.can_act(create_thing, {"webhook": "duplicate"})


@pytest.mark.parametrize(
    ("match", "effect", "message"),
    [
        (
            {"operation": "enterclaim"},
            {"status": 503},
            "match.operation: the claim page has only enterClaim; did you mean",
        ),
        ({"credential": "ada"}, {"status": 503}, "match.credential: guests of the claim page have none"),
        ({}, {"hold": True}, "match.interface: the claim page has only the effects drop, delay_s, status"),
        ({}, {"status": 200}, "status: the claim page can fail with 400 to 599 only"),
    ],
)
def test_a_fault_that_can_do_nothing_to_a_claim_is_refused(
    match: dict[str, str], effect: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidFault) as refused:
        page_faults.check_page_fault(CLAIM_PAGE, match, effect)
    assert refused.value.message.startswith(message)


@pytest.fixture
def state() -> State:
    """A world without faults."""
    return gateway_state()


def chosen(state: State, **options: Any) -> Call:
    """A call after the choice of its fault."""
    call = make_call(state=state, **options)
    injection.choose_fault(call)
    return call


def test_the_header_comes_before_the_table(state: State) -> None:
    table.add_fault(state, {"effect": {"drop": "after"}})
    call = chosen(state, X_Sim_Fault="status=503")
    assert (call.effect, call.fault) == ({"status": 503}, "status=503")
    assert state[FAULTS].get(0).seen == 0


def test_a_header_that_can_do_nothing_to_the_operation_is_refused(state: State) -> None:
    with pytest.raises(InvalidFault, match=r"^the fault 'charge=card_charge_failed' can do nothing to listThings$"):
        chosen(state, X_Sim_Fault="charge=card_charge_failed")
    with pytest.raises(InvalidFault, match=r"^the fault 'webhook=duplicate' can do nothing to createThing$"):
        chosen(state, method="POST", interface=sample_interface(sends_webhooks=False), X_Sim_Fault="webhook=duplicate")


@pytest.mark.parametrize(
    ("match", "hit"),
    [
        ({}, True), ({"interface": "sample"}, True), ({"interface": "museum"}, False),
        ({"operation": "listThings"}, True), ({"operation": "getThing"}, False), ({"credential": "ada"}, True),
        ({"credential": "bo"}, False), ({"credential": "t1"}, True), ({"credential": "k1"}, True),
    ],
)  # fmt: skip
def test_a_fault_hits_the_calls_that_it_matches(state: State, match: dict[str, str], hit: bool) -> None:
    table.add_fault(state, {"id": "f1", "effect": {"status": 503}, "match": match})
    call = chosen(state, Authorization="Bearer t1", X_API_Key="k1")
    assert call.fault == ("f1" if hit else None)
    assert state[FAULTS].get(0).seen == hit


@pytest.mark.parametrize(
    ("when", "hits"),
    [
        ({}, "xxxxxx"), ({"first": 2}, "xx...."), ({"calls": [2, 5]}, ".x..x."), ({"every": 3}, "..x..x"),
        ({"from": "+2h"}, "..xxxx"), ({"to": "+2h"}, "xx...."), ({"from": "+1h", "to": "+3h"}, ".xx..."),
        ({"probability": 1}, "xxxxxx"), ({"probability": 0}, "......"), ({"every": 2, "first": 4}, ".x.x.."),
    ],
)  # fmt: skip
def test_a_fault_hits_when_it_says_so(state: State, when: dict[str, Any], hits: str) -> None:
    offsets = {name: format_instant(int(when[name][1]) * HOUR) for name in ("from", "to") if name in when}
    table.add_fault(state, {"effect": {"status": 503}, "when": {**when, **offsets}})
    seen = ""
    for hour in range(6):
        state.now_ms = hour * HOUR
        seen += "x" if chosen(state).effect else "."
    assert seen == hits
    assert (state[FAULTS].get(0).seen, state[FAULTS].get(0).hits) == (6, hits.count("x"))


def test_chance_depends_on_seed_fault_and_call_alone() -> None:
    def hits(seed: int, fault_id: str) -> list[bool]:
        state = gateway_state(seed)
        table.add_fault(state, {"id": fault_id, "effect": {"status": 503}, "when": {"probability": 0.5}})
        return [bool(chosen(state).effect) for _ in range(64)]

    assert hits(1, "a") == hits(1, "a")
    assert hits(1, "a") != hits(2, "a")
    assert hits(1, "a") != hits(1, "b")
    assert 16 < sum(hits(1, "a")) < 48


def test_the_oldest_of_several_faults_wins_and_the_others_do_not_count(state: State) -> None:
    for fault_id in ("old", "new"):
        table.add_fault(state, {"id": fault_id, "effect": {"status": 503}, "when": {"first": 1}})
    assert [chosen(state).fault for _ in range(3)] == ["old", "new", None]
    assert [fault.seen for fault in state[FAULTS]] == [3, 2]


def test_faults_of_deliveries_do_not_hit_calls(state: State) -> None:
    table.add_fault(state, {"effect": {"webhook": "duplicate"}})
    assert chosen(state, method="POST").fault is None


def test_a_fault_needs_an_id_of_its_own_and_gets_one(state: State) -> None:
    assert [table.add_fault(state, {"effect": {"hold": True}}).id for _ in range(2)] == ["fault-1", "fault-2"]
    with pytest.raises(InvalidFault, match=r"^there is a fault 'fault-1' already; delete it or use another id$"):
        table.add_fault(state, {"id": "fault-1", "effect": {"hold": True}})


def test_a_fault_that_is_not_there_cannot_be_removed(state: State) -> None:
    table.add_fault(state, {"id": "lost", "effect": {"hold": True}})
    with pytest.raises(FaultNotFound, match=r"^there is no fault 'last'; did you mean lost\?$"):
        table.remove_fault(state, "last")
    assert table.remove_fault(state, "lost").id == "lost"
    with pytest.raises(FaultNotFound, match=r"^there is no fault 'lost'$"):
        table.remove_fault(state, "lost")


def test_a_fault_is_shown_as_it_was_given_with_its_counts(state: State) -> None:
    given = {"id": "f1", "match": {"interface": "sample"}, "when": {"first": 1}, "effect": {"status": 503}}
    table.add_fault(state, given)
    chosen(state), chosen(state)
    assert table.fault_view(state[FAULTS].get(0)) == {**given, "calls": 2, "hits": 1}


def test_a_dropped_connection_is_dropped_before_or_after_the_call() -> None:
    executed: list[str] = []

    def call_next(call: Call) -> Response:
        executed.append(str(call.fault))
        return Response(200)

    for when in ("before", "after"):
        call = make_call()
        call.effect, call.fault = {"drop": when}, when
        with pytest.raises(ConnectionDropped, match=f"^fault drop: {when}$"):
            injection.inject(call_next, call)
    assert executed == ["after"]


def test_a_fault_that_waits_for_a_charge_is_uncounted_where_there_was_none(state: State) -> None:
    table.add_fault(state, {"id": "f1", "effect": {"hold": True}, "when": {"first": 1}})
    first, second = chosen(state), chosen(state)
    assert [call.fault for call in (first, second)] == ["f1", None]
    assert injection.inject(echo, first).status == 200  # without being held
    assert first.fault is None
    assert (state[FAULTS].get(0).seen, state[FAULTS].get(0).hits) == (1, 0)


def test_a_hold_of_a_header_becomes_a_fault_that_can_be_deleted(state: State) -> None:
    call = chosen(state, X_Sim_Fault="hold")
    call.request_id = "req-1"
    assert injection.holding_fault(call).id == "req-1"
    assert call.fault_acted
    assert [fault.id for fault in state[FAULTS]] == ["req-1"]
    assert chosen(state).fault is None  # it hits no other call


def test_a_claim_has_the_oldest_fault_of_its_interface(state: State) -> None:
    assert page_faults.choose_effect(state, "claim") is page_faults.NO_EFFECT
    table.add_fault(state, {"id": "f1", "effect": {"drop": "after"}})
    table.add_fault(
        state, {"id": "f2", "effect": {"status": 503}, "match": {"interface": "claim"}, "when": {"first": 1}}
    )
    assert page_faults.choose_effect(state, "claim") == {"status": 503, "message": "injected by the fault f2"}
    assert page_faults.choose_effect(state, "claim") is page_faults.NO_EFFECT
