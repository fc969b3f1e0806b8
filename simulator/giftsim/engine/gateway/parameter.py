"""Path and query parameters of a contract, and the values of their texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.expected import pattern_words
from giftsim.engine.gateway.node import resolve_ref
from giftsim.engine.kernel.instants import is_date
from giftsim.engine.kernel.setting import flag

_INTEGER = re.compile(r"-?\d{1,1000}", re.ASCII)
LARGEST: Final = 2**63 - 1  # a larger number cannot be repeated in an answer
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", re.ASCII)

CLAMP_LIMITS = flag("clamp_limits", False, "take a list's limit that is out of bounds for the nearest one within")


class InvalidValue(Exception):
    """A text is not a value of its parameter. `expected` says what would be; the message repeats the text too."""

    def __init__(self, expected: str, text: str | None = None) -> None:
        super().__init__(expected if text is None else f"{expected}, not {text[:60]!r}")
        self.expected = expected


class Parameter(msgspec.Struct, frozen=True):
    """A parameter of an operation. `code` is the error code of an invalid value (None: the interface's default).

    `noun` is the kind of record that a path id names, where the contract says so (`x-id`).
    """

    name: str
    schema: Mapping[str, Any]
    required: bool
    code: str | None
    noun: str | None = None

    @classmethod
    def read(cls, document: Mapping[str, Any], node: Mapping[str, Any]) -> Parameter:
        """The parameter of a parameter node of the contract."""
        schema = resolve_ref(document, node.get("schema", {}))
        code = node.get("x-code", schema.get("x-code"))
        return cls(node["name"], schema, bool(node.get("required")), code, node.get("x-id"))

    def parse(self, text: str | None, *, clamp: bool = False) -> Any:
        """The value of a text (None: not given), or InvalidValue. With `clamp` numbers are moved into their bounds."""
        if text is None:
            if self.required:
                raise InvalidValue(f"parameter {self.name} is required")
            return self.schema.get("default")
        kind = self.schema.get("type", "string")
        if kind == "integer":
            return self._integer(text, clamp)
        if kind == "boolean":
            if text not in ("true", "false"):
                raise InvalidValue(f"{self.name} is true or false", text)
            return text == "true"
        return self._string(text)

    def _integer(self, text: str, clamp: bool) -> int:
        minimum, maximum = self.schema.get("minimum"), self.schema.get("maximum")
        if _INTEGER.fullmatch(text):
            value = int(text)
            if clamp and minimum is not None and maximum is not None:
                return int(min(max(value, minimum), maximum))
            if abs(value) > LARGEST and maximum is None:
                minimum, maximum = -LARGEST if minimum is None else minimum, LARGEST
            if (minimum is None or value >= minimum) and (maximum is None or value <= maximum):
                return value
        bounds = f" from {minimum}" if minimum is not None else ""
        bounds += f" to {maximum}" if maximum is not None else ""
        raise InvalidValue(f"{self.name} is a whole number{bounds}", text)

    def _string(self, text: str) -> str:
        if "enum" in self.schema and text not in self.schema["enum"]:
            raise InvalidValue(f"{self.name} is one of {', '.join(self.schema['enum'])}", text)
        if len(text) > self.schema.get("maxLength", 10_000):
            raise InvalidValue(f"{self.name} is longer than {self.schema.get('maxLength', 10_000)} characters")
        format_ = self.schema.get("format")
        if format_ == "date" and not is_date(text):
            raise InvalidValue(f"{self.name} is a date written YYYY-MM-DD", text)
        if format_ == "uuid" and not _UUID.fullmatch(text):
            raise InvalidValue(f"{self.name} is a UUID", text)
        pattern = self.schema.get("pattern")
        if pattern and not re.search(re.sub(r"\$$", r"\\Z", pattern), text):  # `$` also fits before a last line break
            raise InvalidValue(f"{self.name} is {self.schema.get('x-takes') or pattern_words(pattern)}", text)
        return text
