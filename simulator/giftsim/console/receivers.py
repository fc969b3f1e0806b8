"""Outages of receivers: begun and ended without touching what else a receiver was set to."""

from __future__ import annotations

from typing import Any

from giftsim.console.control_client import WorldControl, segment

KEPT = ("mode", "to", "then", "addresses", "host_header")
PLAIN = {"mode": "capture", "then": {"status": 200}, "host_header": "keep"}


def begin_outage(world: WorldControl, host: str, outage: dict[str, Any]) -> Any:
    """Let a host be down from one instant until before another."""
    return world.put(f"receivers/{segment(host)}", {**own_members(world, host), "outage": outage})


def end_outage(world: WorldControl, host: str) -> Any:
    """Let a host answer again as it did before. An entry that had nothing but the outage is deleted."""
    members = own_members(world, host)
    if members in ({}, PLAIN):
        return world.delete(f"receivers/{segment(host)}")
    return world.put(f"receivers/{segment(host)}", members)


def own_members(world: WorldControl, host: str) -> dict[str, Any]:
    """What the entry of a host was set to, without its outage and the steps of its script that are used up."""
    entries = world.get("receivers", limit=1000)["receivers"]
    entry = next((each for each in entries if each["host"] == host.lower()), None)
    if entry is None:
        return {}
    members = {name: entry[name] for name in KEPT if entry[name] is not None}
    rest = entry["script"][entry["used"] :]
    return {**members, "script": rest} if rest else members
