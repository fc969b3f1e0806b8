"""An interface: its contract, its handlers, and its own ways to authenticate, validate and report errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from giftsim.gateway.call import Call, Caller, DeferredResponse, Response
from giftsim.gateway.contract import BadContract, Contract
from giftsim.gateway.problem import InvalidBody
from giftsim.gateway.schema import Violation
from giftsim.problem import Problem

Handler = Callable[[Call], Response | DeferredResponse]
T = TypeVar("T")


def refuse_first_violation(_call: Call, violations: Sequence[Violation]) -> None:
    """Refuse a body for the first violation."""
    if violations:
        raise InvalidBody(violations[0].message)


def _allow(_call: Call) -> None:
    return None


def _no_mode(_call: Call) -> str | None:
    return None


def merge_tables(*tables: Mapping[str, T]) -> dict[str, T]:
    """One table of the tables that the modules of an interface have; BadContract for a key that two of them have."""
    merged: dict[str, T] = {}
    for table in tables:
        twice = [key for key in table if key in merged]
        if twice:
            raise BadContract(f"two modules have entries for {', '.join(twice)}")
        merged.update(table)
    return merged


@dataclass(frozen=True)
class Interface:
    """One HTTP interface of the simulator: its contract, its handlers, and where it differs from the others.

    Functions, in the order in which the middleware calls them:

    - `credential_world_id` reads the world's id from the credential, whether the credential is known or not (G10).
    - `authenticate` returns the caller, or raises.
    - `authorize` raises where the caller may not use the operation.
    - `authorize_body` raises where the body asks for more than the caller may have.
    - `locate` finds the record that the path names, or raises the interface's 404.
    - `validate_body` gets the violations of the contract's schema, adds the rules that a schema cannot express, and
      raises.
    - `envelope` turns any problem into the documented error response.
    - `mode` returns `live` or `test` where ids are of two types, else None.

    `codes` maps the gateway's own error codes to the documented ones.

    Flags: calls of a `simulated` interface are logged and may have faults injected; with `rate_limited` they are
    counted in a window too. With `malformed_id_is_404` a malformed path id is a 404, else a 400. With `echoes_input`
    error messages may repeat what was sent. With `can_refuse_unknown_fields` the setting `strict_bodies` applies. With
    `sends_webhooks` what happens through the interface is sent to endpoints.
    """

    name: str
    contract: Contract
    handlers: Mapping[str, Handler]
    credential_world_id: Callable[[Call], str | None]
    authenticate: Callable[[Call], Caller | None]
    envelope: Callable[[Call, Problem], Response]
    authorize: Callable[[Call], None] = _allow
    authorize_body: Callable[[Call], None] = _allow
    locate: Callable[[Call], None] = _allow
    validate_body: Callable[[Call, Sequence[Violation]], None] = refuse_first_violation
    codes: Mapping[str, str] = field(default_factory=dict)
    simulated: bool = True
    rate_limited: bool = True
    malformed_id_is_404: bool = True
    echoes_input: bool = True
    can_refuse_unknown_fields: bool = True
    sends_webhooks: bool = True
    mode: Callable[[Call], str | None] = _no_mode

    def __post_init__(self) -> None:
        missing = [name for name in self.contract.operations if name not in self.handlers]
        extra = [name for name in self.handlers if name not in self.contract.operations]
        if missing or extra:
            raise BadContract(
                f"{self.name}: operations without a handler: {missing}; handlers without an operation: {extra}"
            )

    def code(self, problem: Problem) -> str:
        """The error code of a problem on this interface."""
        return self.codes.get(problem.code, problem.code)
