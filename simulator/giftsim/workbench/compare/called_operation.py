"""The operation that a call is to, and its interface, by the contracts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote

from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.engine.gateway.node import Part, node_at

Contracts = Mapping[str, Contract]


class CalledOperation(NamedTuple):
    """The interface of a call, the path below the interface's own, and its operation, None for an unknown route."""

    interface: str
    contract: Contract
    method: str
    below: str
    operation: Operation | None

    @property
    def name(self) -> str:
        """The operation's id; without one, method and path."""
        return self.operation.id if self.operation else f"{self.method} {self.below.partition('?')[0]}"

    @property
    def route(self) -> str:
        """Method and path as the contract has them."""
        path = self.operation.template if self.operation else self.below.partition("?")[0]
        method = self.operation.method if self.operation else self.method
        return f"{method} {self.contract.prefix}{path}"

    @property
    def query(self) -> Mapping[str, str]:
        """The query parameters."""
        return dict(parse_qsl(self.below.partition("?")[2], keep_blank_values=True))

    @property
    def collection(self) -> str:
        """The first word of the path, such as `team-orders`."""
        return self.below.partition("?")[0].split("/")[1]

    @property
    def is_list(self) -> bool:
        """Whether the operation reads a collection, which may also have records of other clients."""
        last = self.operation.template.rpartition("/")[2] if self.operation else "{"
        return self.method in ("GET", "HEAD") and "{" not in last and "." not in last

    def response(self, status: int) -> tuple[str, Mapping[str, Any]]:
        """The JSON pointer and the node of a response; if it is not documented, those of one of the same class."""
        if self.operation is None:
            return "", {}
        if status not in self.operation.documented:
            alike = [each for each in self.operation.documented if each // 100 == status // 100]
            status = alike[0] if alike else status
        template = self.operation.template.replace("/", "~1")
        pointer = f"#/paths/{template}/{self.operation.method.lower()}/responses/{status}"
        if status not in self.operation.documented:
            return pointer, {}
        document = self.contract.published
        part = Part(pointer.removeprefix("#"), node_at(document, pointer)).resolved(document)
        return f"#{part.place}", part.schema


def parse_call(contracts: Contracts, method: str, target: str) -> CalledOperation | None:
    """The operation that a path with its query calls; None if it is not below the path of an interface."""
    path, _, query = target.partition("?")
    for name, contract in contracts.items():
        if path.startswith(f"{contract.prefix}/"):
            below = path.removeprefix(contract.prefix)
            match = contract.match(unquote(below))
            operation = match[0].operation(method) if match else None
            return CalledOperation(name, contract, method, f"{below}?{query}" if query else below, operation)
    return None
