"""Writes what was done to a world as a scenario that gets the same bytes in any other world (G3, G4)."""

from __future__ import annotations

from giftsim.workbench.recording.event_log_as_scenario import EventLogTruncated, record_scenario

__all__ = ["EventLogTruncated", "record_scenario"]
