"""A call meets a magic value of its body or its query, unless a fault has it already."""

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
from giftsim.magic.fault_values import SPELLED, Value
from giftsim.magic.format import DOMAIN, MAGIC_VALUES, local


class Spent(Record, frozen=True, gc=False):
    """A value that acts once, and has acted on the call of that identity."""

    what: str


SPENT: TableSpec[Spent] = TableSpec("magic.spent", Spent, unique={"what": lambda row: row.what})


def meet(call: Call) -> None:
    """Give the call the effect of the first value in it that can act (handles MAGIC_SOUGHT)."""
    if not call.state.setting(MAGIC_VALUES):
        return
    for text in _texts(call):
        name = local(text)
        value, once = SPELLED.get(text if name is None else name + DOMAIN, (None, False))
        if value is None or not _can_act(call, value) or (once and _is_spent(call, text)):
            continue
        call.effect, call.fault = dict(value.effect), text
        if once:
            _spend(call, text)
        return


def take_back(call: Call, text: str) -> None:
    """The value did not come to act after all, so that it still can (handles MAGIC_UNUSED)."""
    state = call.state
    row = state[SPENT].find("what", _what(call, text))
    if row is not None:
        with state.transaction():
            state[SPENT].drop(row.n)


def _texts(call: Call) -> Iterator[str]:
    """Every text of the body in its order, then those of the query."""
    left: list[Any] = [call.body]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            left.extend(reversed(value.values()))
        elif isinstance(value, list):
            left.extend(reversed(value))
    yield from (value for _, value in parse_qsl(call.query_string))


def _can_act(call: Call, value: Value) -> bool:
    effect = value.effect
    if "status" in effect and not status.can_refuse(call.operation, effect):
        return False
    if "code" in effect and effect["code"] not in error_codes(call.operation, effect["status"]):
        return False
    return can_act(call.operation, effect) and (WEBHOOK.name not in effect or call.interface.sends_webhooks)


def _is_spent(call: Call, text: str) -> bool:
    return call.state[SPENT].find("what", _what(call, text)) is not None


def _spend(call: Call, text: str) -> None:
    with call.state.transaction():
        table = call.state[SPENT]
        table.add(Spent(table.next_n, _what(call, text)))


def _what(call: Call, text: str) -> str:
    return f"{text} | {identity(call)}"
