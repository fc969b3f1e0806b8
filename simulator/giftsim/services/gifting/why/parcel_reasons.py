"""Why parcels are not where they should be: nobody claimed, the link expired, or production went another way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from giftsim.engine.gateway.reason import AT, CAUSE, Proof, Reason
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.actor import RECIPIENT
from giftsim.services.gifting.domain.actor_schedule import ACTS
from giftsim.services.gifting.domain.fulfilment.due_times import DELAY
from giftsim.services.gifting.domain.fulfilment.shipment import (
    AWAITING,
    CANCELED,
    DELAYED,
    EXPIRED,
    REJECTED,
    SHIPMENT,
    SHIPMENTS,
)
from giftsim.services.gifting.why.goals import Goal, Row, Stage
from giftsim.services.gifting.why.wording import claims, moves, named, people

SHOWN: Final = 20  # recipients for whom a line of its own is told
_MOVED_TO: Final[Mapping[Stage, str]] = {
    Stage.PRODUCED: "in_production",
    Stage.LABELED: "labeled",
    Stage.SHIPPED: "shipped",
    Stage.DELIVERED: "delivered",
}
_CLAIM_CODES: Final = {EXPIRED: frozenset({"claim_expired"}), CANCELED: frozenset({"claim_canceled"})}


def parcel_reasons(state: State, ref: Ref, rows: Sequence[Row], goal: Goal) -> Iterator[Reason]:
    """The reasons of parcels that are behind, by their statuses. Those that only wait for time have none."""
    for status, reason in _REASONS.items():
        own = [row for row in rows if row.shipment.status == status]
        if own:
            yield from reason(state, ref, own, goal)


def _not_claimed(state: State, ref: Ref, rows: Sequence[Row], _: Goal) -> Iterator[Reason]:
    """Nobody has entered an address, and no actor will."""
    rows = [row for row in rows if state[ACTS].find("subject", f"{RECIPIENT} {row.recipient.n}") is None]
    if not rows:
        return
    who = people(state, [row.recipient for row in rows])
    waits = "has not entered an address" if len(rows) == 1 else "have not entered their addresses"
    yield Reason(
        kind="not_claimed",
        sentence=f"nobody claimed for {who} of {named(ref)}: {who if len(rows) == 1 else 'they'} {waits}, so nothing"
        " is made or sent",
        proofs=tuple(_proofs(rows[:SHOWN], AWAITING, "waits for an address since then")),
        acts=claims(ref, [row.place for row in rows[:SHOWN]]),
    )


def _expired(state: State, ref: Ref, rows: Sequence[Row], _: Goal) -> Iterator[Reason]:
    who = people(state, [row.recipient for row in rows])
    at_ms = rows[0].shipment.expires_at_ms
    yield Reason(
        kind="expired",
        sentence=f"the claim link{'' if len(rows) == 1 else 's'} of {who} of {named(ref)} expired at"
        f" {AT if at_ms is None else format_instant(at_ms)}, and nobody had claimed",
        proofs=tuple(_proofs(rows[:SHOWN], EXPIRED, "the claim link expired")),
        acts=claims(ref, [row.place for row in rows[:SHOWN]]),
        codes=_CLAIM_CODES[EXPIRED],
    )


def _canceled(state: State, ref: Ref, rows: Sequence[Row], _: Goal) -> Iterator[Reason]:
    who = people(state, [row.recipient for row in rows])
    first = rows[0].recipient.cancel_reason
    yield Reason(
        kind="canceled",
        sentence=f"the parcel{'' if len(rows) == 1 else 's'} of {who} of {named(ref)} {_was(rows)} canceled at {AT}{CAUSE}"
        + (f": {first}" if first and len(rows) == 1 else ""),
        proofs=tuple(_proofs(rows[:SHOWN], CANCELED, "was canceled")),
        why_not="what was canceled stays so: place it again, or do not cancel it",
        codes=_CLAIM_CODES[CANCELED],
    )


def _rejected(state: State, ref: Ref, rows: Sequence[Row], _: Goal) -> Iterator[Reason]:
    who = people(state, [row.recipient for row in rows])
    yield Reason(
        kind="rejected",
        sentence=f"the parcel{'' if len(rows) == 1 else 's'} of {who} of {named(ref)} {_was(rows)} rejected in production"
        f" at {AT}{CAUSE}",
        proofs=tuple(_proofs(rows[:SHOWN], REJECTED, "was rejected in production")),
        why_not="a rejected parcel can only be canceled: place it again, with what production accepts",
    )


def _delayed(state: State, ref: Ref, rows: Sequence[Row], goal: Goal) -> Iterator[Reason]:
    """The parcels are delayed, and do not go on by themselves."""
    rows = [row for row in rows if not state.timers.owned(SHIPMENT.name, row.shipment.n)]
    if not rows:
        return
    who, to = people(state, [row.recipient for row in rows]), _MOVED_TO.get(goal.stage, "in_production")
    yield Reason(
        kind="delayed",
        sentence=f"the parcel{'' if len(rows) == 1 else 's'} of {who} of {named(ref)}"
        f" {'is' if len(rows) == 1 else 'are'} delayed since {AT}{CAUSE}, until somebody moves"
        f" {'it' if len(rows) == 1 else 'them'}: {DELAY.name} is null",
        proofs=tuple(_proofs(rows[:SHOWN], DELAYED, "is delayed since then")),
        acts=moves(ref, to, [row.place for row in rows[:SHOWN]]),
    )


def _was(rows: Sequence[Row]) -> str:
    return "was" if len(rows) == 1 else "were"


def _proofs(rows: Sequence[Row], status: str, what: str) -> Iterator[Proof]:
    for row in rows:
        yield Proof(SHIPMENTS.name, row.shipment.n, "status", status, f"{row.recipient.name or 'a seat'}: {what}")


_REASONS: Final[Mapping[str, Callable[[State, Ref, Sequence[Row], Goal], Iterator[Reason]]]] = {
    EXPIRED: _expired,
    CANCELED: _canceled,
    REJECTED: _rejected,
    DELAYED: _delayed,
    AWAITING: _not_claimed,
}
