"""Strict JSON: duplicate members, NaN, lone surrogates, deep nesting and large bodies are refused with the reason.

Parsing takes time and memory in proportion to the size of the body, whatever it holds (G85).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.problem import BodyTooLarge, InvalidJson
from giftsim.engine.kernel.setting import flag
from giftsim.engine.problem import Problem

PRETTY = frozenset({"pretty", "pretty=", "pretty=true", "pretty=1"})


def take_pretty(query: str) -> tuple[str, bool]:
    """A query string without `pretty`, and whether it had it. No interface has a parameter of that name (G113)."""
    parts = query.split("&")
    kept = [part for part in parts if part not in PRETTY]
    return "&".join(kept), len(kept) < len(parts)


def finish_json(content: bytes, *, pretty: bool) -> bytes:
    """A JSON body with its final newline, indented if asked for."""
    return (msgspec.json.format(content, indent=2) if pretty else content) + b"\n"


MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 64
MAX_VALUES = 250_000  # commas outside strings: two bytes of JSON may become a hundred in memory

# JSON that is the same for the same value, whatever the order of members and the white space in its text.
canonical_json = msgspec.json.Encoder(order="deterministic").encode

STRICT_CONTENT_TYPE = flag("strict_content_type", False, "refuse a body whose Content-Type is not that of JSON (G352)")
_JSON_TYPE = re.compile(r"application/(?:[\w.!#$&^-]+\+)?json", re.ASCII | re.IGNORECASE)

_BACKSLASH = 0x5C  # as a number it is found faster
# A string from its first quote to its last, or to the end of the text. It never goes back, so its time is linear.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)


@lru_cache(64)  # a client sends the same header with every call; a key takes at most what a request's headers may
def is_json_type(content_type: str) -> bool:
    """Whether a Content-Type is `application/json` or ends in `+json`, with any parameters."""
    return _JSON_TYPE.fullmatch(content_type.partition(";")[0].strip()) is not None


def check_type(content_type: str) -> None:
    """InvalidJson for the Content-Type of a body that is not that of JSON."""
    if not is_json_type(content_type):
        given = "the body has another Content-Type" if content_type else "the body has no Content-Type"
        raise InvalidJson(f"{given}; send Content-Type: application/json")


def parse(raw: bytes) -> Any:
    """The value of a JSON text; InvalidJson or BodyTooLarge."""
    return parse_with_canonical(raw)[0]


def parse_with_canonical(raw: bytes) -> tuple[Any, bytes]:
    """The value of a JSON text, and its canonical JSON; InvalidJson or BodyTooLarge.

    msgspec takes a fifth of the time of json with a hook for each object, which was a twentieth of a create. What
    msgspec does not read, json refuses with the reason.
    """
    if len(raw) > MAX_BYTES:
        raise BodyTooLarge(f"the body is larger than {MAX_BYTES} bytes")
    if len(raw) >= MAX_VALUES and raw.count(b",") >= MAX_VALUES and _STRING.sub(b"", raw).count(b",") >= MAX_VALUES:
        raise BodyTooLarge(f"the body has more than {MAX_VALUES:,} values")
    if raw.count(b"{") + raw.count(b"[") <= MAX_DEPTH and not (_BACKSLASH in raw and b"\\u" in raw):
        try:
            value = msgspec.json.decode(raw)
        except (ValueError, RecursionError):
            pass
        else:
            canonical = canonical_json(value)
            # Every member has a colon. Where one replaced another of its name, there are fewer of them in the value.
            if canonical.count(b":") == raw.count(b":"):
                return value, canonical
    value = _parse_strictly(raw)
    return value, canonical_json(value)


MAX_DATA_DEPTH = 40
MAX_INTEGER = 10**17
# A body with more white space than this may be large on purpose; as data it would become small.
MAX_WHITE_SPACE = 65_536


def lossless_data(raw: bytes) -> dict[str, Any] | list[Any] | None:
    """The object or list in a body, or None if sending that data could give another response than the bytes did."""
    try:
        data = parse(raw)
    except Problem:
        return None
    if not isinstance(data, dict | list) or not _has_one_spelling(data, 0):
        return None
    return data if len(raw) - len(msgspec.json.encode(data)) < MAX_WHITE_SPACE else None


def _has_one_spelling(value: Any, depth: int) -> bool:
    """Whether YAML and JSON write a value in one way only; a float has several."""
    if isinstance(value, dict):
        return depth < MAX_DATA_DEPTH and all(_has_one_spelling(member, depth + 1) for member in value.values())
    if isinstance(value, list):
        return depth < MAX_DATA_DEPTH and all(_has_one_spelling(item, depth + 1) for item in value)
    if isinstance(value, int):
        return abs(value) < MAX_INTEGER
    return not isinstance(value, float)


def _parse_strictly(raw: bytes) -> Any:
    try:
        value = _DECODER.decode(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise InvalidJson(_foreign_encoding(raw) or "the body is not UTF-8") from None
    except RecursionError:
        raise InvalidJson(f"the body is nested deeper than {MAX_DEPTH} levels") from None
    except json.JSONDecodeError as error:
        raise InvalidJson(_foreign_encoding(raw) or f"the body is not JSON: {error}") from None
    except ValueError:
        raise InvalidJson("a number in the body has too many digits") from None
    if raw.count(b"{") + raw.count(b"[") > MAX_DEPTH:
        _check_depth(value)
    if b"\\u" in raw:
        _refuse_lone_surrogates(value)
    return value


# How bodies begin that are not plain UTF-8. Of two that begin alike, the longer one comes first.
_BEGINNINGS: Final = (
    (b"\xff\xfe\0\0", "is UTF-32"),
    (b"\0\0\xfe\xff", "is UTF-32"),
    (b"\xff\xfe", "is UTF-16"),
    (b"\xfe\xff", "is UTF-16"),
    (b"\xef\xbb\xbf", "begins with a byte order mark"),
    (b"\x1f\x8b", "is compressed with gzip"),
    (b"\x28\xb5\x2f\xfd", "is compressed with zstd"),
    *((bytes((0x78, level)), "is compressed with deflate") for level in (0x01, 0x5E, 0x9C, 0xDA)),
)
# Where the first two characters of JSON, which are ASCII, have zero bytes (RFC 4627, section 3).
_ZERO_BYTES: Final[Mapping[tuple[bool, ...], str]] = {
    (True, True, True, False): "is UTF-32",
    (False, True, True, True): "is UTF-32",
    (True, False, True, False): "is UTF-16",
    (False, True, False, True): "is UTF-16",
}


def _foreign_encoding(raw: bytes) -> str | None:
    """The encoding of a body that is not plain UTF-8, as its first bytes show it, or None if they do not."""
    named = next((name for beginning, name in _BEGINNINGS if raw.startswith(beginning)), None)
    found = named or _ZERO_BYTES.get(tuple(byte == 0 for byte in raw[:4]))
    return found and f"the body {found}; send uncompressed JSON in UTF-8, without a byte order mark"


def _number(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise InvalidJson(f"the number {text[:40]} is too large")
    return value


def _refuse_constant(text: str) -> float:
    raise InvalidJson(f"{text} is not JSON")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        duplicate = _first_duplicate(name for name, _ in pairs)
        raise InvalidJson(f"the member {duplicate[:60]!r} is given twice in one object")
    return members


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_float=_number, parse_constant=_refuse_constant)


def _first_duplicate(names: Iterable[str]) -> str:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    raise ValueError("no name is given twice")


def _check_depth(value: Any) -> None:
    depth, level = 0, [value] if isinstance(value, dict | list) else []
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise InvalidJson(f"the body is nested deeper than {MAX_DEPTH} levels")
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]


def _refuse_lone_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidJson("a string has half of a surrogate pair") from None
