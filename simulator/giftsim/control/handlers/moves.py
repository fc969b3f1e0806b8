"""The moves that a record can make now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from giftsim.claims.machine_texts import load_texts
from giftsim.control.moves.attempt import Move, Try, moves_of
from giftsim.control.moves.subject import Party, parties
from giftsim.control.world_access import Trial, current_state
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.instants import instant_or_null


def list_moves(call: Call) -> Response:
    """List the moves of a record. Each verb is tried, and what it changed is taken back."""
    kind, subject_id = call.query["kind"], call.query["id"]
    with current_state(call.world) as state:
        found = parties(state, kind, subject_id)
        moves = [view(party, move) for party in found for move in moves_of(state, party, _tries(call))]
    states = [_states(party) for party in found if party.records]
    return Response(200, {"moves": moves, "states": states, "next": None})


def _tries(call: Call) -> Try:
    """A function that calls a verb's handler in a Trial."""
    operations = {operation.template: operation for operation in call.interface.contract.operations.values()}

    def attempt(verb: str, body: Mapping[str, Any]) -> Mapping[str, int]:
        operation = operations[f"/worlds/{{w}}/simulate/{verb}"]
        trial = Trial(
            "POST", "", "", call.environ, b"", call.interface, call.registry, call.world, call.state, operation,
            call.params, body=body,
        )  # fmt: skip
        call.interface.handlers[operation.id](trial)
        return trial.counters or {}

    return attempt


def view(party: Party, move: Move) -> dict[str, Any]:
    """A move of a party as JSON."""
    return {
        "subject": {"kind": party.kind, "id": party.id},
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


def _states(party: Party) -> dict[str, Any]:
    counted = Counter(getattr(record, party.machine.field) for record in party.records)
    return {"machine": party.machine.name, "states": dict(counted)}


HANDLERS: Mapping[str, Handler] = MappingProxyType({"listMoves": list_moves})
