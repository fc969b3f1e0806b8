"""What webhooks add to every world."""

from __future__ import annotations

from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect
from giftsim.kernel.state import EMITTED
from giftsim.webhooks import delivery, dispatch, settings, sourcing
from giftsim.webhooks.attempt import ATTEMPT, WIRE
from giftsim.webhooks.endpoint import ENDPOINT
from giftsim.webhooks.event import EVENT
from giftsim.webhooks.receiver import RECEIVER

DEFINITIONS = PackageDefinitions(
    tables=(EVENT, ENDPOINT, RECEIVER, delivery.DELIVERY, ATTEMPT, WIRE),
    machines=(delivery.MACHINE,),
    timers={sourcing.SOURCE_TIMER: sourcing.source, delivery.ATTEMPT_TIMER: dispatch.attempt_due},
    settings=settings.ALL,
    connections=(connect(EMITTED, sourcing.hear),),
)
