"""The index of the simulator: what is at which address, for programs as JSON and for people as a page (G101)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from giftsim.gateway.contract import Contract
from giftsim.paths import CONTROL


class Address(NamedTuple):
    """One place of the simulator. `contract` is the path of its description; one that `opens` can be read as it is."""

    name: str
    title: str
    summary: str
    path: str
    contract: str | None = None
    opens: bool = False


OTHERS = (
    Address(
        "assistants", "Assistant endpoint", "The team interface as tools of the Model Context Protocol, by POST.",
        "/mcp",
    ),
    Address("health", "Health", "Whether the simulator is ready.", f"{CONTROL}/health", opens=True),
    Address(
        "world", "The default world", "Its clock, its settings and its credentials.", f"{CONTROL}/worlds/default",
        opens=True,
    ),
)  # fmt: skip


def contract_addresses(contracts: Mapping[str, Contract]) -> tuple[Address, ...]:
    """The address of each interface, as its contract describes it."""
    return tuple(
        Address(name, info["title"], info["summary"], contract.prefix, f"/openapi/{name}.json")
        for name, contract in contracts.items()
        for info in (contract.document["info"],)
    )


def as_json(addresses: Iterable[Address], origin: str) -> Sequence[Mapping[str, Any]]:
    """The addresses with whole URLs."""
    return [
        {"name": each.name, "title": each.title, "summary": each.summary, "url": f"{origin}{each.path}"}
        | ({"contract": f"{origin}{each.contract}"} if each.contract else {})
        for each in addresses
    ]
