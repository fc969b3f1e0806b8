"""The body of an event, spelled in one of the many ways in which JSON writes the same value (G395).

How is drawn from the world's seed for each event, once: every attempt sends the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.engine.kernel.placeholders import as_text, from_text, is_placeholder
from giftsim.engine.kernel.random_streams import draw_number
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.unknown_members import UNKNOWN_MEMBERS, with_unknown_members
from giftsim.engine.webhooks.event import Event, encode_body
from giftsim.engine.webhooks.webhook_settings import SPELLING


class Layout(NamedTuple):
    """What stands between members, between a name and its value, and at the end. An `indent` begins new lines."""

    comma: str
    colon: str
    end: str = ""
    line_end: str = ""
    indent: str = ""


LAYOUTS: Final = (
    Layout(",", ":", end="\n"),
    Layout(", ", ": "),
    Layout(",", ": "),
    Layout(" , ", " : ", end="\r\n"),
    Layout(",", ": ", line_end="\n", indent="  "),
    Layout(",", ": ", line_end="\n", indent="    ", end="\n"),
    Layout(",", " : ", line_end="\r\n", indent="\t"),
)
HTML: Final = re.compile("[<>&]")
NOT_ASCII: Final = re.compile("[^\x00-\x7f]")


def spelled(state: State, event: Event) -> Event:
    """The event with the body that its attempts send, where settings of the world change it."""
    is_varied, has_unknown = state.setting(SPELLING) == "varied", state.setting_values.get(UNKNOWN_MEMBERS.name)
    if not (is_varied or has_unknown):
        return event
    value = msgspec.json.decode(as_text(encode_body(event)))
    if has_unknown:
        value = with_unknown_members(value, state.seed)
    content = Spelling(state.seed, event.n).write(value).encode() if is_varied else msgspec.json.encode(value)
    return msgspec.structs.replace(event, body=from_text(content))


class Spelling:
    """How event number `n` of a world is written: blanks and line ends, order of members, characters escaped."""

    def __init__(self, seed: int, n: int) -> None:
        self._seed, self._stream = seed, f"spelling of event {n}"
        self._layout = LAYOUTS[self._draw("layout") % len(LAYOUTS)]
        self._moves, self._in_ascii = self._draw("order") % 3 > 0, self._draw("ascii") % 2 > 0
        self._slashes, self._html = self._draw("slashes") % 2 > 0, self._draw("html") % 3 == 0
        self._code = "\\u{:04X}" if self._draw("case") % 2 else "\\u{:04x}"

    def write(self, value: Any) -> str:
        """The text of a JSON value."""
        return self._written(value, "") + self._layout.end

    def _draw(self, what: str) -> int:
        return draw_number(self._seed, f"{self._stream}: {what}", 0)

    def _written(self, value: Any, indent: str) -> str:
        deeper = indent + self._layout.indent
        match value:
            case dict():
                members = [
                    f"{self._text(name)}{self._layout.colon}{self._written(member, deeper)}"
                    for name, member in self._in_order(value)
                ]
                return self._between("{", members, "}", indent)
            case list():
                return self._between("[", [self._written(each, deeper) for each in value], "]", indent)
            case str():
                return self._text(value)
        return msgspec.json.encode(value).decode()

    def _between(self, first: str, parts: list[str], last: str, indent: str) -> str:
        layout = self._layout
        if not parts:
            return first + last
        if not layout.line_end:
            return first + layout.comma.join(parts) + last
        line = layout.line_end + indent
        return first + ",".join(f"{line}{layout.indent}{part}" for part in parts) + line + last

    def _in_order(self, record: dict[str, Any]) -> Iterable[tuple[str, Any]]:
        return sorted(record.items(), key=lambda member: self._draw(member[0])) if self._moves else record.items()

    def _text(self, text: str) -> str:
        written = msgspec.json.encode(text).decode()
        if self._slashes:
            written = written.replace("/", "\\/")
        if self._html:
            written = HTML.sub(self._escaped, written)
        return NOT_ASCII.sub(self._escaped, written) if self._in_ascii else written

    def _escaped(self, match: re.Match[str]) -> str:
        if is_placeholder(match[0]):
            return match[0]
        units = match[0].encode("utf-16-be")
        return "".join(self._code.format(int.from_bytes(units[i : i + 2])) for i in range(0, len(units), 2))
