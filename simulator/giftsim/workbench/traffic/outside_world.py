"""What happened outside the service during a recording, as its webhooks tell it: people claim and pay (G481)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.instants import parse_instant
from giftsim.workbench.traffic.recorded_traffic import ReceivedWebhook

US: Final = "US"
# Where somebody lives of whom only the country is known.
_PLACES: Final[Mapping[str, Mapping[str, str]]] = {
    "CA": {"address1": "12 Main St", "city": "Toronto", "state": "ON", "zip": "M5H 2N2"},
    "GB": {"address1": "12 Main St", "city": "Leeds", "zip": "LS1 4AP"},
    "AU": {"address1": "12 Main St", "city": "Sydney", "state": "NSW", "zip": "2000"},
    "DE": {"address1": "Hauptstr. 12", "city": "Hamburg", "zip": "20095"},
    "FR": {"address1": "12 rue Haute", "city": "Lyon", "zip": "69001"},
    "NL": {"address1": "Hoofdweg 12", "city": "Utrecht", "zip": "3511 AA"},
    "IT": {"address1": "Via Alta 12", "city": "Milan", "zip": "20121"},
    "ES": {"address1": "Calle Alta 12", "city": "Madrid", "zip": "28013"},
}
_DECISIONS: Final = {"approved": "approve", "rejected": "reject"}
_RESOURCES: Final = {"gift": "gift_id", "team_order": "team_order_id", "campaign": "campaign_id"}
_REASONS: Final = {"shipment_rejected": "rejected", "shipment_delayed": "delayed"}


class Act(msgspec.Struct, frozen=True):
    """What somebody did, as a verb of the test-control API; `body` has the ids of the recording."""

    at_ms: int
    verb: str
    body: Mapping[str, Any]
    entry: int
    repairs: bool = False  # a world may come to it by itself


def acts_of(webhooks: Sequence[ReceivedWebhook]) -> list[Act]:
    """What people, banks and carriers did, once for each event, in order."""
    first = {each.event_id: each for each in reversed(webhooks)}
    acts = [act for each in first.values() for act in _acts(each)]
    return sorted(acts, key=lambda act: (act.at_ms, act.entry))


def _acts(webhook: ReceivedWebhook) -> Iterator[Act]:
    body = _body(webhook)
    if body is not None:
        verb, members = body
        repairs = members.get("to") == "delayed" or verb == "invoice"
        yield Act(_occurred_ms(webhook), verb, members, webhook.exchange.number, repairs)


def _body(webhook: ReceivedWebhook) -> tuple[str, dict[str, Any]] | None:
    """The verb and its body for what an event tells; None if it only tells what the service did."""
    data = webhook.data
    match webhook.kind:
        case "team_order.claimed":
            return "claim", _claim(data)
        case "gift.claimed":
            return "claim", _known({"gift_id": data.get("gift_id"), "recipient_id": data.get("recipient_id")})
        case "approval.decided":
            decision, name = _word(data, "status", _DECISIONS), _word(data, "resource_type", _RESOURCES)
            return ("approval", {name: data.get("resource_id"), "decision": decision}) if name and decision else None
        case "invoice.paid":
            return "invoice", {"invoice_id": data.get("invoice_id")}
        case "team_order.needs_attention" if (to := _word(data, "reason", _REASONS)) is not None:
            order, person = part_of(data, "team_order"), part_of(data, "recipient")
            return "shipment", {"team_order_id": order.get("id"), "recipient_id": person.get("id"), "to": to}
        case "order.shipped" | "order.delivered":
            country = part_of(data, "shipment").get("country") or US
            return "single_order", {"country": country, "to": webhook.kind.rpartition(".")[2]}
    return None


def _claim(data: Mapping[str, Any]) -> dict[str, Any]:
    person, address = part_of(data, "recipient"), place_of(part_of(data, "shipment"))
    body = {
        "team_order_id": part_of(data, "team_order").get("id"),
        "recipient_id": person.get("id"),
        "selection": person.get("selection"),
    }
    return _known({**body, "address": address or None})


def place_of(shipment: Mapping[str, Any]) -> dict[str, str]:
    """An address in the country to which a parcel went; empty for the usual one."""
    country = str(shipment.get("country"))
    return {**_PLACES[country], "country": country} if country in _PLACES else {}


def _occurred_ms(webhook: ReceivedWebhook) -> int:
    """When it happened: what the event says, and not after it was received."""
    for text in (webhook.data.get("occurred_at"), webhook.content.get("created_at")):
        try:
            return min(parse_instant(str(text)), webhook.at_ms)
        except ValueError:
            continue
    return webhook.at_ms


def part_of(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An object in another; empty if there is none."""
    part = data.get(name)
    return part if isinstance(part, dict) else {}


def _word(data: Mapping[str, Any], name: str, words: Mapping[str, str]) -> str | None:
    """What a member's text stands for; None for another value of any kind."""
    text = data.get(name)
    return words.get(text) if isinstance(text, str) else None


def _known(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}
