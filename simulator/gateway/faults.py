"""Faults: what may be made to go wrong with a call, by a table of the world or by the header X-Sim-Fault (G16)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from simulator.gateway.call import Call
from simulator.gateway.contract import resolve
from simulator.gateway.problem import InjectedFault
from simulator.kernel import chance
from simulator.kernel.clock import parse_instant
from simulator.kernel.problem import Problem
from simulator.kernel.state import State
from simulator.kernel.table import Record, Spec
from simulator.webhooks.endpoint import ENDPOINT, Endpoint

EFFECTS = ("charge", "status", "drop", "crash", "delay_s", "hold", "signing_key", "webhook")
WORDS: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {"drop": ("before", "after"), "crash": ("after_charge",), "hold": (True,), "signing_key": ("missing",)}
)
MOST_DELAY_S = 120
NO_KEY = "webhooks_unavailable"
PAYABLE = "payment_not_permitted"  # the refusal that every paying operation of the team interface documents


class InvalidFault(Problem):
    """A fault that could not act, or does not say how."""

    status = 400
    code = "invalid_fault"


class FaultNotFound(Problem):
    """The world has no fault of this id."""

    status = 404
    code = "fault_not_found"


class Fault(Record, frozen=True, gc=False):
    """One fault: `match` and `when` say which calls, `effect` what happens; as JSON, since they are shown as given."""

    id: str
    match: msgspec.Raw
    when: msgspec.Raw
    effect: msgspec.Raw
    seen: int
    hits: int


FAULTS: Spec[Fault] = Spec("faults", Fault, unique={"id": lambda row: row.id})
_decode = msgspec.json.decode
_encode = msgspec.json.encode


def add(state: State, body: dict[str, Any]) -> Fault:
    """Put a fault in the table; InvalidFault names what is wrong with it."""
    effect = body["effect"]
    check(effect)
    table = state[FAULTS]
    fault_id = body.get("id") or f"fault-{table.next_n + 1}"
    if table.find("id", fault_id):
        raise InvalidFault(f"there is a fault {fault_id!r} already; delete it or take another id")
    raw = {name: msgspec.Raw(_encode(body.get(name) or {})) for name in ("match", "when")}
    return table.add(Fault(table.next_n, fault_id, raw["match"], raw["when"], msgspec.Raw(_encode(effect)), 0, 0))


def remove(state: State, fault_id: str) -> Fault:
    """Take a fault away; FaultNotFound if it is not there."""
    fault = state[FAULTS].find("id", fault_id)
    if fault is None:
        raise FaultNotFound(f"there is no fault {fault_id[:60]!r}")
    state[FAULTS].drop(fault.n)
    return fault


def view(fault: Fault) -> dict[str, Any]:
    """A fault as it is read: what was given, with how often it was seen and hit."""
    shown: dict[str, Any] = {"id": fault.id}
    for name in ("match", "when", "effect"):
        shown[name] = _decode(getattr(fault, name))
    return {**shown, "calls": fault.seen, "hits": fault.hits}


def check(effect: dict[str, Any]) -> None:
    """Refuse an effect that is unknown or says nothing."""
    named = [name for name in effect if name in EFFECTS]
    if len(named) != 1:
        raise InvalidFault(f"an effect is one of {', '.join(EFFECTS)}; got {', '.join(effect) or 'none'}")
    value = effect[named[0]]
    words = [repr(word) for word in WORDS.get(named[0], ())]
    if words and repr(value) not in words:
        raise InvalidFault(f"{named[0]} is {' or '.join(words)}")
    if named[0] == "delay_s" and not (type(value) in (int, float) and 0 <= value <= MOST_DELAY_S):
        raise InvalidFault(f"delay_s goes from 0 to {MOST_DELAY_S} seconds")
    if named[0] == "status" and not (type(value) is int and 200 <= value <= 599):
        raise InvalidFault("status is an HTTP status")


def choose(call: Call) -> None:
    """Find the fault that this call meets: its own header's, else the oldest of the world that matches."""
    header = call.header("X-Sim-Fault")
    if header is not None:
        effect = from_header(header)
        if not _acts(call, effect):
            raise InvalidFault(f"the fault {header[:60]!r} can do nothing to {call.operation.id}")
        call.effect, call.fault = effect, header
        return
    if not call.state[FAULTS].next_n:
        return
    with call.state.transaction():
        for fault in call.state[FAULTS]:
            effect = _decode(fault.effect)
            if _acts(call, effect) and _matches(call, _decode(fault.match)) and _strikes(call.state, fault):
                call.effect, call.fault = effect, fault.id
                return


