"""What needs somebody, as rows of the home: failures first, each with the buttons of what can be done about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from flask import url_for

from giftsim.console.control_client import WorldControl
from giftsim.console.filters import ref_link

Row = Mapping[str, Any]
# The icon of each kind, and the pages that show all of it: the endpoint and the search.
KINDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "unpaid": ("money", "orders.orders", "status:unpaid"),
    "trouble": ("truck", "orders.orders", "is:failed"),
    "unclaimed": ("mail", "orders.orders", "is:waiting"),
    "provider": ("people", "people.show", ""),
    "approval": ("flag", "inbox.show", ""),
    "proof": ("eye", "inbox.show", ""),
    "webhooks": ("hook", "webhooks.show", "is:failed"),
}
ORDER, WEBHOOKS = "team_order", "webhooks"


class Button(NamedTuple):
    """A button of a row: its label, where it is posted, and its fields."""

    label: str
    action: str
    fields: Mapping[str, str]


class Need(NamedTuple):
    """A row: what is wrong in bold, `title` with its page, a second line with when it began and ends, and buttons.

    `more` says how many others there are of its kind, which are at `more_path`.
    """

    kind: str
    head: str
    title: str
    path: str
    note: str
    since: str | None
    until: str | None
    tone: str
    icon: str
    order: int | str | None
    buttons: list[Button]
    more: str = ""
    more_path: str = ""


def read_needs(world: WorldControl) -> list[Need]:
    """What needs somebody in a world."""
    rows: list[Need] = []
    found = world.get("attention")
    for row in found["needs"]:
        need = _need(row)
        if row["about"] is None and rows and rows[-1].kind == need.kind and need.kind != WEBHOOKS:
            rows[-1] = rows[-1]._replace(more=row["text"], more_path=need.path)
        else:
            rows.append(need)
    return rows


def _need(row: Row) -> Need:
    icon, endpoint, search = KINDS[row["kind"]]
    about, title = row["about"], row["title"]
    return Need(
        row["kind"],
        row["text"].removesuffix(title).rstrip(": ") if title else "",
        title or row["text"],
        ref_link(about) or url_for(endpoint, q=search or None),
        row["note"],
        row["since"],
        row["until"],
        "bad" if row["failed"] else "wait",
        icon,
        about["id"] if about and about["kind"] == ORDER else None,
        [_button(row, act) for act in row["acts"]],
    )


def _button(row: Row, act: Row) -> Button:
    """The button of an act. A payment is made again by the app's own call, webhooks are sent again by their host."""
    if row["kind"] == "unpaid":
        return Button(act["label"], url_for("orders.retry", record_id=row["about"]["id"]), {})
    if row["kind"] == WEBHOOKS:
        return Button(act["label"], url_for("attention.resend"), {"host": act["body"]["hosts"][0]})
    fields = {"path": act["path"], "body": json.dumps(act["body"]), "label": act["label"], "title": row["title"]}
    return Button(act["label"], url_for("attention.act"), fields)
