"""The last actions of the console in a world, each with a snapshot from before it, so that one click takes it back.

The snapshots are the world's own, with names such as `undo-0007.Advance-by-1-week`: they survive a restart with a
journal file, and are forked with the world.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from giftsim.console.control_client import ControlError, WorldControl

PREFIX = "undo-"
NAME = re.compile(r"undo-(\d{4,})\.(.+)")
OTHER = re.compile(r"[^A-Za-z0-9]+")
MOST, LONGEST = 20, 60


class UndoEntry(NamedTuple):
    """A snapshot from before an action: its name, number, and what the action was called."""

    name: str
    number: int
    label: str
    now: str


def undo_entries(world: WorldControl) -> list[UndoEntry]:
    """What can be taken back in a world, the last action first."""
    entries = []
    for snapshot in world.get("snapshots", limit=100)["snapshots"]:
        if match := NAME.fullmatch(snapshot["name"]):
            entry = UndoEntry(snapshot["name"], int(match[1]), match[2].replace("-", " "), snapshot["now"])
            entries.append(entry)
    return sorted(entries, key=lambda entry: -entry.number)


def save_before(world: WorldControl, label: str) -> UndoEntry | None:
    """Save a snapshot before an action; the oldest one of the ring goes. None if the world cannot save one now."""
    entries = undo_entries(world)
    number = entries[0].number + 1 if entries else 1
    name = f"{PREFIX}{number:04d}.{OTHER.sub('-', label).strip('-') or 'action'}"[:LONGEST]
    try:
        for entry in entries[MOST - 1 :]:
            world.delete(f"snapshots/{entry.name}")
        saved = world.post("snapshots", {"name": name})
    except ControlError:
        return None
    return UndoEntry(name, number, label, saved["now"])


def forget(world: WorldControl, entry: UndoEntry) -> None:
    """Drop the snapshot of an action that failed, or that was taken back."""
    world.delete(f"snapshots/{entry.name}")


def take_back(world: WorldControl, name: str) -> UndoEntry:
    """Put back the state before an action. Later actions are gone with it. Raise ControlError."""
    entry = next((each for each in undo_entries(world) if each.name == name), None)
    if entry is None:
        raise ControlError(404, "snapshot_not_found", "it was taken back already, or is too long ago", {})
    world.post(f"snapshots/{name}/restore")
    for each in undo_entries(world):
        if each.number >= entry.number:
            forget(world, each)
    return entry
