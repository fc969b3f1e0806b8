"""What stands for what: the ids, cursors, secrets and tokens of a recording, and those of the world beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode

import msgspec

from giftsim.workbench.compare.called_operation import CalledOperation
from giftsim.workbench.compare.mask import is_bound
from giftsim.workbench.compare.shape import Shape

LONG: Final = 8  # characters from which on a text is found wherever it stands
_ID_NAME: Final = re.compile(r"(?:.*_)?ids?")
_UUID: Final = re.compile(r"[0-9a-fA-F-]{36}")
_ANY: Final = ""
_OF_WEBHOOKS: Final = "the secrets of webhooks"  # in place of a place


class Leaf(NamedTuple):
    """Two values at the same place of two bodies. `owner` is the member, or the collection, whose object has it."""

    path: str
    name: str
    owner: str
    shape: Shape
    recorded: Any
    ours: Any
    in_page: bool


class Bindings:
    """Values of ours by those of the recording, by the name of their place; the first pair of a place stays."""

    def __init__(self) -> None:
        self._ours: dict[tuple[str, str], Any] = {}
        self._ambiguous: set[str] = set()
        self.secrets: list[str] = []  # of webhooks, as the recording shows them
        self.learned: list[tuple[str, str, Any]] = []  # place, text and our value, one after the other
        self.asked: set[str] = set()  # the texts that were looked up since it was last emptied

    def learn(self, leaf: Leaf, collection: str) -> None:
        """Learn that two values stand for the same, if their place has an id, a secret or a cursor."""
        values = (leaf.recorded, leaf.ours)
        if any(type(value) not in (str, int) for value in values) or not is_bound(leaf.recorded, leaf.shape, leaf.name):
            return
        text = str(leaf.recorded)
        self.asked.add(text)
        if leaf.name == "secret" and text not in self.secrets and not any(mark in text for mark in "*…"):
            self.add(_OF_WEBHOOKS, text, None)
        for place in dict.fromkeys((_place(leaf.name, leaf.owner), f"{_singular(collection)}_id", _ANY)):
            if (place, text) not in self._ours or (place == _ANY and self._ours[place, text] != leaf.ours):
                self.add(place, text, leaf.ours)

    def add(self, place: str, text: str, ours: Any) -> None:
        """Bind a value at a place; a second one anywhere makes it ambiguous there."""
        if place == _OF_WEBHOOKS:
            self.secrets.append(text)
        elif self._ours.setdefault((place, text), ours) != ours:
            self._ambiguous.add(text)
        self.learned.append((place, text, ours))

    def find(self, recorded: Any, *places: str) -> Any:
        """Our value for one of the recording at the first place that knows it; None if none does."""
        text = str(recorded)
        self.asked.add(text)
        for place in places:
            if (place, text) in self._ours:
                return self._ours[place, text]
        return None if text in self._ambiguous else self._ours.get((_ANY, text))

    def knows(self, leaf: Leaf) -> bool | None:
        """Whether two ids are bound to each other; None if the recorded one is bound to nothing."""
        found = self.find(leaf.recorded, _place(leaf.name, leaf.owner))
        return None if found is None else bool(found == leaf.ours)

    def path(self, called: CalledOperation, path: str) -> tuple[str, bool]:
        """The path of a call in our world, and whether it names something that the recording has not shown."""
        plain, mark, query = path.partition("?")
        segments, strange = plain.split("/"), False
        first = called.contract.prefix.count("/") + 1
        for index in range(first, len(segments)):
            text = unquote(segments[index])
            found = self.find(text, f"{_singular(segments[index - 1])}_id")
            if found is not None:
                segments[index] = quote(str(found), safe="")
            else:
                strange = strange or _looks_like_id(text)
        return "/".join(segments) + mark + self._query(query), strange

    def body(self, content: bytes) -> bytes:
        """The body of a call in our world; bytes other than JSON stay as they are."""
        try:
            data = msgspec.json.decode(content)
        except (msgspec.DecodeError, RecursionError):
            return content
        replaced = self.value(data)
        return content if replaced == data else json.dumps(replaced, ensure_ascii=False).encode()

    def value(self, value: Any, name: str = "") -> Any:
        """Data of the recording with our values in place of those that are bound."""
        if isinstance(value, dict):
            return {key: self.value(member, key) for key, member in value.items()}
        if isinstance(value, list):
            return [self.value(item, name) for item in value]
        is_id = _ID_NAME.fullmatch(name) is not None
        if type(value) not in (str, int) or not (is_id or (isinstance(value, str) and len(value) >= LONG)):
            return value
        found = self.find(value, name.removesuffix("s") if name.endswith("ids") else name)
        return value if found is None else found

    def names_strange(self, value: Any, name: str = "") -> bool:
        """Whether data that is sent names a record by an id that the recording has not shown."""
        if isinstance(value, dict):
            return any(self.names_strange(member, key) for key, member in value.items())
        if isinstance(value, list):
            return any(self.names_strange(item, name) for item in value)
        is_id = isinstance(value, str) and _UUID.fullmatch(value) is not None and _ID_NAME.fullmatch(name) is not None
        return is_id and self.find(value, name.removesuffix("s")) is None

    def _query(self, query: str) -> str:
        pairs = parse_qsl(query, keep_blank_values=True)
        ours = [(name, str(self.value(text, name))) for name, text in pairs]
        return query if ours == pairs else urlencode(ours)


def leaves(recorded: Any, ours: Any, shape: Shape, called: CalledOperation, bindings: Bindings) -> Iterator[Leaf]:
    """The pairs of values of two bodies of one call. Rows of a page are paired by what their ids stand for."""
    walk = _Walk(called, bindings)
    return walk.pairs(Leaf("$", "", _singular(called.collection), shape, recorded, ours, False))


class _Walk:
    def __init__(self, called: CalledOperation, bindings: Bindings) -> None:
        self._called, self._bindings = called, bindings

    def pairs(self, at: Leaf) -> Iterator[Leaf]:
        recorded, ours = at.recorded, at.ours
        if isinstance(recorded, dict) and isinstance(ours, dict):
            owner = at.owner if at.name == "" else _singular(at.name)
            for name in () if at.shape.is_map else [each for each in recorded if each in ours]:
                inner = Leaf(
                    f"{at.path}.{name}", name, owner, at.shape.member(name), recorded[name], ours[name], at.in_page
                )
                yield from self.pairs(inner)
        elif isinstance(recorded, list) and isinstance(ours, list):
            is_page = self._called.is_list and at.path.count(".") + at.path.count("[") <= 1
            item = at.shape.item()
            name = "" if at.path in ("$", "$.data") else at.name
            for left, right in self._rows(recorded, ours) if is_page else zip(recorded, ours, strict=False):
                yield from self.pairs(Leaf(f"{at.path}[*]", name, at.owner, item, left, right, is_page or at.in_page))
        elif not isinstance(recorded, dict | list) and not isinstance(ours, dict | list):
            yield at

    def _rows(self, recorded: list[Any], ours: list[Any]) -> Iterator[tuple[Any, Any]]:
        """The rows of a page that are known to be the same; the others by their position, if they are as many."""
        place = f"{_singular(self._called.collection)}_id"
        by_id = {row_id(row): row for row in ours}
        left: list[Any] = []
        used: set[Any] = set()
        for row in recorded:
            found = self._bindings.find(row_id(row), place) if row_id(row) is not None else None
            if found is None:
                left.append(row)
            elif found in by_id:
                used.add(found)
                yield row, by_id[found]
        rest = [row for row in ours if row_id(row) not in used]
        if len(left) == len(rest) and not used:
            yield from zip(left, rest, strict=True)


def row_id(row: Any) -> Any:
    """The id of a row: its first member that is named as one; None if it has none."""
    if not isinstance(row, Mapping):
        return None
    return next((value for name, value in row.items() if _ID_NAME.fullmatch(name) and type(value) in (str, int)), None)


def _place(name: str, owner: str) -> str:
    return f"{owner}_id" if name == "id" else name


def _singular(name: str) -> str:
    plain = name.replace("-", "_")
    return plain.removesuffix("s") if not plain.endswith("ss") else plain


def _looks_like_id(text: str) -> bool:
    return text.isdecimal() or _UUID.fullmatch(text) is not None
