"""The table of a world's faults: what they match, when they hit, and how often they did."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec

from giftsim.engine.gateway.effect_types import FaultNotFound, InvalidFault
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel import random_streams
from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.kernel.setting import flag
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.kernel.texts import suggest_name

NAMED = flag("faults.named", True, "whether the message of an injected error names the fault (G16)")
PHRASES = {each.value: each.phrase for each in HTTPStatus}

decode = msgspec.json.decode
_encode = msgspec.json.encode


class Fault(Record, frozen=True, gc=False, omit_defaults=True):
    """One fault. `match` and `when` say which calls it hits, `effect` what happens; they are kept as the JSON given.

    `seen` counts the calls that matched, `hits` those that were hit. `since_ms` is when it was made.
    """

    id: str
    match: msgspec.Raw
    when: msgspec.Raw
    effect: msgspec.Raw
    seen: int
    hits: int
    since_ms: int | None = None


def _without_since(fault: Fault) -> Fault:
    return msgspec.structs.replace(fault, since_ms=None)


# Fingerprints leave out when a fault was made, as they did before it was known.
FAULTS: TableSpec[Fault] = TableSpec("faults", Fault, unique={"id": "id"}, hashed_as=_without_since)


def add_fault(state: State, body: dict[str, Any]) -> Fault:
    """Add a fault; InvalidFault says what is wrong with it."""
    effect = body["effect"]
    service_of(state).effect_types.check(effect)
    table = state[FAULTS]
    fault_id = body.get("id") or f"fault-{table.next_n + 1}"
    if table.find("id", fault_id):
        raise InvalidFault(f"there is a fault {fault_id!r} already; delete it or use another id")
    raw = {name: msgspec.Raw(_encode(body.get(name) or {})) for name in ("match", "when")}
    written = raw["match"], raw["when"], msgspec.Raw(_encode(effect))
    return table.add(Fault(table.next_n, fault_id, *written, 0, 0, state.now_ms))


def remove_fault(state: State, fault_id: str) -> Fault:
    """Remove a fault; FaultNotFound names the nearest id."""
    fault = state[FAULTS].find("id", fault_id)
    if fault is None:
        known = [row.id for row in state[FAULTS]]
        raise FaultNotFound(
            f"there is no fault {fault_id[:60]!r}" + (f"; {suggest_name(fault_id, known)}" if known else "")
        )
    state[FAULTS].drop(fault.n)
    return fault


def fault_view(fault: Fault) -> dict[str, Any]:
    """A fault as JSON: what was given, with its counts."""
    shown: dict[str, Any] = {"id": fault.id}
    for name in ("match", "when", "effect"):
        shown[name] = decode(getattr(fault, name))
    return {**shown, "calls": fault.seen, "hits": fault.hits}


def can_still_act(fault: Fault, now_ms: int) -> bool:
    """Whether a fault acts now or may later: neither its time nor the number of its hits is over."""
    when = decode(fault.when)
    last = when.get("first", max(when["calls"]) if when.get("calls") else None)
    is_over = "to" in when and now_ms >= parse_instant(when["to"])
    return not is_over and (last is None or fault.seen < last)


def message_of(state: State, fault: str | None, status: int) -> str:
    """The message of an error that a fault injects."""
    if state.setting(NAMED):
        return f"injected by the fault {fault}"
    return PHRASES.get(status, "Error")


def count_match(state: State, fault: Fault) -> bool:
    """Count a call or delivery that the fault matches; whether the fault hits it."""
    number = fault.seen + 1
    hits = _is_hit(state, fault, number)
    state[FAULTS].put(msgspec.structs.replace(fault, seen=number, hits=fault.hits + hits))
    return hits


def uncount_match(state: State, fault_id: str) -> None:
    """Take back the last match and hit, for a call that was refused before the fault could act."""
    fault = state[FAULTS].find("id", fault_id)
    if fault is not None:
        state[FAULTS].put(msgspec.structs.replace(fault, seen=fault.seen - 1, hits=fault.hits - 1))


def _is_hit(state: State, fault: Fault, number: int) -> bool:
    when = decode(fault.when)
    if "first" in when and number > when["first"]:
        return False
    if "calls" in when and number not in when["calls"]:
        return False
    if "every" in when and number % when["every"]:
        return False
    if "from" in when and state.now_ms < parse_instant(when["from"]):
        return False
    if "to" in when and state.now_ms >= parse_instant(when["to"]):
        return False
    return (
        "probability" not in when
        or random_streams.draw_fraction(state.seed, f"fault {fault.id}", number) < when["probability"]
    )
