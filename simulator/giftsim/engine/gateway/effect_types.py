"""The types of effects of faults: their names, the values that they accept, and the operations that they act on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import msgspec

from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.engine.gateway.node import resolve_ref
from giftsim.engine.kernel.member import Member, OneOf, Yes
from giftsim.engine.kernel.texts import suggest_name
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
    call that is refused before its handler runs; `acted(call, problem)` says whether it did to one that ended, with a
    problem or without. Lists have the types by their `place`.
    """

    does: str
    acts_on: str
    options: Mapping[str, EffectOption] = {}
    can_act: Callable[[Operation, Any], bool] = lambda _operation, _value: True
    during_execution: bool = False
    acted: Callable[[Call, Problem | None], bool] = lambda call, _problem: call.fault_acted
    place: int = 100

    @property
    def values(self) -> tuple[Any, ...]:
        """All values of an effect that has few."""
        takes = self.member.takes
        return takes.words if isinstance(takes, OneOf) else (True,) if isinstance(takes, Yes) else ()


class EffectTypes:
    """The types of effects that a simulator knows, by name; lists and messages have them by their `place`.

    `options` are the members that go with an effect, and `members` all that an effect may have: the contract of the
    control API and the schema of scenarios have them from here.
    """

    def __init__(self, types: Sequence[EffectType]) -> None:
        self.by_name = {each.name: each for each in sorted(types, key=lambda each: each.place)}
        self.options = {name: option for each in self for name, option in each.options.items()}

    def __iter__(self) -> Iterator[EffectType]:
        return iter(self.by_name.values())

    @property
    def members(self) -> tuple[Member, ...]:
        """Every member that an effect may have."""
        return tuple(option.member for each in self for option in (each, *each.options.values()))

    def type_of(self, effect: Mapping[str, Any]) -> EffectType:
        """The type of an effect; InvalidFault where it names none, several or an unknown one."""
        names = [name for name in effect if name in self.by_name]
        for name in effect:
            if name not in self.by_name and name not in self.options:
                known = suggest_name(name, (*self.by_name, *self.options))
                raise InvalidFault(f"there is no effect {name[:60]!r}; {known}")
        if len(names) != 1:
            given = f"{len(names)} ({', '.join(names)})" if names else ", ".join(effect) or "none"
            raise InvalidFault(f"an effect is one of {', '.join(self.by_name)}; got {given}")
        return self.by_name[names[0]]

    def check(self, effect: Mapping[str, Any]) -> EffectType:
        """The type of a valid effect; InvalidFault names a wrong value, or an option of another effect."""
        effect_type = self.type_of(effect)
        for name, value in effect.items():
            if name == effect_type.name:
                expects, accepted = effect_type.expects, effect_type.accepts(value)
            elif name in effect_type.options:
                option = effect_type.options[name]
                expects, accepted = option.expects, option.accepts(value)
            else:
                owners = [each.name for each in self if name in each.options]
                raise InvalidFault(f"{name} does not go with {effect_type.name}; it goes with {' and '.join(owners)}")
            if not accepted:
                raise InvalidFault(f"{name} takes {expects}; not {str(value)[:60]!r}")
        return effect_type

    def can_act(self, operation: Operation, effect: Mapping[str, Any]) -> bool:
        """Whether the effect can do anything to a call of the operation."""
        effect_type = self.type_of(effect)
        return effect_type.can_act(operation, effect[effect_type.name])

    def with_codes(self, codes: Sequence[str]) -> EffectType | None:
        """The type of effect that makes errors of all these codes; None if there is none."""
        return next((each for each in self if codes and set(codes) <= set(each.values)), None)


def types_in(module: ModuleType) -> tuple[EffectType, ...]:
    """Every type of effect of a module, in its order there."""
    return tuple(each for each in vars(module).values() if isinstance(each, EffectType))


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
    return resolve_ref(operation.document, operation.node["responses"].get(str(status), {}))


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
