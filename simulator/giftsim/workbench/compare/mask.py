"""Masks answers: a mark in place of each value, so that nothing is left that differs between two equal services (G126).

Shown as they are: statuses, texts that the contract lists, error codes, truth values, names of members and media types.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from giftsim.engine.client.response import Response
from giftsim.workbench.compare.called_operation import CalledOperation
from giftsim.workbench.compare.shape import Shape, body_shape
from giftsim.workbench.scenario.recorded_response import IGNORED_HEADERS
from giftsim.workbench.scenario.steps.call_steps import Request

ID, VALUE, SENT, SECRET, CURSOR, TEXT, EMPTY = "id", "value", "sent", "secret", "cursor", "text", "empty"
OF = " of "  # between an id and the place in the contract that it has
# What a text looks like, the first that fits.
LOOKS = tuple(
    (look, re.compile(pattern))
    for look, pattern in (
        ("instant", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
        ("instant with fractions", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"),
        ("instant with an offset", r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d"),
        ("instant without a zone", r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?"),
        ("date", r"\d{4}-\d\d-\d\d"),
        ("time", r"\d\d:\d\d(?::\d\d)?"),
        ("uuid", r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
        ("url", r"https?://\S+"),
        ("email", r"[^@\s]+@[^@\s]+\.[^@\s]+"),
    )
)


class Mark(NamedTuple):
    """`type` is a type of JSON. `look` says more about a text, `value` is its text, or says which id it is."""

    type: str
    look: str = ""
    value: str = ""

    @property
    def text(self) -> str:
        """The mark as it is kept in a snapshot: `string id TeamOrder.id#1`."""
        parts = [self.type, self.look.replace(" ", "_"), self.value]
        return " ".join(parts).rstrip()

    @property
    def shown(self) -> str:
        """The mark for people."""
        if self.type == "string" and self.look == VALUE:
            return f'"{self.value}"'
        if self.type == "boolean":
            return self.value
        if self.look.startswith(ID):
            look = self.look.removeprefix(ID).strip()
            return f"id ({look or self.type})"
        names = {SENT: "the text that was sent", EMPTY: "an empty text", TEXT: "a text", CURSOR: "a cursor"}
        return names.get(self.look, self.look) or self.type


@lru_cache(maxsize=65_536)
def parse_mark(text: str) -> Mark:
    """The mark that a snapshot has kept."""
    kind, look, value = (*text.split(" ", 2), "", "")[:3]
    return Mark(kind, look.replace("_", " "), value)


def look_of(text: str) -> str:
    """The look of a text, such as a date or a URL."""
    if not text:
        return EMPTY
    return next((look for look, pattern in LOOKS if pattern.fullmatch(text)), TEXT)


def json_type(value: Any) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    types = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object", list: "array"}
    return types[type(value)]


SHORTEST_SENT = 3  # a shorter text is found in answers by chance
# What may be shown of a value: one word, as codes and media types are. A sentence could name a person.
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/+-]{0,59}")
COLUMN = re.compile(r"[A-Za-z][A-Za-z _-]{0,39}")
_ID_NAME = re.compile(r"(?:.*_)?ids?|.*[a-z0-9]Ids?")
_SECRET_NAME = re.compile(r"(?:.*_)?(?:secret|token|password|key|signature|last4)", re.IGNORECASE)
# The prefix of a secret, also of one that was taken out of a recording, such as `whsec_***`.
_SECRET_PREFIX = re.compile(r"(?:[a-z]{2,5}_(?:(?:live|test)_)?)(?:(?=[A-Za-z0-9+/=_-]{8,}$)(?=.*\d)|(?=\*{3}$))")
CODE_NAMES = ("code", "type", "error")
FIRST_ERROR = 400
# What decoding raises, the last for a body that is nested too deeply.
NOT_JSON = (ValueError, RecursionError)


class Answer(msgspec.Struct, frozen=True):
    """A masked response. The body has a mark's text for every value; None if there is no body."""

    status: int
    headers: dict[str, str]
    body: Any = None


