"""Bytes that are almost right: changed, cut, repeated, or mixed with tokens that are known to hurt."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

TOKENS = (
    b"null", b"true", b"-1", b"0", b"1e400", b"1.0", b"NaN", b"9" * 40, b'"', b"'", b"{", b"}", b"[", b"]", b":", b",",
    b"\n", b"\r\n", b"\x00", b"\xff", b"\\u0000", b"\\ud800", b"\xe2\x80\xa8", b"${", b"${start}", b"*a", b"&a ",
    b"<<: ", b"- ", b"? ", b"!!python/none ", b"%00", b"%ff", b"../", b"0001-01-01T00:00:00Z", b"9999-12-31T23:59:59Z",
    b"0000-00-00", b"99999999w", b"-5d", b"x" * 500, b"http://[", b"https://127.0.0.1/", b"\xf0\x9f\x8e\x81", b"$.a..b",
    b"extends", b"sim.body.", b"=1+1",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 5, 10**9, 10**15, -(10**9), 2**53, 1.5, "", " ", "x", "a" * 300, "é", "\u2028", "\n",
    "0s", "-5d", "10h", "99999999w", "999999999999ms", "P1D", "2027-01-01", "9999-12-31", "0001-01-01", "25:00", "US",
    "northwind", "partner.prepaid", "team.live_approver", "shipped", "approve", "mug-01", "MUG-01", [], [[]], ["x"],
    [1], {}, {"a": 1},
)  # fmt: skip
NAMES = (
    "x", "extends", "generated", "seed", "rows", "csv", "places", "country", "gift", "store", "order", "event", "then",
)  # fmt: skip
MOST_CHANGES = 4


def mutated(content: bytes, chance: Random) -> bytes:
    """The bytes with one to four changes."""
    for _ in range(chance.randint(1, MOST_CHANGES)):
        content = _changed(content, chance)
    return content


def _changed(content: bytes, chance: Random) -> bytes:
    start = chance.randrange(len(content) + 1)
    end = min(len(content), start + chance.choice((0, 1, 2, 8, 64)))
    piece = content[start:end]
    match chance.randrange(6):
        case 0:
            new = bytes([chance.randrange(256)])
        case 1:
            new = b""
        case 2:
            new = piece * chance.choice((2, 3, 20))
        case 3:
            return content[:start]
        case 4:
            source = chance.randrange(len(content) + 1)
            new = content[source : source + chance.choice((4, 16, 100))]
        case _:
            new = chance.choice(TOKENS)
    return content[:start] + new + content[end:]


def mutated_text(text: str, chance: Random) -> str:
    """Text for a header or a path: what a byte can be there, as WSGI decodes it."""
    changed = mutated(text.encode("latin-1", "replace"), chance).replace(b"\r", b"").replace(b"\n", b"")
    return changed.decode("latin-1")


def mutated_data(data: Any, chance: Random) -> Any:
    """A copy of data with one to three of its values changed, moved, repeated or left out."""
    data = deepcopy(data)
    for _ in range(chance.randint(1, 3)):
        holder, name = chance.choice(list(_places(data)))
        match chance.randrange(8):
            case 0:
                del holder[name]
            case 1 if isinstance(holder, list):
                holder.insert(0, deepcopy(chance.choice(holder)))
            case 2 if isinstance(holder, dict):
                holder[chance.choice(NAMES)] = chance.choice(VALUES)
            case _:
                holder[name] = chance.choice(VALUES)
        if not data:
            break
    return data


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each place in the data, as its mapping or list and the name or index there."""
    names = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for name in names:
        yield value, name
        yield from _places(value[name])
