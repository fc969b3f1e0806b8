"""A call meets its fault: its own header's, else the oldest of the world that matches; what acts on entry acts here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from giftsim.gateway.call import Call, Dropped, Reply
from giftsim.gateway.faults import charge, connection, header, status
from giftsim.gateway.faults.effect_registry import acts, family_of
from giftsim.gateway.faults.problem import InvalidFault
from giftsim.gateway.faults.table import FAULTS, add, decode, strike, take_back
from giftsim.gateway.faults.webhook_effects import WEBHOOK
from giftsim.kernel.problem import Problem

MARK, MARK_BYTES = "agic", b"agic"  # stands in every magic value, so that a call without it needs no second look


def choose(call: Call) -> None:
    """Find the fault that this call meets (G16); InvalidFault for a header that could do nothing to it."""
    text = call.header(header.NAME)
    if text is not None:
        effect = header.from_header(text)
        untold = WEBHOOK.name in effect and not call.interface.tells
        if untold or not acts(call.operation, effect):
            raise InvalidFault(f"the fault {text[:60]!r} can do nothing to {call.operation.id}")
        call.effect, call.fault = effect, text
        return
    if not call.state[FAULTS].next_n:
        return
    with call.state.transaction():
        for fault in call.state[FAULTS]:
            effect = decode(fault.effect)
            if WEBHOOK.name in effect or not acts(call.operation, effect):
                continue
            if _matches(call, decode(fault.match)) and strike(call.state, fault):
                call.effect, call.fault = effect, fault.id
                return


def meet(call: Call, proceed: Callable[[Call], Reply]) -> Reply:
    """Let those act that act on entry; `drop: after` acts on the way out, the rest within the work."""
    late_s = connection.lateness(call)
    if late_s:
        call.registry.parking.take()
        call.late_s = late_s
    if call.effect.get("drop") == "before":
        raise Dropped("fault drop: before")
    status.answer(call)
    try:
        reply = proceed(call)
    except Problem as problem:
        _check_met(call, problem)
        raise
    _check_met(call, None)
    if call.effect.get("drop") == "after":
        raise Dropped("fault drop: after")
    return reply


def conjure(call: Call, proceed: Callable[[Call], Reply]) -> Reply:
    """Let a call that no fault has met yet meet the magic value in it: hook `magic(call)` gives it its effect.

    Hook `magic_missed(call, value)` hears where that came to nothing, as the call was refused before.
    """
    hooks = call.state.definitions.hooks
    hooks["magic"](call)
    text = call.fault
    if text is None:
        return proceed(call)
    try:
        return meet(call, proceed)
    finally:
        if call.fault is None:
            hooks["magic_missed"](call, text)


def holding(call: Call) -> str:
    """The id of the fault that holds the call; that of a header is put in the table, to be deleted there."""
    call.met = True
    if call.header(header.NAME) is None:
        return call.fault or ""
    with call.state.transaction():
        return add(call.state, {"id": call.request_id, "when": {"calls": []}, "effect": call.effect}).id


def _check_met(call: Call, problem: Problem | None) -> None:
    """A fault of the table that waits for the work did not hit a call that never came to it: it strikes a later one."""
    met = charge.failed(call, problem) if charge.CHARGE.name in call.effect else call.met
    if met or not family_of(call.effect).within or call.header(header.NAME) is not None:
        return
    with call.state.transaction():
        take_back(call.state, call.fault or "")
    call.fault = None


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
