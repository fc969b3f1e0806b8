"""The effects of a call as blocks of a page: records, money and timers, each with its members before and after."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from giftsim.console.filters import money, ref_link, short
from giftsim.console.names import title_of
from giftsim.frontend.states import words

INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
EMPTY: tuple[Any, ...] = (None, "", 0, False, [])
OWN_TITLE = ("order", "gift", "campaign")  # records that are titled like what they belong to
LABELS = {"added": "new", "removed": "removed", "changed": ""}
PARCEL = "parcel"
KEY = "idempotency_key"  # its label begins with the slot of its account
WORD = re.compile(r"[a-z]+(_[a-z]+)+")
Row = tuple[str, str | None, str | None]


class Block(NamedTuple):
    """A record or another thing: its title, the path of its page, a badge, and rows of (name, before, after)."""

    title: str
    path: str | None
    badge: str
    rows: list[Row]


def blocks(effects: Mapping[str, Any]) -> list[Block]:
    """All that a call changed: records that were there before first, then new ones, money, and timers."""
    records = sorted(effects["changes"], key=lambda row: row["what"] == "added")
    return [
        *(block for row in records if (block := _record(row)).rows),
        *(_money(row) for row in effects["ledger"]),
        *_timers(effects),
    ]


def _record(change: Mapping[str, Any]) -> Block:
    record, what, members = change["record"], change["what"], change["members"]
    about = record["of"] if record["of"] and record["of"]["id"] is not None else None
    badge, cash = LABELS[what], members.get("cash_cents") if what == "changed" else None
    if cash:
        badge = _signed(cash[1] - cash[0])
    return Block(
        _title(record, about),
        ref_link(about),
        badge,
        list(_rows(what, {name: each for name, each in members.items() if record["kind"] != KEY or name == "status"})),
    )


def _title(record: Mapping[str, Any], about: Mapping[str, Any] | None) -> str:
    kind = words(record["kind"]).capitalize()
    if about and record["kind"] in OWN_TITLE:
        return title_of(about) or f"{kind} {about['id']}"
    if about and record["kind"] == PARCEL and (title := title_of(about)):
        return f"{kind} {record['id']} of {title}"
    label = str(record["label"] or record["id"])
    return f"{kind} {label.split(' ', 2)[-1] if record['kind'] == KEY else label}"


def _rows(what: str, members: Mapping[str, Any]) -> Iterator[Row]:
    for name, value in members.items():
        said = words(name.removesuffix("_cents"))
        if what == "changed":
            yield said, _text(name, value[0]), _text(name, value[1])
        elif value not in EMPTY:
            text = _text(name, value)
            yield (said, None, text) if what == "added" else (said, text, None)


def _text(name: str, value: Any) -> str:
    if name.endswith("_cents") and isinstance(value, int):
        return money(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_text(name, each) for each in value)
    if isinstance(value, Mapping):
        return str(
            value.get("name") or value.get("code") or ", ".join(f"{words(key)} {each}" for key, each in value.items())
        )
    if value in (None, ""):
        return "none"
    return short(value) if INSTANT.match(str(value)) else words(value) if WORD.fullmatch(str(value)) else str(value)


def _signed(cents: int) -> str:
    return f"{'−' if cents < 0 else '+'}{money(abs(cents))}"


def _money(moved: Mapping[str, Any]) -> Block:
    rows: list[Row] = [(words(account), None, _signed(cents)) for account, cents in moved["postings"]]
    return Block(f"Ledger: {words(moved['kind'])}", None, "", rows)


def _timers(effects: Mapping[str, Any]) -> Iterator[Block]:
    for what, badge in (("set", "set"), ("canceled", "canceled")):
        for row in effects[what]:
            said: Row = (
                short(row["due"]),
                None,
                f"{row['because']}, {title_of(row['about']) if row['about'] else ''}".rstrip(", "),
            )
            yield Block("Timer", ref_link(row["about"]), badge, [said if what == "set" else (said[0], said[2], None)])
