"""What a fault can be made of: the effects, and the operations, credentials, events and hosts that it can match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from giftsim.engine.control.body_check import read_instant_or_offset, suggest_allowed
from giftsim.engine.control.control_errors import KeyNotFound
from giftsim.engine.control.credentials import credential_interface, find_credential, list_credentials
from giftsim.engine.control.pagination import respond_with_page
from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Interface, Response
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.effect_types import EffectType, EffectTypes, InvalidFault, error_codes
from giftsim.engine.gateway.faults import table
from giftsim.engine.gateway.faults.effects import WAY, WEBHOOK, can_refuse, refused_status, unknown_code
from giftsim.engine.gateway.faults.page_faults import check_page_fault
from giftsim.engine.gateway.faults.table import FAULTS, Fault
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.instants import EARLIEST_MS, LATEST_MS, format_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.dispatch import release_held, restore_signing_key
from giftsim.engine.webhooks.endpoint import ENABLED, ENDPOINT
from giftsim.engine.webhooks.outgoing import remove_signing_key


def list_fault_choices(call: Call) -> Response:
    """List what a fault can be made of."""
    simulated = services_of(call).simulated()
    with current_state(call.world) as state:
        credentials = list(list_credentials(state, call.world.id))
        service = service_of(state)
        hosts = sorted({endpoint.host for endpoint in state[ENDPOINT] if endpoint.status == ENABLED})
    types = service.effect_types
    choices = {
        "effects": [_effect(effect) for effect in types],
        "interfaces": [*(interface.name for interface in simulated), *(page.name for page in service.pages)],
        "operations": [
            _operation(types, interface, op) for interface in simulated for op in _operation_choices(interface)
        ],
        "credentials": credentials,
        "events": list(service.webhook_kinds),
        "hosts": hosts,
    }
    return Response(200, choices)


def _operation_choices(interface: Interface) -> Iterator[Operation]:
    return iter(interface.contract.operations.values())


def _effect(effect: EffectType) -> dict[str, Any]:
    options = [{"name": name, "takes": option.expects} for name, option in effect.options.items()]
    return {
        "name": effect.name,
        "takes": effect.expects,
        "values": list(effect.values),
        "does": effect.does,
        "acts_on": effect.acts_on,
        "options": options,
        "of_deliveries": effect is WEBHOOK,
    }


def _operation(types: EffectTypes, interface: Interface, op: Operation) -> dict[str, Any]:
    errors = [
        {"status": status, "codes": list(error_codes(op, status))}
        for status in op.documented
        if can_refuse(op, {"status": status})
    ]
    return {
        "interface": interface.name,
        "operation": op.id,
        "method": op.method,
        "path": interface.contract.prefix + op.template,
        "summary": op.node.get("summary", ""),
        "errors": errors,
        "effects": [effect.name for effect in types if _acts_on(effect, op)],
    }


def _acts_on(effect: EffectType, op: Operation) -> bool:
    return effect is not WEBHOOK and any(effect.can_act(op, value) for value in effect.values or (None,))


def create_fault(call: Call) -> Response:
    """Create a fault."""
    world = call.world
    with change_state(call) as state:
        body = {
            **call.body,
            "match": read_match(services_of(call).simulated(), state, world.id, call.body),
            "when": read_when(call.body.get("when", {}), world.config.now_ms, state.now_ms),
        }
        fault = table.add_fault(state, body)
        if stops_sending(fault):
            remove_signing_key(state)
        return Response(201, table.fault_view(fault))


def list_faults(call: Call) -> Response:
    """List faults and their hits, oldest first."""
    with current_state(call.world) as state:
        return respond_with_page(call, "faults", ((fault.n + 1, fault) for fault in state[FAULTS]), table.fault_view)


def delete_fault(call: Call) -> Response:
    """Delete a fault. Calls and webhooks that it holds continue."""
    with change_state(call) as state:
        restore_sending(state, [table.remove_fault(state, call.params["id"])])
    call.registry.runtime.waiters.notify()
    return Response(200, {"deleted": call.params["id"]})


def delete_faults(call: Call) -> Response:
    """Delete all faults. Calls and webhooks that they hold continue."""
    with change_state(call) as state:
        deleted = [table.remove_fault(state, fault.id) for fault in list(state[FAULTS])]
        restore_sending(state, deleted)
    call.registry.runtime.waiters.notify()
    return Response(200, {"deleted": [fault.id for fault in deleted]})


def stops_sending(fault: Fault) -> bool:
    """Whether the fault removes the signing key from the whole world, so that webhooks wait (B30)."""
    rule = table.fault_view(fault)
    return "signing_key" in rule["effect"] and not rule["match"] and not rule["when"]


def restore_sending(state: State, deleted: Sequence[Fault]) -> None:
    """Send what deleted faults held back; restore the signing key if they had removed it and no other fault does."""
    release_held(state, [fault.id for fault in deleted])
    if any(stops_sending(fault) for fault in deleted) and not any(stops_sending(fault) for fault in state[FAULTS]):
        restore_signing_key(state)


def read_match(simulated: Sequence[Interface], state: State, world_id: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """What a fault matches, with a key as its credential's name. InvalidFault if it could never act."""
    match, effect = dict(body.get("match", {})), body["effect"]
    service = service_of(state)
    effect_type = service.effect_types.check(effect)
    interfaces = [each for each in simulated if effect_type is not WEBHOOK or each.sends_webhooks]
    _check_members(match, effect_type)
    pages = {page.name: page for page in service.pages}
    if (page := pages.get(match.get("interface", ""))) is not None:
        check_page_fault(page, match, effect)
        return match
    names = [*(interface.name for interface in interfaces), *(pages if effect_type is not WEBHOOK else ())]
    _check_exists("interface", match.get("interface"), names)
    _check_exists("event", match.get("event"), service.webhook_kinds)
    if "host" in match:
        match["host"] = match["host"].lower()
    if "credential" in match:
        match["credential"] = _credential(state, world_id, match["credential"])
    matched = [interface for interface in interfaces if match.get("interface") in (None, interface.name)]
    _check_exists("operation", match.get("operation"), list(dict.fromkeys(op.id for op in _operations(matched))))
    if effect_type is not WEBHOOK:
        _check_can_act(state, interfaces, match, effect)
    return match


