"""A record as JSON: its key, what it is, and its members.

A record has a key, such as `order/3`: the word for its kind and its slot. Members have the names of the columns; those
of instants, which are texts, without `_ms`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.idempotency_record import StoredBody
from giftsim.engine.gateway.record_kind import Id
from giftsim.engine.gateway.simulated_service import Service, service_of
from giftsim.engine.kernel.instants import format_exact
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record

LONGEST = 300  # characters of a value
EMPTY: Final[Sequence[Any]] = (None, "", [], ())
NAMES: Final = ("name", "label", "title", "email", "url")  # columns that name a record, the best first


def key_of_record(service: Service, table: str, n: int) -> str:
    """The key of the record in a slot of a table."""
    return f"{service.word(table)}/{n}"


def describe_record(state: State, table: str, row: Record) -> dict[str, Any]:
    """What a record is: its kind, public id, label and title, and the record under which operations show it."""
    service = service_of(state)
    kind = service.kind_of_table.get(table)
    label = kind.label(state, row) if kind and kind.label else name_of(row)
    title = kind.title(state, row) if kind and kind.title else ""
    of = kind.ref(state, row) if kind else None
    shown: dict[str, Any] = {"kind": service.word(table), "id": public_id(service, table, row)}
    named = {name: text for name, text in (("label", label), ("title", title)) if text}
    return shown | named | ({"of": msgspec.to_builtins(of)} if of else {})


def public_id(service: Service, table: str, row: Record) -> Id:
    """The public id of a record, of a table without a kind too."""
    kind = service.kind_of_table.get(table)
    found: Id = kind.id(row) if kind else getattr(row, "id", row.n + 1)
    return found


def name_of(row: Record) -> str:
    """The text that names a record of a kind without a label; empty if it has none."""
    named = (getattr(row, name, None) for name in NAMES)
    return next((str(value) for value in named if value), "")


def members_of(service: Service, table: str, row: Record) -> dict[str, Any]:
    """The members of a record that are not empty."""
    return {
        shown: value
        for name, shown in columns(service, table, type(row))
        if (value := value_as_json(name, getattr(row, name))) not in EMPTY
    }


@cache
def columns(service: Service, table: str, record: type[Record]) -> Sequence[tuple[str, str]]:
    """The columns that people may see, each with the name of its member."""
    hidden = service.hidden(table)
    return [(name, name.removesuffix("_ms")) for name in record.__struct_fields__ if name not in hidden]


def value_as_json(
    name: str,
    value: Any,
    *,
    instant: Callable[[int], str] = format_exact,
    clean: Callable[[str], str] = lambda text: text,
) -> Any:
    """A value of a column as JSON: instants and bytes as text, texts without what `clean` hides, and what is long cut.

    A list or an object in which something is hidden, or that is long, is shown as its JSON text.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return instant(value) if name.endswith("_ms") else value
    if isinstance(value, StoredBody):
        value = value.read()
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, str):
        return cut_text(clean(value), LONGEST)
    written = msgspec.json.encode(value).decode()
    text = clean(written)
    return msgspec.json.decode(text) if text == written and len(text) <= LONGEST else cut_text(text, LONGEST)


def cut_text(text: str, most: int) -> str:
    """A text, or the beginning of a longer one with how long it was."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"
