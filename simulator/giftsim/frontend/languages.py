"""How languages write texts and data, whatever is in them: one table for the writers in Python and in pages (G341).

`javascript_module` gives the table to `literals.js`, which writes the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

Number = tuple[str, int, str]
SHORT: Final = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Language(NamedTuple):
    """How a language writes a text between quotes, and the members of data. Patterns are for Python and JavaScript.

    A character that is not printable is written by its number in hexadecimal, with what is before and after it and
    the least digits: `beyond` is for those above U+FFFF, and `as_bytes` writes the bytes of its UTF-8.
    """

    quote: str
    unprintable: Number
    beyond: Number
    escapes: Mapping[str, str] = SHORT
    as_bytes: bool = False
    bare: str = "(?!)"  # texts that need no quotes; this one matches nothing
    words: tuple[str, str, str] = ("null", "true", "false")
    name: str = "(?!)"  # names of members that need no quotes
    names: Mapping[str, str] = {}  # of members that are written in a way of their own
    braces: tuple[str, str] = ("{", "}")
    variable: str = ""  # what begins a variable in a text that is a value, unless there is another `$` before it

    def escaped(self, text: str, quote: str | None = None) -> str:
        """The text as it stands between quotes."""
        mark = self.quote if quote is None else quote
        special = _special("".join(self.escapes) + mark)
        return special.sub(lambda match: self._character(match[0], mark), text)

    def _character(self, each: str, mark: str) -> str:
        if each in self.escapes or each == mark:
            return self.escapes.get(each, f"\\{mark}")
        return each if each.isprintable() else self._by_number(each)

    def text(self, text: str) -> str:
        """A text as code."""
        if re.fullmatch(self.bare, text, re.ASCII):
            return text
        plain = text.replace(self.variable, f"${self.variable}") if self.variable else text
        return f"{self.quote}{self.escaped(plain)}{self.quote}"

    def member(self, name: str) -> str:
        """The name of a member as code, with its colon."""
        if name in self.names or re.fullmatch(self.name, name, re.ASCII):
            return f"{self.names.get(name, name)}: "
        return f"{self.quote}{self.escaped(name)}{self.quote}: "

    def mapping(self, inside: str) -> str:
        """Members as code, in braces."""
        opening, closing = self.braces
        return f"{opening}{inside}{closing}" if inside else "{}"

    def word(self, value: bool | None) -> str:
        """None, True or False."""
        return self.words[0 if value is None else 1 if value else 2]

    def _by_number(self, character: str) -> str:
        numbers = _utf8(character) if self.as_bytes else [ord(character)]
        before, width, after = self.beyond if ord(character) > 0xFFFF else self.unprintable
        return "".join(f"{before}{number:0{width}x}{after}" for number in numbers)


@cache
def _special(characters: str) -> re.Pattern[str]:
    """Finds the characters of which one may not stand as it is: these, and all beyond ASCII."""
    return re.compile(f"[^ -~]|[{re.escape(characters)}]")


def _utf8(character: str) -> bytes:
    return ("\ufffd" if "\ud800" <= character <= "\udfff" else character).encode()


PYTHON: Final = Language('"', ("\\u", 4, ""), ("\\U", 8, ""), words=("None", "True", "False"))
JAVASCRIPT: Final = Language(
    "'",
    ("\\u{", 1, "}"),
    ("\\u{", 1, "}"),
    name="[A-Za-z_$][A-Za-z0-9_$]*",
    names={"__proto__": "['__proto__']"},  # as a plain name it would be no member
    braces=("{ ", " }"),
)
# A value of a scenario, in which `${` is a variable unless it is written `$${`.
YAML: Final = Language(
    '"',
    ("\\u", 4, ""),
    ("\\U", 8, ""),
    bare=r"[A-Z]+ /[A-Za-z0-9_/.~-]*|[a-z][A-Za-z0-9_]*(\.[a-z][A-Za-z0-9_]*)+",
    variable="${",
)
# Of bash and zsh, between `$'` and `'`: characters that a terminal would act on are written as bytes.
SHELL: Final = Language(
    "'", ("\\x", 2, ""), ("\\x", 2, ""), {**SHORT, "!": "\\x21"}, as_bytes=True, bare="(?!=)[A-Za-z0-9_@%+=:,./-]+"
)
LANGUAGES: Final[Mapping[str, Language]] = {"python": PYTHON, "javascript": JAVASCRIPT, "yaml": YAML, "shell": SHELL}


class Kind(NamedTuple):
    """A kind of code in which calls are copied. `comment` begins a line that sets the variables that the code reads."""

    label: str
    comment: str = ""


KINDS: Final[Mapping[str, Kind]] = {
    "curl": Kind("curl"),
    "requests": Kind("Python, requests", "#"),
    "fetch": Kind("JavaScript, fetch", "//"),
    "pytest": Kind("pytest test"),
    "Vitest": Kind("Vitest test"),
    "scenario": Kind("Scenario"),
}


def quote_for_shell(text: str) -> str:
    """A word of a shell, whatever is in the text."""
    if re.fullmatch(SHELL.bare, text, re.ASCII):
        return text
    if text.replace("\n", "").isprintable():
        return "'" + text.replace("'", "'\\''") + "'"
    return f"$'{SHELL.escaped(text)}'"


def printf_format(text: str) -> str:
    """A text as the format of printf, for one with a NUL, which no argument of a program can hold."""
    return quote_for_shell(text.replace("\\", "\\\\").replace("%", "%%").replace("\0", "\\000"))


def javascript_module() -> str:
    """The tables as a module in JavaScript. JSON.parse makes `__proto__` a member, which a literal would not."""
    tables: dict[str, Mapping[str, Any]] = {"LANGUAGES": LANGUAGES, "KINDS": KINDS}
    rows = {name: {key: row._asdict() for key, row in table.items()} for name, table in tables.items()}
    texts = {name: json.dumps(json.dumps(table)) for name, table in rows.items()}
    return "".join(f"export const {name} = JSON.parse({text});\n" for name, text in texts.items())
