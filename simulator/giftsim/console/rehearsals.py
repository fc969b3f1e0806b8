"""Rehearsals on pages: the fields in which people say what one happens to, and the members that their texts become."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from giftsim.console.control_client import WorldControl, current_control
from giftsim.console.filters import read_cents, record_id
from giftsim.engine.client.control import ControlRefused, quote_segment

Row = Mapping[str, Any]


class Field(NamedTuple):
    """A field: its name in the form and on the page, and the members of the body that its text may be."""

    name: str
    title: str
    members: tuple[str, ...]
    example: str = ""


class Shown(NamedTuple):
    """A field of one rehearsal, with the kinds of records of which it takes an id, and whether it must be filled in."""

    field: Field
    title: str
    required: bool


KINDS: Final = {
    "team_order_id": "order",
    "gift_id": "gift",
    "campaign_id": "campaign",
    "order_id": "parcel",
    "payment_id": "payment",
    "invoice_id": "invoice",
}
LISTS: Final = {"team_order_id": "orders", "gift_id": "gifts", "campaign_id": "campaigns"}
RECORD, RECIPIENT, AMOUNT, ACCOUNT, TEAM = "record", "recipient", "amount", "account", "team"
FIELDS: Final = (
    Field(RECORD, "Id of the {}", tuple(KINDS)),
    Field(RECIPIENT, "Recipient", ("recipient", "recipient_id"), "name or email"),
    Field(ACCOUNT, "Account", ("account_id", "key"), "501 or partner.prepaid"),
    Field("contact", "Contact that ends", ("contact",), "its id in the CRM"),
    Field("into", "Contact that stays", ("into",), "its id in the CRM"),
    Field("provider", "CRM", ("provider",), "hubspot"),
    Field(TEAM, "Team", ("team_id", "key"), "its id or label"),
    Field("product", "Product", ("product",), "MUG-01"),
    Field("option", "Option", ("option",), "M"),
    Field("url", "Address of the file", ("url",), "https://"),
    Field(AMOUNT, "Amount in dollars", ("amount_cents",), "1.00"),
)
IDS: Final = (TEAM, "product", "option")  # numbers if they look like one; all others are texts
MOST_NAMES: Final = 10


class Unreadable(ControlRefused):
    """What somebody wrote into a field says nothing that a rehearsal takes."""

    def __init__(self, message: str) -> None:
        super().__init__(400, "invalid_body", message)


def list_rehearsals() -> list[Row]:
    """The situations that can be rehearsed."""
    rows: list[Row] = current_control().get("/reference/rehearsals", limit=1000)["rehearsals"]
    return rows


def fields_of(rehearsal: Row) -> list[Shown]:
    """The fields of a rehearsal, those that must be filled in first."""
    shown = [
        Shown(field, _title(field, rehearsal), any({*group} <= {*field.members} for group in rehearsal["needs"]))
        for field in FIELDS
        if _takes(rehearsal, field)
    ]
    return sorted(shown, key=lambda each: not each.required)


def rehearse(world: WorldControl, rehearsal: Row, form: Mapping[str, str]) -> Any:
    """Let a rehearsal happen to what the fields of a form say. Raise ControlRefused, also if they cannot be read."""
    fields = [field for field in FIELDS if _takes(rehearsal, field)]
    texts = {field.name: text for field in fields if (text := form.get(field.name, "").strip())}
    named = _record(world, rehearsal, texts) if RECORD in texts else {}
    others = {name: text for name, text in texts.items() if name not in (RECORD, RECIPIENT)}
    read = dict(_read(name, text) for name, text in others.items())
    return world.post("rehearse", {"name": rehearsal["name"], **named, **read})


def _takes(rehearsal: Row, field: Field) -> bool:
    """Whether it is a field of a rehearsal: a key alone says nothing, as accounts and teams both have it."""
    return any(member in rehearsal["takes"] for member in field.members if member != "key")


def _title(field: Field, rehearsal: Row) -> str:
    return field.title.format(_kinds(rehearsal))


def _kinds(rehearsal: Row) -> str:
    kinds = [kind for member, kind in KINDS.items() if member in rehearsal["takes"]]
    return " or ".join([", ".join(kinds[:-1]), kinds[-1]] if kinds[1:] else kinds)


def _read(name: str, text: str) -> tuple[str, Any]:
    """The member that the text of a field is, and its value."""
    if name == AMOUNT:
        cents = read_cents(text)
        if cents is None:
            raise Unreadable(f"{text[:40]!r} is not an amount of money")
        return "amount_cents", cents
    if name == ACCOUNT:
        return ("account_id", int(text)) if isinstance(record_id(text), int) else ("key", text)
    if name == TEAM:
        return ("key", text) if "." in text else ("team_id", record_id(text))
    return name, record_id(text) if name in IDS else text


def _record(world: WorldControl, rehearsal: Row, texts: Mapping[str, str]) -> Row:
    """The members that name a record and a recipient: found by trying which kind of record has the id."""
    text = texts[RECORD]
    for member, kind in KINDS.items():
        if member in rehearsal["takes"]:
            try:
                moves = world.get("moves", kind=kind, id=text[:60])
            except ControlRefused as error:
                if error.status != HTTPStatus.NOT_FOUND:
                    raise
                continue
            if RECIPIENT in texts and member in LISTS:
                return {member: record_id(text), **_recipient(world, member, text, texts[RECIPIENT])}
            row = next(each for each in moves["rehearsals"] if each["name"] == rehearsal["name"])
            if AMOUNT in texts:
                return {member: record_id(text)}
            return _only(world, row, member, text)
    raise ControlRefused(HTTPStatus.NOT_FOUND, "not_found", f"there is no {_kinds(rehearsal)} {text[:60]}")


def _only(world: WorldControl, row: Row, member: str, text: str) -> Row:
    """The body of a rehearsal that can happen to one thing only, without its name."""
    if not row["allowed"]:
        raise ControlRefused(HTTPStatus.CONFLICT, "invalid_state", row["why_not"])
    if len(row["bodies"]) > 1:
        rows = _recipients(world, member, text)
        places = [body[RECIPIENT] for body in row["bodies"][:MOST_NAMES]]
        raise Unreadable(f"say which recipient: {', '.join(recipient_name(rows, place) for place in places)}")
    return {name: value for name, value in row["bodies"][0].items() if name != "name"}


def _recipient(world: WorldControl, member: str, text: str, who: str) -> Row:
    """The member that names a recipient by a name, an email address or an id."""
    rows = _recipients(world, member, text)
    for place, row in enumerate(rows):
        if who.casefold() in (str(row[each]).casefold() for each in ("name", "email", "recipient_id", "order_id")):
            return {RECIPIENT: place}
    if isinstance(record_id(who), int):
        return {"recipient_id": int(who)}
    names = ", ".join(recipient_name(rows, place) for place in range(min(len(rows), MOST_NAMES)))
    raise Unreadable(f"there is no recipient {who[:60]!r}; there are {names}")


def _recipients(world: WorldControl, member: str, text: str) -> Sequence[Row]:
    rows: Sequence[Row] = world.get(f"{LISTS[member]}/{quote_segment(text)}")["recipients"]
    return rows


def recipient_name(rows: Sequence[Row], place: int) -> str:
    """A recipient as people know them, by the place from 0."""
    row = rows[place] if place < len(rows) else {}
    return str(row.get("name") or row.get("email") or f"recipient {place + 1}")


def by_possibility(rows: Sequence[Row], recipients: Sequence[Row]) -> dict[str, list[Row]]:
    """What is `possible` with a record, each with the choices of what it can happen to, and what is `impossible`."""
    tried = {row["name"]: row for row in rows}
    shown = [
        {**row, **tried[row["name"]], "choices": _choices(tried[row["name"]]["bodies"], recipients)}
        for row in list_rehearsals()
        if row["name"] in tried
    ]
    return {
        "possible": [row for row in shown if row["allowed"]],
        "impossible": [row for row in shown if not row["allowed"]],
    }


def _choices(bodies: Sequence[Row], recipients: Sequence[Row]) -> list[tuple[str, str]]:
    """Each body as the text that a form sends, with the recipient: by the number of the parcel too if names repeat."""
    choices = []
    names = [recipient_name(recipients, place) for place in range(len(recipients))]
    for body in bodies:
        name = recipient_name(recipients, body[RECIPIENT]) if RECIPIENT in body else ""
        again = names.count(name) > 1
        choices.append((json.dumps(body), f"{name}, {recipients[body[RECIPIENT]]['order_id']}" if again else name))
    return choices
