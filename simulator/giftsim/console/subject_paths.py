"""The pages of orders, gifts and campaigns, from what the control API says that something is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, g

from giftsim.console.control_client import segment

KINDS: Mapping[str, str] = {"large_campaign": "campaign", "campaign_batch": "campaign"}
PAGES: Mapping[str, str] = {"team_order": "order"}
NAMED = re.compile(r"(team_order|gift|large_campaign) ([0-9]+)\b")


def subject_of(kind: str | None, record_id: object) -> dict[str, Any] | None:
    """An order, gift or campaign by the type and id that records of money and approvals have. None without them."""
    return None if kind is None or record_id is None else {"kind": KINDS.get(kind, kind), "id": record_id}


def named_subject(text: str) -> dict[str, Any] | None:
    """The order, gift or campaign that a text such as `team_order 1001 recipient 200001` begins with, or None."""
    match = NAMED.match(text)
    return subject_of(match[1], match[2]) if match else None


def subject_path(about: Mapping[str, Any]) -> str:
    """The path of the page of an order, gift or campaign."""
    kind = PAGES.get(about["kind"], about["kind"])
    return f"/w/{segment(g.world_id)}/orders/{segment(kind)}/{segment(about['id'])}"


def subject_words(about: Mapping[str, Any]) -> str:
    """An order, gift or campaign as text: `team order 1001`."""
    return f"{str(about['kind']).replace('_', ' ')} {about['id']}"


def own_path(url: str) -> str:
    """The path of an address of this server, which the browser may know by another name."""
    return urlsplit(url).path


def add_subject_filters(app: Flask) -> None:
    """Let the templates of the application use these functions as filters."""
    app.jinja_env.filters.update(
        subject_path=subject_path, subject_words=subject_words, own_path=own_path, named_subject=named_subject
    )
