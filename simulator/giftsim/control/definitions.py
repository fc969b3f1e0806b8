"""The control API's part of the definitions: labels for the subjects of timers."""

from __future__ import annotations

from giftsim.control.labels import (
    act_label,
    approval_label,
    charge_label,
    delivery_label,
    invoice_label,
    shipment_label,
)
from giftsim.domain.actor_schedule import OWNER
from giftsim.domain.fulfilment.shipment import SHIPMENT
from giftsim.domain.money.charge import CHARGE
from giftsim.domain.team.orders.approval import APPROVAL
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect_key
from giftsim.kernel.state import TIMER_SUBJECT
from giftsim.webhooks.delivery import MACHINE

DEFINITIONS = PackageDefinitions(
    connections=(
        connect_key(TIMER_SUBJECT, SHIPMENT.name, shipment_label),
        connect_key(TIMER_SUBJECT, CHARGE.name, charge_label),
        connect_key(TIMER_SUBJECT, APPROVAL.name, approval_label),
        connect_key(TIMER_SUBJECT, MACHINE.name, delivery_label),
        connect_key(TIMER_SUBJECT, OWNER, act_label),
        connect_key(TIMER_SUBJECT, "magic.invoice", invoice_label),
        connect_key(TIMER_SUBJECT, "magic.parcel", shipment_label),
        connect_key(TIMER_SUBJECT, "magic.approver", approval_label),
    ),
)
