"""Faults: what goes wrong with calls and deliveries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulator.control.credential import credentials, named_key, table_name
from simulator.control.examine import hint
from simulator.control.moment import moment
from simulator.control.page import page
from simulator.control.present import changing, present
from simulator.control.problem import KeyNotFound
from simulator.gateway import faults
from simulator.gateway.call import Call, Reply
from simulator.gateway.faults import FAULTS, Fault, InvalidFault
from simulator.gateway.interface import Interface
from simulator.kernel.clock import format_instant
from simulator.kernel.state import State
from simulator.webhooks import signing_key
from simulator.webhooks.dispatch import restore_signing_key

FOR_DELIVERIES = ("webhook",)


def make_fault(modelled: Sequence[Interface]) -> Callable[[Call], Reply]:
    """The handler that makes a fault; it knows which operations there are to match."""

    def create_fault(call: Call) -> Reply:
        world = call.here
        with changing(call) as state:
            body = {
                **call.body,
                "match": read_match(modelled, state, world.id, call.body),
                "when": read_when(call.body.get("when", {}), world.birth.now_ms),
            }
            fault = faults.add(state, body)
            if suspends(fault):
                signing_key.remove(state)
            return Reply(201, faults.view(fault))

    return create_fault


def list_faults(call: Call) -> Reply:
    """Faults with their hits, oldest first."""
    with present(call.here) as state:
        return page(call, "faults", ((fault.n + 1, fault) for fault in state[FAULTS]), faults.view)


def delete_fault(call: Call) -> Reply:
    """Delete one; calls that it holds go on."""
    with changing(call) as state:
        lift(state, [faults.remove(state, call.params["id"])])
    call.house.parking.wake()
    return Reply(200, {"deleted": call.params["id"]})


def delete_faults(call: Call) -> Reply:
    """Delete all."""
    with changing(call) as state:
        gone = [faults.remove(state, fault.id) for fault in list(state[FAULTS])]
        lift(state, gone)
    call.house.parking.wake()
    return Reply(200, {"deleted": [fault.id for fault in gone]})


def suspends(fault: Fault) -> bool:
    """Whether the fault takes the signing key away from the whole world, so that sending waits (B30)."""
    shown = faults.view(fault)
    return "signing_key" in shown["effect"] and not shown["match"] and not shown["when"]


def lift(state: State, gone: Sequence[Fault]) -> None:
    """Undo what deleted faults did to the world as a whole."""
    if any(suspends(fault) for fault in gone) and not any(suspends(fault) for fault in state[FAULTS]):
        restore_signing_key(state)


def read_match(modelled: Sequence[Interface], state: State, world_id: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """What a fault matches, with a key by its name in the table; InvalidFault for what does not exist."""
    match = dict(body.get("match", {}))
    deliveries = any(name in body["effect"] for name in FOR_DELIVERIES)
    if deliveries and "operation" in match:
        raise InvalidFault("a fault of deliveries has no operation to match; match an interface or a credential")
    faces = {face.name: face for face in modelled}
    _check_known("interface", match.get("interface"), list(faces))
    chosen = [faces[match["interface"]]] if match.get("interface") else modelled
    _check_known("operation", match.get("operation"), [name for face in chosen for name in face.contract.operations])
    if "credential" in match and match["credential"] not in credentials(state, world_id):
        try:
            match["credential"] = table_name(named_key(state, world_id, match["credential"]))
        except KeyNotFound as problem:
            raise InvalidFault(problem.message) from None
    return match


def read_when(when: Mapping[str, Any], start_ms: int) -> dict[str, Any]:
    """When a fault strikes, with offsets from the world's beginning as instants."""
    named = [name for name in ("from", "to") if name in when]
    return {**when, **{name: format_instant(moment(f"when.{name}", when[name], start_ms)) for name in named}}


def _check_known(name: str, given: str | None, known: Sequence[str]) -> None:
    if given is not None and given not in known:
        raise InvalidFault(f"match.{name}: there is no {name} {given[:60]!r}; {hint(given, known)}")
