"""Values of a story as code: literals of Python and TypeScript, on one line or several."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

WIDTH: Final = 110
_NAME = re.compile(r"[A-Za-z_$][\w$]*")


class Python:
    """How Python writes a value. A text `$order.id` is a member of a variable."""

    indent: Final = "    "
    words: Final[Mapping[Any, str]] = {None: "None", True: "True", False: "False"}

    def text(self, value: str) -> str:
        """A quoted text."""
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def member(self, name: str) -> str:
        """The name of a member of a mapping, with its colon."""
        return f"{self.text(name)}: "

    def braces(self, inside: str) -> str:
        """A mapping."""
        return "{" + inside + "}"

    def variable(self, path: str) -> str:
        """`order.recipients.0.id` as an expression."""
        name, *members = path.rstrip("!~").split(".")
        return name + "".join(f"[{member}]" if member.isdigit() else f'["{member}"]' for member in members)

    def filled(self, template: str, names: Mapping[str, Any]) -> str:
        """A path whose parameters are filled in."""
        if not any(str(value).startswith("$") for value in names.values()):
            return self.text(_fill(template, names, str))
        return f"f{self.text(_fill(template, names, self._inserted)).replace(chr(92) + chr(34), chr(39))}"

    def _inserted(self, value: Any) -> str:
        text = str(value)
        return "{" + self.variable(text[1:]).replace('"', "'") + "}" if text.startswith("$") else text


class TypeScript:
    """How TypeScript writes a value."""

    indent: Final = "  "
    words: Final[Mapping[Any, str]] = {None: "null", True: "true", False: "false"}

    def text(self, value: str) -> str:
        """A quoted text."""
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def member(self, name: str) -> str:
        """The name of a member of an object, with its colon."""
        return f"{name if _NAME.fullmatch(name) else self.text(name)}: "

    def braces(self, inside: str) -> str:
        """An object."""
        return "{ " + inside + " }" if inside else "{}"

    def variable(self, path: str) -> str:
        """`order.recipients.0.id` as an expression. `!` at its end says that it is not null, `~` makes it a text."""
        name, *members = path.removesuffix("~").split(".")
        expression = name + "".join(f"[{member}]!" if member.isdigit() else f".{member}" for member in members)
        return f"{expression}.toString()" if path.endswith("~") else expression


Language = Python | TypeScript


def _fill(template: str, names: Mapping[str, Any], shown: Any) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: str(shown(names[match[1]])), template)


def literal(value: Any, language: Language, room: int, depth: int = 0) -> str:
    """A value as code. It takes several lines where one of `room` columns is not enough; `depth` is their indent."""
    if isinstance(value, str):
        return language.variable(value[1:]) if value.startswith("$") else language.text(value)
    if value is None or isinstance(value, bool):
        return language.words[value]
    if not isinstance(value, (Mapping, Sequence)):
        return str(value)
    inside = _parts(value, language, WIDTH, depth + 1)
    line = ", ".join(inside)
    if "\n" not in line and len(line) + 2 <= room:
        return f"[{line}]" if not isinstance(value, Mapping) else language.braces(line)
    pad, end = language.indent * (depth + 1), language.indent * depth
    lines = "".join(f"{pad}{part},\n" for part in _parts(value, language, WIDTH - len(pad), depth + 1))
    opening, closing = ("{", "}") if isinstance(value, Mapping) else ("[", "]")
    return f"{opening}\n{lines}{end}{closing}"


def _parts(value: Mapping[str, Any] | Sequence[Any], language: Language, room: int, depth: int) -> list[str]:
    if not isinstance(value, Mapping):
        return [literal(each, language, room, depth) for each in value]
    return [
        language.member(str(name)) + literal(each, language, room - len(str(name)) - 4, depth)
        for name, each in value.items()
    ]
