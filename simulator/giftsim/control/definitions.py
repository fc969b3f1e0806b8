"""What the control interface adds to every world: how its lists name what a timer is for."""

from __future__ import annotations

from giftsim.control.labels import act_name, approval_name, charge_name, delivery_name, invoice_name, shipment_name
from giftsim.domain.actors.schedule import OWNER
from giftsim.domain.fulfilment.shipment import SHIPMENT
from giftsim.domain.money.charge import CHARGE
from giftsim.domain.team.orders.approval import APPROVAL
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect_key
from giftsim.kernel.state import TIMER_SUBJECT
from giftsim.webhooks.delivery import MACHINE

DEFINITIONS = PackageDefinitions(
    connections=(
        connect_key(TIMER_SUBJECT, SHIPMENT.name, shipment_name),
        connect_key(TIMER_SUBJECT, CHARGE.name, charge_name),
        connect_key(TIMER_SUBJECT, APPROVAL.name, approval_name),
        connect_key(TIMER_SUBJECT, MACHINE.name, delivery_name),
        connect_key(TIMER_SUBJECT, OWNER, act_name),
        connect_key(TIMER_SUBJECT, "magic.invoice", invoice_name),
        connect_key(TIMER_SUBJECT, "magic.parcel", shipment_name),
        connect_key(TIMER_SUBJECT, "magic.approver", approval_name),
    ),
)
