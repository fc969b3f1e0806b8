"""What a call changed as people say it: a line for each thing, movement of money, mail, event and timer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from flask import url_for

from giftsim.console.filters import money, plural, ref_link
from giftsim.console.names import title_of
from giftsim.frontend.states import words

Row = Mapping[str, Any]
MOST: Final = 12  # lines; of more, the last says how many
PLACED: Final = ("order", "team_order", "gift", "campaign")
# Records that other lines tell of, or that mean nothing to people.
UNSAID: Final = frozenset({"idempotency_key", "account", "key", "charge", "payment", "shipment", "parcel", "recipient"})


class Line(NamedTuple):
    """A line: its icon, the text, the path of the page of the thing, and what is at the end."""

    icon: str
    text: str
    path: str | None = None
    end: str = ""


def lines(effects: Row) -> Sequence[Line]:
    """What a call changed, the things first."""
    found = [
        *_placed(effects["changes"]),
        *_others(effects["changes"]),
        *map(_moved, effects["ledger"]),
        *(
            Line("mail", f"“{row['subject']}” to {row['to']}", url_for("inbox.one_mail", seq=row["seq"]))
            for row in effects["mail"]
        ),
        *(Line("hook", row["type"], url_for("webhooks.event", event_id=row["id"])) for row in effects["events"]),
        *(Line("clock", row["because"], ref_link(row["about"]), row["due"]) for row in effects["set"]),
        *(Line("clock", f"no more: {row['because']}", ref_link(row["about"])) for row in effects["canceled"]),
    ]
    if len(found) <= MOST:
        return found
    return [*found[: MOST - 1], Line("more", f"and {len(found) - MOST + 1:,} more")]


def _placed(changes: Sequence[Row]) -> Iterator[Line]:
    """The orders, gifts and campaigns, each once."""
    told = set[tuple[str, str]]()
    people = Counter(str(row["record"]["of"]) for row in changes if row["record"]["kind"] == "recipient")
    for change in (row for row in changes if row["record"]["kind"] in PLACED):
        about, members = change["record"]["of"] or change["record"], change["members"]
        key = str(about["kind"]), str(about["id"])
        status = members.get("status")
        if key in told or (change["what"] != "added" and status is None):
            continue
        told.add(key)
        title = title_of(about) or f"{words(about['kind']).capitalize()} {about['id']}"
        count = people[str(change["record"]["of"])]
        for_many = f", for {plural(count, 'recipient')}" if change["what"] == "added" and count > 1 else ""
        yield Line("gift", f"{title}{for_many}", ref_link(about), _said(change["what"], status))


def _said(what: str, status: Any) -> str:
    if isinstance(status, list):
        return f"{words(status[0])} → {words(status[1])}"
    return f"{'new' if what == 'added' else what}{f', {words(status)}' if status else ''}"


def _others(changes: Sequence[Row]) -> Iterator[Line]:
    """The other records, alike ones together."""
    rest = [row for row in changes if row["record"]["kind"] not in (*PLACED, *UNSAID)]
    counted = Counter((str(row["what"]), str(row["record"]["kind"])) for row in rest)
    for (what, kind), count in counted.items():
        rows = [row["record"] for row in rest if (row["what"], row["record"]["kind"]) == (what, kind)]
        name = f"{words(kind).capitalize()} {rows[0]['label'] or rows[0]['id']}"
        end = "new" if what == "added" else str(what)
        yield Line("box", name if count == 1 else plural(count, words(kind)), None, end)


def _moved(moved: Row) -> Line:
    """A movement of money by the account that pays and the one that is paid."""
    paid = [_account(name) for name, cents in moved["postings"] if cents < 0]
    got = [_account(name) for name, cents in moved["postings"] if cents > 0]
    cents = sum(cents for _, cents in moved["postings"] if cents > 0)
    return Line(
        "money", f"{words(moved['kind']).capitalize()}: {', '.join(paid)} → {', '.join(got)}", None, money(cents)
    )


def _account(name: str) -> str:
    """An account of the ledger in words; that of an order by the title of the order."""
    kind, _, number = name.partition(" ")
    title = title_of({"kind": "team_order", "id": int(number)}) if kind == "order" and number.isdecimal() else ""
    return title or words(name)
