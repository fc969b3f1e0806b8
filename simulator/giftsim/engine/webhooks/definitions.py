"""The tables, timers, settings and signal handlers that webhooks add to every world."""

from __future__ import annotations

from giftsim.engine.kernel.definitions import PackageDefinitions
from giftsim.engine.kernel.signals import connect, connect_key
from giftsim.engine.kernel.state import EMITTED, TIMER_SUBJECT
from giftsim.engine.webhooks import delivery, dispatch, fan_out, settings
from giftsim.engine.webhooks.attempt import ATTEMPT, WIRE_TIMING
from giftsim.engine.webhooks.endpoint import ENDPOINT
from giftsim.engine.webhooks.event import EVENT
from giftsim.engine.webhooks.receiver import RECEIVER
from giftsim.engine.webhooks.receiver_script import RECEIVER_ANSWER

DEFINITIONS = PackageDefinitions(
    tables=(EVENT, ENDPOINT, RECEIVER, delivery.DELIVERY, ATTEMPT, WIRE_TIMING, RECEIVER_ANSWER),
    machines=(delivery.MACHINE,),
    timers={fan_out.HOURLY_RUN_TIMER: fan_out.run_hourly, delivery.ATTEMPT_TIMER: dispatch.make_ladder_attempt},
    settings=settings.ALL,
    connections=(
        connect(EMITTED, fan_out.record_event),
        connect_key(TIMER_SUBJECT, fan_out.HOURLY_RUN_OWNER, fan_out.timer_subject),
    ),
)
