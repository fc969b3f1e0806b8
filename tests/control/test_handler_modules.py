"""Where the handlers of the control API are."""

from __future__ import annotations

import pytest

from giftsim.control.handler_modules import OPERATIONS, handlers_module


@pytest.mark.parametrize("module", OPERATIONS)
def test_the_operations_of_a_module_are_those_of_its_table(module: str) -> None:
    assert set(OPERATIONS[module].split()) == set(handlers_module(module).HANDLERS)
