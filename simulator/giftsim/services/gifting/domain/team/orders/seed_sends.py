"""The section `sends:` of a fixture: orders and gifts from before the world began, made by the same functions (G8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidFixture, Problem
from giftsim.services.gifting.domain import seed_history
from giftsim.services.gifting.domain.api_key import API_KEYS, TEAM, ApiKey
from giftsim.services.gifting.domain.fulfilment.claim import DEFAULT_ADDRESSES, claim_for_recipient, default_claim_entry
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, recipient_row_at, recipient_rows
from giftsim.services.gifting.domain.fulfilment.shipment_progress import progress_to
from giftsim.services.gifting.domain.team.billing.wallet import change_balance
from giftsim.services.gifting.domain.team.orders import gift_approval, gift_creation, order_approval, team_order
from giftsim.services.gifting.domain.team.orders.approval import APPROVE, REJECT, decide_approval
from giftsim.services.gifting.domain.team.orders.gift import GIFTS, Gift
from giftsim.services.gifting.domain.team.orders.order_creation import create_order, create_store_order
from giftsim.services.gifting.domain.team.orders.team_order import TEAM_ORDERS, TeamOrder
from giftsim.services.gifting.domain.team.tenant import tenant_of_key

Send = TeamOrder | Gift


class StepEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of a send's history, this long `after` it was created.

    The first four request or decide its approval, or cancel it. The others change the recipients at `places` (from 0;
    all if left out); `claim` enters a default address in `country`.
    """

    after: str
    do: Literal[
        "ask",
        "approve",
        "reject",
        "cancel",
        "claim",
        "in_production",
        "labeled",
        "shipped",
        "delivered",
        "delayed",
        "rejected",
    ]
    note: str | None = None
    places: tuple[int, ...] | None = None
    country: seed_history.CountryCode | None = None


class SendEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One send by `key`, such as `team.showcase`, this long `ago`; `order`, `gift` or `store` is the body of its call.

    `balance_cents` sets the team's balance just before.
    """

    key: str
    ago: str
    order: dict[str, Any] | None = None
    gift: dict[str, Any] | None = None
    store: dict[str, Any] | None = None
    balance_cents: int | None = None
    then: tuple[StepEntry, ...] = ()


def seed_sends(state: State, data: Mapping[str, Any]) -> None:
    """Run the history of a fixture's sends up to now, in a state that has its teams, wallets and people.

    InvalidFixture says what is wrong.
    """
    now_ms = state.now_ms
    try:
        sends = msgspec.convert(data.get("sends", ()), tuple[SendEntry, ...])
        steps = [step for send in sends for step in _timed_steps(state, send, now_ms)]
        if steps:
            state.now_ms = min(at_ms for at_ms, _ in steps)
            seed_history.run_timeline(state, steps, now_ms)
    except (msgspec.ValidationError, Problem) as error:
        raise InvalidFixture(f"the fixture's sends: {error}") from None


def _timed_steps(state: State, send: SendEntry, now_ms: int) -> list[seed_history.TimedStep]:
    created_ms = now_ms - seed_history.parse_span(send.ago)
    created: list[Send] = []

    def create() -> None:
        created.extend(_create(state, send))

    def apply(step: StepEntry) -> Callable[[], None]:
        return lambda: _apply_step(state, created[0], step)

    steps = [(created_ms + seed_history.parse_span(step.after), apply(step)) for step in send.then]
    if any(at_ms > now_ms for at_ms, _ in steps):
        raise InvalidFixture(f"a step of the send {send.ago} ago is in the future")
    return [(created_ms, create), *steps]


def _create(state: State, send: SendEntry) -> list[Send]:
    key = _key(state, send.key)
    tenant = tenant_of_key(state, key)
    if send.balance_cents is not None:
        change_balance(state, tenant.team, send.balance_cents)
    if send.gift is not None:
        return [gift_creation.create_gift(state, tenant, key.n, send.gift)]
    if send.store is not None:
        return [create_store_order(state, tenant, key.n, send.store)]
    if send.order is None:
        raise InvalidFixture(f"the send {send.ago} ago has none of order, gift and store")
    return [create_order(state, tenant, key.n, send.order)]


def _key(state: State, entry: str) -> ApiKey:
    for key in state[API_KEYS]:
        if (f"{key.interface}.{key.label}", key.interface) == (entry, TEAM):
            return key
    raise InvalidFixture(f"there is no key {entry}")


def _apply_step(state: State, created: Send, step: StepEntry) -> None:
    record: Send = state[GIFTS].get(created.n) if isinstance(created, Gift) else state[TEAM_ORDERS].get(created.n)
    if step.do in ("ask", APPROVE, REJECT):
        approval = (
            gift_approval.request_gift_approval(state, record)
            if isinstance(record, Gift)
            else order_approval.request_order_approval(state, record, step.note)
        )
        if step.do != "ask":
            decide_approval(state, approval, step.do, step.note)
    elif step.do == "cancel" and isinstance(record, TeamOrder):
        team_order.cancel_order(state, record, step.note)
    else:
        _progress_rows(state, record, step)


def _progress_rows(state: State, record: Send, step: StepEntry) -> None:
    fulfilment = state[FULFILMENTS].get(record.fulfilment)
    rows = (
        recipient_rows(state, fulfilment)
        if step.places is None
        else [recipient_row_at(state, fulfilment, place) for place in step.places]
    )
    for recipient, shipment in list(rows):
        if step.do == "claim":
            entry = default_claim_entry(state, fulfilment, recipient)
            address = DEFAULT_ADDRESSES[step.country or fulfilment.countries[0]]
            claim_for_recipient(state, fulfilment, recipient, shipment, {**entry, "address": address})
        else:
            progress_to(state, shipment, step.do)
