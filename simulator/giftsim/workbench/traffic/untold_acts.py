"""Claims that no webhook of a recording tells, but that its later events and answers show (G481)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from giftsim.engine.kernel.instants import parse_instant
from giftsim.workbench.traffic.call_judge import json_of
from giftsim.workbench.traffic.outside_world import Act, part_of, place_of
from giftsim.workbench.traffic.recorded_traffic import RecordedCall, Traffic

CLAIMED: Final = "team_order.claimed"
_WAITING: Final = "awaiting"
_CLAIMED: Final = "submitted"
_DIRECT: Final = "direct"
_ANSWERS: Final = ("createTeamOrder", "getTeamOrder")
Person = tuple[int, int]  # the ids of an order and of one of its recipients


class _Untold:
    """What is known of one claim: between which instants it was, what it was of, and the entries that show it."""

    def __init__(self) -> None:
        self.after_ms = 0
        self.instants: list[int] = []
        self.entries: list[int] = []
        self.selection: Any = None
        self.address: Mapping[str, Any] = {}

    @property
    def at_ms(self) -> int:
        """The first instant that fits, and not before the last answer that shows no claim."""
        return max(self.after_ms, min(self.instants))


def shown_claims(traffic: Traffic, lead_ms: int) -> list[Act]:
    """The claims of the partner interface that no webhook tells, `lead_ms` before their parcels were shipped.

    Without a shipped parcel, a claim is made just before the first answer that shows it.
    """
    told = {_person(each.data) for each in traffic.webhooks if each.kind == CLAIMED}
    claims: dict[Person, _Untold] = {}
    rushed = {order for call in traffic.calls for order in _rushed(call)}
    for person, row, at_ms, entry in sorted(_rows(traffic), key=lambda each: each[2:]):
        if person not in told:
            _note(claims.setdefault(person, _Untold()), row, at_ms, entry, lead_ms // (2 if person[0] in rushed else 1))
    return [_act(person, claim) for person, claim in claims.items() if claim.instants]


def _note(claim: _Untold, row: Mapping[str, Any], at_ms: int, entry: int, lead_ms: int) -> None:
    """Note what a recipient in an answer or an event shows of a claim."""
    status, shipped = part_of(row, "claim").get("status"), part_of(row, "shipment").get("shipped_at")
    if status == _WAITING and not claim.instants:
        claim.after_ms = at_ms + 1
    elif status == _CLAIMED or isinstance(shipped, str):
        claim.instants += [at_ms] if status == _CLAIMED else []
        claim.entries.append(entry)
        claim.address = claim.address or part_of(row, "address")
        claim.selection = claim.selection or row.get("selection")
        with suppress(ValueError):
            claim.instants.append(parse_instant(str(shipped)) - lead_ms)


def _act(person: Person, claim: _Untold) -> Act:
    body: dict[str, Any] = {"team_order_id": person[0], "recipient_id": person[1]}
    body |= {"selection": claim.selection} if claim.selection is not None else {}
    body |= {"address": dict(claim.address)} if claim.address else {}
    return Act(claim.at_ms, "claim", body, claim.entries[0], repairs=True)


def _rows(traffic: Traffic) -> Iterator[tuple[Person, Mapping[str, Any], int, int]]:
    """The recipients with claim links that answers and events show, each with the instant and the entry."""
    linked: set[int] = set()
    for call in traffic.calls:
        data = _order(call)
        for person, row in _recipients(data):
            linked.add(person[0])
            if not call.was_replayed:
                yield person, row, call.exchange.at_ms, call.exchange.number
    for webhook in traffic.webhooks:
        if (about := _person(webhook.data)) and about[0] in linked and "livemode" not in webhook.content:
            shipment = part_of(webhook.data, "shipment")
            row = {"shipment": shipment, "selection": part_of(webhook.data, "recipient").get("selection")}
            yield about, {**row, "address": place_of(shipment)}, webhook.at_ms, webhook.exchange.number


def _recipients(data: Mapping[str, Any]) -> Iterator[tuple[Person, Mapping[str, Any]]]:
    """The recipients that an answer shows; none of an order to addresses."""
    order, rows = part_of(data, "team_order"), data.get("recipients")
    for row in rows if isinstance(rows, list) and order.get("address_mode") != _DIRECT else ():
        person = _ids(order.get("id"), row.get("recipient_id")) if isinstance(row, dict) else None
        if person is not None:
            yield person, row


def _order(call: RecordedCall) -> Mapping[str, Any]:
    """What an answer of the partner interface says of an order; empty if it says nothing."""
    if call.called.name not in _ANSWERS or call.called.interface != "partner" or call.exchange.response is None:
        return {}
    data = json_of(call.exchange.response)
    return data if isinstance(data, dict) else {}


def _rushed(call: RecordedCall) -> Iterator[int]:
    order = part_of(_order(call), "team_order")
    if type(order.get("id")) is int and part_of(order, "event").get("rush") is True:
        yield order["id"]


def _person(data: Mapping[str, Any]) -> Person | None:
    return _ids(part_of(data, "team_order").get("id"), part_of(data, "recipient").get("id"))


def _ids(order: Any, recipient: Any) -> Person | None:
    return (order, recipient) if type(order) is type(recipient) is int else None
