"""The errors of each interface: what a code means, how to cause it, and which operations have it."""

from __future__ import annotations

from giftsim.build import CONTRACTS
from giftsim.docgen.markdown import table
from giftsim.docgen.source_counts import linked_sources
from giftsim.gateway.contract import Contract
from giftsim.gateway.faults.effect import operations_with

HEADS = ("status", "code", "means", "how to cause it", "operations", "source")


def partner_errors() -> str:
    """Every error code of the partner interface."""
    return _errors("partner")


def team_errors() -> str:
    """Every error code of the team interface."""
    return _errors("team")


def museum_errors() -> str:
    """Every error type of the museum interface."""
    return _errors("museum")


def _errors(interface: str) -> str:
    contract = Contract.load(CONTRACTS[interface])
    everything = list(contract.operations)
    rows = [
        (
            str(row["status"]),
            f"`{row['code']}`",
            row["meaning"],
            row["cause"],
            _named(operations_with(contract, row["code"]), everything),
            linked_sources(row["x-source"]),
        )
        for row in contract.published["x-errors"]
    ]
    return table(HEADS, rows)


def _named(operations: list[str], everything: list[str]) -> str:
    """The operations, or those that are left out if these are fewer; a dash if the code belongs to none."""
    others = [name for name in everything if name not in operations]
    if not operations:
        return "–"
    if len(others) < len(operations):
        return f"all but {', '.join(f'`{name}`' for name in others)}" if others else "all"
    return ", ".join(f"`{name}`" for name in operations)
