"""What happened to an order, gift or campaign: each cause in words, with its effects, in order of time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.own_kinds import kind_and_slot_of
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import TableSpec
from giftsim.engine.provenance.causes import Cause
from giftsim.engine.webhooks.event import EVENT, Event
from giftsim.engine.webhooks.fan_out import deliveries_of, status_of
from giftsim.engine.worlds.world import World
from giftsim.services.gifting.domain.fulfilment.claim import find_order_of_link
from giftsim.services.gifting.domain.fulfilment.mail import BOUNCES, MAILS, Mail, oldest_slot
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import (
    CANCELED,
    DELAYED,
    EXPIRED,
    REJECTED,
    SUBMITTED,
    Shipment,
)
from giftsim.services.gifting.journey.telling import NAMED, Teller, phrase_names
from giftsim.services.gifting.journey.traveller import Traveller
from giftsim.services.gifting.records.gifting_kinds import MAIL, PARCEL
from giftsim.services.gifting.records.timeline import Step, steps_of

MAIL_, WEBHOOK, TIMER = "mail", "webhook", "timer"
DUE, FIRED, CALLED_OFF = "due", "fired", "canceled"
# The statuses that the last word of an event's type tells of, where they have other names.
_SAID: Final = {"claimed": (SUBMITTED,), "needs_attention": (DELAYED, REJECTED, EXPIRED)}


class Since(msgspec.Struct, frozen=True):
    """The moment that led to one: its instant, and what happened as a clause, such as `Bo claimed it`."""

    at_ms: int
    what: str


class Effect(msgspec.Struct):
    """An effect of a moment, or `count` alike. `status` is that of a webhook or a timer.

    `answered` is the HTTP status of the last answer.
    """

    kind: str
    what: str
    about: Ref | None = None
    status: str | None = None
    answered: int | None = None
    attempts: int | None = None
    due_ms: int | None = None
    count: int = 1


class Moment(msgspec.Struct):
    """Something that happened at an instant by one cause. `steps` are the changes of status that it made."""

    at_ms: int
    cause: Cause | None
    steps: list[Step]
    what: str = ""
    since: Since | None = None
    effects: list[Effect] = []


def tell_story(world: World, state: State, traveller: Traveller) -> list[Moment]:
    """The moments of a journey, oldest first."""
    if traveller.placed is None:
        return []
    moments = _moments(steps_of(world, state, traveller.placed, traveller.parts))
    teller = Teller(state, traveller)
    latest: dict[Ref, Moment] = {}
    for moment in moments:
        main = teller.main(moment.steps)
        moment.what = teller.headline(moment.steps, moment.cause)
        moment.effects = [Effect(*teller.effect(alike)) for alike in teller.others(moment.steps, main)]
        if moment.cause is not None and moment.cause.kind == "clock":
            earlier = latest.get(main.subject)
            clause = teller.clause(teller.main(earlier.steps)) if earlier else ""
            _lead(moment, earlier, moment.cause.text, clause)
        latest |= {step.subject: moment for step in moment.steps if step.subject.kind == PARCEL.name}
    _add_sent(state, traveller, moments)
    _add_links(traveller, moments)
    return list(_in_runs(moments))


def _in_runs(moments: Sequence[Moment]) -> Iterator[Moment]:
    """The moments, with batches that were prepared or paid one after the other as one."""
    for key, group in groupby(moments, key=_batch_status):
        run = list(group)
        if key is None or len(run) == 1:
            yield from run
            continue
        last = run[-1]
        names = [step.detail or "" for moment in run for step in moment.steps if step.status == key]
        last.what = f"Batches {_number(names[0])} to {_number(names[-1])} were {key}"
        last.effects = [effect for moment in run for effect in moment.effects]
        yield last


def _batch_status(moment: Moment) -> str | None:
    """What a batch became in a moment that is about nothing else; None for any other moment."""
    statuses = {step.status for step in moment.steps if (step.detail or "").startswith("batch ")}
    return statuses.pop() if len(statuses) == 1 and moment.what.startswith("Batch") else None


def _number(name: str) -> str:
    return name.rpartition(" ")[2]


def _moments(steps: Sequence[Step]) -> list[Moment]:
    """The steps of one instant and one cause as one moment."""
    found: dict[tuple[int, Cause | None], Moment] = {}
    for step in steps:
        key = step.at_ms, step.cause
        moment = found.get(key)
        if moment is None:
            moment = found[key] = Moment(step.at_ms, step.cause, [])
        moment.steps.append(step)
    return list(found.values())


def _lead(moment: Moment, earlier: Moment | None, because: str, clause: str) -> None:
    """Note what a moment of the clock came from, and there the timer that brought it."""
    if earlier is None:
        return
    moment.since = Since(earlier.at_ms, clause)
    timer = Effect(TIMER, because, status=FIRED, due_ms=moment.at_ms)
    if timer not in earlier.effects:
        earlier.effects.append(timer)


def _add_sent(state: State, traveller: Traveller, moments: Sequence[Moment]) -> None:
    """Add the mails and the webhooks to the moments in which they were made."""
    people = _People(state, traveller)
    for at_ms in dict.fromkeys(moment.at_ms for moment in moments):
        own = [moment for moment in moments if moment.at_ms == at_ms]
        mails = [each for each in _of_instant(state, MAILS, oldest_slot(state), "at_ms", at_ms) if people.got(each)]
        own[0].effects += [_mailed(state, people, list(group)) for _, group in groupby(mails, key=_subject)]
        for event in _of_instant(state, EVENT, 0, "occurred_ms", at_ms):
            found = kind_and_slot_of(state, event)
            if found is not None and traveller.is_about(*found):
                _add(_fitting(own, event).effects, _webhook(state, event))


def _subject(mail: Mail) -> str:
    return mail.subject


def _mailed(state: State, people: _People, mails: Sequence[Mail]) -> Effect:
    to = phrase_names([people.name(mail) for mail in mails[:NAMED]], len(mails))
    about = MAIL.ref_of(state, mails[0].n) if len(mails) == 1 else None
    bounced = sum(state[BOUNCES].find("mail", mail.n) is not None for mail in mails)
    fate = "" if not bounced else ", which bounced" if bounced == len(mails) else f", of which {bounced} bounced"
    return Effect(MAIL_, f"Mail to {to}{fate}: {mails[0].subject}", about, count=len(mails))


def _add(effects: list[Effect], webhook: Effect) -> None:
    """Add a webhook, or count it with one that went alike."""
    for each in effects:
        if (each.kind, each.what, each.status, each.answered) == (
            webhook.kind,
            webhook.what,
            webhook.status,
            webhook.answered,
        ):
            each.count += 1
            each.about = None
            return
    effects.append(webhook)


def _of_instant(state: State, spec: TableSpec[Any], first: int, column: str, at_ms: int) -> Iterator[Any]:
    """The rows of a table that grows with time, which were made at an instant."""
    table = state[spec]
    slots = range(first, table.next_n)
    for n in slots[bisect_left(slots, at_ms, key=lambda n: getattr(table.get(n), column)) :]:
        row = table.get(n)
        if getattr(row, column) != at_ms:
            return
        yield row


def _fitting(moments: Sequence[Moment], event: Event) -> Moment:
    """The moment of an instant that an event tells of."""
    word = event.kind.rpartition(".")[2]
    statuses = _SAID.get(word, (word,))
    return next((each for each in moments if any(step.status in statuses for step in each.steps)), moments[0])


def _webhook(state: State, event: Event) -> Effect:
    deliveries = deliveries_of(state, event)
    status = status_of(event, deliveries)
    told = next(
        (each for each in deliveries if each.status == status), None
    )  # of several endpoints the one that is told
    answered, attempts = (told.last_status, told.attempts) if told else (None, 0)
    return Effect(WEBHOOK, event.kind, Ref("event", event.id), status, answered, attempts)


class _People:
    """The recipients of a traveller, as mail knows them."""

    def __init__(self, state: State, traveller: Traveller) -> None:
        rows = list(traveller.rows(state))
        self._state = state
        self._tokens = {row.recipient.token for row in rows if row.recipient and row.recipient.token}
        orders = traveller.placed.fulfilments if traveller.placed else ()
        self._tokens |= {each.share_token for each in orders if each.share_token}
        self._names = {row.recipient.email: row.name for row in rows if row.recipient and row.recipient.email}

    def got(self, mail: Mail) -> bool:
        """Whether a mail has a link of theirs, or is to one of them with a link that a newer one has replaced."""
        for link in mail.links:
            if link.rpartition("/")[2] in self._tokens:
                return True
        if mail.to not in self._names:
            return False
        return all(find_order_of_link(self._state, link.rpartition("/")[2]) is None for link in mail.links)

    def name(self, mail: Mail) -> str:
        """To whom a mail is."""
        return self._names.get(mail.to, mail.to)


def _add_links(traveller: Traveller, moments: Sequence[Moment]) -> None:
    """Add to the moment in which claim links were opened when they expire. What has expired is a moment itself."""
    opened = [each for each in moments if any(effect.kind == MAIL_ for effect in each.effects)]
    expiries = {
        (parcel.expires_at_ms, _is_called_off(recipient, parcel))
        for recipient, parcel in traveller.parts.rows
        if parcel.expires_at_ms is not None and parcel.status != EXPIRED
    }
    for due_ms in sorted({due_ms for due_ms, _ in expiries}) if opened else ():
        status = DUE if (due_ms, False) in expiries else CALLED_OFF
        opened[-1].effects.append(Effect(TIMER, "the claim link expires", status=status, due_ms=due_ms))


def _is_called_off(recipient: Recipient, parcel: Shipment) -> bool:
    return recipient.claimed_at_ms is not None or parcel.status == CANCELED
