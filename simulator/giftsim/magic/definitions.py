"""What magic brings into every world: a table, a setting, timers, and the hooks by which it hears of things."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.team.studio.preview import named
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import Verb
from giftsim.kernel.table import TableSpec
from giftsim.magic import amounts, files, matching, parcels, people, receiver_hosts
from giftsim.magic.format import MAGIC_VALUES

SPECS: tuple[TableSpec[Any], ...] = (matching.SPENT,)
SETTINGS: tuple[Setting[Any], ...] = (MAGIC_VALUES,)
TIMERS: Mapping[str, Verb] = MappingProxyType(
    {parcels.STEP: parcels.happen, files.FAIL: files.fail, amounts.PAY: amounts.pay, **people.TIMERS}
)
HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "magic": matching.meet,
        "magic_missed": matching.take_back,
        "link_opened": people.link_opened,
        "approval_asked": people.approval_asked,
        "parcel_started": parcels.parcel_started,
        "invoice_issued": amounts.invoice_issued,
        "endpoint_made": receiver_hosts.endpoint_made,
        "file_facts": files.facts,
        "preview_started": files.preview_started,
        f"name {files.OWNER}": named,
    }
)