def _credential(state: State, world_id: str, given: str) -> str:
    """The name of the credential with a name or value. InvalidFault if there is none."""
    try:
        return find_credential(state, world_id, given)
    except KeyNotFound as problem:
        raise InvalidFault(f"match.credential: {problem.message}") from None


def _operations(interfaces: Sequence[Interface], name: str | None = None) -> list[Operation]:
    """The operations of some interfaces, or only those with a name."""
    every = (op for interface in interfaces for op in interface.contract.operations.values())
    return [op for op in every if name in (None, op.id)]


def _check_members(match: Mapping[str, Any], effect_type: EffectType) -> None:
    """Calls have an operation to match, deliveries an event and a host. Both have an interface and a credential."""
    acts_on_deliveries = effect_type is WEBHOOK
    for name in ("operation",) if acts_on_deliveries else ("event", "host"):
        if name in match:
            others = (
                "interface, credential, event or host" if acts_on_deliveries else "interface, operation or credential"
            )
            subject = "deliveries have" if acts_on_deliveries else f"{effect_type.name} changes calls, which have"
            raise InvalidFault(f"match.{name}: {subject} no {name} to match; match an {others}")


def _check_can_act(
    state: State, interfaces: Sequence[Interface], match: Mapping[str, Any], effect: Mapping[str, Any]
) -> None:
    """Raise InvalidFault if the effect can act on none of the calls that the fault matches."""
    types = service_of(state).effect_types
    named = {match.get("interface"), credential_interface(state, match.get("credential"))} - {None}
    possible = [each for each in interfaces if named <= {each.name}]
    operations = _operations(possible, match.get("operation"))
    if not operations:
        raise InvalidFault(f"match.credential: {match['credential']} makes no calls of the interface or operation here")
    if "status" in effect and not any(can_refuse(op, effect) for op in operations):
        if "code" in effect and any(can_refuse(op, {"status": effect["status"]}) for op in operations):
            codes = [code for op in operations for code in error_codes(op, effect["status"])]
            raise InvalidFault(unknown_code(effect, codes))
        if "operation" in match:
            raise InvalidFault(_refused_status(types, possible, match["operation"], effect))
        others = [each.name for each in interfaces if any(can_refuse(op, effect) for op in _operations([each]))]
        raise InvalidFault(_status_message(match, effect["status"], others))
    if any(types.can_act(op, effect) for op in operations):
        return
    effect_type = types.type_of(effect)
    member = next((name for name in ("operation", "interface", "credential") if name in match), "interface")
    target = match.get(member, "any call")
    raise InvalidFault(
        f"match.{member}: {effect_type.name} can do nothing to {target}; it acts on {effect_type.acts_on}"
    )


def _refused_status(types: EffectTypes, interfaces: Sequence[Interface], name: str, effect: Mapping[str, Any]) -> str:
    """Why an operation cannot get a status, for each interface that has an operation of this name."""
    having = [each for each in interfaces if name in each.contract.operations]
    reasons, ways = [], []
    for each in having:
        operation = each.contract.operations[name]
        reason, way = refused_status(types, operation, effect, f"{each.name} {name}" if len(having) > 1 else name)
        reasons.append(reason)
        ways += [way] if way and way not in ways else []
    return f"{', and '.join(reasons)}; {' '.join([*ways, WAY])}"


def _status_message(match: Mapping[str, Any], status: int, others: Sequence[str]) -> str:
    """Why no matched call can get a status, and what to do instead."""
    which = f" of {match['interface']}" if "interface" in match else ""
    which += f" that {match['credential']} can call" if "credential" in match else ""
    hint = f"operations of {' and '.join(others)} do, or " if others else ""
    return f"status: no operation{which} documents {status} as a plain error; {hint}say undocumented: true to get it"


def read_when(when: Mapping[str, Any], start_ms: int, now_ms: int) -> dict[str, Any]:
    """When a fault hits, with offsets from the world's start converted to instants. InvalidFault if that is over."""
    named = [name for name in ("from", "to") if name in when]
    at_ms = {name: read_instant_or_offset(f"when.{name}", when[name], start_ms) for name in named}
    if at_ms.get("to", LATEST_MS) <= at_ms.get("from", EARLIEST_MS):
        raise InvalidFault("when.to: a fault must end after it begins")
    if "to" in at_ms and at_ms["to"] <= now_ms:
        raise InvalidFault(
            f"when.to: {format_instant(at_ms['to'])} has passed, the clock is at {format_instant(now_ms)}; an offset"
            f" such as +3d counts from the world's start, {format_instant(start_ms)}"
        )
    return {**when, **{name: format_instant(each_ms) for name, each_ms in at_ms.items()}}


def _check_exists(member: str, value: str | None, allowed: Sequence[str]) -> None:
    if value is not None and value not in allowed:
        suggestion = suggest_allowed(value, allowed)
        raise InvalidFault(f"match.{member}: there is no {member} {value[:60]!r} here; {suggestion}")
