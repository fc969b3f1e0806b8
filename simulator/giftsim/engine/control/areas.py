"""The handlers of the control API, found in the modules of its areas by `def get_health(call: Call)`.

The modules are read for that, not imported: the first call of an operation imports the one that has its handler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from giftsim.engine.gateway.call import Handler, handler_in, handler_name
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.contract_file import BadContract
from giftsim.engine.kernel.first_use import MadeAtFirstUse


def handlers(contract: Contract, areas: Iterable[str]) -> Mapping[str, Handler]:
    """The handlers of those operations of a contract that have one in some modules, or in those of some packages."""
    return MadeAtFirstUse(
        {operation: partial(_handler, module, operation) for operation, module in homes(contract, areas).items()}
    )


def homes(contract: Contract, areas: Iterable[str]) -> Mapping[str, str]:
    """The module of the handler of each operation that has one. BadContract if several have it."""
    functions: dict[str, list[str]] = {}
    for module, file in _modules(areas):
        for function in _taking_calls(file.read_bytes()):
            functions.setdefault(function, []).append(module)
    found = {}
    for operation in contract.operations:
        modules = functions.get(handler_name(operation), [])
        if len(modules) > 1:
            raise BadContract(f"{operation}: {' and '.join(modules)} have a function {handler_name(operation)}")
        if modules:
            found[operation] = modules[0]
    return found


def _modules(areas: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """The modules of the areas by their names, each with its file."""
    for name in areas:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise BadContract(f"there is no package or module {name}")
        if spec.submodule_search_locations is None:
            yield name, Path(spec.origin)
        else:
            yield from ((f"{name}.{file.stem}", file) for file in sorted(Path(spec.origin).parent.glob("*.py")))


def _taking_calls(text: bytes) -> Iterator[str]:
    """The names of the functions of a module whose first parameter is a call."""
    for definition in text.split(b"\ndef ")[1:]:
        name, _, parameters = definition.partition(b"(")
        if parameters.startswith((b"call: Call", b"_call: Call")):
            yield name.decode()


def _handler(module: str, operation: str) -> Handler:
    return handler_in([import_module(module)], operation)
