"""The past of a starting world: orders placed, claimed, pushed along and canceled by real verbs at past instants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from giftsim.domain.access.api_key import API_KEYS, ApiKey
from giftsim.domain.fulfilment.cancellation import cancel_recipients
from giftsim.domain.fulfilment.claim import claim_for_recipient
from giftsim.domain.fulfilment.default_claim import DEFAULT_ADDRESSES
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment, recipient_row_at, recipient_rows
from giftsim.domain.fulfilment.payment import charge_order
from giftsim.domain.fulfilment.placement import place_order
from giftsim.domain.fulfilment.shipment_progress import progress_to
from giftsim.domain.fulfilment.validation import validate_order
from giftsim.domain.fulfilment.variation_choice import default_selection
from giftsim.domain.money.account import ACCOUNTS
from giftsim.domain.money.charge import ChargeFault
from giftsim.domain.problem import InvalidFixture
from giftsim.kernel.instants import parse_duration, utc_date
from giftsim.kernel.state import State

TimedStep = tuple[int, Callable[[], None]]


class HistoryStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens to the rows at `places` (from 0; all if left out), `after` the order was placed.

    `claim` enters a default address in `country`, `cancel` cancels, any other word is where the shipments go.
    """

    after: str
    do: Literal["claim", "cancel", "in_production", "labeled", "shipped", "delivered", "delayed", "rejected"]
    places: tuple[int, ...] | None = None
    country: str | None = None


class OrderHistory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One order: placed by `key` (`partner.showcase`) this long `ago`, for an event that is `event_in` from now.

    Its day may have passed by now (`event_in: -20d`). `body` is what a create call would send.
    """

    key: str
    ago: str
    body: dict[str, Any]
    event_in: str | None = None
    then: tuple[HistoryStep, ...] = ()


def earliest_start(state: State, stories: Sequence[OrderHistory]) -> int:
    """The instant of the first story, or now if there is none."""
    return min([state.now_ms - parse_offset(story.ago) for story in stories], default=state.now_ms)


def run_histories(state: State, stories: Sequence[OrderHistory], now_ms: int) -> None:
    """Let the stories happen in the order of their instants, with all that falls due between them, up to `now_ms`."""
    run_timeline(state, [instant for story in stories for instant in _instants(state, story, now_ms)], now_ms)


def run_timeline(state: State, plot: Sequence[TimedStep], now_ms: int) -> None:
    """Let what is told of instants happen in their order, each in a transaction, with all that falls due up to now."""
    for at_ms, happen in sorted(plot, key=lambda instant: instant[0]):
        _pass(state, at_ms)
        with state.transaction():
            happen()
    _pass(state, now_ms)


def _pass(state: State, to_ms: int) -> None:
    while (timer := state.timers.peek()) and timer.due_ms <= to_ms:
        state.fire(timer)
    state.now_ms = to_ms


def _instants(state: State, story: OrderHistory, now_ms: int) -> list[TimedStep]:
    placed_ms = now_ms - parse_offset(story.ago)
    made: list[Fulfilment] = []

    def begin() -> None:
        made.append(_place(state, story, now_ms))

    def later(act: HistoryStep) -> Callable[[], None]:
        return lambda: _act(state, state[FULFILMENTS].get(made[0].n), act)

    acts = [(placed_ms + parse_offset(act.after), later(act)) for act in story.then]
    if any(at_ms > now_ms for at_ms, _ in acts):
        raise InvalidFixture(f"the fixture's orders: an act of the order placed {story.ago} ago lies ahead")
    return [(placed_ms, begin), *acts]


def _place(state: State, story: OrderHistory, now_ms: int) -> Fulfilment:
    key = _key(state, story.key)
    account = state[ACCOUNTS].get(key.account or 0)
    body = dict(story.body)
    if story.event_in is not None:
        body["event"] = {**body.get("event", {}), "date": utc_date(now_ms + parse_offset(story.event_in))}
    validate_order(state, account, body, ())
    order = place_order(state, account, key, body)
    charge_order(state, order, key, ChargeFault())
    return order


def parse_offset(text: str) -> int:
    """Milliseconds of a duration, which may be written with a minus."""
    try:
        return -parse_duration(text[1:]) if text.startswith("-") else parse_duration(text)
    except ValueError as error:
        raise InvalidFixture(f"the fixture's orders: {error}") from None


def _key(state: State, entry: str) -> ApiKey:
    interface, _, label = entry.partition(".")
    for key in state[API_KEYS]:
        if (key.interface, key.label) == (interface, label) and key.account is not None:
            return key
    raise InvalidFixture(f"the fixture's orders: there is no key {entry} with an account")


def _act(state: State, order: Fulfilment, act: HistoryStep) -> None:
    found = (
        list(recipient_rows(state, order))
        if act.places is None
        else [recipient_row_at(state, order, place) for place in act.places]
    )
    if act.do == "cancel":
        cancel_recipients(state, order, [recipient.id for recipient, _ in found], "showcase")
        return
    for recipient, shipment in found:
        if act.do == "claim":
            country = act.country or order.countries[0]
            entry = {"address": DEFAULT_ADDRESSES[country], "selection": default_selection(state, order)}
            guest = {"name": f"Guest {recipient.place + 1}", "email": f"guest{recipient.place + 1}@example.com"}
            claim_for_recipient(state, order, recipient, shipment, {**entry, **guest})
        else:
            progress_to(state, shipment, act.do)
