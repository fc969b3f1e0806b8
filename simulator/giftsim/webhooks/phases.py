"""The order of timers that are due at one instant: records change state, the hourly run follows, deliveries come last (B45)."""

from __future__ import annotations

from giftsim.kernel.timer import FIRST_PHASE

STATE_PHASE = FIRST_PHASE
HOURLY_RUN_PHASE = 1
DELIVERY_PHASE = 2
