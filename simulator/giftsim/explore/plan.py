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


WEBHOOK_FAULTS = {
    "duplicate": "arrives twice",
    "reorder": "arrives after the one that follows it",
    "bad_signature": "has a wrong signature",
}
FAILED_ATTEMPTS = {
    "503": "fails with a 503",
    "timeout": "fails with a time-out",
    "reset": "fails with a connection reset",
}


def describe_plan(plan: Plan) -> list[str]:
    """What happens in a plan, one line each."""
    fast = ["every parcel is produced, shipped and delivered within an hour"] if plan.fast else []
    links = ["the recipient claims the gift by its link two hours later"] if plan.destination == "link" else []
    return [*fast, *links, *map(describe_action, plan.actions)]


def describe_action(action: Action) -> str:
    """What happens in an action, in one line."""
    match action:
        case OrderRequest(number):
            return f"order-{number} is requested"
        case LostConnection("after", times):
            return f"{_next(times, 'order')} reaches the service, but the response is lost"
        case LostConnection(_, times):
            return f"{_next(times, 'order')} never reaches the service"
        case TemporaryError(status, code, times):
            return f"{_next(times, 'order')} is refused temporarily: {status} {code}"
        case DeclinedPayment(code, times):
            return f"{_next(times, 'order')} cannot be paid: {code}"
        case WebhookFault(effect, times):
            return f"{_next(times, 'webhook')} {WEBHOOK_FAULTS[effect]}"
        case FailedAttempt(how, times):
            return f"{_next(times, 'delivery')} {FAILED_ATTEMPTS[how]}"
        case Outage(hours):
            return f"the receiver is down for {_hours(hours)}"
        case Wait(hours):
            return f"{_hours(hours)} pass{'es' if hours == 1 else ''}"


def scenario_comments(plan: Plan, reason: str, seed: int) -> list[str]:
    """The comment lines of a written scenario: where it comes from, then the plan in English."""
    return [
        f'Found by `explore` with seed {seed}, then shortened: the app fails with "{reason}".',
        *(f"  - {line}" for line in describe_plan(plan)),
    ]


def _next(times: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"the next {noun}" if times == 1 else f"each of the next {times} {plural}"


def _hours(hours: int) -> str:
    return "an hour" if hours == 1 else f"{hours} hours"
