"""Tables of handlers: merged from modules, and refused where they and the contract do not fit."""

from __future__ import annotations

from types import ModuleType

import pytest
from msgspec.structs import replace

from giftsim import Simulator
from giftsim.engine.gateway import middleware
from giftsim.engine.gateway.call import Call, CallNext, Interface, Response, handler_in, merge_tables
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.contract_file import BadContract
from giftsim.engine.gateway.execute import Around, Check, Stack, Step, transact
from giftsim.engine.gateway.faults.table import FAULTS
from giftsim.engine.problem import Problem
from giftsim.services.museum import handlers, museum_interface
from giftsim.services.museum.museum_interface import museum
from tests.support.sample_api import make_call, sample_interface


def test_tables_are_merged_in_their_order() -> None:
    assert list(merge_tables({"b": 1}, {}, {"a": 2, "c": 3}).items()) == [("b", 1), ("a", 2), ("c", 3)]


def test_an_operation_that_two_modules_handle_is_refused() -> None:
    with pytest.raises(BadContract, match=r"^two modules have entries for getTeam, listTeams$"):
        merge_tables({"getTeam": 1, "listTeams": 2}, {"other": 3}, {"getTeam": 4, "listTeams": 5})


def test_the_handler_of_an_operation_is_the_function_with_its_id_in_snake_case() -> None:
    assert handler_in([museum_interface, handlers], "buyMuseumTickets") is handlers.buy_museum_tickets


@pytest.mark.parametrize("modules", [[museum_interface], [handlers, handlers]])
def test_an_operation_without_a_function_and_one_with_two_are_refused(modules: list[ModuleType]) -> None:
    with pytest.raises(BadContract, match=r"^buyMuseumTickets: [02] modules have a function buy_museum_tickets$"):
        handler_in(modules, "buyMuseumTickets")


def test_an_operation_without_a_handler_and_a_handler_without_an_operation_are_named() -> None:
    renamed = dict(museum().handlers)
    renamed["sellHats"] = renamed.pop("buyMuseumTickets")
    with pytest.raises(BadContract) as refused:
        replace(museum(), handlers=renamed)
    assert str(refused.value) == (
        "museum: operations without a handler: ['buyMuseumTickets']; handlers without an operation: ['sellHats']"
    )


def test_the_base_paths_are_those_of_the_contracts(simulator: Simulator) -> None:
    interfaces = simulator.wsgi_app.interfaces
    assert {base: each.contract.prefix for base, each in interfaces.items()} == {
        base: base for base in simulator.wsgi_app.interfaces
    }
    assert {each.name for each in interfaces.values()} == {"team", "partner", "museum", "control"}
    assert all(callable(each.handlers[name]) for each in interfaces.values() for name in each.handlers)


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

    stack, museum_interface = Stack(nothing, transact), sample_interface()
    for path in ("/things", "/things", "/things/7"):
        call = make_call("GET", path, interface=museum_interface)
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
