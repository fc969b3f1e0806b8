"""Members of what people write, as rows: the value that each takes, checked in Python and said in JSON Schema.

The contract of the control API and the schema of scenario files are made from these rows. In a scenario a variable,
`${name}`, may stand for a value that is not text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec

VARIABLE: Final = r"^\$\{[^{}]*\}$"


class Takes(Protocol):
    """The values that a member takes."""

    def accepts(self, value: Any) -> bool:
        """Whether it takes a value of JSON."""

    def in_contract(self) -> dict[str, Any]:
        """Its schema in a contract."""

    def in_scenario(self) -> dict[str, Any]:
        """Its schema in a scenario, with a title that error messages use."""


class Member(msgspec.Struct, frozen=True):
    """A member of what people write.

    `text` is about the member in a scenario, `note` in the contract, where `takes_words` also says what it takes in an
    error message. `default` and `examples` are as in JSON Schema.
    """

    name: str
    takes: Takes
    text: str = ""
    note: str = ""
    takes_words: str = ""
    default: Any = None
    examples: Sequence[Any] = ()

    def in_contract(self) -> dict[str, Any]:
        """The schema of the member in a contract."""
        known = {"default": self.default, "description": self.note, "x-takes": self.takes_words}
        about, takes = {name: value for name, value in known.items() if value}, self.takes.in_contract()
        return {**about, **takes} if "anyOf" in takes else {**takes, **about}

    def in_scenario(self) -> dict[str, Any]:
        """The schema of the member in a scenario."""
        about = {"description": self.text, "examples": list(self.examples)}
        return self.takes.in_scenario() | {name: value for name, value in about.items() if value}


class OneOf(msgspec.Struct, frozen=True):
    """One of a few words; `noun` is what they are. Only a `literal` one cannot come from a variable."""

    words: tuple[str, ...]
    noun: str
    literal: bool = False

    def accepts(self, value: Any) -> bool:
        """Whether it is one of the words."""
        return isinstance(value, str) and value in self.words

    def in_contract(self) -> dict[str, Any]:
        """An enumeration, or a constant."""
        return {"enum": list(self.words)} if len(self.words) > 1 else {"const": self.words[0]}

    def in_scenario(self) -> dict[str, Any]:
        """An enumeration, or a variable."""
        words = {"title": self.noun, "enum": list(self.words)}
        return words if self.literal else {"title": self.noun, "anyOf": [words, {"$ref": "#/$defs/variable"}]}


class Yes(msgspec.Struct, frozen=True):
    """Nothing but true."""

    def accepts(self, value: Any) -> bool:
        """Whether it is true; 1 is not."""
        return value is True

    def in_contract(self) -> dict[str, Any]:
        """A constant."""
        return {"const": True}

    def in_scenario(self) -> dict[str, Any]:
        """A reference to the definition `true`."""
        return {"$ref": "#/$defs/true"}


class YesOrNo(msgspec.Struct, frozen=True):
    """True or false."""

    def accepts(self, value: Any) -> bool:
        """Whether it is true or false; 1 and 0 are not."""
        return isinstance(value, bool)

    def in_contract(self) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean"}

    def in_scenario(self) -> dict[str, Any]:
        """A boolean, or a variable."""
        return {"type": ["boolean", "string"], "title": "true or false", "pattern": VARIABLE}


class Number(msgspec.Struct, frozen=True):
    """A number between bounds, both included; `noun` is what it is. With `whole` it is an integer."""

    minimum: int
    maximum: int
    noun: str
    whole: bool = False

    def accepts(self, value: Any) -> bool:
        """Whether it is a number within the bounds."""
        return type(value) in ((int,) if self.whole else (int, float)) and self.minimum <= value <= self.maximum

    def in_contract(self) -> dict[str, Any]:
        """A number with bounds."""
        return {"type": "integer" if self.whole else "number", "minimum": self.minimum, "maximum": self.maximum}

    def in_scenario(self) -> dict[str, Any]:
        """A number with bounds, or a variable."""
        number = self.in_contract()
        return {**number, "type": [number["type"], "string"], "title": self.noun, "pattern": VARIABLE}


class Text(msgspec.Struct, frozen=True):
    """Text, with a shortest and a longest length, or with a pattern, which `noun` describes."""

    shortest: int | None = None
    longest: int | None = None
    pattern: str | None = None
    noun: str = ""

    def accepts(self, value: Any) -> bool:
        """Whether it is text of such a length. Patterns are for schemas."""
        return isinstance(value, str) and (self.shortest or 0) <= len(value) <= (self.longest or len(value))

    def in_contract(self) -> dict[str, Any]:
        """Text with its bounds."""
        bounds = {"minLength": self.shortest, "maxLength": self.longest, "pattern": self.pattern}
        return {"type": "string"} | {name: value for name, value in bounds.items() if value is not None}

    def in_scenario(self) -> dict[str, Any]:
        """The same schema; `noun`, which describes the pattern, is its title."""
        return self.in_contract() | ({"title": self.noun} if self.noun else {})


class Object(msgspec.Struct, frozen=True):
    """An object, in the contract that of a component `schema`, if it names one."""

    schema: str = ""

    def accepts(self, value: Any) -> bool:
        """Whether it is an object."""
        return isinstance(value, dict)

    def in_contract(self) -> dict[str, Any]:
        """A reference, or any object."""
        return {"$ref": f"#/components/schemas/{self.schema}"} if self.schema else self.in_scenario()

    def in_scenario(self) -> dict[str, Any]:
        """Any object."""
        return {"type": "object"}


class NumberOrRange(msgspec.Struct, frozen=True):
    """A number between bounds, or `{from, to}` for a choice between two; `noun` is what it is, such as `delay`."""

    number: Number
    noun: str

    def accepts(self, value: Any) -> bool:
        """Whether it is a number within the bounds, or a range of two."""
        if not isinstance(value, dict):
            return self.number.accepts(value)
        return (
            set(value) == {"from", "to"}
            and all(map(self.number.accepts, value.values()))
            and bool(value["from"] <= value["to"])
        )

    def in_contract(self) -> dict[str, Any]:
        """Either of the two."""
        number = self.number.in_contract()
        return {"anyOf": [number, _range(number, number)]}

    def in_scenario(self) -> dict[str, Any]:
        """Either of the two, or variables."""
        number = self.number.in_scenario()
        ends = ({**number, "description": f"The {end} {self.noun}."} for end in ("shortest", "longest"))
        plain = {name: value for name, value in number.items() if name != "title"}
        title = f"a {self.noun} in real seconds, or {{from, to}} for a seeded choice"
        return {"title": title, "anyOf": [plain, {"title": f"a range of {self.noun}s", **_range(*ends)}]}


def _range(first: Mapping[str, Any], last: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["from", "to"],
        "properties": {"from": dict(first), "to": dict(last)},
    }
