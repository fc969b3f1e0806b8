"""What an app answers to the check: its orders, and what it booked of the webhooks about them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

SCHEMA: Final = Path(__file__).parent / "schema.json"


class RecipientAnswer(msgspec.Struct, frozen=True):
    """A recipient as the app knows it.

    `since` is when the stage began, as an instant in UTC. `booked` says how often the app acted on each type of event
    about this recipient.
    """

    stage: str
    since: str | None = None
    booked: dict[str, int] = {}


class OrderAnswer(msgspec.Struct, frozen=True):
    """An order as the app knows it, with its recipients by email. Amounts are cents."""

    state: str
    charged_cents: int = 0
    refunded_cents: int = 0
    recipients: dict[str, RecipientAnswer] = {}


class GiftAnswer(msgspec.Struct, frozen=True):
    """A gift as the app knows it, with its recipients by email."""

    state: str
    recipients: dict[str, RecipientAnswer] = {}


class CheckAnswer(msgspec.Struct, frozen=True):
    """What the app believes: what is wrong by its own account, and its orders and gifts by their references.

    `orders` is None if the app does not tell its orders.
    """

    wrong: tuple[str, ...] = ()
    orders: dict[str, OrderAnswer] | None = None
    gifts: dict[str, GiftAnswer] = {}


class _Written(msgspec.Struct):
    ok: bool | None = None
    wrong: str | list[str] | None = None
    orders: dict[str, OrderAnswer] | None = None
    gifts: dict[str, GiftAnswer] = {}


def read_check(body: bytes) -> CheckAnswer:
    """The check of an app; ValueError says which member of its answer has another form."""
    try:
        written = msgspec.json.decode(body, type=_Written)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None
    if written.ok is not True and written.wrong is None:
        raise ValueError('the answer has neither "ok": true nor "wrong"')
    wrong = [written.wrong] if isinstance(written.wrong, str) else written.wrong or []
    return CheckAnswer(tuple(wrong), written.orders, written.gifts)


def protocol_schema() -> str:
    """The JSON Schema of all messages between giftsim and an app, as text."""
    return SCHEMA.read_text(encoding="utf-8")
