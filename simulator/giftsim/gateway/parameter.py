"""Path and query parameters: text to value, by the parameter's schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from giftsim.kernel.setting import flag

_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", re.ASCII)


CLAMP_LIMITS = flag("clamp_limits", False, "take a list's limit that is out of bounds for the nearest one within")


class Unfit(Exception):
    """A parameter's text does not fit; `fits` says what would, the message also what came."""

    def __init__(self, fits: str, text: str | None = None) -> None:
        super().__init__(fits if text is None else f"{fits}, not {text[:60]!r}")
        self.fits = fits


@dataclass(frozen=True)
class Parameter:
    """A parameter of an operation; `code` is the error code that a misfit stands for (None: the interface's usual).

    `noun` is what the id of a path names, where the contract says so.
    """

    name: str
    schema: Mapping[str, Any]
    required: bool
    code: str | None
    noun: str | None = None

    @classmethod
    def read(cls, document: Mapping[str, Any], node: Mapping[str, Any]) -> Parameter:
        """From a parameter node of the contract."""
        schema = node.get("schema", {})
        if "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        code = node.get("x-code", schema.get("x-code"))
        return cls(node["name"], schema, bool(node.get("required")), code, node.get("x-id"))

    def value(self, text: str | None, *, clamp: bool = False) -> Any:
        """The value for a text (None: not given); Unfit otherwise. `clamp` moves numbers into their bounds."""
        if text is None:
            if self.required:
                raise Unfit(f"parameter {self.name} is required")
            return self.schema.get("default")
        kind = self.schema.get("type", "string")
        if kind == "integer":
            return self._integer(text, clamp)
        if kind == "boolean":
            if text not in ("true", "false"):
                raise Unfit(f"{self.name} is true or false", text)
            return text == "true"
        return self._string(text)

    def _integer(self, text: str, clamp: bool) -> int:
        least, most = self.schema.get("minimum"), self.schema.get("maximum")
        fits = _WHOLE.fullmatch(text) is not None
        if fits and clamp and least is not None and most is not None:
            return int(min(max(int(text), least), most))
        if fits and (least is None or int(text) >= least) and (most is None or int(text) <= most):
            return int(text)
        bounds = f" from {least}" if least is not None else ""
        bounds += f" to {most}" if most is not None else ""
        raise Unfit(f"{self.name} is a whole number{bounds}", text)

    def _string(self, text: str) -> str:
        if "enum" in self.schema and text not in self.schema["enum"]:
            raise Unfit(f"{self.name} is one of {', '.join(self.schema['enum'])}", text)
        if len(text) > self.schema.get("maxLength", 10_000):
            raise Unfit(f"{self.name} is longer than {self.schema.get('maxLength', 10_000)} characters")
        form = self.schema.get("format")
        if form == "date" and not _is_date(text):
            raise Unfit(f"{self.name} is a date written YYYY-MM-DD", text)
        if form == "uuid" and not _UUID.fullmatch(text):
            raise Unfit(f"{self.name} is a UUID", text)
        pattern = self.schema.get("pattern")
        if pattern and not re.search(pattern, text):
            raise Unfit(f"{self.name} does not match {pattern}")
        return text


def _is_date(text: str) -> bool:
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
