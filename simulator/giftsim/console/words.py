"""The console's words for what is due: each timer by its effect, and by the state that follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.console.names import title_of

WEBHOOK: Final = "A webhook"
# What a timer brings, by its kind.
BRINGS: Final[Mapping[str, str]] = {
    "shipment.produce": "In production",
    "shipment.label": "Labeled",
    "shipment.ship": "Shipped",
    "shipment.deliver": "Delivered",
    "shipment.expire": "Link expires",
    "shipment.delay": "Delayed",
    "webhooks.source": "Webhooks go out",
    "approval.expire": "Approval expires",
    "actor.claim": "Claimed",
    "actor.decide": "Decided",
}


def coming(timer: Mapping[str, Any]) -> str:
    """The effect of a timer, in two or three words such as `Shipped`, or its reason if it has no words."""
    reason = str(timer["because"])
    return BRINGS.get(str(timer["kind"]), f"{reason[:1].upper()}{reason[1:]}")


def whose(timer: Mapping[str, Any]) -> str:
    """Whose turn it is: the title of the record that a timer is about, or "A webhook"; "" if it is of nobody."""
    about = timer["about"]
    if about is None:
        return ""
    if about["kind"] == "event":
        return WEBHOOK
    return title_of(about) or f"{about['kind'].replace('_', ' ')} {about['id']}"


def move(kind: str) -> str:
    """The effect of a kind of timer, or its name as words."""
    return BRINGS.get(kind, kind.replace("_", " ").replace(".", ", "))
