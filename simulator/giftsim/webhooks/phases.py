"""The order of timers due at one instant: state changes first, then the hourly run, then delivery attempts (B45)."""

from __future__ import annotations

from giftsim.kernel.timer import FIRST_PHASE

STATE_PHASE = FIRST_PHASE
HOURLY_RUN_PHASE = 1
DELIVERY_PHASE = 2
