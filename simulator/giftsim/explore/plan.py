"""The plan of a run: what the app is asked to do and what goes wrong meanwhile, as data."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

ORDER_CALL = "createTeamOrder"


class Order(msgspec.Struct, frozen=True, tag=True):
    """The app is asked for an order; `number` says which, and a number that came before is the same order again."""

    number: int


class Lost(msgspec.Struct, frozen=True, tag=True):
    """The next `times` orders at the service get no answer: the connection breaks before or after the work."""

    when: str
    times: int


class Refused(msgspec.Struct, frozen=True, tag=True):
    """The next `times` orders at the service are refused for the moment, with a status and its code."""

    status: int
    code: str
    times: int


class Declined(msgspec.Struct, frozen=True, tag=True):
    """The next `times` orders are made, but cannot be paid."""

    code: str
    times: int


class Tangled(msgspec.Struct, frozen=True, tag=True):
    """The next `times` deliveries come twice (`duplicate`), out of order (`reorder`) or with a `bad_signature`."""

    how: str
    times: int


class Stumbled(msgspec.Struct, frozen=True, tag=True):
    """The next `times` attempts do not reach the app, and are tried again: a status, a time-out or a reset."""

    how: str
    times: int


class Outage(msgspec.Struct, frozen=True, tag=True):
    """The receiver is down from now on for some hours."""

    hours: int


class Wait(msgspec.Struct, frozen=True, tag=True):
    """Time passes, in hours."""

    hours: int


Action: TypeAlias = Order | Lost | Refused | Declined | Tangled | Stumbled | Outage | Wait


class Plan(msgspec.Struct, frozen=True):
    """One run. Gifts go to the `address` in the order, or by a `link` that is claimed two hours later (`claims`).

    With `hasty` a parcel is made, shipped and delivered within the hour, so that its events meet.
    """

    claims: str
    hasty: bool
    actions: tuple[Action, ...]
