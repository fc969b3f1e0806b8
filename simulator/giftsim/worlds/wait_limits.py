"""How long calls wait, in real seconds, before they end with 503 and the reason."""

from __future__ import annotations

import msgspec


class WaitLimits(msgspec.Struct, frozen=True):
    """`held_call_s` bounds how long a call or delivery is held (G81).

    `settle_s` bounds how long a control call waits for the deliveries in flight (G80).
    """

    held_call_s: float = 600.0
    settle_s: float = 60.0


DEFAULT_LIMITS = WaitLimits()
