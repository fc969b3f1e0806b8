"""Faults: what goes wrong with calls and deliveries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from giftsim.control.body_check import hint
from giftsim.control.credentials import credentials, named_key, table_name
from giftsim.control.instants import moment
from giftsim.control.pagination import page
from giftsim.control.problem import KeyNotFound
from giftsim.control.world_access import changing, present
from giftsim.gateway.call import Call, Handler, Interface, Response
from giftsim.gateway.contract import Operation
from giftsim.gateway.faults import table
from giftsim.gateway.faults.claim_page import CLAIM, check_claim_fault
from giftsim.gateway.faults.effect import EffectType
from giftsim.gateway.faults.effect_registry import can_act, check_effect, type_of
from giftsim.gateway.faults.problem import InvalidFault
from giftsim.gateway.faults.status import can_refuse, check_status
from giftsim.gateway.faults.table import FAULTS, Fault
from giftsim.gateway.faults.webhook_effects import WEBHOOK
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.webhooks import signing_key
from giftsim.webhooks.dispatch import restore_signing_key
from giftsim.webhooks.event import KINDS


def make_fault(simulated: Sequence[Interface]) -> Callable[[Call], Response]:
    """The handler that makes a fault; it knows which operations there are to match."""

    def create_fault(call: Call) -> Response:
        world = call.world
        with changing(call) as state:
            body = {
                **call.body,
                "match": read_match(simulated, state, world.id, call.body),
                "when": read_when(call.body.get("when", {}), world.config.now_ms),
            }
            fault = table.add(state, body)
            if suspends(fault):
                signing_key.remove(state)
            return Response(201, table.view(fault))

    return create_fault


def list_faults(call: Call) -> Response:
    """Faults with their hits, oldest first."""
    with present(call.world) as state:
        return page(call, "faults", ((fault.n + 1, fault) for fault in state[FAULTS]), table.view)


def delete_fault(call: Call) -> Response:
    """Delete one; calls that it holds go on."""
    with changing(call) as state:
        lift(state, [table.remove(state, call.params["id"])])
    call.registry.runtime.waiters.notify()
    return Response(200, {"deleted": call.params["id"]})


def delete_faults(call: Call) -> Response:
    """Delete all."""
    with changing(call) as state:
        gone = [table.remove(state, fault.id) for fault in list(state[FAULTS])]
        lift(state, gone)
    call.registry.runtime.waiters.notify()
    return Response(200, {"deleted": [fault.id for fault in gone]})


def suspends(fault: Fault) -> bool:
    """Whether the fault takes the signing key away from the whole world, so that sending waits (B30)."""
    shown = table.view(fault)
    return "signing_key" in shown["effect"] and not shown["match"] and not shown["when"]


def lift(state: State, gone: Sequence[Fault]) -> None:
    """Undo what deleted faults did to the world as a whole."""
    if any(suspends(fault) for fault in gone) and not any(suspends(fault) for fault in state[FAULTS]):
        restore_signing_key(state)


def read_match(simulated: Sequence[Interface], state: State, world_id: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """What a fault matches, with a key by its name in the table; InvalidFault for what does not exist or cannot act."""
    match, effect = dict(body.get("match", {})), body["effect"]
    effect_type = check_effect(effect)
    faces = [face for face in simulated if effect_type is not WEBHOOK or face.sends_webhooks]
    _check_place(match, effect_type)
    if match.get("interface") == CLAIM:
        check_claim_fault(match, effect)
        return match
    pages = [] if effect_type is WEBHOOK else [CLAIM]
    _check_known("interface", match.get("interface"), [face.name for face in faces] + pages)
    chosen = [face for face in faces if match.get("interface") in (None, face.name)]
    operations = [op for face in chosen for op in face.contract.operations.values()]
    _check_known("operation", match.get("operation"), list(dict.fromkeys(op.id for op in operations)))
    _check_known("event", match.get("event"), KINDS)
    _check_acts(match, effect, [op for op in operations if match.get("operation") in (None, op.id)])
    if "host" in match:
        match["host"] = match["host"].lower()
    if "credential" in match and match["credential"] not in credentials(state, world_id):
        try:
            match["credential"] = table_name(named_key(state, world_id, match["credential"]))
        except KeyNotFound as problem:
            raise InvalidFault(f"match.credential: {problem.message}") from None
    return match


def _check_place(match: Mapping[str, Any], effect_type: EffectType) -> None:
    """A call is matched by its operation, a delivery by its event and host; both by whose they are."""
    sent = effect_type is WEBHOOK
    for name in ("operation",) if sent else ("event", "host"):
        if name in match:
            others = "interface, credential, event or host" if sent else "interface, operation or credential"
            what = "deliveries have" if sent else f"{effect_type.name} changes calls, which have"
            raise InvalidFault(f"match.{name}: {what} no {name} to match; match an {others}")


def _check_acts(match: Mapping[str, Any], effect: Mapping[str, Any], named: Sequence[Operation]) -> None:
    """Refuse an effect that none of the calls that it matches could ever meet."""
    if "status" in effect and "operation" in match and not any(can_refuse(op, effect) for op in named):
        check_status(named[0], effect)
    if "webhook" in effect or any(can_act(op, effect) for op in named):
        return
    effect_type = type_of(effect)
    where = f"match.{'operation' if 'operation' in match else 'interface'}"
    place = match.get("operation") or match.get("interface") or "any call"
    raise InvalidFault(f"{where}: {effect_type.name} can do nothing to {place}; it acts on {effect_type.acts_on}")


def read_when(when: Mapping[str, Any], start_ms: int) -> dict[str, Any]:
    """When a fault strikes, with offsets from the world's beginning as instants."""
    named = [name for name in ("from", "to") if name in when]
    return {**when, **{name: format_instant(moment(f"when.{name}", when[name], start_ms)) for name in named}}


def _check_known(name: str, given: str | None, known: Sequence[str]) -> None:
    if given is not None and given not in known:
        raise InvalidFault(f"match.{name}: there is no {name} {given[:60]!r} here; {hint(given, known)}")


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listFaults": list_faults,
        "deleteFault": delete_fault,
        "deleteFaults": delete_faults,
    }
)
