"""What a journey has still to come: a copy of the world in which its timers fire, and its conditions are met at once.

Parcels that are alike have one future, so one of them travels for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.engine.gateway.own_kinds import kind_and_slot_of
from giftsim.engine.kernel.instants import DAY, HOUR, MINUTE
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks.event import EVENT
from giftsim.services.gifting.domain.actor import APPROVER, RECIPIENT, choose_actor
from giftsim.services.gifting.domain.actor_schedule import ACTS
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import DELIVERED, SHIPMENTS, Shipment
from giftsim.services.gifting.journey.conditions import Condition, conditions
from giftsim.services.gifting.journey.traveller import Row, Traveller
from giftsim.services.gifting.magic.postcodes import POSTCODES
from giftsim.services.gifting.magic.value_format import magic_local_part
from giftsim.services.gifting.records.gifting_kinds import ACT, APPROVAL, CHARGE, PARCEL, PAYMENT

MOST_STEPS: Final = 500  # timers that fire and conditions that are met
LONGEST_MS: Final = 60 * DAY  # from now, in which conditions are met
MOST_KINDS: Final = 60  # of parcels that travel, each for all that are like it
MAGIC_ZIPS: Final = frozenset(row.zip for row in POSTCODES)
# Columns of a parcel that change nothing of its future.
_OWN: Final = frozenset({"n", "owner", "external_id", "recipient", "carrier", "tracking_number"})
_FUTURE: Final = tuple(name for name in Shipment.__struct_fields__ if name not in _OWN)


class Party(NamedTuple):
    """Parcels that are alike, the first of which travels for all."""

    rows: list[Row]

    @property
    def parcel(self) -> int:
        return self.rows[0].parcel.n


class Step(msgspec.Struct):
    """A step to come. `status` is what the parcels of `party` become; without a party it is about all.

    With a `condition` it is one that somebody has to meet. It comes only `after` these conditions.
    """

    at_ms: int
    what: str
    status: str | None
    party: Party | None
    after: tuple[Condition, ...]
    condition: Condition | None = None
    events: list[str] = []


class Ahead(NamedTuple):
    """The steps to come in order of time, of these parties, and the number of parcels that no step tells of."""

    steps: list[Step]
    parties: list[Party]
    left_out: int


def look_ahead(state: State, traveller: Traveller) -> Ahead:
    """The steps to come, if each condition is met as soon as it can be."""
    parties, left_out = _parties(state, traveller)
    return Ahead(_travel(state, traveller, parties, state.now_ms), parties, left_out)


def _travel(state: State, traveller: Traveller, parties: Sequence[Party], meet_at_ms: int) -> list[Step]:
    """The steps to come, if each condition is met as soon as it can be, but no sooner than at an instant."""
    copy = state.share()
    copy.rate = 0.0
    return _Travel(copy, traveller, parties, meet_at_ms).steps()


def arrivals(steps: Sequence[Step]) -> list[Step]:
    """The steps with which parcels arrive."""
    return [step for step in steps if step.status == DELIVERED]


def last_chance(state: State, traveller: Traveller, ahead: Ahead) -> int | None:
    """Until when the conditions can be met so that the parcels still arrive on the same day; None if there is no such
    instant, or if parcels have different futures.
    """
    arrived = arrivals(ahead.steps)
    if len(arrived) != 1 or not arrived[0].after:
        return None
    at_ms, now_ms = arrived[0].at_ms, state.now_ms
    ends_ms = min((each.ends_ms for each in arrived[0].after if each.ends_ms is not None), default=now_ms + LONGEST_MS)
    day = at_ms // DAY

    def is_in_time(meet_at_ms: int) -> bool:
        found = arrivals(_travel(state, traveller, ahead.parties, meet_at_ms))
        return len(found) == 1 and found[0].at_ms // DAY == day

    first_ms = min(now_ms + (day + 1) * DAY - 1 - at_ms, ends_ms - 1)
    if not is_in_time(first_ms):
        return None
    later_ms = min(first_ms + HOUR, ends_ms - 1)
    if later_ms <= first_ms or not is_in_time(later_ms):
        return first_ms
    return _latest(is_in_time, later_ms, ends_ms - 1)


def _latest(is_so: Callable[[int], bool], low_ms: int, high_ms: int) -> int:
    """The latest instant, to a minute, at which something is so that is so at `low_ms` and then stops being so."""
    if is_so(high_ms):
        return high_ms
    while high_ms - low_ms > MINUTE:
        middle_ms = (low_ms + high_ms) // 2
        low_ms, high_ms = (middle_ms, high_ms) if is_so(middle_ms) else (low_ms, middle_ms)
    return low_ms


def _parties(state: State, traveller: Traveller) -> tuple[list[Party], int]:
    found: dict[tuple[Any, ...], Party] = {}
    left_out = 0
    for row in traveller.rows(state):
        key = _key(state, row)
        party = found.get(key)
        if party is not None:
            party.rows.append(row)
        elif len(found) < MOST_KINDS:
            found[key] = Party([row])
        else:
            left_out += 1
    return list(found.values()), left_out


def _key(state: State, row: Row) -> tuple[Any, ...]:
    """What the future of a parcel follows from."""
    timers = tuple([(timer.kind, timer.due_ms) for timer in _timers_of(state, row)])
    return (*[getattr(row.parcel, name) for name in _FUTURE], timers, _will(state, row.recipient))


def _will(state: State, recipient: Recipient | None) -> tuple[Any, ...]:
    """What a recipient decides of it: who will claim, and a postcode or an email that is magic."""
    if recipient is None:
        return ()
    actor = choose_actor(state, RECIPIENT, [name for name in (recipient.email, recipient.name) if name])
    address, email = recipient.address, recipient.email
    country = state[FULFILMENTS].get(recipient.order).countries[:1]  # of the address that is made up for a claim
    postcode = address.zip if address is not None and address.zip in MAGIC_ZIPS else None
    return actor and actor.n, country, postcode, email if magic_local_part(email) is not None else None


def _timers_of(state: State, row: Row) -> Iterator[Timer]:
    for owner in PARCEL.timer_owners:
        yield from state.timers.owned(owner, row.parcel.n)
    if row.recipient is not None:
        yield from _acts(state, RECIPIENT, row.recipient.n)


def _acts(state: State, role: str, subject: int) -> Iterator[Timer]:
    """What an actor will do to a recipient or an approval."""
    act = state[ACTS].find("subject", f"{role} {subject}")
    if act is not None:
        for owner in ACT.timer_owners:
            yield from state.timers.owned(owner, act.n)


class _Travel:
    """One way through the future, on a copy of the world."""

    def __init__(self, copy: State, traveller: Traveller, parties: Sequence[Party], meet_at_ms: int) -> None:
        self._state, self._traveller, self._parties = copy, traveller, parties
        self._meet_at_ms = meet_at_ms
        self._met: dict[int | None, tuple[Condition, ...]] = {}  # by the slot of a parcel; None for what is about all
        self._refused: set[tuple[str, int | None]] = set()
        self._events: list[str] = []  # the types of the webhooks that the last act made

    def steps(self) -> list[Step]:
        found: list[Step] = []
        while len(found) < MOST_STEPS:
            condition, timer = self._next_condition(), self._next_timer()
            if condition is not None and (timer is None or timer.due_ms > self._meet_at_ms):
                found += self._meet(condition)
            elif timer is not None:
                found += self._fire(timer)
            else:
                break
        return found

    def _next_condition(self) -> Condition | None:
        rows = [self._row(party) for party in self._parties]
        wanted = (each for each in conditions(self._state, self._traveller, rows))
        return next((each for each in wanted if (each.done, each.parcel) not in self._refused), None)

    def _row(self, party: Party) -> Row:
        row = party.rows[0]
        return row._replace(parcel=self._state[SHIPMENTS].get(row.parcel.n))

    def _next_timer(self) -> Timer | None:
        return min(self._timers(), key=lambda each: (each.due_ms, each.phase, each.serial), default=None)

    def _timers(self) -> Iterator[Timer]:
        state, parts = self._state, self._traveller.parts
        for party in self._parties:
            yield from _timers_of(state, party.rows[0])
        for charge in parts.charges:
            yield from state.timers.owned(CHARGE.timer_owners[0], charge.n)
        for payment in parts.payments:
            yield from state.timers.owned(PAYMENT.timer_owners[0], payment.n)
        for approval in parts.approvals:
            for owner in APPROVAL.timer_owners:
                yield from state.timers.owned(owner, approval.n)
            yield from _acts(state, APPROVER, approval.n)

    def _meet(self, condition: Condition) -> list[Step]:
        state, party = self._state, self._party(condition.parcel)
        state.now_ms = max(state.now_ms, self._meet_at_ms)
        step = Step(state.now_ms, condition.what, None, party, self._after(condition.parcel), condition)
        try:
            found = self._told(lambda: self._in_transaction(condition), condition.what)
        except Problem:
            self._refused.add((condition.done, condition.parcel))
            return [step]
        self._met[condition.parcel] = (*self._met.get(condition.parcel, ()), condition)
        step.status = next((each.status for each in found if each.party is party), None)
        step.events = self._events
        return [step, *(each for each in found if each.party is not party)]

    def _in_transaction(self, condition: Condition) -> None:
        with self._state.transaction():
            condition.meet(self._state)

    def _fire(self, timer: Timer) -> list[Step]:
        state = self._state
        found = self._told(lambda: state.fire(timer), timer.because)
        if not found:
            found = [Step(state.now_ms, timer.because, None, None, self._after(None))]
        found[0].events = self._events
        return found

    def _told(self, act: Callable[[], object], what: str) -> list[Step]:
        """The steps that something makes: what changed of the parcels. `_events` are the webhooks that it made."""
        state = self._state
        before = [state[SHIPMENTS].get(party.parcel).status for party in self._parties]
        first = state[EVENT].next_n
        act()
        state.outbox.clear()
        self._events = list(dict.fromkeys(self._made(first)))
        now = [state[SHIPMENTS].get(party.parcel).status for party in self._parties]
        return [
            Step(state.now_ms, what, status, party, self._after(party.parcel))
            for party, was, status in zip(self._parties, before, now, strict=True)
            if was != status
        ]

    def _made(self, first: int) -> Iterator[str]:
        """The types of the new webhook events about the traveller."""
        for n in range(first, self._state[EVENT].next_n):
            event = self._state[EVENT].get(n)
            found = kind_and_slot_of(self._state, event)
            if found is not None and self._traveller.is_about(*found):
                yield event.kind

    def _after(self, parcel: int | None) -> tuple[Condition, ...]:
        every = self._met.get(None, ())
        return every if parcel is None else (*every, *self._met.get(parcel, ()))

    def _party(self, parcel: int | None) -> Party | None:
        return next((party for party in self._parties if party.parcel == parcel), None)
