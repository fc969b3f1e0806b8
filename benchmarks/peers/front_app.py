"""What other HTTP servers import: the application of a simulator, and one that does nothing."""

from __future__ import annotations

import sys

from benchmarks.peers.front import trivial
from giftsim import Simulator
from giftsim.engine.kernel.instants import parse_instant

sys.setswitchinterval(0.0005)  # as `giftsim serve` does
__all__ = ["app", "trivial"]

app = Simulator(fixture="empty", now_ms=parse_instant("2027-01-04T09:00:00Z"), rate=0.0).wsgi_app
