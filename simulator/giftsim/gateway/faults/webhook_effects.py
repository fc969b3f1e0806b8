"""Faults of what is sent: what receivers must survive, and an environment without its signing key (G16, B30)."""

from __future__ import annotations

from typing import Any, Final

from giftsim.gateway.contract import Operation
from giftsim.gateway.faults.effect import Family, codes, one_of
from giftsim.webhooks.dispatch import REORDER, TWICE
from giftsim.webhooks.signed_request import BAD, FUTURE, STALE

NO_KEY = "webhooks_unavailable"
KINDS: Final = (TWICE, REORDER, BAD, STALE, FUTURE)


def _needs_key(operation: Operation, _: Any) -> bool:
    return NO_KEY in codes(operation, 503)


def _writes(operation: Operation, _: Any) -> bool:
    return operation.method != "GET"


SIGNING_KEY = Family(
    "signing_key", "missing",
    "503 `webhooks_unavailable`; without `match` and `when` nothing is sent meanwhile either",
    "making and testing webhooks", one_of("missing"), acts=_needs_key, within=True,
)  # fmt: skip
WEBHOOK = Family(
    "webhook", f"one of {', '.join(KINDS)}",
    "what receivers must survive: the same event twice, one overtaken by the next (alone, an hour late), signatures"
    " that are wrong, ten minutes old or ten minutes early",
    "deliveries, by `match.event` and `match.host` too; in the header, the first attempt for each event that the call"
    " causes, and for later ones of what it makes",
    one_of(*KINDS), acts=_writes,
)  # fmt: skip