def on_delivery(state: State, _: int, endpoint: int) -> str | None:
    """What a fault does to the attempt about to be made to an endpoint (a slot); the hook `webhook_fault`."""
    for fault in state[FAULTS]:
        effect, match = _decode(fault.effect), _decode(fault.match)
        if "webhook" in effect and _concerns(state[ENDPOINT].get(endpoint), match) and _strikes(state, fault):
            return str(effect["webhook"])
    return None


def from_header(text: str) -> dict[str, Any]:
    """The effect that `NAME[=VALUE]` names."""
    name, _, value = text.partition("=")
    read: Any = value
    if text == "hold":
        read = True
    elif re.fullmatch(r"\d+", value):
        read = int(value)
    elif name == "delay_s" and re.fullmatch(r"\d+\.\d+", value):
        read = float(value)
    effect = {name: read}
    check(effect)
    return effect


def answer(call: Call) -> None:
    """Give a `status` fault's answer instead of the work; an undocumented status only where that was asked for."""
    effect = call.effect
    if "status" not in effect:
        return
    status, bare = effect["status"], [known for known in call.operation.documented if _is_bare(call, known)]
    if status not in bare and not effect.get("undocumented"):
        known = ", ".join(map(str, bare))
        raise InvalidFault(
            f"{call.operation.id} can refuse with a bare {known}, not {status}; say undocumented: true to get it"
        )
    code = effect.get("code") or _usual_code(call, status)
    raise InjectedFault(f"injected by the fault {call.fault}", status, code, effect.get("retry_after"))


def holding(call: Call) -> str:
    """The id of the fault that holds the call; that of a header is put in the table, to be deleted there."""
    if call.header("X-Sim-Fault") is None:
        return call.fault or ""
    with call.state.transaction():
        return add(call.state, {"id": call.request_id, "when": {"calls": []}, "effect": call.effect}).id


def _is_bare(call: Call, status: int) -> bool:
    """Whether the contract has a refusal of this status that tells of nothing but the error."""
    return status >= 400 and bool(_response(call, status).get("x-injectable", True))


def _usual_code(call: Call, status: int) -> str:
    return str((_codes(call, status) or [f"status_{status}"])[0])


def _codes(call: Call, status: int) -> Sequence[str]:
    """The codes that the contract gives a status of the operation."""
    codes: Sequence[str] = _response(call, status).get("x-codes", ())
    return codes


def _response(call: Call, status: int) -> Mapping[str, Any]:
    """What the contract says of an answer of this status."""
    return resolve(call.operation.document, call.operation.node["responses"].get(str(status), {}))


def _acts(call: Call, effect: dict[str, Any]) -> bool:
    """Whether the effect can do anything to the operation: a charge fails where something is charged (G16)."""
    if "charge" in effect:
        return effect["charge"] in _codes(call, 402)
    if "crash" in effect:
        return 402 in call.operation.documented or PAYABLE in _codes(call, 422)
    if "signing_key" in effect:
        return NO_KEY in _codes(call, 503)
    return "webhook" not in effect


def _concerns(endpoint: Endpoint, match: dict[str, Any]) -> bool:
    """Whether a fault for deliveries means this endpoint, by whose it is and which key made it."""
    interface = "partner" if endpoint.owner.startswith("account ") else "team"
    return match.get("interface") in (None, interface) and match.get("credential") in (None, endpoint.key)


def _matches(call: Call, match: dict[str, Any]) -> bool:
    if match.get("interface") not in (None, call.interface.name):
        return False
    if match.get("operation") not in (None, call.operation.id):
        return False
    credential = match.get("credential")
    if credential is None:
        return True
    token = (call.header("Authorization") or "").partition(" ")[2]
    return credential in (getattr(call.caller, "name", None), token, call.header("X-API-Key"))


def _strikes(state: State, fault: Fault) -> bool:
    """Count what a fault matches, and say whether it is one of those that it hits."""
    number = fault.seen + 1
    hits = _is_hit(state, fault, number)
    state[FAULTS].put(msgspec.structs.replace(fault, seen=number, hits=fault.hits + hits))
    return hits


def _is_hit(state: State, fault: Fault, number: int) -> bool:
    when = _decode(fault.when)
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
    return "probability" not in when or chance.fraction(state.seed, f"fault {fault.id}", number) < when["probability"]
