"""Magic values that apply the effect of a fault to the call that contains them (docs/reference/faults.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec

from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.effect_types import error_codes
from giftsim.engine.gateway.faults import effects
from giftsim.engine.gateway.faults.effects import WEBHOOK
from giftsim.engine.gateway.idempotency import identity
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.magic.value_format import DOMAIN, MAGIC_VALUES, ONCE, email, magic_local_part


class Value(msgspec.Struct, frozen=True, gc=False):
    """A magic name and the fault effect that it applies; `source` is the rule that decides it."""

    name: str
    effect: Mapping[str, Any]
    means: str
    source: str


CALL_VALUES: Final = (
    Value("Magic Card Declined", {"charge": "card_charge_failed"}, "402: the card is declined", "P-7.15"),
    Value("Magic Insufficient Funds", {"charge": "insufficient_funds"}, "402: not enough funds", "P-7.11"),
    Value("Magic No Card", {"charge": "insufficient_funds_no_card"}, "402: not enough funds and no card", "P-7.12"),
    Value("Magic Credit Limit", {"charge": "credit_limit_exceeded"}, "402: the credit limit is exceeded", "P-7.13"),
    Value("Magic Daily Limit", {"charge": "daily_spend_limit_exceeded"}, "402: the daily limit is exceeded", "P-7.14"),
    Value(
        "Magic Outcome Unknown",
        {"crash": "after_charge"},
        "charged but not recorded: no response, then 409 until the outcome is known",
        "G28, A8.7",
    ),
    Value("Magic Request Lost", {"drop": "before"}, "the connection breaks before anything is done", "G16"),
    Value("Magic Answer Lost", {"drop": "after"}, "the connection breaks after the change is committed", "G16"),
    Value("Magic Slow", {"delay_s": 2}, "the response comes after 2 real seconds", "G16"),
    Value("Magic Very Slow", {"delay_s": 35}, "the response comes after 35 real seconds, beyond most timeouts", "G16"),
    Value("Magic Bad Request", {"status": 400}, "400", "G16"),
    Value("Magic Unauthorized", {"status": 401}, "401", "G16"),
    Value("Magic Forbidden", {"status": 403}, "403", "G16"),
    Value("Magic Not Found", {"status": 404}, "404", "G16"),
    Value("Magic Rate Limited", {"status": 429, "retry_after": 7}, "429 with `Retry-After: 7`", "B36, A7.21"),
    Value("Magic Server Error", {"status": 500}, "500", "G16"),
    Value(
        "Magic Unavailable",
        {"status": 503},
        "503: `idempotency_unavailable` on partner orders, `service_unavailable` on the team interface",
        "B8, A2.6",
    ),
    Value(
        "Magic Provider Out",
        {"status": 503, "code": "provider_unavailable"},
        "503: the CRM provider is unavailable",
        "A8.5",
    ),
    Value("Magic Webhooks Unavailable", {"signing_key": "missing"}, "503: no signing key", "B30"),
    Value("Magic Duplicate", {"webhook": "duplicate"}, "events about what the call creates are sent twice", "B27"),
    Value(
        "Magic Reorder", {"webhook": "reorder"}, "the next event to the endpoint arrives before such an event", "G16"
    ),
    Value(
        "Magic Bad Signature",
        {"webhook": "bad_signature"},
        "the first attempt of such events has a wrong signature",
        "B43",
    ),
    Value(
        "Magic Stale Signature",
        {"webhook": "stale_signature"},
        "the first attempt of such events is signed ten minutes in the past",
        "A6.4",
    ),
    Value(
        "Magic Future Signature",
        {"webhook": "future_signature"},
        "the first attempt of such events is signed ten minutes in the future",
        "A6.4",
    ),
)

# The value by the exact text in a call, a name or an email, and whether it acts only once.
VALUE_BY_TEXT: Final[Mapping[str, tuple[Value, bool]]] = {
    text: (value, name != value.name)
    for value in CALL_VALUES
    for name in (value.name, value.name + ONCE)
    for text in (name, email(name))
}


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
    if "status" in effect and not effects.can_refuse(call.operation, effect):
        return False
    if "code" in effect and effect["code"] not in error_codes(call.operation, effect["status"]):
        return False
    types = service_of(call.state).effect_types
    return types.can_act(call.operation, effect) and (WEBHOOK.name not in effect or call.interface.sends_webhooks)


def _is_used(call: Call, text: str) -> bool:
    return call.state[USED_VALUES].find("what", _use_key(call, text)) is not None


def _mark_used(call: Call, text: str) -> None:
    with call.state.transaction():
        table = call.state[USED_VALUES]
        table.add(UsedValue(table.next_n, _use_key(call, text)))


def _use_key(call: Call, text: str) -> str:
    return f"{text} | {identity(call)}"
