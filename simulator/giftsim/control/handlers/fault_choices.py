"""What a fault can be made of: the effects, and the operations, credentials, events and hosts that it can match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from giftsim.control.credentials import list_credentials
from giftsim.control.world_access import current_state
from giftsim.gateway.call import Call, Interface, Response
from giftsim.gateway.contract import Operation
from giftsim.gateway.faults.claim_page import CLAIM
from giftsim.gateway.faults.effect import EffectType, error_codes
from giftsim.gateway.faults.effect_registry import EFFECT_TYPES
from giftsim.gateway.faults.status import can_refuse
from giftsim.gateway.faults.webhook_effects import WEBHOOK
from giftsim.webhooks.endpoint import ENABLED, ENDPOINT
from giftsim.webhooks.event import KINDS


def make_list_fault_choices(simulated: Sequence[Interface]) -> Callable[[Call], Response]:
    """The handler that lists the choices. The operations are those of the `simulated` interfaces."""
    effects = [_effect(effect) for effect in EFFECT_TYPES.values()]
    operations = [_operation(interface, op) for interface in simulated for op in _operations(interface)]
    interfaces = [*(interface.name for interface in simulated), CLAIM]

    def list_fault_choices(call: Call) -> Response:
        with current_state(call.world) as state:
            credentials = list(list_credentials(state, call.world.id))
            hosts = sorted({endpoint.host for endpoint in state[ENDPOINT] if endpoint.status == ENABLED})
        choices = {
            "effects": effects, "interfaces": interfaces, "operations": operations, "credentials": credentials,
            "events": list(KINDS), "hosts": hosts,
        }  # fmt: skip
        return Response(200, choices)

    return list_fault_choices


def _operations(interface: Interface) -> Iterator[Operation]:
    return iter(interface.contract.operations.values())


def _effect(effect: EffectType) -> dict[str, Any]:
    options = [{"name": name, "takes": option.expects} for name, option in effect.options.items()]
    return {
        "name": effect.name, "takes": effect.expects, "values": list(effect.values), "does": effect.does,
        "acts_on": effect.acts_on, "options": options, "of_deliveries": effect is WEBHOOK,
    }  # fmt: skip


def _operation(interface: Interface, op: Operation) -> dict[str, Any]:
    errors = [
        {"status": status, "codes": list(error_codes(op, status))}
        for status in op.documented
        if can_refuse(op, {"status": status})
    ]
    return {
        "interface": interface.name, "operation": op.id, "method": op.method,
        "path": interface.contract.prefix + op.template, "summary": op.node.get("summary", ""), "errors": errors,
        "effects": [effect.name for effect in EFFECT_TYPES.values() if _acts_on(effect, op)],
    }  # fmt: skip


def _acts_on(effect: EffectType, op: Operation) -> bool:
    return effect is not WEBHOOK and any(effect.can_act(op, value) for value in effect.values or (None,))
