"""Members that no document mentions, for worlds that send them: names and values are drawn from the seed (G396).

The same object always has the same ones, so an answer that is repeated stays the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.random_streams import draw_number
from giftsim.engine.kernel.setting import flag

UNKNOWN_MEMBERS = flag(
    "answers.unknown_members",
    False,
    "each object of answers and webhooks has members that no document mentions, drawn from the seed (G396)",
)

FIRST: Final = ("audit", "batch", "carbon", "channel", "loyalty", "origin", "packing", "risk", "routing", "warehouse")
SECOND: Final = ("class", "flags", "hint", "level", "ref", "score", "window", "zone")
TEXTS: Final = ("standard", "b2b", "n/a", "", "größer", "0", "true", "2026-02-30", "{}")


def with_unknown_members(value: Any, seed: int) -> Any:
    """A JSON value, each object in it with one or two more members. Maps with numbers as keys stay as they are."""
    if isinstance(value, list):
        return [with_unknown_members(each, seed) for each in value]
    if not isinstance(value, dict):
        return value
    record = {name: with_unknown_members(member, seed) for name, member in value.items()}
    if record and all(name.isdecimal() for name in record):
        return record
    more = dict(_members(value, seed))
    at_first = draw_number(seed, f"place of {sorted(value)}", 0) % 2
    return {**more, **record} if at_first else {**record, **more}


def _members(record: dict[str, Any], seed: int) -> Iterator[tuple[str, Any]]:
    """Objects with the same members have the same unknown ones, of the same types."""
    shape = f"unknown member of {sorted(record)}"
    content = msgspec.json.encode(record).hex()
    for n in range(1 + draw_number(seed, shape, 0) % 2):
        drawn = draw_number(seed, shape, n + 1)
        name = f"{FIRST[drawn % len(FIRST)]}_{SECOND[drawn // len(FIRST) % len(SECOND)]}"
        yield name, _value(drawn >> 16, draw_number(seed, f"{name} of {content}", 0))


def _value(type_: int, drawn: int) -> Any:
    text = TEXTS[drawn % len(TEXTS)]
    values: tuple[Any, ...] = (
        drawn % 1000, text, bool(drawn % 2), None, [], [text, text], {}, {"code": text, "since": None}, drawn % 100 / 8,
    )  # fmt: skip
    return values[type_ % len(values)]
