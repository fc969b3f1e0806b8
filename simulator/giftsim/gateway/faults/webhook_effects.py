"""Faults of webhooks: duplicates, reordering, wrong signatures, and a missing signing key (G16, B30)."""

from __future__ import annotations

from typing import Any, Final

from giftsim.gateway.call import Call
from giftsim.gateway.contract import Operation
from giftsim.gateway.faults.effect import EffectType, error_codes, one_of
from giftsim.webhooks.dispatch import REORDER, SEND_TWICE
from giftsim.webhooks.signed_request import BAD_SIGNATURE, FUTURE_SIGNATURE, STALE_SIGNATURE
from giftsim.webhooks.signing_key import WebhooksUnavailable

NO_KEY = "webhooks_unavailable"
KINDS: Final = (SEND_TWICE, REORDER, BAD_SIGNATURE, STALE_SIGNATURE, FUTURE_SIGNATURE)


def _needs_key(operation: Operation, _: Any) -> bool:
    return NO_KEY in error_codes(operation, 503)


def _writes(operation: Operation, _: Any) -> bool:
    return operation.method != "GET"


SIGNING_KEY = EffectType(
    "signing_key", "missing",
    "503 `webhooks_unavailable`; without `match` and `when` no webhooks are sent meanwhile either",
    "making and testing webhooks", one_of("missing"), can_act=_needs_key, during_execution=True,
    values=("missing",),
)  # fmt: skip
WEBHOOK = EffectType(
    "webhook", f"one of {', '.join(KINDS)}",
    "what receivers must handle: an event sent twice, an event overtaken by the next one (or an hour late where there"
    " is none), signatures that are wrong, ten minutes old or ten minutes early",
    "deliveries, by `match.event` and `match.host` too; in the header, the first attempt for each event that the call"
    " causes, and for later ones of what it makes",
    one_of(*KINDS), can_act=_writes, values=KINDS,
)  # fmt: skip


def check_signing_key(call: Call) -> None:
    """WebhooksUnavailable when a fault removes the signing key for this call (P-7.28)."""
    if call.effect.get(SIGNING_KEY.name) == "missing":
        call.fault_acted = True
        raise WebhooksUnavailable("this environment has no signing key (an injected fault)")
