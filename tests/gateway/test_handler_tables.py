"""Tables of handlers: merged from modules, and refused where they and the contract do not fit."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from giftsim import Simulator
from giftsim.gateway.call import merge_tables
from giftsim.gateway.contract import BadContract
from giftsim.interfaces.museum.interface import museum
from giftsim.paths import CONTROL, SIMULATED


def test_tables_are_merged_in_their_order() -> None:
    assert list(merge_tables({"b": 1}, {}, {"a": 2, "c": 3}).items()) == [("b", 1), ("a", 2), ("c", 3)]


def test_an_operation_that_two_modules_handle_is_refused() -> None:
    with pytest.raises(BadContract, match=r"^two modules have entries for getTeam, listTeams$"):
        merge_tables({"getTeam": 1, "listTeams": 2}, {"other": 3}, {"getTeam": 4, "listTeams": 5})


def test_an_operation_without_a_handler_and_a_handler_without_an_operation_are_named() -> None:
    handlers = dict(museum().handlers)
    handlers["sellHats"] = handlers.pop("buyMuseumTickets")
    with pytest.raises(BadContract) as refused:
        replace(museum(), handlers=handlers)
    assert str(refused.value) == (
        "museum: operations without a handler: ['buyMuseumTickets']; handlers without an operation: ['sellHats']"
    )


def test_the_base_paths_are_those_of_the_contracts(simulator: Simulator) -> None:
    interfaces = simulator.wsgi_app.interfaces
    assert {base: interface.contract.prefix for base, interface in interfaces.items()} == {
        base: base for base in (*SIMULATED.values(), CONTROL)
    }
    assert {interface.name for interface in interfaces.values()} == {*SIMULATED, "control"}
    assert all(interface.handlers[name] for interface in interfaces.values() for name in interface.handlers)
