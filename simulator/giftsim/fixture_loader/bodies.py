"""Checks the bodies of a fixture's past orders and gifts: they are those of the calls that would create them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from giftsim.gateway.body_schema import Schema
from giftsim.worlds.problem import InvalidWorld

LATER = "9999-12-31"  # stands for the date that `event_in` gives


# The interface and the operation of each kind of body.
CALLS = {
    "body": ("partner", "createTeamOrder"), "order": ("team", "createTeamOrder"),
    "gift": ("team", "sendGift"), "store": ("team", "createStoreOrder"),
}  # fmt: skip


def check_bodies(data: Mapping[str, Any], schema: Callable[[str, str], Schema]) -> None:
    """Raise InvalidWorld for a body that its call would refuse. `schema` gives that of an interface's operation."""
    keys = data.get("keys", {})
    for path, kind, body, key in _bodies(data):
        mode = keys.get(key, {}).get("mode", "live")
        violations = schema(*CALLS[kind]).for_mode(mode).violations(body)
        if violations:
            raise InvalidWorld(f"the fixture's {path}: {violations[0].message}")


def _bodies(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, str]]:
    """Each body with its path, its kind and the name of its key."""
    for i, order in enumerate(data.get("orders", ())):
        body = {"idempotency_key": "fixture", **order["body"]}
        event = body.get("event", {})
        if order.get("event_in") is not None and isinstance(event, Mapping):
            body["event"] = {**event, "date": LATER}
        yield f"orders[{i}].body", "body", body, order["key"]
    for i, send in enumerate(data.get("sends", ())):
        for kind in ("order", "gift", "store"):
            if send.get(kind) is not None:
                yield f"sends[{i}].{kind}", kind, send[kind], send["key"]
