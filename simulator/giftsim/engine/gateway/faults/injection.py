"""Injects the fault of a call: the one of its header, else the oldest matching one of its world (G16)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from giftsim.engine.gateway.call import Call, CallNext, ConnectionDropped, Response
from giftsim.engine.gateway.effect_types import EffectTypes, InvalidFault
from giftsim.engine.gateway.faults import effects
from giftsim.engine.gateway.faults.effects import WEBHOOK
from giftsim.engine.gateway.faults.table import FAULTS, Fault, add_fault, count_match, decode, uncount_match
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.signals import Signal, ignore
from giftsim.engine.problem import Problem
from giftsim.engine.url_paths import as_utf8

NAME = "X-Sim-Fault"


def parse_header(types: EffectTypes, text: str) -> dict[str, Any]:
    """The effect of a header such as `status=429; retry_after=7` or `hold`; InvalidFault."""
    effect: dict[str, Any] = {}
    for part in text.split(";"):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name in effect:
            raise InvalidFault(f"{name} is given twice")
        effect[name] = _parse_value(types, name, value, bool(equals))
    types.check(effect)
    return effect


def _parse_value(types: EffectTypes, name: str, text: str, given: bool) -> Any:
    if not given:
        return True
    if (option := types.options.get(name)) is not None:
        return text == "true" if option.accepts(True) and text in ("true", "false") else option.parse(text)
    return types.by_name[name].parse(text) if name in types.by_name else text


MAGIC_HINT, MAGIC_HINT_BYTES = "agic", b"agic"  # in every magic value; calls without it need no closer look

# Look for a magic value in a call and give the call its effect; and undo that for a value that could not act.
MAGIC_SOUGHT: Signal[Callable[[Call], None]] = Signal("magic_sought", ignore)
MAGIC_UNUSED: Signal[Callable[[Call, str], None]] = Signal("magic_unused", ignore)


def choose_fault(call: Call) -> None:
    """Choose the call's fault, if it has one; InvalidFault for a header that can do nothing to the operation."""
    text = call.header(NAME)
    if text is not None:
        text, types = as_utf8(text), service_of(call.state).effect_types
        effect = parse_header(types, text)
        without_webhooks = WEBHOOK.name in effect and not call.interface.sends_webhooks
        if without_webhooks or not types.can_act(call.operation, effect):
            raise InvalidFault(f"the fault {text[:60]!r} can do nothing to {call.operation.id}")
        call.effect, call.fault = effect, text
        return
    faults = call.state[FAULTS]
    if not faults.next_n:
        return
    types = service_of(call.state).effect_types
    with call.state.transaction():
        for fault in faults:
            effect = decode(fault.effect)
            if WEBHOOK.name in effect or not types.can_act(call.operation, effect):
                continue
            if "status" in effect and not effects.can_refuse(call.operation, effect):
                continue
            if _matches(call, decode(fault.match)) and count_match(call.state, fault):
                call.effect, call.fault = effect, fault.id
                return


def inject_chosen(call_next: CallNext, call: Call) -> Response | None:
    """Choose the call's fault, and apply what acts around the execution."""
    choose_fault(call)
    return inject(call_next, call) if call.effect else None


def inject(call_next: CallNext, call: Call) -> Response:
    """Apply `delay_s`, `drop` and `status` around the rest of the call; other effects act during execution."""
    delay_s = effects.delay_of(call)
    if delay_s:
        call.registry.runtime.waiters.reserve()
        call.delay_s = delay_s
    if call.effect.get("drop") == "before":
        raise ConnectionDropped("fault drop: before")
    effects.inject_status(call)
    try:
        response = call_next(call)
    except Problem as problem:
        _uncount_unless_acted(call, problem)
        raise
    _uncount_unless_acted(call, None)
    if call.effect.get("drop") == "after":
        raise ConnectionDropped("fault drop: after")
    return response


def inject_magic_value(call_next: CallNext, call: Call) -> Response | None:
    """Apply the magic value in a call that no fault acts on; a value that could not act is taken back."""
    if call.effect or not (MAGIC_HINT_BYTES in call.raw or MAGIC_HINT in call.query_string):
        return None
    call.state.handler(MAGIC_SOUGHT)(call)
    text = call.fault
    if text is None:
        return None
    try:
        return inject(call_next, call)
    finally:
        if call.fault is None:
            call.state.handler(MAGIC_UNUSED)(call, text)


def holding_fault(call: Call) -> Fault:
    """The fault that holds the call. A fault of a header is added to the table, so that it can be deleted."""
    call.fault_acted = True
    if call.header(NAME) is None and (fault := call.state[FAULTS].find("id", call.fault or "")):
        return fault
    with call.state.transaction():
        return add_fault(call.state, {"id": call.request_id, "when": {"calls": []}, "effect": call.effect})


def _uncount_unless_acted(call: Call, problem: Problem | None) -> None:
    """Uncount a fault of the table that acts during execution, where the call did not get that far."""
    effect_type = service_of(call.state).effect_types.type_of(call.effect)
    if effect_type.acted(call, problem) or not effect_type.during_execution or call.header(NAME) is not None:
        return
    with call.state.transaction():
        uncount_match(call.state, call.fault or "")
    call.fault = None


def _matches(call: Call, match: dict[str, Any]) -> bool:
    if match.get("interface") not in (None, call.interface.name):
        return False
    if match.get("operation") not in (None, call.operation.id):
        return False
    credential = match.get("credential")
    if credential is None:
        return True
    token = (call.header("Authorization") or "").partition(" ")[2].strip()
    return credential in (getattr(call.caller, "name", None), token, call.header("X-API-Key"))
