"""Faults of calls: which calls a fault of the table or a header hits, and what it does to them."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.gateway.call import Call, ConnectionDropped, Response
from giftsim.gateway.faults import injection, matching, table
from giftsim.gateway.faults.effect import FaultNotFound, InvalidFault
from giftsim.gateway.faults.table import FAULTS
from giftsim.kernel.instants import HOUR, format_instant
from giftsim.kernel.state import State
from tests.support.sample_api import echo, gateway_state, make_call, sample_interface


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
    table.add(state, {"effect": {"drop": "after"}})
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
    table.add(state, {"id": "f1", "effect": {"status": 503}, "match": match})
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
    table.add(state, {"effect": {"status": 503}, "when": {**when, **offsets}})
    seen = ""
    for hour in range(6):
        state.now_ms = hour * HOUR
        seen += "x" if chosen(state).effect else "."
    assert seen == hits
    assert (state[FAULTS].get(0).seen, state[FAULTS].get(0).hits) == (6, hits.count("x"))


def test_chance_depends_on_seed_fault_and_call_alone() -> None:
    def hits(seed: int, fault_id: str) -> list[bool]:
        state = gateway_state(seed)
        table.add(state, {"id": fault_id, "effect": {"status": 503}, "when": {"probability": 0.5}})
        return [bool(chosen(state).effect) for _ in range(64)]

    assert hits(1, "a") == hits(1, "a")
    assert hits(1, "a") != hits(2, "a")
    assert hits(1, "a") != hits(1, "b")
    assert 16 < sum(hits(1, "a")) < 48


def test_the_oldest_of_several_faults_wins_and_the_others_do_not_count(state: State) -> None:
    for fault_id in ("old", "new"):
        table.add(state, {"id": fault_id, "effect": {"status": 503}, "when": {"first": 1}})
    assert [chosen(state).fault for _ in range(3)] == ["old", "new", None]
    assert [fault.seen for fault in state[FAULTS]] == [3, 2]


def test_faults_of_deliveries_do_not_hit_calls(state: State) -> None:
    table.add(state, {"effect": {"webhook": "duplicate"}})
    assert chosen(state, method="POST").fault is None


def test_a_fault_needs_an_id_of_its_own_and_gets_one(state: State) -> None:
    assert [table.add(state, {"effect": {"hold": True}}).id for _ in range(2)] == ["fault-1", "fault-2"]
    with pytest.raises(InvalidFault, match=r"^there is a fault 'fault-1' already; delete it or use another id$"):
        table.add(state, {"id": "fault-1", "effect": {"hold": True}})


def test_a_fault_that_is_not_there_cannot_be_removed(state: State) -> None:
    table.add(state, {"id": "lost", "effect": {"hold": True}})
    with pytest.raises(FaultNotFound, match=r"^there is no fault 'last'; did you mean lost\?$"):
        table.remove(state, "last")
    assert table.remove(state, "lost").id == "lost"
    with pytest.raises(FaultNotFound, match=r"^there is no fault 'lost'$"):
        table.remove(state, "lost")


def test_a_fault_is_shown_as_it_was_given_with_its_counts(state: State) -> None:
    given = {"id": "f1", "match": {"interface": "sample"}, "when": {"first": 1}, "effect": {"status": 503}}
    table.add(state, given)
    chosen(state), chosen(state)
    assert table.view(state[FAULTS].get(0)) == {**given, "calls": 2, "hits": 1}


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
    table.add(state, {"id": "f1", "effect": {"hold": True}, "when": {"first": 1}})
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
    assert matching.choose_effect(state) is matching.NO_EFFECT
    table.add(state, {"id": "f1", "effect": {"drop": "after"}})
    table.add(state, {"id": "f2", "effect": {"status": 503}, "match": {"interface": "claim"}, "when": {"first": 1}})
    assert matching.choose_effect(state) == {"status": 503, "fault": "f2"}
    assert matching.choose_effect(state) is matching.NO_EFFECT
