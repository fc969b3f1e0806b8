"""How long calls wait, in real seconds, before they end with 503 and the reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WaitLimits:
    """`settle_s` bounds how long a control call waits for the deliveries in flight (G80)."""

    settle_s: float = 60.0


DEFAULT_LIMITS = WaitLimits()
