"""A plan in words, for people: in the summary, and above the scenario that was written."""

from __future__ import annotations

from giftsim.explore.plan import Action, Declined, Lost, Order, Outage, Plan, Refused, Stumbled, Tangled, Wait

TANGLES = {
    "duplicate": "comes twice",
    "reorder": "is overtaken by the one after it",
    "bad_signature": "has a wrong signature",
}
STUMBLES = {"503": "meets a 503", "timeout": "meets a time-out", "reset": "meets a reset"}


def sentences(plan: Plan) -> list[str]:
    """What happens in a plan, one line each."""
    haste = ["every parcel is made, shipped and delivered within the hour"] if plan.hasty else []
    links = ["the gift is claimed by its link, two hours later"] if plan.claims == "link" else []
    return [*haste, *links, *map(sentence, plan.actions)]


def sentence(action: Action) -> str:
    """What an action is, in a line."""
    match action:
        case Order(number):
            return f"order-{number} is asked for"
        case Lost("after", times):
            return f"{_next(times, 'order')} reaches the service, and the answer is lost"
        case Lost(_, times):
            return f"{_next(times, 'order')} is lost on the way to the service"
        case Refused(status, code, times):
            return f"{_next(times, 'order')} is refused for the moment: {status} {code}"
        case Declined(code, times):
            return f"{_next(times, 'order')} cannot be paid: {code}"
        case Tangled(how, times):
            return f"{_next(times, 'delivery')} {TANGLES[how]}"
        case Stumbled(how, times):
            return f"{_next(times, 'delivery')} {STUMBLES[how]}"
        case Outage(hours):
            return f"the receiver is down for {_hours(hours)}"
        case Wait(hours):
            return f"{_hours(hours)} pass"


def remarks(plan: Plan, reason: str, seed: int) -> list[str]:
    """What stands above a written scenario: the editor's line, the sentence of why, and the story in words."""
    return [
        f'Found by `explore` (seed {seed}), and shortened: the app says "{reason}".',
        *(f"  - {line}" for line in sentences(plan)),
    ]


def _next(times: int, what: str) -> str:
    return f"the next {what}" if times == 1 else f"each of the next {times} {what.replace('y', 'ie')}s"


def _hours(hours: int) -> str:
    return "an hour" if hours == 1 else f"{hours} hours"
