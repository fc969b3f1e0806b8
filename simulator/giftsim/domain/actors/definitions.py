"""What actors add to every world: two tables, and the timers of their acts.

No signal is connected here: magic values come before actors, so `magic` handles LINK_OPENED and APPROVAL_ASKED and
calls this package.
"""

from __future__ import annotations

from giftsim.domain.actors import schedule
from giftsim.domain.actors.actor import ACTORS
from giftsim.kernel.definitions import PackageDefinitions

DEFINITIONS = PackageDefinitions(
    tables=(ACTORS, schedule.ACTS),
    timers={schedule.CLAIM: schedule.run_act, schedule.DECIDE: schedule.run_act},
)
