"""What a plan of a search can contain, as functions that draw one action from random numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random  # noqa: TID251  # seeded, and outside of every world
from typing import Any, Final, TypeAlias

import msgspec

from giftsim.workbench.app.protocol import OPERATIONS, TEAM_ACTIONS
from giftsim.workbench.explore.plan import (
    CALL_FAULTS,
    FAILED_ATTEMPTS,
    REHEARSALS,
    STARTS,
    Action,
    AppAct,
    CallFault,
    DeclinedPayment,
    FailedAttempt,
    FurtherAction,
    LostConnection,
    NewSecret,
    OrderRequest,
    OtherEvents,
    OtherInstance,
    Outage,
    Plan,
    PriceChange,
    Rehearsed,
    Restart,
    TemporaryError,
    Wait,
    WebhookFault,
)

AnyAction: TypeAlias = Action | FurtherAction
Draw: TypeAlias = Callable[[Random], AnyAction]

MAKING: Final = ("gift", "campaign", "rule", "ticket")
ABOUT_ORDERS: Final = ("cancel", "pay")
DECLINED: Final = ("card_charge_failed", "insufficient_funds", "daily_spend_limit_exceeded")
TIMES: Final = (1, 2, 3)
JUST_BEFORE: Final = 700  # hours: the last day of a claim link
NUMBERS: Final = (1, 1, 1, 2)


def asks(actions: Sequence[str]) -> list[Draw]:
    """What makes something in an app that can do these actions: orders, if it does not say what it can do."""
    order = [_order if actions else _single_order] if "order" in actions or not actions else []
    return _also_at_once(actions, [*order, *(partial(_make, name) for name in MAKING if name in actions)])


def further_asks(actions: Sequence[str]) -> list[tuple[Draw, ...]]:
    """What the app can do with the orders that it made, each with what must go wrong before it does anything."""
    needs: dict[str, tuple[Draw, ...]] = {"pay": (_declined,)}
    return [
        (draw, *needs.get(name, ()))
        for name in ABOUT_ORDERS
        if name in actions
        for draw in _also_at_once(actions, [partial(_about_order, name)])
    ]


def _also_at_once(actions: Sequence[str], draws: list[Draw]) -> list[Draw]:
    """The draws, and each once more for both instances of the app at the same moment, if there can be two."""
    return [*draws, *(partial(_at_once, draw) for draw in draws if "instance" in actions)]


def _at_once(draw: Draw, random: Random) -> AnyAction:
    return msgspec.structs.replace(draw(random), both=True)


def twin(action: AnyAction) -> AnyAction:
    """The same for the other one of two intents, if the action is about one."""
    if isinstance(action, OrderRequest | AppAct):
        return msgspec.structs.replace(action, number=2 if action.number == 1 else 1)
    return action


MEMBERS: Final[dict[str, tuple[Any, ...]]] = {
    "number": (1, 2),
    "recipients": (1, 2),
    "part": (False, True),
    "times": TIMES,
    "hours": (1, 2, 6, 24, 60, 100, JUST_BEFORE, 720),
}


def changed(action: AnyAction, random: Random) -> AnyAction:
    """The same action with another value of one of its members, if it has any."""
    names = [name for name in MEMBERS if name in action.__struct_fields__]
    if not names:
        return action
    name = random.choice(names)
    return msgspec.structs.replace(action, **{name: random.choice(MEMBERS[name])})


def failing(plan: Plan, operation: str) -> Iterator[Plan]:
    """The plan with each failure of the calls of an operation, from its beginning and from its end on."""
    for how in CALL_FAULTS:
        fault = CallFault(operation, how, max(TIMES))
        for actions in ((fault, *plan.actions), (*plan.actions, fault)):
            yield msgspec.structs.replace(plan, actions=actions)


def problems(actions: Sequence[str]) -> list[list[Draw]]:
    """What can go wrong for an app that can do these actions: with webhooks, with calls, and in the world around."""
    webhooks: list[Draw] = [
        lambda random: WebhookFault("duplicate", random.choice(TIMES)),
        lambda random: WebhookFault("reorder", random.choice(TIMES)),
        lambda random: Outage(random.choice((1, 6, 24, 60))),
        lambda random: FailedAttempt(random.choice(list(FAILED_ATTEMPTS)), random.choice(TIMES)),
    ]
    calls: list[Draw] = [_lost, _lost, _lost, _temporary, _declined] if "order" in actions or not actions else []
    if not actions:
        return [[*webhooks, lambda _: WebhookFault("bad_signature", 1)], calls]
    operations = [operation for name in actions for operation in OPERATIONS[name]]
    calls += [lambda random: _call_fault(random.choice(operations), random)] * 2 if operations else []
    around: list[Draw] = [lambda random: PriceChange(random.choice((1099, 2100))), lambda _: OtherEvents()]
    around += [_rehearsed] if "order" in actions else []
    around += [lambda _: NewSecret()] if "secrets" in actions else []
    around += [lambda _: Restart()] if "restart" in actions else []
    around += [lambda _: OtherInstance()] if "instance" in actions else []
    return [kinds for kinds in (webhooks, calls, around) if kinds]


def wait(random: Random, actions: Sequence[str]) -> Wait:
    """Time that passes: hours, often the two after which people act, and for an app that says what it can do weeks."""
    return Wait(random.choice((1, 2, 2, 6, 6, 30, 100, *((24, JUST_BEFORE, 720) if actions else ()))))


def openings(random: Random, actions: Sequence[str]) -> list[Plan]:
    """Short plans with which a search begins: each thing asked for, once and again, and what goes wrong most often.

    The commonest troubles with webhooks come in one plan: which one made it fail shows when the plan is shortened.
    Of an app that says what it can do, people also wait to the last moment, each special day comes, and prices rise.
    Then come the other problems, in any order, and last what is known to go wrong together.
    """

    def ask() -> AnyAction:
        return msgspec.structs.replace(asks(actions)[0](random), number=1)

    alone = [(draw(random),) for draw in asks(actions)]
    again = [(each, each) for (each,) in alone]
    webhooks = (*_common_of_webhooks(actions), ask())
    common = [(problem, ask()) for problem in _common(actions)]
    further = [
        (*(need(random) for need in needed), ask(), msgspec.structs.replace(draw(random), number=1))
        for draw, *needed in further_asks(actions)
    ]
    both = [_for_two(random, ask(), *each) for each in further_asks(actions)]
    drawn = [draw for kinds in problems(actions) for draw in kinds]
    others = [(draw(random), ask(), draw(random)) for draw in random.sample(drawn, len(drawn))]
    stories: list[tuple[AnyAction, ...]] = [*alone, webhooks, *again, *common, *further, *both, *others]
    plans = [msgspec.structs.replace(setting(random, actions), actions=story) for story in stories]
    if not actions:
        return plans
    late = Plan("late", True, (ask(), Wait(JUST_BEFORE)))
    days = [Plan("address", True, (ask(), Wait(100)), start) for start in STARTS]
    dearer = Plan("address", True, (ask(), PriceChange(2100)))
    first = len(alone) * 2 + 1
    return [*plans[:first], late, *days, dearer, *plans[first:], *_known_troubles(actions)]


def _for_two(random: Random, ask: AnyAction, draw: Draw, *needed: Draw) -> tuple[AnyAction, ...]:
    """Two intents at the same stage when something is asked for one of them."""
    wrong = [msgspec.structs.replace(need(random), times=2) for need in needed]
    return (*wrong, ask, twin(ask), msgspec.structs.replace(draw(random), number=1))


def _known_troubles(actions: Sequence[str]) -> list[Plan]:
    """What apps with orders are known to get wrong together with one or two other things."""
    refused: tuple[AnyAction, ...] = (TemporaryError(429, "rate_limited", 3), OrderRequest(1))
    plans = [Plan("address", True, refused)] if "order" in actions else []
    if "cancel" not in actions:
        return plans
    in_part = (OrderRequest(1, 2), AppAct("cancel", 1, True))
    too_late = (FailedAttempt("503", 1), OrderRequest(1), Wait(2), AppAct("cancel", 1), Wait(6))
    one_has_left = (OrderRequest(1, 2), Wait(6), AppAct("cancel", 1))
    return [*plans, Plan("address", True, in_part), Plan("link", False, too_late), Plan("apart", True, one_has_left)]


def _common_of_webhooks(actions: Sequence[str]) -> list[AnyAction]:
    """What most apps get wrong about webhooks: one is repeated, one is of an unknown kind, and the secret is new."""
    secrets: list[AnyAction] = [NewSecret()] if "secrets" in actions else []
    unknown: list[AnyAction] = [OtherEvents()] if actions else []
    return [WebhookFault("duplicate", 3), *secrets, *unknown]


def _common(actions: Sequence[str]) -> list[AnyAction]:
    """Further problems that most apps handle wrongly."""
    lost: list[AnyAction] = [LostConnection("after", 1)] if "order" in actions or not actions else []
    dearer: list[AnyAction] = [PriceChange(1099)] if actions else []
    return [*lost, WebhookFault("reorder", 3), *dearer]


def setting(random: Random, actions: Sequence[str]) -> Plan:
    """A plan without actions: when it begins, and what people do."""
    if not actions:
        return Plan(random.choice(("address", "link")), random.random() < 0.5, ())
    return Plan(
        random.choice(("address", "link", "late", "apart")),
        random.random() < 0.5,
        (),
        random.choice(("", "", "month end", "clocks back", "leap day")),
        random.choice(("approve", "approve", "late", "reject")) if TEAM_ACTIONS.intersection(actions) else "approve",
    )


def _order(random: Random) -> AnyAction:
    return OrderRequest(random.choice(NUMBERS), random.choice((1, 1, 2)))


def _single_order(random: Random) -> AnyAction:
    return OrderRequest(random.choice((1, 1, 2, 3)))


def _make(name: str, random: Random) -> AnyAction:
    return AppAct(name, random.choice(NUMBERS))


def _about_order(name: str, random: Random) -> AnyAction:
    return AppAct(name, random.choice(NUMBERS), name == "cancel" and random.random() < 0.3)


def _lost(random: Random) -> AnyAction:
    return LostConnection(random.choice(("after", "after", "before")), random.choice(TIMES))


def _declined(random: Random) -> AnyAction:
    return DeclinedPayment(random.choice(DECLINED), random.choice(TIMES))


def _temporary(random: Random) -> AnyAction:
    status, code = random.choice(((503, "idempotency_unavailable"), (429, "rate_limited")))
    return TemporaryError(status, code, random.choice(TIMES))


def _rehearsed(random: Random) -> AnyAction:
    return Rehearsed(random.choice(list(REHEARSALS)), random.choice(NUMBERS))


def _call_fault(operation: str, random: Random) -> AnyAction:
    return CallFault(operation, random.choice(list(CALL_FAULTS)), random.choice(TIMES))
