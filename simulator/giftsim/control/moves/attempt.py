"""Whether a record can make a move now: the verb is tried on the world, and what it changed is taken back.

So the rules are asked themselves, and the words of a refusal are those that the verb would answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from giftsim.control.moves.makers import OTHERS, VERBS, Verb
from giftsim.control.moves.subject import Party, parcel_names
from giftsim.control.order_lookup import why_none_moves
from giftsim.domain.fulfilment.shipment import CANCELED, SHIPMENT
from giftsim.kernel.state import State
from giftsim.kernel.timer import Timer
from giftsim.problem import Problem

MAX_TIMERS: Final = 500  # records whose timers are looked at

# Try a verb with a body: the counters of the state after it. A Problem if it is refused.
Try = Callable[[str, Mapping[str, Any]], Mapping[str, int]]


Step = tuple[str, str, str, str]


class Move(NamedTuple):
    """One move. `steps` are the transitions that it would make, as (machine, state, trigger, target)."""

    machine: str
    trigger: str
    verb: str | None
    body: Mapping[str, Any] | None
    why_not: str | None
    steps: tuple[Step, ...] = ()
    due_ms: int | None = None
    because: str | None = None

    @property
    def allowed(self) -> bool:
        return self.why_not is None


def moves_of(state: State, party: Party, attempt: Try) -> Iterator[Move]:
    """A move for each trigger of a party's machine, in the order of its table."""
    machine = party.machine
    for trigger in dict.fromkeys(row.trigger for row in machine.rows):
        verb = VERBS.get((machine.name, trigger))
        move = _by_others(state, party, trigger) if verb is None else _by_verb(state, party, trigger, verb, attempt)
        due = _next_timer(state, party, f"{machine.name}.{trigger}")
        yield move if due is None else move._replace(due_ms=due.due_ms, because=due.because)


def _next_timer(state: State, party: Party, kind: str) -> Timer | None:
    """The soonest timer of a kind that a record of a party has."""
    owned = [state.timers.owned(party.machine.name, record.n) for record in party.records[:MAX_TIMERS]]
    due = [timer for timers in owned for timer in timers if timer.kind == kind]
    return min(due, key=lambda timer: timer.due_ms, default=None)


def _by_others(state: State, party: Party, trigger: str) -> Move:
    machine = party.machine
    fits = any(machine.can(state, record, trigger) for record in party.records)
    refusal = machine.refusal(party.records[0], trigger) if party.records and not fits else None
    return Move(
        machine.name, trigger, None, None, refusal or f"no verb makes this move: {OTHERS[machine.name, trigger]}"
    )


def _by_verb(state: State, party: Party, trigger: str, verb: Verb, attempt: Try) -> Move:
    machine = party.machine
    body = {**party.names, **verb.members}
    move = Move(machine.name, trigger, verb.name, body, None)
    if machine is SHIPMENT and len(party.records) != 1:
        return _of_many_parcels(state, party, move, attempt)
    try:
        return move._replace(steps=_steps(state, attempt(verb.name, body)))
    except Problem as problem:
        return move._replace(why_not=problem.message)


def _of_many_parcels(state: State, party: Party, move: Move, attempt: Try) -> Move:
    """The move of several parcels, which is possible if it is for one of them; one of each kind is tried."""
    if not party.records:
        return move._replace(why_not="there are no parcels yet")
    if move.verb != "shipment":
        return move._replace(body=None, why_not="each parcel makes this move of its own: choose a recipient")
    to = (move.body or {})["to"]
    left = [shipment for shipment in party.records if shipment.status != CANCELED]
    why_not = why_none_moves(left, to)
    kinds = {(each.status, each.produced_at_ms is None, each.labeled_at_ms is None): each for each in left}
    for shipment in kinds.values():
        try:
            return move._replace(steps=_steps(state, attempt("shipment", {**parcel_names(state, shipment), "to": to})))
        except Problem as problem:
            why_not = problem.message if len(left) == 1 else why_not
    return move._replace(why_not=why_not)


def _steps(state: State, after: Mapping[str, int]) -> tuple[Step, ...]:
    """The rows of machines that were taken more often after a trial than before it, in the order they are passed."""
    taken = [name for name, count in after.items() if name.startswith("row ") and count != state.counter(name)]
    return tuple(_in_order([_step(name) for name in taken]))


def _in_order(steps: list[Step]) -> Iterator[Step]:
    """The steps of each machine, a step after the one that leads to its state."""
    while steps:
        reached = {(machine, target) for machine, before, _, target in steps if before != target}
        step = next((step for step in steps if (step[0], step[1]) not in reached), steps[0])
        steps.remove(step)
        yield step


def _step(counter: str) -> Step:
    _, machine, path = counter.split(" ")
    before, trigger, target = path.split(">")
    return machine, before, trigger, target
