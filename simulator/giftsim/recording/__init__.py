"""What was done to a world, written down as a scenario that gives the same bytes in any other (G3, G4)."""

from __future__ import annotations

from giftsim.recording.recorder import Truncated, record

__all__ = ["Truncated", "record"]
