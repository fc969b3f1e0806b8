"""Validation of a request for a team order; errors are ranked as in the documents' error table (G13, B3).

Schema violations and the rules that no schema can express are ranked together, so a body can have any shape here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from giftsim.engine.kernel.instants import parse_date
from giftsim.engine.kernel.setting import choice
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment import offer
from giftsim.services.gifting.domain.fulfilment.address import LIMITS, address_errors
from giftsim.services.gifting.domain.fulfilment.due_times import DAY_ZONE, day_of
from giftsim.services.gifting.domain.fulfilment.fulfilment import Item, has_print
from giftsim.services.gifting.domain.fulfilment.order_errors import (
    BadOrder,
    GiftSenderRequired,
    InvalidBody,
    InvalidItem,
    InvalidParty,
    InvalidRecipients,
    ItemsRequired,
    MixedAddressModes,
    RecipientsRequired,
)
from giftsim.services.gifting.domain.money.account import Account

GIFT_SENDER = choice(
    "partner.gift_sender_required",
    ("always", "with_message_or_card", "link_mode", "never"),
    "which orders need a gift_sender (B9)",
)
SHIP_AFTER_EVENT = choice(
    "partner.ship_on_after_event",
    ("accept", "refuse"),
    "whether a recipient's ship_on may be after the order's event.date, or is an error of its row",
)
SETTINGS = (GIFT_SENDER, SHIP_AFTER_EVENT)
MAX_RECIPIENTS: Final = 100

# The error table: the first of these that applies is raised.
_RANKING: Final = (
    InvalidBody,
    ItemsRequired,
    InvalidItem,
    RecipientsRequired,
    MixedAddressModes,
    GiftSenderRequired,
    InvalidParty,
)
_BY_CODE: Final = {kind.code: kind for kind in _RANKING}


class Violation(Protocol):
    """A schema violation: the error code that the contract gives it, its path in the body, and a message."""

    @property
    def code(self) -> str | None: ...
    @property
    def path(self) -> tuple[str | int, ...]: ...
    @property
    def message(self) -> str: ...


def validate_order(state: State, account: Account, body: Any, violations: Sequence[Violation]) -> tuple[Item, ...]:
    """The items of a body that can be placed.

    Raises the first error of any other body: a 400 by rank, then SkuNotFound, then InvalidRecipients with every invalid
    row.

    Do not validate the retry of an existing order again: its party may have passed.
    """
    if not isinstance(body, dict):
        raise InvalidBody(violations[0].message if violations else "the body must be a JSON object")
    problems = _rule_problems(state, account, body)
    if violations:
        problems = [_schema_problem(each) for each in violations if not _is_in_row(each)] + problems
    if problems:
        raise min(problems, key=lambda problem: _RANKING.index(type(problem)))
    items = tuple([offer.resolve_item(state, account.n, item) for item in body["items"]])
    last = _last_ship_day(state, body["event"]) if "event" in body else None
    _check_rows(state, body["recipients"], violations, last)
    return items


def _schema_problem(violation: Violation) -> BadOrder:
    return _BY_CODE.get(violation.code or "", InvalidBody)(violation.message)


def _is_in_row(violation: Violation) -> bool:
    path = violation.path
    in_row = len(path) >= 2 and path[0] == "recipients" and isinstance(path[1], int)
    return in_row and violation.code == InvalidRecipients.code


def _rule_problems(state: State, account: Account, body: Mapping[str, Any]) -> list[BadOrder]:
    """The documented 400s that no schema can express."""
    recipients, items = _list_member(body, "recipients"), _list_member(body, "items")
    rows = addressed = 0
    for row in recipients:
        if isinstance(row, dict):
            rows += 1
            addressed += row.get("address") is not None
    linked = not addressed
    problems: list[BadOrder] = []
    if not items:
        problems.append(ItemsRequired("items must hold at least one item"))
    if not recipients:
        problems.append(RecipientsRequired("recipients must hold at least one recipient"))
    if addressed and addressed != rows:
        problems.append(MixedAddressModes("either all recipients have an address or none has"))
    problems += _seats_problem(body.get("open_seats"), rows, linked)
    problems += _first_item_problem(state, account, items, linked)
    if _needs_sender(state, body, recipients, linked):
        problems.append(GiftSenderRequired("gift_sender is required"))
    party = body.get("event")
    if isinstance(party, dict) and _is_past(party.get("date"), day_of(state, state.now_ms)):
        problems.append(InvalidParty(f"event.date must be a date that has not passed ({state.setting(DAY_ZONE)})"))
    return problems


def _list_member(body: Mapping[str, Any], name: str) -> list[Any]:
    value = body.get(name)
    return value if isinstance(value, list) else []


def _seats_problem(seats: Any, rows: int, linked: bool) -> Sequence[BadOrder]:
    """The problem of open seats, which count as recipients (B18, P-8.2). The schema covers other types."""
    if seats and not linked:
        return (InvalidBody("open_seats needs claim links: it cannot be used when recipients have addresses"),)
    if isinstance(seats, int) and rows + seats > MAX_RECIPIENTS:
        return (InvalidBody(f"recipients and open_seats together must be at most {MAX_RECIPIENTS}"),)
    return ()


def _first_item_problem(state: State, account: Account, items: Sequence[Any], linked: bool) -> Sequence[BadOrder]:
    for i, item in enumerate(items):
        if isinstance(item, dict) and "merchant_product_id" in item:
            for message in offer.option_errors(state, account.n, item, linked):
                return (InvalidItem(f"items[{i}]: {message}"),)
    return ()


def _needs_sender(state: State, body: Mapping[str, Any], recipients: Sequence[Any], linked: bool) -> bool:
    sender = body.get("gift_sender")
    if sender is not None and not (isinstance(sender, str) and not sender.strip()):
        return False
    rule = state.setting(GIFT_SENDER)
    if rule == "with_message_or_card":
        messages = [row.get("gift_message") for row in recipients if isinstance(row, dict)]
        return bool(body.get("gift_message") or has_print(body.get("card")) or any(messages))
    return rule == "always" or (rule == "link_mode" and linked)


def _is_past(day: Any, today: str) -> bool:
    """Whether a day has passed. One that is not a date violates the schema, and is not judged here (B33, G179)."""
    try:
        return isinstance(day, str) and parse_date(day).isoformat() < today
    except ValueError:
        return False


def _last_ship_day(state: State, event: Any) -> str | None:
    """The last day on which a parcel may ship: that of the event, if a world refuses later ones (G378)."""
    day = event.get("date") if isinstance(event, dict) and state.setting(SHIP_AFTER_EVENT) == "refuse" else None
    return day if isinstance(day, str) else None


def _check_rows(state: State, recipients: Sequence[Any], violations: Sequence[Violation], last: str | None) -> None:
    row_errors: dict[int, list[dict[str, str]]] = {}
    for violation in violations:
        row, field = violation.path[1], violation.path[2:]
        if isinstance(row, int) and not _has_country_rule(recipients, row, field):
            message = violation.message.partition(": ")[2] or violation.message
            error = {"field": ".".join(map(str, field)), "message": message}
            if error not in row_errors.setdefault(row, []):
                row_errors[row].append(error)
    for row, recipient in enumerate(recipients):
        address = recipient.get("address")
        if isinstance(address, dict):
            errors = [{"field": field, "message": message} for field, message in address_errors(address)]
            ship_on = recipient.get("ship_on")
            if ship_on is not None and _is_past(ship_on, day_of(state, state.now_ms)):
                zone = state.setting(DAY_ZONE)
                errors.append({"field": "ship_on", "message": f"must be a date that has not passed ({zone})"})
            if last is not None and str(recipient.get("ship_on") or "") > last:
                errors.append({"field": "ship_on", "message": "must not be after the date of the event"})
            if errors:
                row_errors.setdefault(row, []).extend(errors)
    if row_errors:
        details = [{"recipient_index": row, "errors": row_errors[row]} for row in sorted(row_errors)]
        raise InvalidRecipients(f"{len(details)} of {len(recipients)} recipients are not valid", errors=details)


def _has_country_rule(recipients: Sequence[Any], row: int, field: tuple[str | int, ...]) -> bool:
    """Whether the rules of the address's country cover the field, so that its error is listed only once."""
    if field[:1] != ("address",) or not (field[1:] == () or field[1] in LIMITS):
        return False
    recipient = recipients[row] if row < len(recipients) else None
    return isinstance(recipient, dict) and isinstance(recipient.get("address"), dict)
