"""What the gateway adds to every world: idempotency, faults, rate limits, and the faults of deliveries."""

from __future__ import annotations

from giftsim.engine.gateway import (
    body_schema,
    idempotency,
    json_body,
    nulls,
    other_readings,
    parameter,
    rate_limits,
    unknown_fields,
)
from giftsim.engine.gateway.faults.table import FAULTS
from giftsim.engine.gateway.faults.webhook_faults import BOUND_EFFECTS, fault_for_attempt
from giftsim.engine.gateway.idempotency_record import IDEMPOTENCY_RECORDS
from giftsim.engine.kernel.definitions import PackageDefinitions
from giftsim.engine.kernel.signals import connect
from giftsim.engine.webhooks.dispatch import ATTEMPT_FAULT

DEFINITIONS = PackageDefinitions(
    tables=(IDEMPOTENCY_RECORDS, FAULTS, BOUND_EFFECTS),
    settings=(
        *rate_limits.SETTINGS.values(),
        idempotency.LIFETIME,
        idempotency.HIDE_SECRETS,
        parameter.CLAMP_LIMITS,
        unknown_fields.STRICT_BODIES,
        nulls.STRICT_NULLS,
        json_body.STRICT_CONTENT_TYPE,
        body_schema.LINE_ENDS,
        *other_readings.SETTINGS,
    ),
    connections=(connect(ATTEMPT_FAULT, fault_for_attempt),),
)
