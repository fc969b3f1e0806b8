"""The records that rows are about, as `{kind, id}`: their pages, and how they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, url_for

# By kind of subject: the endpoint of its page, the name of the id in its path, and the other values there.
PAGES: Final[Mapping[str, tuple[str, str, Mapping[str, str]]]] = {
    "call": ("calls.call", "seq", {}),
    "event": ("webhooks.event", "event_id", {}),
    "delivery": ("webhooks.delivery", "seq", {}),
    "mail": ("inbox.mail", "seq", {}),
    "team_order": ("orders.one", "record_id", {"kind": "order"}),
    "gift": ("orders.one", "record_id", {"kind": "gift"}),
    "campaign": ("orders.one", "record_id", {"kind": "campaign"}),
    "snapshot": ("moments.show", "name", {}),
}
KINDS: Mapping[str, str] = {"large_campaign": "campaign", "campaign_batch": "campaign"}
NAMED = re.compile(r"(team_order|gift|large_campaign) ([0-9]+)\b")


def subject_of(kind: str | None, record_id: object) -> dict[str, Any] | None:
    """An order, gift or campaign by the type and id that records of money and approvals have. None without them."""
    return None if kind is None or record_id is None else {"kind": KINDS.get(kind, kind), "id": record_id}


def named_subject(text: str) -> dict[str, Any] | None:
    """The order, gift or campaign that a text such as `team_order 1001 recipient 200001` begins with, or None."""
    match = NAMED.match(text)
    return subject_of(match[1], match[2]) if match else None


def subject_link(subject: Mapping[str, Any] | None, world: str | None = None) -> str | None:
    """The path of the page of a subject in a world, by default that of the present page; None if it has none."""
    if subject is None or subject["kind"] not in PAGES:
        return None
    endpoint, name, values = PAGES[subject["kind"]]
    of_world: dict[str, Any] = {"world": world} if world else {}
    return url_for(endpoint, **{**values, **of_world, name: subject["id"]})


def subject_words(about: Mapping[str, Any]) -> str:
    """A subject as text: `team order 1001`."""
    return f"{str(about['kind']).replace('_', ' ')} {about['id']}"


def with_links(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows with a `subject`, each with the path of its page as `link`."""
    return [{**row, "link": subject_link(row["subject"])} for row in rows]


def own_path(url: str) -> str:
    """The path of an address of this server, which the browser may know by another name."""
    return urlsplit(url).path


def add_subject_filters(app: Flask) -> None:
    """Let the templates of the application use these functions as filters."""
    filters = (subject_link, subject_words, own_path, named_subject)
    app.jinja_env.filters.update({each.__name__: each for each in filters})
