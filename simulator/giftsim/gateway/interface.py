"""An interface: its contract, its handlers, and what is its own in how a call is judged and a refusal is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from giftsim.gateway.call import Call, Caller, Later, Reply
from giftsim.gateway.contract import BadContract, Contract
from giftsim.gateway.problem import InvalidBody
from giftsim.gateway.schema import Violation
from giftsim.kernel.problem import Problem

Handler = Callable[[Call], Reply | Later]


def first_violation(_call: Call, violations: Sequence[Violation]) -> None:
    """Refuse a body for the first thing wrong with it."""
    if violations:
        raise InvalidBody(violations[0].message)


def _anyone(_call: Call) -> None:
    return None


def _no_mode(_call: Call) -> str | None:
    return None


@dataclass(frozen=True)
class Interface:
    """One of the faces of the simulator.

    `world_tag` reads the world's id off the credential, known or not (G10); `authenticate` gives the caller or raises;
    `authorize` raises where the caller may not, `authorize_body` where the body asks for more than the caller may;
    `locate` finds what the path names, or raises its 404; `examine` judges violations of the body together with rules
    that a schema cannot say; `envelope` turns any problem into the documented error answer; `codes` renames the
    gateway's own codes to the documents'; `mode` gives the mode of a call where ids are of two types.

    `modelled` calls are counted, journalled and may meet faults; those of a `limited` interface have rate windows too.
    A malformed path id names nothing (404) where `malformed_is_unknown`, else it is a wrong parameter (400). Refusals
    repeat what came only where an interface may `echo`; unknown members of bodies can be refused on a `strictable` one.
    What happens on one that `tells` becomes webhooks.
    """

    name: str
    contract: Contract
    handlers: Mapping[str, Handler]
    world_tag: Callable[[Call], str | None]
    authenticate: Callable[[Call], Caller | None]
    envelope: Callable[[Call, Problem], Reply]
    authorize: Callable[[Call], None] = _anyone
    authorize_body: Callable[[Call], None] = _anyone
    locate: Callable[[Call], None] = _anyone
    examine: Callable[[Call, Sequence[Violation]], None] = first_violation
    codes: Mapping[str, str] = field(default_factory=dict)
    modelled: bool = True
    limited: bool = True
    malformed_is_unknown: bool = True
    echo: bool = True
    strictable: bool = True
    tells: bool = True
    mode: Callable[[Call], str | None] = _no_mode

    def __post_init__(self) -> None:
        missing = [name for name in self.contract.operations if name not in self.handlers]
        extra = [name for name in self.handlers if name not in self.contract.operations]
        if missing or extra:
            raise BadContract(
                f"{self.name}: operations without a handler: {missing}; handlers without an operation: {extra}"
            )

    def code(self, problem: Problem) -> str:
        """The code that this interface gives a problem."""
        return self.codes.get(problem.code, problem.code)
