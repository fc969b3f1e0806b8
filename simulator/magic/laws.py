"""What magic brings into every world: a table, a setting, timers, and the hooks by which it hears of things."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulator.domain.team.studio.preview import named
from simulator.kernel.setting import Setting
from simulator.kernel.state import Verb
from simulator.kernel.table import Spec
from simulator.magic import amounts, hosts, meeting, parcels, people, studio
from simulator.magic.spelling import MAGIC_VALUES

SPECS: tuple[Spec[Any], ...] = (meeting.SPENT,)
SETTINGS: tuple[Setting[Any], ...] = (MAGIC_VALUES,)
TIMERS: Mapping[str, Verb] = MappingProxyType(
    {parcels.STEP: parcels.happen, studio.FAIL: studio.fail, amounts.PAY: amounts.pay, **people.TIMERS}
)
HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "magic": meeting.meet,
        "magic_missed": meeting.take_back,
        "link_opened": people.link_opened,
        "approval_asked": people.approval_asked,
        "parcel_started": parcels.parcel_started,
        "invoice_issued": amounts.invoice_issued,
        "endpoint_made": hosts.endpoint_made,
        "file_facts": studio.facts,
        "preview_started": studio.preview_started,
        f"name {studio.OWNER}": named,
    }
)
