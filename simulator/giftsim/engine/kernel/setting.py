"""Settings: decisions that the documents leave open and that a world may change, by dotted name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from giftsim.engine.kernel.errors import InvalidSetting
from giftsim.engine.kernel.instants import parse_duration

T = TypeVar("T")


class Setting(msgspec.Struct, Generic[T], frozen=True):
    """One setting. `default` is as users write it; `read` converts that into the value that the code uses.

    A ValueError of `read` ends the sentence about what the setting takes; an InvalidSetting is the whole message.
    """

    name: str
    default: Any
    read: Callable[[Any], T]
    takes: str
    meaning: str

    def parse(self, raw: Any) -> T:
        """The value that the code uses. InvalidSetting names the setting and what it takes."""
        try:
            return self.read(raw)
        except InvalidSetting:
            raise
        except (ValueError, TypeError) as error:
            raise InvalidSetting(f"setting {self.name} takes {self.takes}, not {raw!r}: {error}") from None


def duration(name: str, default: str, meaning: str) -> Setting[int]:
    """A setting whose value is a duration such as `24h`; milliseconds in the code."""
    return Setting(name, default, _duration, "a duration such as 24h", meaning)


def number(name: str, default: int | None, meaning: str, least: int = 0, most: int = 10**12) -> Setting[int]:
    """A setting whose value is a whole number between bounds."""

    def read(raw: Any) -> int:
        if type(raw) is not int or not least <= raw <= most:
            raise ValueError(f"it goes from {least} to {most}")
        return raw

    return Setting(name, default, read, "a whole number", meaning)


def flag(name: str, default: bool, meaning: str) -> Setting[bool]:
    """A setting that is on or off."""

    def read(raw: Any) -> bool:
        if type(raw) is not bool:
            raise ValueError("it is true or false")
        return raw

    return Setting(name, default, read, "true or false", meaning)


def choice(name: str, values: tuple[str, ...], meaning: str) -> Setting[str]:
    """A setting that takes one of a few words. The first is the default."""

    def read(raw: Any) -> str:
        if raw not in values:
            raise ValueError(f"it is one of {', '.join(values)}")
        return str(raw)

    return Setting(name, values[0], read, f"one of {', '.join(values)}", meaning)


def _duration(raw: Any) -> int:
    if not isinstance(raw, str):
        raise ValueError("it is written as text")
    return parse_duration(raw)
