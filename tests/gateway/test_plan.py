"""Plans: a call passes the steps that its operation needs, first to last, and what is around them sees the rest."""

from __future__ import annotations

import pytest

from giftsim.gateway import middleware
from giftsim.gateway.call import Call, CallNext, Interface, Response
from giftsim.gateway.contract import Operation
from giftsim.gateway.execute import Around, Check, Stack, Step, transact
from giftsim.gateway.faults.table import FAULTS
from giftsim.problem import Problem
from tests.support.sample_api import make_call, sample_interface


def test_a_stack_runs_from_first_to_last_and_back() -> None:
    passed: list[str] = []

    def note(name: str) -> Step:
        def step(_interface: Interface, _operation: Operation) -> Check:
            return lambda _call: passed.append(name)

        return step

    def idle(_interface: Interface, _operation: Operation) -> Around:
        return Around(lambda _call_next, _call: None)

    def around(_interface: Interface, _operation: Operation) -> Around:
        def run(call_next: CallNext, call: Call) -> Response:
            passed.append("in")
            response = call_next(call)
            passed.append("out")
            return response

        return Around(run)

    call = make_call()
    assert Stack(note("first"), idle, around, note("inner"), transact, note("never")).plan(call)(call).status == 200
    assert passed == ["first", "in", "inner", "out"]


def test_a_call_passes_only_what_its_operation_needs() -> None:
    asked: list[str] = []

    def nothing(_interface: Interface, operation: Operation) -> None:
        asked.append(operation.id)

    stack, interface = Stack(nothing, transact), sample_interface()
    for path in ("/things", "/things", "/things/7"):
        call = make_call("GET", path, interface=interface)
        assert stack.plan(call)(call).status == 200
    assert asked == ["listThings", "getThing"]  # once for an operation, not for a call


def test_a_stack_whose_last_step_does_not_respond_is_a_bug() -> None:
    call = make_call()
    with pytest.raises(RuntimeError, match=r"^the last step must return a response$"):
        Stack(middleware.authenticate).plan(call)(call)


def test_a_call_without_a_world_or_an_operation_says_so() -> None:
    call = Call("GET", "/things", "", {}, b"", sample_interface(), make_call().registry)
    assert (call.selected_world, call.matched_operation) == (None, None)
    for use in (lambda: call.world.id, lambda: call.state[FAULTS], lambda: call.state.now_ms):
        with pytest.raises(RuntimeError, match=r"^this call belongs to no world$"):
            use()
    with pytest.raises(RuntimeError, match=r"^this call has no operation$"):
        assert call.operation.id


def test_an_empty_body_is_an_empty_object_where_it_is_optional() -> None:
    stack = Stack(middleware.parse_body, transact)
    call = make_call("POST", "/things/7/copies", raw=b" \n")
    with pytest.raises(Problem, match=r"^this operation requires a JSON object as its body, and the body is empty$"):
        stack.plan(call)(call)
    optional = make_call("POST", "/things", raw=b"")
    assert stack.plan(optional)(optional).body["body"] == {}
