"""Magic values that apply the effect of a fault to the call that contains them (docs/reference/magic-values.md)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

from giftsim.magic.value_format import ONCE, email


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
        "Magic Outcome Unknown", {"crash": "after_charge"},
        "charged but not recorded: no response, then 409 until the outcome is known", "G28, A8.7",
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
        "Magic Unavailable", {"status": 503},
        "503: `idempotency_unavailable` on partner orders, `service_unavailable` on the team interface", "B8, A2.6",
    ),
    Value(
        "Magic Provider Out", {"status": 503, "code": "provider_unavailable"},
        "503: the CRM provider is unavailable", "A8.5",
    ),
    Value("Magic Webhooks Unavailable", {"signing_key": "missing"}, "503: no signing key", "B30"),
    Value("Magic Duplicate", {"webhook": "duplicate"}, "events about what the call creates are sent twice", "B27"),
    Value("Magic Reorder", {"webhook": "reorder"}, "such events are overtaken by the next to the endpoint", "G16"),
    Value(
        "Magic Bad Signature", {"webhook": "bad_signature"},
        "the first attempt of such events has a wrong signature", "B43",
    ),
    Value(
        "Magic Stale Signature", {"webhook": "stale_signature"},
        "the first attempt of such events is signed ten minutes in the past", "A6.4",
    ),
    Value(
        "Magic Future Signature", {"webhook": "future_signature"},
        "the first attempt of such events is signed ten minutes in the future", "A6.4",
    ),
)  # fmt: skip

# The value by the exact text in a call, a name or an email, and whether it acts only once.
VALUE_BY_TEXT: Final[Mapping[str, tuple[Value, bool]]] = MappingProxyType(
    {
        text: (value, name != value.name)
        for value in CALL_VALUES
        for name in (value.name, value.name + ONCE)
        for text in (name, email(name))
    }
)
