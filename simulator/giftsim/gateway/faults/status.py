"""An error response instead of execution: a documented one, or any other with `undocumented: true` (G16)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from giftsim.gateway.call import Call
from giftsim.gateway.contract import Operation
from giftsim.gateway.faults.effect import (
    EffectOption,
    EffectType,
    error_codes,
    one_of,
    parse_number,
    response_node,
)
from giftsim.gateway.faults.problem import InvalidFault
from giftsim.gateway.problem import InjectedFault

FIRST_STATUS, LAST_STATUS = 200, 599
MAX_RETRY_S = 10**9


def _is_status(value: Any) -> bool:
    return type(value) is int and FIRST_STATUS <= value <= LAST_STATUS


def _is_seconds(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MAX_RETRY_S


def _is_code(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 100


STATUS = EffectType(
    "status", f"an HTTP status from {FIRST_STATUS} to {LAST_STATUS}",
    "that error instead of the operation; it must be one that the operation documents",
    "every operation", _is_status, parse_number,
    MappingProxyType(
        {
            "code": EffectOption("an error code, by default the first that is documented", _is_code),
            "retry_after": EffectOption("whole seconds, for the header `Retry-After`", _is_seconds, parse_number),
            "undocumented": EffectOption(
                "true, for a status that the operation does not document", one_of(True, False)
            ),
        }
    ),
)  # fmt: skip


def inject_status(call: Call) -> None:
    """Raise the error of a `status` effect; InvalidFault for an undocumented status without `undocumented: true`."""
    effect = call.effect
    if "status" not in effect:
        return
    status = effect["status"]
    check_status(call.operation, effect)
    code = effect.get("code") or (error_codes(call.operation, status) or [f"status_{status}"])[0]
    raise InjectedFault(f"injected by the fault {call.fault}", status, str(code), effect.get("retry_after"))


def check_status(operation: Operation, effect: Mapping[str, Any]) -> None:
    """InvalidFault for a status that the operation does not document as a plain error."""
    if not can_refuse(operation, effect):
        plain = ", ".join(str(known) for known in operation.documented if _is_plain_error(operation, known))
        raise InvalidFault(
            f"{operation.id} documents the errors {plain}, not {effect['status']}; say undocumented: true to get it"
        )


def can_refuse(operation: Operation, effect: Mapping[str, Any]) -> bool:
    """Whether the operation documents such an error, or the effect says `undocumented`."""
    status = effect["status"]
    return bool(effect.get("undocumented")) or (status in operation.documented and _is_plain_error(operation, status))


def _is_plain_error(operation: Operation, status: int) -> bool:
    return status >= 400 and bool(response_node(operation, status).get("x-injectable", True))
