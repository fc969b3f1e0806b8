"""Why parcels are not where they should be: nobody claimed, the link expired, or production went another way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from giftsim.engine.gateway.reason import AT, CAUSE, Proof, Reason
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.timer import Timer
from giftsim.services.gifting.domain.actor import RECIPIENT, Actor
from giftsim.services.gifting.domain.fulfilment.mail import BOUNCES, Bounce, bounces_of
from giftsim.services.gifting.domain.fulfilment.shipment import (
    AWAITING,
    CANCELED,
    DELAYED,
    DELIVERED,
    EXPIRED,
    IN_PRODUCTION,
    LABELED,
    REJECTED,
    SHIPMENT,
    SHIPMENTS,
    SHIPPED,
)
from giftsim.services.gifting.domain.team.orders.team_fulfilment import SANDBOX
from giftsim.services.gifting.why.expected_stages import Goal, Row, Stage
from giftsim.services.gifting.why.stock_reasons import nothing_left
from giftsim.services.gifting.why.wording import (
    find_scheduled_actor,
    mend_by_claiming,
    mend_by_linking,
    mend_by_moving,
    mend_by_waiting,
    phrase_people,
    phrase_record,
)

SHOWN: Final = 20  # recipients for whom a line of its own is told
_MOVED_TO: Final[Mapping[Stage, str]] = {
    Stage.LABELED: LABELED,
    Stage.SHIPPED: SHIPPED,
    Stage.DELIVERED: DELIVERED,
}


def parcel_reasons(state: State, ref: Ref, rows: Sequence[Row], goal: Goal) -> Iterator[Reason]:
    """The reasons of parcels that are behind, by their statuses. Those that only wait for time have none."""
    for status, reason in _REASONS.items():
        own = [row for row in rows if row.shipment.status == status]
        if own:
            yield from reason(state, ref, own, goal)


def _not_claimed(state: State, ref: Ref, rows: Sequence[Row], _: Goal) -> Iterator[Reason]:
    """Nobody has entered an address. For whom an actor will claim, it only is not due."""
    later = {
        row.place: will for row in rows if (will := find_scheduled_actor(state, RECIPIENT, row.recipient.n)) is not None
    }
    rows = [row for row in rows if row.place not in later]
    if not rows:
        yield from _to_be_claimed(state, ref, list(later.values()))
        return
    if (reason := nothing_left(state, ref, rows)) is not None:
        yield reason
        return
    bounced = {row.place: bounces[-1] for row in rows if (bounces := bounces_of(state, row.recipient.token))}
    if bounced:
        yield _bounced(state, ref, [row for row in rows if row.place in bounced], bounced)
    rows = [row for row in rows if row.place not in bounced]
    if rows:
        yield _unclaimed(state, ref, rows)


def _bounced(state: State, ref: Ref, rows: Sequence[Row], bounces: Mapping[int, Bounce]) -> Reason:
    """The mails with their links did not arrive."""
    return Reason(
        kind="mail_bounced",
        sentence=f"{_who(state, rows)} could not claim {phrase_record(ref)}: the mail with the claim link bounced {AT}",
        proofs=tuple(_of_bounce(row, bounces[row.place]) for row in rows),
        acts=mend_by_linking(ref, _places(rows)),
    )


def _of_bounce(row: Row, bounce: Bounce) -> Proof:
    return Proof(BOUNCES.name, bounce.n, None, None, f"the mail to {row.recipient.email} bounced")


def _unclaimed(state: State, ref: Ref, rows: Sequence[Row]) -> Reason:
    who, has = _who(state, rows), "has" if len(rows) == 1 else "have"
    is_live = rows[0].shipment.channel != SANDBOX
    return Reason(
        kind="not_claimed",
        sentence=f"{who} {has} not claimed {phrase_record(ref)}: nobody has entered an address, so nothing is made"
        f" or sent",
        proofs=_proofs(rows, AWAITING, "waits for an address since then"),
        acts=mend_by_claiming(ref, _places(rows)) if is_live else (),
        why_not=None if is_live else "nobody gets a link of a sandbox: its events move it (createSandboxEvent)",
    )


def _to_be_claimed(state: State, ref: Ref, later: Sequence[tuple[Actor, Timer, Proof]]) -> Iterator[Reason]:
    """All who have not claimed are actors: the last of them decides when."""
    for actor, timer, proof in sorted(later, key=lambda each: each[1].due_ms)[-1:]:
        yield Reason(
            kind="not_due",
            sentence=f"{phrase_record(ref)} is not claimed yet: the actor {actor.id} claims at"
            f" {format_instant(timer.due_ms)}",
            proofs=(proof,),
            acts=mend_by_waiting(state, timer),
        )


def _expired(state: State, ref: Ref, rows: Sequence[Row], goal: Goal) -> Iterator[Reason]:
    is_to_be_claimed = goal.stage >= Stage.CLAIMED
    bounces = [(row, found[-1]) for row in rows if (found := bounces_of(state, row.recipient.token))]
    bounced = f": the mail to {_who(state, [row for row, _ in bounces])} had bounced" if bounces else ""
    yield Reason(
        kind="expired",
        sentence=f"the claim link{_s(rows)} for {_who(state, rows)} in {phrase_record(ref)} expired {AT}, and"
        f" nobody had claimed{bounced}",
        proofs=(*_proofs(rows, EXPIRED, "the claim link expired"), *[_of_bounce(*each) for each in bounces]),
        acts=mend_by_claiming(ref, _places(rows)) if is_to_be_claimed else (),
        why_not=None if is_to_be_claimed else "ask before it expires, or let its links hold longer",
        codes=frozenset({"claim_expired"}),
    )


def _canceled(state: State, ref: Ref, rows: Sequence[Row], _: Goal) -> Iterator[Reason]:
    reason = rows[0].recipient.cancel_reason if len(rows) == 1 else None
    yield Reason(
        kind="canceled",
        sentence=f"{_parcels(state, ref, rows)} {_was(rows)} canceled {AT}{CAUSE}" + (f": {reason}" if reason else ""),
        proofs=_proofs(rows, CANCELED, "was canceled"),
        why_not="a canceled parcel stays canceled: place it again, or leave the cancellation out",
        codes=frozenset({"claim_canceled"}),
    )


def _rejected(state: State, ref: Ref, rows: Sequence[Row], goal: Goal) -> Iterator[Reason]:
    yield from _lost(state, ref, [row for row in rows if _was_shipped(row)], goal)
    rows = [row for row in rows if not _was_shipped(row)]
    if not rows:
        return
    yield Reason(
        kind="rejected",
        sentence=f"{_parcels(state, ref, rows)} {_was(rows)} rejected in production {AT}{CAUSE}",
        proofs=_proofs(rows, REJECTED, "was rejected in production"),
        why_not="a rejected parcel can only be canceled: place it again, with what production accepts",
    )


def _lost(state: State, ref: Ref, rows: Sequence[Row], goal: Goal) -> Iterator[Reason]:
    """The carrier did not deliver the parcels: they were lost, returned or refused in transit (G430)."""
    if not rows:
        return
    yield Reason(
        kind="rejected",
        sentence=f"{_parcels(state, ref, rows)} {_was(rows)} lost, returned or refused {AT}{CAUSE}, after the carrier"
        f" had {'it' if len(rows) == 1 else 'them'}",
        proofs=_proofs(rows, REJECTED, "was lost, returned or refused in transit"),
        acts=mend_by_moving(ref, DELIVERED, _places(rows)) if goal.stage is Stage.DELIVERED else (),
        why_not=None if goal.stage is Stage.DELIVERED else "it can be found, or canceled: place it again",
    )


def _was_shipped(row: Row) -> bool:
    return row.shipment.shipped_at_ms is not None


def _delayed(state: State, ref: Ref, rows: Sequence[Row], goal: Goal) -> Iterator[Reason]:
    """The parcels are delayed, and do not go on by themselves."""
    rows = [row for row in rows if not state.timers.owned(SHIPMENT.name, row.shipment.n)]
    if not rows:
        return
    it = "it" if len(rows) == 1 else "them"
    yield Reason(
        kind="delayed",
        sentence=f"{_parcels(state, ref, rows)} {_was(rows)} delayed {AT}{CAUSE}, and only moving {it} ends that",
        proofs=_proofs(rows, DELAYED, "is delayed since then"),
        acts=mend_by_moving(ref, _MOVED_TO.get(goal.stage, IN_PRODUCTION), _places(rows)),
    )


def _who(state: State, rows: Sequence[Row]) -> str:
    return phrase_people(state, [row.recipient for row in rows])


def _parcels(state: State, ref: Ref, rows: Sequence[Row]) -> str:
    return f"the parcel{_s(rows)} for {_who(state, rows)} in {phrase_record(ref)}"


def _s(rows: Sequence[Row]) -> str:
    return "" if len(rows) == 1 else "s"


def _was(rows: Sequence[Row]) -> str:
    return "was" if len(rows) == 1 else "were"


def _places(rows: Sequence[Row]) -> Sequence[int]:
    return [row.place for row in rows[:SHOWN]]


def _proofs(rows: Sequence[Row], status: str, what: str) -> tuple[Proof, ...]:
    return tuple(
        Proof(SHIPMENTS.name, row.shipment.n, "status", status, f"{row.recipient.name or 'a seat'}: {what}")
        for row in rows
    )


_REASONS: Final[Mapping[str, Callable[[State, Ref, Sequence[Row], Goal], Iterator[Reason]]]] = {
    EXPIRED: _expired,
    CANCELED: _canceled,
    REJECTED: _rejected,
    DELAYED: _delayed,
    AWAITING: _not_claimed,
}
