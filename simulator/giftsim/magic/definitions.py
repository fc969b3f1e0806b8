"""What magic values add to every world: a table, a setting, timers, and handlers that look for the values.

LINK_OPENED and APPROVAL_ASKED are handled here for actors too, who are asked where no magic value decides.
"""

from __future__ import annotations

from giftsim.domain.fulfilment.payment import LINK_OPENED
from giftsim.domain.fulfilment.shipment import SHIPMENT_STARTED
from giftsim.domain.team.billing.invoice import INVOICE_ISSUED
from giftsim.domain.team.design.preview import PREVIEW_STARTED, timer_subject
from giftsim.domain.team.external_file import FILE_METADATA
from giftsim.domain.team.orders.approval import APPROVAL_REQUESTED
from giftsim.gateway.faults.injection import MAGIC_SOUGHT, MAGIC_UNUSED
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect, connect_key
from giftsim.kernel.state import TIMER_SUBJECT
from giftsim.magic import amounts, files, matching, parcels, people, receiver_hosts
from giftsim.magic.format import MAGIC_VALUES
from giftsim.webhooks.endpoint import ENDPOINT_CREATED

DEFINITIONS = PackageDefinitions(
    tables=(matching.SPENT,),
    timers={parcels.STEP: parcels.happen, files.FAIL: files.fail, amounts.PAY: amounts.pay, **people.TIMERS},
    settings=(MAGIC_VALUES,),
    connections=(
        connect(MAGIC_SOUGHT, matching.meet),
        connect(MAGIC_UNUSED, matching.take_back),
        connect(LINK_OPENED, people.link_opened),
        connect(APPROVAL_REQUESTED, people.approval_asked),
        connect(SHIPMENT_STARTED, parcels.parcel_started),
        connect(INVOICE_ISSUED, amounts.invoice_issued),
        connect(ENDPOINT_CREATED, receiver_hosts.endpoint_made),
        connect(FILE_METADATA, files.facts),
        connect(PREVIEW_STARTED, files.preview_started),
        connect_key(TIMER_SUBJECT, files.OWNER, timer_subject),
    ),
)
