"""Values of a test as code: literals of Python and TypeScript, on one line or several."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.frontend import languages

WIDTH: Final = 110
_NAME = re.compile(r"(?!__proto__$)[A-Za-z_$][\w$]*", re.ASCII)
Path = tuple[str | int, ...]


class Reference(msgspec.Struct, frozen=True):
    """A value of an earlier answer. With `split`, it is what comes after the last such character of that text.

    `is_answer` says that the variable holds the answer of a call, not the content of a control call.
    """

    name: str
    path: Path
    split: str = ""
    is_answer: bool = True


class Template(msgspec.Struct, frozen=True):
    """A text made of parts, of which some are of earlier answers, or `world` and `origin`."""

    parts: tuple[Reference | str, ...]


WORLD: Final = Reference("world", ())
ORIGIN: Final = Reference("origin", ())


class Binary(msgspec.Struct, frozen=True):
    """Bytes, in Base64."""

    base64: str


class Python:
    """How Python writes a value. A text `$order.id` is a member of a variable."""

    indent: Final = "    "
    literals: Final = languages.PYTHON

    def text(self, value: str) -> str:
        """A quoted text."""
        return self.literals.text(value)

    def special(self, value: Reference | Template | Binary) -> str:
        """A reference, a text with references in it, or bytes."""
        if isinstance(value, Binary):
            return f"b64decode({self.text(value.base64)})"
        if isinstance(value, Reference):
            return self._reference(value)
        if all(isinstance(part, str) for part in value.parts):
            return self.text("".join(map(str, value.parts)))
        if any("'" in text or "\\" in text for text in self._references(value)):  # which no f-string may have inside
            parts = (
                f"str({self._reference(part)})" if isinstance(part, Reference) else self.text(part)
                for part in value.parts
            )
            return " + ".join(parts)
        return 'f"' + "".join(self._part(part) for part in value.parts) + '"'

    def _references(self, value: Template) -> list[str]:
        return [self._reference(part) for part in value.parts if isinstance(part, Reference)]

    def _part(self, part: Reference | str) -> str:
        if isinstance(part, str):
            return self.literals.escaped(part).replace("{", "{{").replace("}", "}}")
        return "{" + self._reference(part).replace('"', "'") + "}"

    def _reference(self, value: Reference) -> str:
        if value in (WORLD, ORIGIN):
            return "giftsim.world" if value == WORLD else "giftsim.url"
        members = "".join(f"[{self.text(each) if isinstance(each, str) else each}]" for each in value.path)
        end = f".split({self.text(value.split)})[-1]" if value.split else ""
        return f"{value.name}{'.json()' if value.is_answer else ''}{members}{end}"

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
    """How TypeScript writes a value, or JavaScript, if it is not `typed`."""

    indent: Final = "  "
    literals: Final = languages.JAVASCRIPT

    def __init__(self, *, typed: bool = True) -> None:
        self.typed = typed

    def text(self, value: str) -> str:
        """A quoted text."""
        return self.literals.text(value)

    def special(self, value: Reference | Template | Binary) -> str:
        """A reference, a text with references in it, or bytes."""
        if isinstance(value, Binary):
            return f"Buffer.from({self.text(value.base64)}, 'base64')"
        if isinstance(value, Reference):
            return self._reference(value)
        if all(isinstance(part, str) for part in value.parts):
            return self.text("".join(map(str, value.parts)))
        parts = (self._part(part) for part in value.parts)
        return "`" + "".join(parts) + "`"

    def _part(self, part: Reference | str) -> str:
        if isinstance(part, str):
            return self.literals.escaped(part, "`").replace("${", "\\${")
        return "${" + self._reference(part) + "}"

    def _reference(self, value: Reference) -> str:
        if value in (WORLD, ORIGIN):
            return "world.id" if value == WORLD else "world.url"
        sure = "!" if self.typed else ""
        members = "".join(
            f"[{each}]{sure}"
            if isinstance(each, int)
            else f".{each}"
            if _NAME.fullmatch(each)
            else f"[{self.text(each)}]"
            for each in value.path
        )
        return f"{camel(value.name)}{members}" + (
            f".split({self.text(value.split)}).at(-1){sure}" if value.split else ""
        )

    def variable(self, path: str) -> str:
        """`order.recipients.0.id` as an expression. `!` at its end says that it is not null, `~` makes it a text."""
        name, *members = path.removesuffix("~").split(".")
        expression = name + "".join(f"[{member}]!" if member.isdigit() else f".{member}" for member in members)
        return f"{expression}.toString()" if path.endswith("~") else expression


Language = Python | TypeScript


def camel(name: str) -> str:
    """`team_order` as TypeScript names a variable: `teamOrder`."""
    first, *others = name.split("_")
    return first + "".join(each.title() for each in others)


def _fill(template: str, names: Mapping[str, Any], shown: Any) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: str(shown(names[match[1]])), template)


def write_literal(value: Any, language: Language, room: int, depth: int = 0) -> str:
    """A value as code. It takes several lines where one of `room` columns is not enough; `depth` is their indent."""
    if isinstance(value, str):
        return language.variable(value[1:]) if value.startswith("$") else language.text(value)
    if isinstance(value, Reference | Template | Binary):
        return language.special(value)
    if value is None or isinstance(value, bool):
        return language.literals.word(value)
    if not isinstance(value, (Mapping, Sequence)):
        return str(value)
    inside = _parts(value, language, WIDTH, depth + 1)
    line = ", ".join(inside)
    if "\n" not in line and len(line) + 2 <= room:
        return f"[{line}]" if not isinstance(value, Mapping) else language.literals.mapping(line)
    pad, end = language.indent * (depth + 1), language.indent * depth
    lines = "".join(f"{pad}{part},\n" for part in _parts(value, language, WIDTH - len(pad), depth + 1))
    opening, closing = ("{", "}") if isinstance(value, Mapping) else ("[", "]")
    return f"{opening}\n{lines}{end}{closing}"


def _parts(value: Mapping[str, Any] | Sequence[Any], language: Language, room: int, depth: int) -> list[str]:
    if not isinstance(value, Mapping):
        return [write_literal(each, language, room, depth) for each in value]
    return [
        language.literals.member(str(name)) + write_literal(each, language, room - len(str(name)) - 4, depth)
        for name, each in value.items()
    ]
