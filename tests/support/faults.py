"""What the control API shows of faults."""

from __future__ import annotations

from tests.support.worlds import World


def fault_counts(world: World) -> list[tuple[int, int]]:
    """How many calls or deliveries each fault matched, and how many it changed."""
    return [(fault["calls"], fault["hits"]) for fault in world.call_control("GET", "/faults")["faults"]]
