"""The configuration of a world: what it is created from, and what a reset returns to."""

from __future__ import annotations

from typing import Any

import msgspec


class WorldConfig(msgspec.Struct, frozen=True):
    """A fixture (name, path or data), a seed, the first instant and the clock's rate (0: stopped)."""

    fixture: str | dict[str, Any]
    seed: int
    now_ms: int
    rate: float = 0.0
    settings: dict[str, Any] = {}
