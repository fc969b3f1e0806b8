"""What the engine adds to every world: webhooks, idempotency, faults, rate limits, and the faults of deliveries."""

from __future__ import annotations

from typing import Final

from giftsim.engine.gateway import (
    body_schema,
    idempotency,
    ignored_members,
    json_body,
    other_readings,
    parameter,
    rate_limits,
)
from giftsim.engine.gateway.faults.table import FAULTS, NAMED
from giftsim.engine.gateway.faults.webhook_faults import BOUND_EFFECTS, fault_for_attempt
from giftsim.engine.gateway.idempotency_record import IDEMPOTENCY_RECORDS
from giftsim.engine.kernel.definitions import PackageDefinitions, merge_definitions
from giftsim.engine.kernel.signals import connect, connect_key
from giftsim.engine.kernel.state import COMMITTING, EMITTED, TIMER_SUBJECT
from giftsim.engine.webhooks import delivery, dispatch, fan_out, webhook_settings
from giftsim.engine.webhooks.attempt import ATTEMPT, WIRE_TIMING
from giftsim.engine.webhooks.dispatch import ATTEMPT_FAULT
from giftsim.engine.webhooks.endpoint import ENDPOINT
from giftsim.engine.webhooks.event import EVENT
from giftsim.engine.webhooks.receiver import RECEIVER
from giftsim.engine.webhooks.receiver_script import RECEIVER_ANSWER
from giftsim.engine.webhooks.trace_context import TRACED, trace_records

WEBHOOKS: Final = PackageDefinitions(
    tables=(EVENT, ENDPOINT, RECEIVER, delivery.DELIVERY, ATTEMPT, WIRE_TIMING, RECEIVER_ANSWER, TRACED),
    machines=(delivery.MACHINE,),
    timers={fan_out.HOURLY_RUN_TIMER: fan_out.run_hourly, delivery.ATTEMPT_TIMER: dispatch.make_ladder_attempt},
    settings=webhook_settings.ALL,
    connections=(
        connect(EMITTED, fan_out.record_event),
        connect(COMMITTING, trace_records),
        connect_key(TIMER_SUBJECT, fan_out.HOURLY_RUN_OWNER, fan_out.timer_subject),
    ),
)
GATEWAY: Final = PackageDefinitions(
    tables=(IDEMPOTENCY_RECORDS, FAULTS, BOUND_EFFECTS),
    settings=(
        *rate_limits.SETTINGS.values(),
        idempotency.LIFETIME,
        idempotency.HIDE_SECRETS,
        parameter.CLAMP_LIMITS,
        ignored_members.STRICT_BODIES,
        ignored_members.STRICT_NULLS,
        json_body.STRICT_CONTENT_TYPE,
        body_schema.LINE_ENDS,
        NAMED,
        *other_readings.SETTINGS,
    ),
    connections=(connect(ATTEMPT_FAULT, fault_for_attempt),),
)
DEFINITIONS: Final = merge_definitions(WEBHOOKS, GATEWAY)
