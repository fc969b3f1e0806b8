"""Which bodies of team orders are refused, and with what: 001, section 7; G13, B3."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from tests.models.partner_orders import SHIPPING, code_of
from tests.models.partner_webhooks import Json, instant


def first_mistake(
    body: Json, now: int, prices: Mapping[str, int], unreviewed: AbstractSet[str], off: AbstractSet[str]
) -> tuple[str, Json]:
    """The first rule that a body breaks, with what the error adds, or an empty code.

    400s come in the order of the error table, then 404, 422 and 409. `off` are the items and options off sale (G444).
    """
    code = malformed(body) or not_orderable(body, now, off)
    if code:
        return code, {}
    codes = {code_of(item) for item in body["items"]}
    if not codes <= {*prices} - off:
        return "sku_not_found", {}  # P-7.17: unknown, of another account, or off sale
    wrong = [place for place, row in enumerate(body["recipients"]) if not fits(row, now)]
    if wrong:
        return "invalid_recipients", {"rows": wrong}  # P-7.25
    return "personalization_review_required" if codes & unreviewed else "", {}  # P-7.24, B10


def without_nulls(value: Any) -> Any:
    """A member that is null is absent, for the fingerprint of a body too (G188)."""
    if isinstance(value, dict):
        return {name: without_nulls(member) for name, member in value.items() if member is not None}
    return [without_nulls(entry) for entry in value] if isinstance(value, list) else value


def fits(row: Json, now: int) -> bool:
    """Whether a recipient has an email (P-2.16), or an address that is valid in its country (P-2.18, B40).

    A parcel cannot ship on a day that has passed (G179).
    """
    address = row.get("address")
    if not address:
        return bool(row.get("email"))
    has_state = bool(address.get("state")) or address["country"] not in ("US", "CA", "AU")
    has_postcode = address["country"] != "US" or re.fullmatch(r"\d{5}(-\d{4})?", address["zip"])
    return bool(has_state and has_postcode) and row.get("ship_on", "9999") >= str(instant(now))[:10]


def malformed(body: Json) -> str:
    """What is `invalid_body`."""
    items, rows = body.get("items") or [], body.get("recipients") or []
    well = (
        isinstance(body.get("idempotency_key"), str)  # P-2.1, P-7.1
        and len(items) <= 10  # P-8.1, B34
        and max(len(rows), 1) + body.get("open_seats", 0) <= 100  # P-8.2, B18, B34
        and not (body.get("open_seats") and any(row.get("address") for row in rows))  # B18
        and all(country in SHIPPING for country in body.get("destination_countries", []))  # P-2.9
    )
    return "" if well else "invalid_body"


def not_orderable(body: Json, now: int, off: AbstractSet[str]) -> str:
    """The other 400s, in the order of the error table."""
    items, rows, event = body.get("items"), body.get("recipients"), body.get("event")
    addressed = [bool(row.get("address")) for row in rows or []]
    if not items:
        return "items_required"  # P-7.2
    if not all(code_of(item) and item.get("quantity", 1) >= 1 for item in items):
        return "invalid_item"  # P-7.3
    if any(str(option) in off for item in items if code_of(item) not in off for option in options_of(item)):
        return "invalid_item"  # an option that is off sale (G444)
    if any(addressed) and any(item.get("choice_variation_ids") for item in items if code_of(item) not in off):
        return "invalid_item"  # who has an address sees no claim page to choose on (G210)
    if not rows:
        return "recipients_required"  # P-7.4
    if any(addressed) and not all(addressed):
        return "mixed_address_modes"  # P-7.5
    if not body.get("gift_sender", "").strip():
        return "gift_sender_required"  # P-7.6, B9
    if event and event["date"] < str(instant(now))[:10]:
        return "invalid_event"  # P-7.7, B33
    return ""


def options_of(item: Json) -> list[int]:
    """The options that an item fixes."""
    return list(item.get("fixed_options", {}).values())
