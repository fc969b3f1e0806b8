"""The moves that a record can make now. Each is tried on the world and rolled back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import Trial, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.fulfilment.shipment import CANCELED, SHIPMENT, Shipment
from giftsim.services.gifting.records.movable import Movable, parcel_names, records_moving_with
from giftsim.services.gifting.records.parcels import why_none_moves
from giftsim.services.gifting.records.possible_rehearsals import names_of, one_in_each_state, rehearsals_of
from giftsim.services.statements.machine_texts import load_texts


class Verb(NamedTuple):
    """A verb below `/simulate`, and the members of its body in addition to the name of the record."""

    name: str
    members: Mapping[str, Any] = {}


def _to(status: str) -> Verb:
    return Verb("shipment", {"to": status})


VERBS: Final[Mapping[tuple[str, str], Verb]] = {
    ("shipment", "claim"): Verb("claim"),
    ("shipment", "resend"): Verb("claim_link"),
    ("shipment", "produce"): _to("in_production"),
    ("shipment", "label"): _to("labeled"),
    ("shipment", "ship"): _to("shipped"),
    ("shipment", "deliver"): _to("delivered"),
    ("shipment", "delay"): _to("delayed"),
    ("shipment", "reject"): _to("rejected"),
    ("charge", "settle"): Verb("outcome", {"outcome": "paid"}),
    ("charge", "fail"): Verb("outcome", {"outcome": "failed"}),
    ("payment", "settle"): Verb("payment", {"outcome": "settled"}),
    ("payment", "fail"): Verb("payment", {"outcome": "failed"}),
    ("payment", "lose"): Verb("payment", {"outcome": "uncertain"}),
    ("payment", "return"): Verb("bank", {"event": "returned"}),
    ("invoice", "pay"): Verb("invoice"),
    ("invoice", "return"): Verb("bank", {"event": "returned"}),
    ("refund", "settle"): Verb("refund", {"outcome": "done"}),
    ("refund", "fail"): Verb("refund", {"outcome": "failed"}),
    ("certificate", "accept"): Verb("certificate", {"outcome": "accepted"}),
    ("certificate", "reject"): Verb("certificate", {"outcome": "rejected"}),
    ("approval", "approve"): Verb("approval", {"decision": "approve"}),
    ("approval", "reject"): Verb("approval", {"decision": "reject"}),
    ("large_campaign", "approve"): Verb("approval", {"decision": "approve"}),
    ("proof", "approve"): Verb("proof", {"decision": "approve"}),
    ("proof", "request_changes"): Verb("proof", {"decision": "request_changes"}),
    ("proof", "sign"): Verb("proof", {"decision": "sign"}),
    ("preview", "finish"): Verb("preview", {"outcome": "ready"}),
    ("preview", "fail"): Verb("preview", {"outcome": "failed"}),
}

# What does the same to a parcel that the carrier has.
IN_TRANSIT: Final[Mapping[str, Verb]] = {
    "delay": Verb("parcel", {"event": "exception"}),
    "reject": Verb("parcel", {"event": "returned"}),
}

_CLOCK = "the clock does this by itself when it is due"
_KEY = "a key of the team does this, by {}"

OTHERS: Final[Mapping[tuple[str, str], str]] = {
    ("shipment", "expire"): _CLOCK,
    ("shipment", "cancel"): "the account or team cancels, by cancelTeamOrder; a rejected approval does it too",
    ("charge", "reconcile_paid"): _CLOCK,
    ("charge", "reconcile_failed"): _CLOCK,
    ("invoice", "void"): "refunding or canceling what it bills does this",
    ("approval", "cancel"): "canceling what it is about does this",
    ("approval", "expire"): _CLOCK,
    ("approval", "supersede"): "a new price, or a payment without the approval, does this",
    ("large_campaign", "ask"): "preparing or repricing its last batch does this",
    ("large_campaign", "complete"): "the payment of its last batch does this",
    ("large_campaign", "reprice"): _KEY.format("updateLargeCampaign"),
    ("large_campaign", "pause"): _KEY.format("updateLargeCampaign"),
    ("large_campaign", "resume"): _KEY.format("updateLargeCampaign"),
    ("large_campaign", "stop"): _KEY.format("processLargeCampaign") + "; a rejected approval does it too",
    ("campaign_batch", "prepare"): _KEY.format("processLargeCampaign"),
    ("campaign_batch", "reprice"): _KEY.format("updateLargeCampaign"),
    ("campaign_batch", "pay"): _KEY.format("processLargeCampaign"),
    ("campaign_batch", "fail"): "a payment of it that fails does this",
    ("campaign_batch", "drop"): "stopping its campaign does this",
    ("proof", "submit"): _KEY.format("addProofVersion"),
}


MAX_TIMERS: Final = 500  # records whose timers are read


class Step(NamedTuple):
    """A transition that a verb would make."""

    machine: str
    state: str
    trigger: str
    target: str


class Move(NamedTuple):
    """One move. `steps` are the transitions that it would make."""

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


class Trials:
    """Tries verbs. Each is called in a Trial, which is rolled back."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._operations = {operation.template: operation for operation in call.interface.contract.operations.values()}
        self._steps = {
            counter: Step(machine.name, row.state, row.trigger, row.target)
            for machine in services_of(call).service.definitions.machines
            for counter, row in zip(machine.counters, machine.rows, strict=True)
        }

    def steps(self, verb: str, body: Mapping[str, Any]) -> tuple[Step, ...]:
        """The transitions that a verb would make, in the order they are passed. A Problem if it is refused."""
        state, counters = self._call.state, self.attempt(f"simulate/{verb}", body)
        taken = [name for name, count in counters.items() if name in self._steps and count != state.counter(name)]
        return tuple(_in_order([self._steps[name] for name in taken]))

    def attempt(self, path: str, body: Mapping[str, Any]) -> Mapping[str, int]:
        """The counters of the state after a call of a path below the world. A Problem if it is refused."""
        call = self._call
        operation = self._operations[f"/worlds/{{w}}/{path}"]
        trial = Trial(
            "POST",
            "",
            "",
            call.environ,
            b"",
            call.interface,
            call.registry,
            call.world,
            call.state,
            operation,
            call.params,
            body=body,
        )
        call.interface.handlers[operation.id](trial)
        return trial.counters or {}


