"""References to records, `{kind, id}` in answers of the control API: their pages and their texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, url_for

# By kind of record: the endpoint of its page, the name of the id in its path, and the other values there.
PAGES: Final[Mapping[str, tuple[str, str, Mapping[str, str]]]] = {
    "call": ("calls.call", "seq", {}),
    "event": ("webhooks.event", "event_id", {}),
    "delivery": ("webhooks.delivery", "seq", {}),
    "mail": ("inbox.mail", "seq", {}),
    "team_order": ("orders.one", "record_id", {"kind": "order"}),
    "gift": ("orders.one", "record_id", {"kind": "gift"}),
    "campaign": ("orders.one", "record_id", {"kind": "campaign"}),
    "snapshot": ("snapshots.show", "name", {}),
}


def ref_link(ref: Mapping[str, Any] | None, world: str | None = None) -> str | None:
    """The path of the page of a record in a world, by default that of this page; None if it has none."""
    if ref is None or ref["kind"] not in PAGES:
        return None
    endpoint, name, values = PAGES[ref["kind"]]
    of_world: dict[str, Any] = {"world": world} if world else {}
    return url_for(endpoint, **{**values, **of_world, name: ref["id"]})


def ref_text(ref: Mapping[str, Any]) -> str:
    """A record as text: `team order 1001`."""
    return f"{str(ref['kind']).replace('_', ' ')} {ref['id']}"


def with_links(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows with a `subject`, each with the path of its page as `link`."""
    return [{**row, "link": ref_link(row["subject"])} for row in rows]


def own_path(url: str) -> str:
    """The path of an address of this server, which the browser may know by another name."""
    return urlsplit(url).path


def add_ref_filters(app: Flask) -> None:
    """Let the templates of the application use these functions as filters."""
    app.jinja_env.filters.update({each.__name__: each for each in (ref_link, ref_text, own_path)})
