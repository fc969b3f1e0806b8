"""Strict JSON: duplicate members, NaN, lone surrogates, over-deep and over-large bodies are refused by name."""

from __future__ import annotations

import json
from typing import Any

from giftsim.gateway.problem import BodyTooLarge, InvalidJson

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 64


class _Reader:
    """Reads one body; remembers whether it held a number like 1.0, which is no integer (G19)."""

    def __init__(self) -> None:
        self.loose_numbers = False

    def number(self, text: str) -> float:
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise InvalidJson(f"the number {text[:40]} is too large")
        self.loose_numbers = self.loose_numbers or value.is_integer()
        return value

    def constant(self, text: str) -> float:
        raise InvalidJson(f"{text} is no JSON")

    def members(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise InvalidJson(f"the member {twice[:60]!r} stands twice in one object")
        return members


def read(raw: bytes) -> tuple[Any, bool]:
    """The value of a JSON text and whether it held whole floats; InvalidJson or BodyTooLarge otherwise."""
    if len(raw) > MAX_BYTES:
        raise BodyTooLarge(f"the body has more than the {MAX_BYTES} bytes that are taken")
    reader = _Reader()
    try:
        value = json.loads(
            raw.decode("utf-8"), object_pairs_hook=reader.members, parse_float=reader.number,
            parse_constant=reader.constant,
        )  # fmt: skip
    except UnicodeDecodeError:
        raise InvalidJson("the body is not UTF-8") from None
    except RecursionError:
        raise InvalidJson(f"the body is nested deeper than {MAX_DEPTH} levels") from None
    except json.JSONDecodeError as error:
        raise InvalidJson(f"the body is not JSON: {error}") from None
    except ValueError:
        raise InvalidJson("a number in the body has more digits than anybody reads") from None
    if raw.count(b"{") + raw.count(b"[") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise InvalidJson(f"the body is nested deeper than {MAX_DEPTH} levels")
    if b"\\u" in raw:
        _no_lone_surrogate(value)
    return value, reader.loose_numbers


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if depth > MAX_DEPTH:
            return depth
    return depth


def _no_lone_surrogate(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidJson("a text holds half of a surrogate pair") from None
