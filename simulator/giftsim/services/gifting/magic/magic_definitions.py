"""The table, setting, timers and signal handlers that magic values add to every world.

LINK_OPENED and APPROVAL_REQUESTED are handled here for actors too, who are asked if no magic value decides.
"""

from __future__ import annotations

from giftsim.engine.gateway.faults.injection import MAGIC_SOUGHT, MAGIC_UNUSED
from giftsim.engine.kernel.definitions import PackageDefinitions
from giftsim.engine.kernel.signals import connect
from giftsim.engine.webhooks.endpoint import ENDPOINT_CREATED
from giftsim.services.gifting.domain.fulfilment.order_charge import LINK_OPENED
from giftsim.services.gifting.domain.fulfilment.shipment import SHIPMENT_STARTED
from giftsim.services.gifting.domain.team.billing.invoice import INVOICE_ISSUED
from giftsim.services.gifting.domain.team.design.preview import PREVIEW_STARTED
from giftsim.services.gifting.domain.team.external_file import FILE_METADATA
from giftsim.services.gifting.domain.team.orders.approval import APPROVAL_REQUESTED
from giftsim.services.gifting.magic import deposit_amounts, fault_values, files, magic_people, postcodes, receiver_hosts
from giftsim.services.gifting.magic.value_format import MAGIC_VALUES

DEFINITIONS = PackageDefinitions(
    tables=(fault_values.USED_VALUES,),
    timers={
        postcodes.STEP: postcodes.apply_postcode,
        files.FAIL: files.fail_preview,
        deposit_amounts.PAY: deposit_amounts.pay_by_bank,
        **magic_people.TIMERS,
    },
    settings=(MAGIC_VALUES,),
    connections=(
        connect(MAGIC_SOUGHT, fault_values.apply_magic_value),
        connect(MAGIC_UNUSED, fault_values.restore_value),
        connect(LINK_OPENED, magic_people.on_link_opened),
        connect(APPROVAL_REQUESTED, magic_people.on_approval_requested),
        connect(SHIPMENT_STARTED, postcodes.on_shipment_started),
        connect(INVOICE_ISSUED, deposit_amounts.on_invoice_issued),
        connect(ENDPOINT_CREATED, receiver_hosts.on_endpoint_created),
        connect(FILE_METADATA, files.find_file_metadata),
        connect(PREVIEW_STARTED, files.on_preview_started),
    ),
)
