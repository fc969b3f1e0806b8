"""The pages of the records that changes are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from flask import current_app, url_for

# By kind of subject: the endpoint of its page, and the values in its path beside the id.
PAGES: Mapping[str, tuple[str, str, Mapping[str, str]]] = MappingProxyType(
    {
        "call": ("calls.call", "seq", {}),
        "event": ("webhooks.event", "event_id", {}),
        "delivery": ("webhooks.delivery", "seq", {}),
        "mail": ("inbox.mail", "seq", {}),
        "team_order": ("orders.one", "record_id", {"kind": "order"}),
        "gift": ("orders.one", "record_id", {"kind": "gift"}),
        "campaign": ("orders.one", "record_id", {"kind": "campaign"}),
        "snapshot": ("moments.show", "name", {}),
    }
)


def subject_link(subject: Mapping[str, Any] | None, world: str | None = None) -> str | None:
    """The path of the page of a subject in a world, by default that of the present page; None if it has none."""
    if subject is None or subject["kind"] not in PAGES:
        return None
    endpoint, name, values = PAGES[subject["kind"]]
    if endpoint not in current_app.view_functions:
        return None
    of_world: dict[str, Any] = {"world": world} if world else {}
    return url_for(endpoint, **{**values, **of_world, name: subject["id"]})


def with_links(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows with a `subject`, each with the path of its page as `link`."""
    return [{**row, "link": subject_link(row["subject"])} for row in rows]
