"""The values that stand for the effect of a fault on the call that carries them (docs/reference/magic-values.md)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

from giftsim.magic.format import ONCE, email


class Value(msgspec.Struct, frozen=True, gc=False):
    """A name and what it stands for: an effect of the vocabulary of faults; `source` is where that is decided."""

    name: str
    effect: Mapping[str, Any]
    means: str
    source: str


CALLS: Final = (
    Value("Magic Card Declined", {"charge": "card_charge_failed"}, "402: the card is declined", "P-7.15"),
    Value("Magic Insufficient Funds", {"charge": "insufficient_funds"}, "402: the wallet is short", "P-7.11"),
    Value("Magic No Card", {"charge": "insufficient_funds_no_card"}, "402: the wallet is short, no card", "P-7.12"),
    Value("Magic Credit Limit", {"charge": "credit_limit_exceeded"}, "402: beyond the credit limit", "P-7.13"),
    Value("Magic Daily Limit", {"charge": "daily_spend_limit_exceeded"}, "402: beyond the limit of the day", "P-7.14"),
    Value(
        "Magic Outcome Unknown", {"crash": "after_charge"},
        "charged and not recorded: no answer, then 409 until it is known", "G28, A8.7",
    ),
    Value("Magic Request Lost", {"drop": "before"}, "the connection breaks before the work", "G16"),
    Value("Magic Answer Lost", {"drop": "after"}, "the connection breaks after the work is committed", "G16"),
    Value("Magic Slow", {"delay_s": 2}, "the answer comes after 2 real seconds", "G16"),
    Value("Magic Very Slow", {"delay_s": 35}, "the answer comes after 35 real seconds, beyond usual time-outs", "G16"),
    Value("Magic Bad Request", {"status": 400}, "400", "G16"),
    Value("Magic Unauthorized", {"status": 401}, "401", "G16"),
    Value("Magic Forbidden", {"status": 403}, "403", "G16"),
    Value("Magic Not Found", {"status": 404}, "404", "G16"),
    Value("Magic Rate Limited", {"status": 429, "retry_after": 7}, "429 with `Retry-After: 7`", "B36, A7.21"),
    Value("Magic Server Error", {"status": 500}, "500", "G16"),
    Value(
        "Magic Unavailable", {"status": 503},
        "503: `idempotency_unavailable` on partner orders, on the team interface `service_unavailable`", "B8, A2.6",
    ),
    Value(
        "Magic Provider Out", {"status": 503, "code": "provider_unavailable"},
        "503: the CRM provider is out", "A8.5",
    ),
    Value("Magic Webhooks Unavailable", {"signing_key": "missing"}, "503: no signing key", "B30"),
    Value("Magic Duplicate", {"webhook": "duplicate"}, "each event of what the call makes comes twice", "B27"),
    Value("Magic Reorder", {"webhook": "reorder"}, "each is overtaken by the next to its endpoint", "G16"),
    Value("Magic Bad Signature", {"webhook": "bad_signature"}, "each is first signed wrongly", "B43"),
    Value("Magic Stale Signature", {"webhook": "stale_signature"}, "each is first signed ten minutes ago", "A6.4"),
    Value("Magic Future Signature", {"webhook": "future_signature"}, "each is first signed in ten minutes", "A6.4"),
)  # fmt: skip

# Every spelling: the name and the email, each once or always.
SPELLED: Final[Mapping[str, tuple[Value, bool]]] = MappingProxyType(
    {
        text: (value, name != value.name)
        for value in CALLS
        for name in (value.name, value.name + ONCE)
        for text in (name, email(name))
    }
)