class Masker:
    """Masks the answers of one side. It knows what this side was sent, and numbers the ids that it shows.

    Maskers that have their `numbers` in common give an id the same one. `sent` are the texts that were sent, one after
    the other, and `shown` the ids and their numbers that were shown since it was last emptied.
    """

    def __init__(self, numbers: dict[str, dict[str, int]] | None = None) -> None:
        self.sent: list[str] = []
        self.shown: set[str] = set()
        self._known: set[str] = set()
        self._numbers: dict[str, dict[str, int]] = {} if numbers is None else numbers

    def note(self, request: Request, called: CalledOperation) -> None:
        """Remember the texts of a request, which answers may repeat."""
        self.learn(text for text in _texts([request.body, dict(called.query)]) if len(text) >= SHORTEST_SENT)

    def learn(self, texts: Iterable[str]) -> None:
        """Remember texts that were sent."""
        for text in texts:
            if text not in self._known:
                self._known.add(text)
                self.sent.append(text)

    def mask(self, called: CalledOperation, response: Response) -> Answer:
        """The masked answer to a call."""
        headers = {
            name: header_mark(name, value).text
            for name, value in response.headers.items()
            if name not in IGNORED_HEADERS
        }
        return Answer(response.status, headers, self._body(called, response))

    def mask_value(self, value: Any, shape: Shape) -> Any:
        """The masks of JSON data other than a response, such as the body of a webhook."""
        return self._value(value, shape, "", is_error=False)

    def _body(self, called: CalledOperation, response: Response) -> Any:
        if not response.body:
            return None
        media_type = response.headers.get("content-type", "")
        if "json" in media_type:
            try:
                data = response.json()
            except NOT_JSON:
                return Mark("string", "text that is not JSON").text
            return self._value(data, body_shape(called, response.status), "", is_error=response.status >= FIRST_ERROR)
        if media_type.startswith("text/csv"):
            return {"columns": list(_columns(response.body))}
        return Mark("string", look_of("text")).text if media_type.startswith("text/") else Mark("string", "bytes").text

    def _value(self, value: Any, shape: Shape, name: str, *, is_error: bool) -> Any:
        if isinstance(value, Mapping):
            return {
                f"*{number}" if shape.is_map else key: self._value(member, shape.member(key), key, is_error=is_error)
                for number, (key, member) in enumerate(value.items(), start=1)
            }
        if isinstance(value, list):
            item = shape.item()
            return [self._value(each, item, name, is_error=is_error) for each in value]
        return self._mark(value, shape, name, is_error=is_error).text

    def _mark(self, value: Any, shape: Shape, name: str, *, is_error: bool) -> Mark:
        kind = "number" if shape.is_number and json_type(value) == "integer" else json_type(value)
        if kind == "boolean":
            return Mark(kind, VALUE, "true" if value else "false")
        if kind not in ("string", "integer"):
            return Mark(kind)
        if shape.is_id or _ID_NAME.fullmatch(name):
            return self._id(kind, str(value), name, shape)
        return self._text(value, shape, name, is_error=is_error) if kind == "string" else Mark(kind)

    def _id(self, kind: str, value: str, name: str, shape: Shape) -> Mark:
        """An id: its number among those of members of this name, and the place in the contract that it has."""
        look = f"{ID} uuid" if kind == "string" and look_of(value) == "uuid" else ID
        numbers = self._numbers.setdefault(name, {})
        number = numbers.setdefault(value, len(numbers) + 1)
        self.shown.update((value, f"{name}#{number}"))
        return Mark(kind, look, f"{name}#{number}{OF}{shape.kind}")

    def _text(self, value: str, shape: Shape, name: str, *, is_error: bool) -> Mark:
        prefix = _SECRET_PREFIX.match(value)
        if value in shape.listed_values:
            return Mark("string", VALUE, value)
        if not prefix and (shape.listed_values or (is_error and name in CODE_NAMES)):
            return _word(value)
        if name.endswith("cursor"):
            return Mark("string", CURSOR)
        if value in self._known:
            return Mark("string", SENT)
        if prefix or _SECRET_NAME.fullmatch(name):
            return Mark("string", SECRET, f"{prefix[0]}..." if prefix else "")
        return Mark("string", look_of(value))


def is_bound(value: Any, shape: Shape, name: str) -> bool:
    """Whether a value is one that a service draws and later calls name: an id, a cursor, a secret."""
    if shape.is_id or _ID_NAME.fullmatch(name):
        return True
    if not isinstance(value, str) or value in shape.listed_values:
        return False
    return bool(name.endswith("cursor") or _SECRET_PREFIX.match(value) or _SECRET_NAME.fullmatch(name))


def header_mark(name: str, value: str) -> Mark:
    """The mark of a header: the value only where it is one of a few."""
    if name == "content-type":
        return _word(value.partition(";")[0].strip().lower())
    if name in ("www-authenticate", "content-disposition"):
        return _word(value.partition(" ")[0].partition(";")[0].lower())
    if name == "allow":
        return _word("/".join(sorted(word.strip().upper() for word in value.split(","))))
    if name == "idempotent-replayed":
        return _word(value)
    return Mark("integer") if value.isdecimal() else Mark("string", look_of(value))


def _word(value: str) -> Mark:
    return Mark("string", VALUE, value) if WORD.fullmatch(value) else Mark("string", TEXT)


def _columns(body: bytes) -> Iterator[str]:
    """The names of the columns of a CSV file; only how many there are if the first line does not look like names."""
    first = body.partition(b"\n")[0].replace(b"\0", b"").decode("utf-8", "replace")
    names = next(csv.reader([first]), [])
    are_names = all(COLUMN.fullmatch(name.strip()) for name in names)
    return (Mark("string", *((VALUE, name.strip()) if are_names else (TEXT,))).text for name in names)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from _texts(member)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
