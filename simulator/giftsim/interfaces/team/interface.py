"""The team interface: its contract in parts, the handlers of each part, and its ways of judging a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from giftsim.gateway import contract_cache
from giftsim.gateway.call import Call
from giftsim.gateway.contract import BadContract, Contract
from giftsim.gateway.interface import Handler, Interface
from giftsim.interfaces.team.authentication import authenticate, authorize, authorize_body, mode
from giftsim.interfaces.team.body_validation import Rule, make_judge
from giftsim.interfaces.team.credentials import world_tag
from giftsim.interfaces.team.error_envelope import envelope

CONTRACT = Path(__file__).parent / "contract" / "index.yaml"
Finder = Callable[[Call, str], Any]


def team() -> Interface:
    """The interface under `/api/teams/v1`, as far as its parts are there.

    The module of a part in `handlers` holds `HANDLERS` by operation; `FINDERS` by the noun of `x-id`, which look up
    what a path id names, in the caller's space; and `RULES` by operation, which name what a schema cannot say is wrong.
    """
    contract = Contract.load(CONTRACT)
    modules = [_module(part) for part in contract_cache.read(CONTRACT)["x-parts"]]
    handlers: dict[str, Handler] = _merged(modules, "HANDLERS")
    finders: dict[str, Finder] = _merged(modules, "FINDERS")
    rules: dict[str, Rule] = _merged(modules, "RULES")
    return Interface(
        name="team", contract=contract, handlers=handlers, world_tag=world_tag, authenticate=authenticate,
        authorize=authorize, authorize_body=authorize_body, locate=make_locate(link_nouns(contract, finders), finders),
        examine=make_judge(rules), envelope=envelope, echo=False, mode=mode,
    )  # fmt: skip


def make_locate(nouns: Mapping[str, tuple[str, str]], finders: Mapping[str, Finder]) -> Callable[[Call], None]:
    """What finds the record that a path names, before the body is judged (G13); NotFound."""

    def locate(call: Call) -> None:
        named = nouns.get(call.operation.id)
        if named is not None:
            parameter, noun = named
            call.subject = finders[noun](call, call.params[parameter])

    return locate


def link_nouns(contract: Contract, finders: Mapping[str, Finder]) -> dict[str, tuple[str, str]]:
    """Per operation, its path parameter with an `x-id` and that noun; BadContract for one that nothing finds."""
    nouns = {}
    for op in contract.operations.values():
        for parameter in op.path_params:
            if parameter.noun is None:
                continue
            if parameter.noun not in finders:
                raise BadContract(f"team: {op.id} names a {parameter.noun} in its path, and nothing finds one")
            nouns[op.id] = (parameter.name, parameter.noun)
    return nouns


def _module(part: str) -> ModuleType:
    return import_module(f"giftsim.interfaces.team.handlers.{part.removesuffix('.yaml')}")


def _merged(modules: list[ModuleType], table: str) -> dict[str, Any]:
    return {name: entry for module in modules for name, entry in getattr(module, table, {}).items()}
