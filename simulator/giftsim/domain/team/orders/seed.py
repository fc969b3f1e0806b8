"""The section `sends:` of a fixture: what teams sent before the world began, by real verbs at past instants (G8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from giftsim.domain import seed_history
from giftsim.domain.access.api_key import API_KEYS, TEAM, ApiKey
from giftsim.domain.fulfilment.claim import claim_for_recipient
from giftsim.domain.fulfilment.default_claim import DEFAULT_ADDRESSES, default_claim_entry
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, recipient_row_at, recipient_rows
from giftsim.domain.fulfilment.shipment_progress import progress_to
from giftsim.domain.problem import InvalidFixture
from giftsim.domain.team.billing.wallet import change_balance
from giftsim.domain.team.orders import authorization, gift_preparation, order_changes
from giftsim.domain.team.orders.approval import APPROVE, REJECT, decide
from giftsim.domain.team.orders.gift import GIFTS, Gift
from giftsim.domain.team.orders.order_creation import create_order, create_store_order
from giftsim.domain.team.orders.team_order import TEAM_ORDERS, TeamOrder
from giftsim.domain.team.tenant import tenant_of_key
from giftsim.kernel.state import State
from giftsim.problem import Problem

Send = TeamOrder | Gift


class SeedStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens `after` the send was made: it is asked about, decided or canceled, or something comes of the rows at
    `places` (from 0; all if left out), of which `claim` enters a default address in `country`.
    """

    after: str
    do: Literal[
        "ask", "approve", "reject", "cancel", "claim", "in_production", "labeled", "shipped", "delivered", "delayed",
        "rejected",
    ]  # fmt: skip
    note: str | None = None
    places: tuple[int, ...] | None = None
    country: str | None = None


class SendSeed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One send by `key` (`team.showcase`) this long `ago`: one of `order`, `gift` and `store` is the body of its call.

    `balance_cents` is what the team's balance was set to just before.
    """

    key: str
    ago: str
    order: dict[str, Any] | None = None
    gift: dict[str, Any] | None = None
    store: dict[str, Any] | None = None
    balance_cents: int | None = None
    then: tuple[SeedStep, ...] = ()


def seed_sends(state: State, data: Mapping[str, Any]) -> None:
    """Let a fixture's stories happen up to now, in a state that has its teams, money and people; InvalidFixture."""
    now_ms = state.now_ms
    try:
        stories = msgspec.convert(data.get("sends", ()), tuple[SendSeed, ...])
        plot = [instant for story in stories for instant in _timed_steps(state, story, now_ms)]
        if plot:
            state.now_ms = min(at_ms for at_ms, _ in plot)
            seed_history.run_timeline(state, plot, now_ms)
    except (msgspec.ValidationError, Problem) as error:
        raise InvalidFixture(f"the fixture's sends: {error}") from None


def _timed_steps(state: State, story: SendSeed, now_ms: int) -> list[seed_history.TimedStep]:
    made_ms = now_ms - seed_history.parse_offset(story.ago)
    made: list[Send] = []

    def begin() -> None:
        made.extend(_create(state, story))

    def later(act: SeedStep) -> Callable[[], None]:
        return lambda: _apply_step(state, made[0], act)

    acts = [(made_ms + seed_history.parse_offset(act.after), later(act)) for act in story.then]
    if any(at_ms > now_ms for at_ms, _ in acts):
        raise InvalidFixture(f"an act of what was sent {story.ago} ago lies ahead")
    return [(made_ms, begin), *acts]


def _create(state: State, story: SendSeed) -> list[Send]:
    key = _key(state, story.key)
    tenant = tenant_of_key(state, key)
    if story.balance_cents is not None:
        change_balance(state, tenant.team, story.balance_cents)
    if story.gift is not None:
        return [gift_preparation.create_gift(state, tenant, key.n, story.gift)]
    if story.store is not None:
        return [create_store_order(state, tenant, key.n, story.store)]
    return [] if story.order is None else [create_order(state, tenant, key.n, story.order)]


def _key(state: State, entry: str) -> ApiKey:
    for key in state[API_KEYS]:
        if (f"{key.interface}.{key.label}", key.interface) == (entry, TEAM):
            return key
    raise InvalidFixture(f"there is no key {entry}")


def _apply_step(state: State, made: Send, act: SeedStep) -> None:
    record: Send = state[GIFTS].get(made.n) if isinstance(made, Gift) else state[TEAM_ORDERS].get(made.n)
    if act.do in ("ask", APPROVE, REJECT):
        asked = (
            gift_preparation.request_gift_approval(state, record)
            if isinstance(record, Gift)
            else authorization.request_order_approval(state, record, act.note)
        )
        if act.do != "ask":
            decide(state, asked, act.do, act.note)
    elif act.do == "cancel" and isinstance(record, TeamOrder):
        order_changes.cancel_order(state, record, act.note)
    else:
        _progress_rows(state, record, act)


def _progress_rows(state: State, record: Send, act: SeedStep) -> None:
    placed = state[FULFILMENTS].get(record.fulfilment)
    found = (
        recipient_rows(state, placed)
        if act.places is None
        else [recipient_row_at(state, placed, place) for place in act.places]
    )
    for recipient, shipment in list(found):
        if act.do == "claim":
            entry = default_claim_entry(state, placed, recipient)
            address = DEFAULT_ADDRESSES[act.country or placed.countries[0]]
            claim_for_recipient(state, placed, recipient, shipment, {**entry, "address": address})
        else:
            progress_to(state, shipment, act.do)
