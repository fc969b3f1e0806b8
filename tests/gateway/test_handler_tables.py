"""Tables of handlers: merged from modules, and refused where they and the contract do not fit."""

from __future__ import annotations

from types import ModuleType

import pytest
from msgspec.structs import replace

from giftsim import Simulator
from giftsim.gateway.call import handler_in, merge_tables
from giftsim.gateway.contract import BadContract
from giftsim.interfaces.museum import handlers, interface
from giftsim.interfaces.museum.interface import museum
from giftsim.paths import CONTROL, SIMULATED


def test_tables_are_merged_in_their_order() -> None:
    assert list(merge_tables({"b": 1}, {}, {"a": 2, "c": 3}).items()) == [("b", 1), ("a", 2), ("c", 3)]


def test_an_operation_that_two_modules_handle_is_refused() -> None:
    with pytest.raises(BadContract, match=r"^two modules have entries for getTeam, listTeams$"):
        merge_tables({"getTeam": 1, "listTeams": 2}, {"other": 3}, {"getTeam": 4, "listTeams": 5})


def test_the_handler_of_an_operation_is_the_function_with_its_id_in_snake_case() -> None:
    assert handler_in([interface, handlers], "buyMuseumTickets") is handlers.buy_museum_tickets


@pytest.mark.parametrize("modules", [[interface], [handlers, handlers]])
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
        base: base for base in (*SIMULATED.values(), CONTROL)
    }
    assert {each.name for each in interfaces.values()} == {*SIMULATED, "control"}
    assert all(callable(each.handlers[name]) for each in interfaces.values() for name in each.handlers)
