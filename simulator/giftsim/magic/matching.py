"""Finds the magic value in the body or query of a call, and gives the call its effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl

from giftsim.gateway.call import Call
from giftsim.gateway.faults import status
from giftsim.gateway.faults.effect import error_codes
from giftsim.gateway.faults.effect_registry import can_act
from giftsim.gateway.faults.webhook_effects import WEBHOOK
from giftsim.gateway.idempotency import identity
from giftsim.kernel.table import Record, TableSpec
from giftsim.magic.fault_values import VALUE_BY_TEXT, Value
from giftsim.magic.value_format import DOMAIN, MAGIC_VALUES, magic_local_part


class UsedValue(Record, frozen=True, gc=False):
    """A value that acts only once, and the call that it acted on; `what` names both."""

    what: str


USED_VALUES: TableSpec[UsedValue] = TableSpec("magic.spent", UsedValue, unique={"what": "what"})


def apply_magic_value(call: Call) -> None:
    """Give the call the effect of the first magic value in it that can act (handles MAGIC_SOUGHT)."""
    if not call.state.setting(MAGIC_VALUES):
        return
    for text in _texts(call):
        name = magic_local_part(text)
        value, once = VALUE_BY_TEXT.get(text if name is None else name + DOMAIN, (None, False))
        if value is None or not _can_act(call, value) or (once and _is_used(call, text)):
            continue
        call.effect, call.fault = dict(value.effect), text
        if once:
            _mark_used(call, text)
        return


def restore_value(call: Call, text: str) -> None:
    """Allow a value that acts only once to act again, because it had no effect (handles MAGIC_UNUSED)."""
    state = call.state
    row = state[USED_VALUES].find("what", _use_key(call, text))
    if row is not None:
        with state.transaction():
            state[USED_VALUES].drop(row.n)


def _texts(call: Call) -> Iterator[str]:
    """Every string of the body in order, then those of the query."""
    stack: list[Any] = [call.body]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            stack.extend(reversed(value.values()))
        elif isinstance(value, list):
            stack.extend(reversed(value))
    yield from (value for _, value in parse_qsl(call.query_string))


def _can_act(call: Call, value: Value) -> bool:
    effect = value.effect
    if "status" in effect and not status.can_refuse(call.operation, effect):
        return False
    if "code" in effect and effect["code"] not in error_codes(call.operation, effect["status"]):
        return False
    return can_act(call.operation, effect) and (WEBHOOK.name not in effect or call.interface.sends_webhooks)


def _is_used(call: Call, text: str) -> bool:
    return call.state[USED_VALUES].find("what", _use_key(call, text)) is not None


def _mark_used(call: Call, text: str) -> None:
    with call.state.transaction():
        table = call.state[USED_VALUES]
        table.add(UsedValue(table.next_n, _use_key(call, text)))


def _use_key(call: Call, text: str) -> str:
    return f"{text} | {identity(call)}"
