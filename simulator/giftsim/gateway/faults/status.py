"""An answer instead of the work: any refusal that the contract documents, and others where that was asked for (G16)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from giftsim.gateway.call import Call
from giftsim.gateway.contract import Operation
from giftsim.gateway.faults.effect import Companion, Family, codes, number, one_of, response
from giftsim.gateway.faults.problem import InvalidFault
from giftsim.gateway.problem import InjectedFault

FIRST_STATUS, LAST_STATUS = 200, 599
MOST_RETRY_S = 10**9


def _is_status(value: Any) -> bool:
    return type(value) is int and FIRST_STATUS <= value <= LAST_STATUS


def _is_span(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_RETRY_S


def _is_code(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 100


STATUS = Family(
    "status", f"an HTTP status from {FIRST_STATUS} to {LAST_STATUS}",
    "that refusal instead of the work, which must be one that the operation documents",
    "every operation", _is_status, number,
    MappingProxyType(
        {
            "code": Companion("an error code, by default the first that is documented", _is_code),
            "retry_after": Companion("whole seconds, for the header `Retry-After`", _is_span, number),
            "undocumented": Companion("true, for a status that the operation does not document", one_of(True, False)),
        }
    ),
)  # fmt: skip


def answer(call: Call) -> None:
    """Give a `status` effect's answer; InvalidFault for an undocumented one that was not asked for."""
    effect = call.effect
    if "status" not in effect:
        return
    status = effect["status"]
    check(call.operation, effect)
    code = effect.get("code") or (codes(call.operation, status) or [f"status_{status}"])[0]
    raise InjectedFault(f"injected by the fault {call.fault}", status, str(code), effect.get("retry_after"))


def check(operation: Operation, effect: Mapping[str, Any]) -> None:
    """InvalidFault for a status that the operation does not give as a refusal that tells of nothing but the error."""
    if not can_refuse(operation, effect):
        bare = ", ".join(str(known) for known in operation.documented if _is_bare(operation, known))
        raise InvalidFault(
            f"{operation.id} can refuse with a bare {bare}, not {effect['status']}; say undocumented: true to get it"
        )


def can_refuse(operation: Operation, effect: Mapping[str, Any]) -> bool:
    """Whether the operation documents such a refusal, or it was asked for all the same."""
    status = effect["status"]
    return bool(effect.get("undocumented")) or (status in operation.documented and _is_bare(operation, status))


def _is_bare(operation: Operation, status: int) -> bool:
    return status >= 400 and bool(response(operation, status).get("x-injectable", True))
