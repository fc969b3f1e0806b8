"""Why a step of a scenario probably failed, and what to add: what experience says, and no more than a guess."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from giftsim.console.filters import plural

UNCLAIMED = ("collecting_addresses", "awaiting", "awaiting_claim")
AFTER_A_CLAIM = ("submitted", "in_production", "labeled", "shipped", "delivered", "claimed", "fulfilling")
STATUSES = {
    "401": "The call has no valid key: name a credential with `as`, for example `as: partner.prepaid`.",
    "402": "The wallet lacks the money: use `as: partner.prepaid`, or add `simulate: fund` before the step.",
    "403": "This key may not do it: name another credential with `as`.",
    "404": "There is no such record: save its id in an earlier step with `save`, and use it as `${name}`.",
    "409": "The same idempotency key was used before, or the record is in another state: use a new key, or look at it.",
    "422": "The body was refused: the answer above says which member.",
    "429": "Too many calls in a minute: add `advance: 1m` before the step.",
}  # by what was answered


def likely_cause(failure: Mapping[str, Any] | None, orders: Sequence[Mapping[str, Any]]) -> str:
    """A sentence that suggests what to add to a scenario whose step failed; "" if there is none."""
    return next(_causes(failure, orders), "") if failure else ""


def _causes(failure: Mapping[str, Any], orders: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    said = f"{failure['title']} {failure['detail']}".lower()
    waiting = [order for order in orders if order["status"] in UNCLAIMED]
    for each in failure["failures"]:
        expected, actual = (str(each[name]).strip("\"'") for name in ("expected", "actual"))
        if actual in UNCLAIMED and expected in AFTER_A_CLAIM:
            yield "Nobody claimed it: add `simulate: claim` before the step, or give the recipient an address."
        if (each["path"] or "").endswith("status") and expected != actual and actual in STATUSES:
            yield STATUSES[actual]
    if waiting and any(f".{state}" in said for state in AFTER_A_CLAIM):
        yield f"Nobody claimed {plural(len(waiting), 'order')}: add `simulate: claim` before the step."
    if ("deliver" in said and "webhook" in said) or "deliveries" in said:
        yield "Webhooks go out with the hourly run, to endpoints that were subscribed before: add `advance: 1h`."
