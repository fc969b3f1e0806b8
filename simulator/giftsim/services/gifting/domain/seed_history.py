"""The order history of a fixture: orders placed, claimed, shipped and canceled at past times by the domain's verbs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from giftsim.engine.kernel.instants import DAY, parse_duration, utc_date
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidFixture, in_fixture
from giftsim.services.gifting.domain.api_key import API_KEYS, ApiKey
from giftsim.services.gifting.domain.fulfilment.cancellation import cancel_recipients
from giftsim.services.gifting.domain.fulfilment.claim import claim_for_recipient, default_claim_entry
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    PartnerOrder,
    partner_order,
    recipient_row_at,
    recipient_rows,
)
from giftsim.services.gifting.domain.fulfilment.order_charge import charge_order
from giftsim.services.gifting.domain.fulfilment.order_placement import place_unpaid_order
from giftsim.services.gifting.domain.fulfilment.shipment_progress import progress_to
from giftsim.services.gifting.domain.fulfilment.validation import validate_order
from giftsim.services.gifting.domain.money.account import ACCOUNTS
from giftsim.services.gifting.domain.money.charge import ChargeFault

CountryCode = Literal["US", "CA", "GB", "AU", "DE", "FR", "NL", "IT", "ES"]
LONGEST_AGO_MS = 36_525 * DAY  # a hundred years: every hour of them is run
TimedStep = tuple[int, Callable[[], None]]


class HistoryStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the rows at `places` (from 0; default: all), `after` the order was placed.

    `do: claim` claims with a default address in `country`, `cancel` cancels, any other value is a shipment status.
    """

    after: str
    do: Literal["claim", "cancel", "in_production", "labeled", "shipped", "delivered", "delayed", "rejected"]
    places: tuple[int, ...] | None = None
    country: CountryCode | None = None


class OrderHistory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One past order, placed by `key` (such as `partner.showcase`) this long `ago`; `body` is a create request.

    The date of its party is `event_in` from now, and may be negative (`event_in: -20d`).
    """

    key: str
    ago: str
    body: dict[str, Any]
    event_in: str | None = None
    then: tuple[HistoryStep, ...] = ()


def earliest_start(state: State, histories: Sequence[OrderHistory]) -> int:
    """When the first order was placed, in ms, or now if there is none."""
    return min([state.now_ms - parse_span(history.ago) for history in histories], default=state.now_ms)


def run_histories(state: State, histories: Sequence[OrderHistory], now_ms: int) -> None:
    """Run the steps of all histories in order of time, and the timers due between them, up to `now_ms`."""
    steps = [step for i, history in enumerate(histories) for step in _timed_steps(state, i, history, now_ms)]
    run_timeline(state, steps, now_ms)


def run_timeline(state: State, steps: Sequence[TimedStep], now_ms: int) -> None:
    """Run steps in order of time, each in a transaction, and the timers due between them, up to `now_ms`."""
    for at_ms, run in sorted(steps, key=lambda step: step[0]):
        _advance_to(state, at_ms)
        with state.transaction():
            run()
    _advance_to(state, now_ms)


def _advance_to(state: State, to_ms: int) -> None:
    while (timer := state.timers.peek()) and timer.due_ms <= to_ms:
        state.fire(timer)
    state.now_ms = to_ms


def _timed_steps(state: State, number: int, history: OrderHistory, now_ms: int) -> list[TimedStep]:
    placed_ms = now_ms - parse_span(history.ago)
    placed: list[PartnerOrder] = []

    def place() -> None:
        with in_fixture(f"orders[{number}]"):
            placed.append(_place(state, history, now_ms))

    def later(step_number: int, step: HistoryStep) -> Callable[[], None]:
        def run() -> None:
            with in_fixture(f"orders[{number}].then[{step_number}]"):
                _run_step(state, partner_order(state, placed[0].n), step)

        return run

    steps = [(placed_ms + parse_span(step.after), later(i, step)) for i, step in enumerate(history.then)]
    if any(at_ms > now_ms for at_ms, _ in steps):
        raise InvalidFixture(f"the fixture's orders: a step of the order placed {history.ago} ago is in the future")
    return [(placed_ms, place), *steps]


def _place(state: State, history: OrderHistory, now_ms: int) -> PartnerOrder:
    key = _find_partner_key(state, history.key)
    account = state[ACCOUNTS].get(key.account or 0)
    body = dict(history.body)
    if history.event_in is not None:
        body["event"] = {**body.get("event", {}), "date": utc_date(now_ms + parse_offset(history.event_in))}
    items = validate_order(state, account, body, ())
    order = place_unpaid_order(state, account, key, body, items)
    charge_order(state, order, key, ChargeFault())
    return order


def parse_offset(text: str) -> int:
    """Milliseconds of a duration that may start with a minus."""
    return -parse_span(text[1:]) if text.startswith("-") else parse_span(text)


def parse_span(text: str) -> int:
    """Milliseconds of a duration. InvalidFixture."""
    try:
        span_ms = parse_duration(text)
    except ValueError as error:
        raise InvalidFixture(f"the fixture's history: {error}") from None
    if span_ms > LONGEST_AGO_MS:
        raise InvalidFixture(f"the fixture's history: {text[:60]!r} is longer than a hundred years")
    return span_ms


def _find_partner_key(state: State, full_name: str) -> ApiKey:
    interface, _, label = full_name.partition(".")
    for key in state[API_KEYS]:
        if (key.interface, key.label) == (interface, label) and key.account is not None:
            return key
    raise InvalidFixture(f"the fixture's orders: there is no key {full_name} with an account")


def _run_step(state: State, order: PartnerOrder, step: HistoryStep) -> None:
    if step.places is None:
        rows = list(recipient_rows(state, order))
    else:
        rows = [recipient_row_at(state, order, place) for place in step.places]
    if step.do == "cancel":
        cancel_recipients(state, order, [recipient.id for recipient, _ in rows], "showcase")
        return
    for recipient, shipment in rows:
        if step.do == "claim":
            entry = default_claim_entry(state, order, recipient, step.country or "")
            claim_for_recipient(state, order, recipient, shipment, entry)
        else:
            progress_to(state, shipment, step.do)
