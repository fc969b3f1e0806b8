"""Mermaid diagrams of state machines, drawn from the rows that run them."""

from __future__ import annotations

from typing import Any

from giftsim.kernel.state_machine import Machine


def mermaid(machine: Machine[Any]) -> str:
    """The text of a `stateDiagram-v2` of the machine."""
    lines = ["stateDiagram-v2"]
    lines += [f"    [*] --> {state}" for state in machine.initial]
    for row in machine.rows:
        timed = f" ({row.after.because})" if row.after else ""
        lines.append(f"    {row.state} --> {row.target}: {row.trigger}{timed}")
    lines += [f"    {state} --> [*]" for state in machine.final]
    return "\n".join(lines) + "\n"
