"""Names before ids: the titles of orders, gifts and campaigns of the page's world, read once for each page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from flask import g

from giftsim.console.control_client import current_world
from giftsim.engine.client.control import ControlRefused

TITLED: Final = ("team_order", "gift", "campaign")
MOST = 200  # that one call names
Ref = Mapping[str, Any]


def fetch_titles(refs: Iterable[Ref | None]) -> None:
    """Read the titles of these records in one call, as far as they have any."""
    known = _known()
    wanted = {f"{ref['kind']}:{ref['id']}" for ref in refs if ref and ref["kind"] in TITLED} - known.keys()
    if not wanted:
        return
    names = sorted(wanted)[:MOST]
    known.update(dict.fromkeys(names, ""))
    try:
        found = current_world().get("titles", of=",".join(names))["titles"]
    except ControlRefused:  # the world is gone
        return
    known.update({f"{each['kind']}:{each['id']}": each["title"] for each in found})


def title_of(ref: Ref) -> str:
    """The title of a record; "" if it has none."""
    if ref["kind"] not in TITLED:
        return ""
    fetch_titles((ref,))
    return _known().get(f"{ref['kind']}:{ref['id']}", "")


def world_name(world: Mapping[str, Any]) -> str:
    """What people call a world: its name, or its id."""
    return str(world["name"] or world["id"])


def _known() -> dict[str, str]:
    """The titles that this request has read, by kind and id."""
    if "titles" not in g:
        g.titles = {}
    titles: dict[str, str] = g.titles
    return titles
