"""The plan of a run as data: what the app is asked to do, and what goes wrong meanwhile."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

ORDER_OPERATION = "createTeamOrder"


class OrderRequest(msgspec.Struct, frozen=True, tag=True):
    """Ask the app for order `number`; the same number again is the same order."""

    number: int


class LostConnection(msgspec.Struct, frozen=True, tag=True):
    """Drop the connection of the next `times` orders, `before` or `after` the service processes them (`when`)."""

    when: str
    times: int


class TemporaryError(msgspec.Struct, frozen=True, tag=True):
    """Refuse the next `times` orders with a status and a code that allow a retry."""

    status: int
    code: str
    times: int


class DeclinedPayment(msgspec.Struct, frozen=True, tag=True):
    """Decline the payment of the next `times` orders."""

    code: str
    times: int


class WebhookFault(msgspec.Struct, frozen=True, tag=True):
    """Send the next `times` webhooks twice (`duplicate`), out of order (`reorder`) or with a `bad_signature`."""

    effect: str
    times: int


class FailedAttempt(msgspec.Struct, frozen=True, tag=True):
    """Fail the next `times` delivery attempts before they reach the app: by a `503`, a `timeout` or a `reset`."""

    how: str
    times: int


class Outage(msgspec.Struct, frozen=True, tag=True):
    """Take the app's receiver down for some hours from now on."""

    hours: int


class Wait(msgspec.Struct, frozen=True, tag=True):
    """Let some hours pass."""

    hours: int


Action: TypeAlias = (
    OrderRequest | LostConnection | TemporaryError | DeclinedPayment | WebhookFault | FailedAttempt | Outage | Wait
)


class Plan(msgspec.Struct, frozen=True):
    """One run.

    Gifts go to the `address` in the order, or to the one entered by `link` two hours later (`destination`). With `fast`
    a parcel is produced, shipped and delivered within an hour, so that its webhooks come close together.
    """

    destination: str
    fast: bool
    actions: tuple[Action, ...]