def moves_of(state: State, movable: Movable, trials: Trials) -> Iterator[Move]:
    """A move for each trigger of the machine, in the order of its table."""
    machine = movable.machine
    for trigger in dict.fromkeys(row.trigger for row in machine.rows):
        verb = VERBS.get((machine.name, trigger))
        move = _by_others(state, movable, trigger) if verb is None else _by_verb(state, movable, trigger, verb, trials)
        due = _next_timer(state, movable, f"{machine.name}.{trigger}")
        yield move if due is None else move._replace(due_ms=due.due_ms, because=due.because)


def _next_timer(state: State, movable: Movable, kind: str) -> Timer | None:
    """The soonest timer of a kind that a record has."""
    owned = [state.timers.owned(movable.machine.name, record.n) for record in movable.records[:MAX_TIMERS]]
    due = [timer for timers in owned for timer in timers if timer.kind == kind]
    return min(due, key=lambda timer: timer.due_ms, default=None)


def _by_others(state: State, movable: Movable, trigger: str) -> Move:
    machine = movable.machine
    fits = any(machine.can(state, record, trigger) for record in movable.records)
    refusal = machine.refusal(movable.records[0], trigger) if movable.records and not fits else None
    return Move(
        machine.name, trigger, None, None, refusal or f"no verb makes this move: {OTHERS[machine.name, trigger]}"
    )


def _by_verb(state: State, movable: Movable, trigger: str, verb: Verb, trials: Trials) -> Move:
    machine = movable.machine
    if machine is SHIPMENT and len(movable.records) == 1:
        verb = _verb_of_parcel(movable.records[0], trigger, verb)
    body = {**movable.names, **verb.members}
    move = Move(machine.name, trigger, verb.name, body, None)
    if machine is SHIPMENT and len(movable.records) != 1:
        return _of_many_parcels(state, movable, move, trials)
    try:
        return move._replace(steps=trials.steps(verb.name, body))
    except Problem as problem:
        return move._replace(why_not=problem.message)


def _verb_of_parcel(shipment: Shipment, trigger: str, verb: Verb) -> Verb:
    """The verb that makes a move of a parcel: another one once the carrier has it."""
    return verb if shipment.shipped_at_ms is None else IN_TRANSIT.get(trigger, verb)


def _of_many_parcels(state: State, movable: Movable, move: Move, trials: Trials) -> Move:
    """The move of several parcels. It is possible if one of them can make it; one parcel in each state is tried."""
    if not movable.records:
        return move._replace(why_not="there are no parcels yet")
    if move.verb != "shipment":
        return move._replace(body=None, why_not="each parcel makes this move by itself: choose a recipient")
    usual = Verb(move.verb, {"to": (move.body or {})["to"]})
    left = [shipment for shipment in movable.records if shipment.status != CANCELED]
    why_not = why_none_moves(left, usual.members["to"])
    for shipment in one_in_each_state(left):
        verb = _verb_of_parcel(shipment, move.trigger, usual)
        try:
            steps = trials.steps(verb.name, {**parcel_names(state, shipment), **verb.members})
            return move._replace(verb=verb.name, body={**movable.names, **verb.members}, steps=steps)
        except Problem as problem:
            why_not = problem.message if len(left) == 1 else why_not
    return move._replace(why_not=why_not)


def _in_order(steps: list[Step]) -> Iterator[Step]:
    """The steps in order: a step comes after the one that leads to its state."""
    while steps:
        reached = {(step.machine, step.target) for step in steps if step.state != step.target}
        step = next((step for step in steps if (step.machine, step.state) not in reached), steps[0])
        steps.remove(step)
        yield step


def list_moves(call: Call) -> Response:
    """List the moves of a record, and what can be rehearsed with it. Each is tried and rolled back."""
    with current_state(call.world) as state:
        found, trials = records_moving_with(state, call.query["kind"], call.query["id"]), Trials(call)
        moves = [view(movable, move) for movable in found for move in moves_of(state, movable, trials)]
        rehearsals = rehearsals_of(call, names_of(call.query["kind"], call.query["id"], found), found, trials.attempt)
    states = [_states(movable) for movable in found if movable.records]
    return Response(200, {"moves": moves, "rehearsals": rehearsals, "states": states, "next": None})


def view(movable: Movable, move: Move) -> dict[str, Any]:
    """A move as JSON."""
    return {
        "subject": movable.ref,
        "machine": move.machine,
        "trigger": move.trigger,
        "does": load_texts().machines[move.machine].triggers[move.trigger].does,
        "verb": move.verb,
        "body": move.body,
        "allowed": move.allowed,
        "why_not": move.why_not,
        "steps": [dict(zip(("machine", "from", "trigger", "to"), step, strict=True)) for step in move.steps],
        "due": instant_or_null(move.due_ms),
        "because": move.because,
    }


def _states(movable: Movable) -> dict[str, Any]:
    counted = Counter(getattr(record, movable.machine.field) for record in movable.records)
    return {"machine": movable.machine.name, "states": dict(counted)}
