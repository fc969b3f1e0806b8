"""What is wrong with a request for a team order, judged in the order of the documents' error table (G13, B3).

Violations of the contract's shapes are judged together with the rules that no schema can say, so this reads bodies of
any shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Protocol

from giftsim.domain.fulfilment import bundle
from giftsim.domain.fulfilment.address import LIMITS, address_errors
from giftsim.domain.fulfilment.problem import (
    BadOrder,
    GiftSenderRequired,
    InvalidBody,
    InvalidEvent,
    InvalidItem,
    InvalidRecipients,
    ItemsRequired,
    MixedAddressModes,
    RecipientsRequired,
)
from giftsim.domain.money.account import Account
from giftsim.kernel.instants import parse_date, utc_date
from giftsim.kernel.setting import choice
from giftsim.kernel.state import State

GIFT_SENDER = choice(
    "partner.gift_sender_required",
    ("always", "with_message_or_card", "link_mode", "never"),
    "which orders need a gift_sender (B9)",
)
SETTINGS = (GIFT_SENDER,)

_TABLE: Final = (
    InvalidBody, ItemsRequired, InvalidItem, RecipientsRequired, MixedAddressModes, GiftSenderRequired, InvalidEvent,
)  # fmt: skip
_BY_CODE: Final = MappingProxyType({kind.code: kind for kind in _TABLE})


class Violation(Protocol):
    """One thing wrong with a body's shape: the code that the contract gives it, where it is, and what it is."""

    @property
    def code(self) -> str | None: ...
    @property
    def path(self) -> tuple[str | int, ...]: ...
    @property
    def message(self) -> str: ...


def examine(state: State, account: Account, body: Any, violations: Sequence[Violation]) -> None:
    """Raise the first thing wrong: the 400s by rank, SkuNotFound, then InvalidRecipients with every bad row.

    A body that passes can be placed. A retry of an order that exists is not to be examined again: its day may be over.
    """
    if not isinstance(body, Mapping):
        raise InvalidBody(violations[0].message if violations else "the body must be a JSON object")
    found = [_of_shape(violation) for violation in violations if not _is_of_row(violation)]
    found += _own(state, account, body)
    if found:
        raise min(found, key=lambda problem: _TABLE.index(type(problem)))
    for asked in body["items"]:
        bundle.resolve(state, account.n, asked)
    _check_rows(body["recipients"], violations)


def _of_shape(violation: Violation) -> BadOrder:
    return _BY_CODE.get(violation.code or "", InvalidBody)(violation.message)


def _is_of_row(violation: Violation) -> bool:
    path = violation.path
    row = len(path) >= 2 and path[0] == "recipients" and isinstance(path[1], int)
    return row and violation.code == InvalidRecipients.code


def _own(state: State, account: Account, body: Mapping[str, Any]) -> list[BadOrder]:
    """The 400s that the documents know and no schema says."""
    recipients, items = _listed(body, "recipients"), _listed(body, "items")
    addressed = [row.get("address") is not None for row in recipients if isinstance(row, Mapping)]
    linked = not any(addressed)
    found: list[BadOrder] = []
    if not items:
        found.append(ItemsRequired("items must hold at least one item"))
    if not recipients:
        found.append(RecipientsRequired("recipients must hold at least one recipient"))
    if any(addressed) and not all(addressed):
        found.append(MixedAddressModes("either all recipients carry an address or none does"))
    if body.get("open_seats") and not linked:
        found.append(InvalidBody("open_seats needs claim links: recipients with an address leave no seat open"))
    found += _item_problems(state, account, items, linked)
    if _needs_sender(state, body, recipients, linked):
        found.append(GiftSenderRequired("gift_sender is required"))
    if _is_past(state, body.get("event")):
        found.append(InvalidEvent("event.date must be a date that has not passed (UTC)"))
    return found


def _listed(body: Mapping[str, Any], member: str) -> list[Any]:
    value = body.get(member)
    return value if isinstance(value, list) else []


def _item_problems(state: State, account: Account, items: Sequence[Any], linked: bool) -> Iterator[BadOrder]:
    for i, asked in enumerate(items):
        for message in bundle.option_errors(state, account.n, asked, linked):
            yield InvalidItem(f"items[{i}]: {message}")


def _needs_sender(state: State, body: Mapping[str, Any], recipients: Sequence[Any], linked: bool) -> bool:
    sender = body.get("gift_sender")
    if sender is not None and not (isinstance(sender, str) and not sender.strip()):
        return False
    rule = state.setting(GIFT_SENDER)
    if rule == "with_message_or_card":
        said = [row.get("gift_message") for row in recipients if isinstance(row, Mapping)]
        return bool(body.get("gift_message") or body.get("card") or any(said))
    return rule == "always" or (rule == "link_mode" and linked)


def _is_past(state: State, event: Any) -> bool:
    """Whether the event's date is over or no date (B33); a missing one is the contract's to judge."""
    date = event.get("date") if isinstance(event, Mapping) else None
    if not isinstance(date, str):
        return False
    try:
        return parse_date(date).isoformat() < utc_date(state.now_ms)
    except ValueError:
        return True


def _check_rows(recipients: Sequence[Any], violations: Sequence[Violation]) -> None:
    wrong: dict[int, list[dict[str, str]]] = {}
    for violation in violations:
        row, field = violation.path[1], violation.path[2:]
        if isinstance(row, int) and not _judged_by_country(recipients, row, field):
            message = violation.message.partition(": ")[2] or violation.message
            error = {"field": ".".join(map(str, field)), "message": message}
            if error not in wrong.setdefault(row, []):
                wrong[row].append(error)
    for row, asked in enumerate(recipients):
        address = asked.get("address")
        if isinstance(address, Mapping):
            errors = [{"field": field, "message": message} for field, message in address_errors(address)]
            if errors:
                wrong.setdefault(row, []).extend(errors)
    if wrong:
        listed = [{"recipient_index": row, "errors": wrong[row]} for row in sorted(wrong)]
        raise InvalidRecipients(f"{len(listed)} of {len(recipients)} recipients are not valid", errors=listed)


def _judged_by_country(recipients: Sequence[Any], row: int, field: tuple[str | int, ...]) -> bool:
    """Whether the country's own rules speak of the field, so that it is named once."""
    if field[:1] != ("address",) or not (field[1:] == () or field[1] in LIMITS):
        return False
    found = recipients[row] if row < len(recipients) else None
    return isinstance(found, Mapping) and isinstance(found.get("address"), Mapping)
