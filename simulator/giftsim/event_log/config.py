"""What a world was created from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class WorldConfig:
    """What a world was created from; reset returns to it. `rate` is 0 for a clock that stands."""

    fixture: str | dict[str, Any]
    seed: int
    now_ms: int
    rate: float = 0.0
    settings: dict[str, Any] = field(default_factory=dict)
