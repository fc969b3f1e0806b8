"""Compares JSON that a model expects with JSON that a world gives, and says where they differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Learned:
    """A value that the service chooses, such as an id: whatever it is at first, but not empty, it stays."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.value: Any = None

    def __eq__(self, other: object) -> bool:
        if self.value is None and isinstance(other, self.kind) and other != "":
            self.value = other
        return bool(self.value == (other.value if isinstance(other, Learned) else other))

    def __repr__(self) -> str:
        return f"<any {self.kind.__name__}>" if self.value is None else repr(self.value)


def assert_same(expected: Any, actual: Any, about: str) -> None:
    """Check that JSON is as the model expects; else an AssertionError lists every place that differs."""
    if expected != actual:
        places = "\n".join(
            f"  {where}: expected {want!r}, got {got!r}" for where, want, got in _places(expected, actual)
        )
        raise AssertionError(f"{about} differs:\n{places}")


def _places(expected: Any, actual: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name in dict.fromkeys((*expected, *actual)):
            yield from _places(expected.get(name, "nothing"), actual.get(name, "nothing"), f"{where}.{name}")
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for i, pair in enumerate(zip(expected, actual, strict=True)):
            yield from _places(*pair, f"{where}[{i}]")
    elif expected != actual:
        yield where, expected, actual
