"""The plan of a run as data: what the app is asked to do, and what goes wrong meanwhile."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

ORDER_OPERATION = "createTeamOrder"


class OrderRequest(msgspec.Struct, frozen=True, tag=True):
    """Ask the app for order `number`, with this number of recipients; the same number again is the same order.

    With `both` two instances of the app are asked at the same moment.
    """

    number: int
    recipients: int = 1
    both: bool = False


class AppAct(msgspec.Struct, frozen=True, tag=True):
    """Ask the app for another of the actions that it can do; the same action and number is the same intent again.

    With `part` an order is canceled for its last recipient only. With `both` two instances of the app are asked at the
    same moment.
    """

    action: str
    number: int
    part: bool = False
    both: bool = False


class CallFault(msgspec.Struct, frozen=True, tag=True):
    """Lose the next `times` calls of an operation before or `after` they are processed, or refuse them with `429`."""

    operation: str
    how: str
    times: int


class PriceChange(msgspec.Struct, frozen=True, tag=True):
    """The mug costs so much from now on."""

    cents: int


class Rehearsed(msgspec.Struct, frozen=True, tag=True):
    """Let a situation happen to order `number`, if it exists and it can: one of REHEARSALS."""

    name: str
    number: int


class OtherEvents(msgspec.Struct, frozen=True, tag=True):
    """Send the app webhooks that it need not know: a test ping, and the event of another kind of order."""


class NewSecret(msgspec.Struct, frozen=True, tag=True):
    """Replace the secret of the webhooks by a second endpoint; from then on each event is signed with either."""


class Restart(msgspec.Struct, frozen=True, tag=True):
    """End the app as a crash does, and start it again."""


class OtherInstance(msgspec.Struct, frozen=True, tag=True):
    """Let the other of two instances of the app answer from now on, and get the webhooks."""


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
# Of apps that say what they can do, besides the actions above.
FurtherAction: TypeAlias = (
    AppAct | CallFault | PriceChange | Rehearsed | OtherEvents | NewSecret | Restart | OtherInstance
)


class Plan(msgspec.Struct, frozen=True):
    """One run.

    Gifts go to the `address` in the order, or to the one entered by `link` two hours later (`destination`). With `fast`
    a parcel is produced, shipped and delivered within an hour, so that its webhooks come close together.

    The rest is for apps that say what they can do: links can also be claimed `late`, or late by the second recipient of
    an order only (`apart`); `start` names the day on which the plan begins, and `approver` what the person does who
    decides approvals.
    """

    destination: str
    fast: bool
    actions: tuple[Action | FurtherAction, ...]
    start: str = ""
    approver: str = "approve"


def needs_two(plan: Plan) -> bool:
    """Whether a plan needs a second instance of the app."""
    return any(isinstance(each, OtherInstance) or getattr(each, "both", False) for each in plan.actions)


def hours_between(plan: Plan, intent: str) -> int:
    """The hours from the first request for an intent such as `gift-1` to the last one."""
    hours, requested = 0, []
    for action in plan.actions:
        hours += action.hours if isinstance(action, Wait) else 0
        if isinstance(action, AppAct) and f"{action.action}-{action.number}" == intent:
            requested.append(hours)
    return requested[-1] - requested[0] if requested else 0


WEBHOOK_FAULTS = {
    "duplicate": "arrives twice",
    "reorder": "arrives after the one that follows it",
    "bad_signature": "has a wrong signature",
}
CALL_FAULTS = {
    "after": "reaches the service, but the response is lost",
    "before": "never reaches the service",
    "429": "is refused temporarily: 429 rate_limited",
}
# What happens to the parcels of an order, by the name of the rehearsal.
REHEARSALS = {
    "parcel-rejected": "production rejects",
    "parcel-delayed": "the carrier is late with",
    "parcel-lost": "the carrier loses",
    "parcel-found": "the carrier loses, then delivers",
    "tracking-late": "the carrier has no number for",
    "scans-out-of-order": "the carrier reports the delivery before the handover of",
}
FAILED_ATTEMPTS = {
    "503": "fails with a 503",
    "timeout": "fails with a time-out",
    "reset": "fails with a connection reset",
}


LINKS = {
    "link": "the recipient claims the gift by its link two hours later",
    "late": "the recipient claims the gift by its link half a day before that expires",
    "apart": "one recipient of an order claims by the link two hours later, the other half a day before it expires",
}
STARTS = {
    "month end": "it is the last evening of a month in Los Angeles, and the next month in UTC",
    "clocks back": "it is the day before the clocks go back",
    "leap day": "it is the day before 29 February",
}
APPROVERS = {
    "reject": "the approver rejects what needs an approval, after two hours",
    "late": "the approver approves what needs it after three days",
}


def describe_plan(plan: Plan) -> list[str]:
    """What happens in a plan, one line each."""
    fast = ["every parcel is produced, shipped and delivered within an hour"] if plan.fast else []
    table = ((LINKS, plan.destination), (STARTS, plan.start), (APPROVERS, plan.approver))
    setting = [texts[name] for texts, name in table if name in texts]
    return [*fast, *setting, *map(describe_action, plan.actions)]


def describe_action(action: Action | FurtherAction) -> str:
    """What happens in an action, in one line."""
    match action:
        case OrderRequest(number, recipients, both):
            whom = f" for {recipients} recipients" if recipients > 1 else ""
            return f"order-{number} is requested{whom}{_at_once(both)}"
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
        case _:
            return _describe_further(action)


def _describe_further(action: FurtherAction) -> str:
    match action:
        case AppAct("cancel" | "pay" as name, number, part, both):
            verb = "canceled" if name == "cancel" else "paid"
            return f"order-{number} is {verb}{' for its last recipient' if part else ''}{_at_once(both)}"
        case AppAct(name, number, both=both):
            return f"{name}-{number} is requested{_at_once(both)}"
        case CallFault(operation, how, times):
            return f"{_next(times, 'call')} of {operation} {CALL_FAULTS[how]}"
        case PriceChange(cents):
            return f"the price of the mug changes to {cents // 100}.{cents % 100:02}"
        case Rehearsed(name, number):
            return f"{REHEARSALS[name]} order-{number}"
        case OtherEvents():
            return "a test ping and the event of another kind of order are sent"
        case Restart():
            return "the app is ended and started again"
        case OtherInstance():
            return "the other of two instances of the app answers from now on"
        case NewSecret():
            return "the secret of the webhooks is replaced, and for a while both are used"


def scenario_comments(plan: Plan, reason: str, seed: int, search: int | None = None) -> list[str]:
    """The comment lines of a written scenario: where it comes from, then the plan in English.

    In a search with the seed `search`, the other one is the number of the plan.
    """
    where = f"seed {seed}" if search is None else f"plan {seed} of a search with seed {search}"
    return [
        f'Found by `explore` with {where}, then shortened: the app fails with "{reason}".',
        *(f"  - {line}" for line in describe_plan(plan)),
    ]


def _at_once(both: bool) -> str:
    return " at both instances of the app at the same moment" if both else ""


def _next(times: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"the next {noun}" if times == 1 else f"each of the next {times} {plural}"


def _hours(hours: int) -> str:
    return "an hour" if hours == 1 else f"{hours} hours"
