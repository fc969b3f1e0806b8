"""The type of an effect: its name, the values that it accepts, and the operations on which it can act."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.engine.gateway.node import resolve
from giftsim.engine.kernel.member import Member, OneOf, Yes
from giftsim.engine.problem import Problem


class InvalidFault(Problem, status=400, code="invalid_fault"):
    """The fault is malformed, or could never act."""


class FaultNotFound(Problem, status=404, code="fault_not_found"):
    """The world has no fault with this id."""


class EffectOption(msgspec.Struct, frozen=True):
    """A member of an effect, as scenarios, the control API and the header write it.

    `expects` says what it takes, and `parse` reads a value from the header's text.
    """

    member: Member
    expects: str
    parse: Callable[[str], Any] = str

    @property
    def name(self) -> str:
        """The name of the member."""
        return self.member.name

    def accepts(self, value: Any) -> bool:
        """Whether the member takes a value of JSON."""
        return self.member.takes.accepts(value)


class EffectType(EffectOption, frozen=True, kw_only=True):
    """A type of effect, named by its member.

    `options` are members that may be given with the effect. `can_act(operation, value)` says where the effect can do
    anything, `acts_on` and `does` say it for the documentation. An effect that acts `during_execution` does not hit a
    call that is refused before its handler runs.
    """

    does: str
    acts_on: str
    options: Mapping[str, EffectOption] = {}
    can_act: Callable[[Operation, Any], bool] = lambda _operation, _value: True
    during_execution: bool = False

    @property
    def values(self) -> tuple[Any, ...]:
        """All values of an effect that has few."""
        takes = self.member.takes
        return takes.words if isinstance(takes, OneOf) else (True,) if isinstance(takes, Yes) else ()


def parse_number(text: str) -> Any:
    """The number that a header's text is, or the text itself, which is then refused."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def response_node(operation: Operation, status: int) -> Mapping[str, Any]:
    """The contract's node for the responses of a status."""
    return resolve(operation.document, operation.node["responses"].get(str(status), {}))


def operations_with(contract: Contract, code: str) -> list[str]:
    """The operations one of whose responses may have the code."""
    return [
        operation.id
        for operation in contract.operations.values()
        if any(code in error_codes(operation, status) for status in operation.documented)
    ]


def error_codes(operation: Operation, status: int) -> Sequence[str]:
    """The error codes that the contract documents for a status of the operation."""
    codes: Sequence[str] = response_node(operation, status).get("x-codes", ())
    return codes
