"""The museum's settings (C4, C7, C12, C13)."""

from __future__ import annotations

import base64
from typing import Any

from giftsim.engine.kernel.setting import Setting, flag

MOST_WINDOW_DAYS = 36_500


def _days_or_none(raw: Any) -> int | None:
    if raw is not None and (type(raw) is not int or not 0 <= raw <= MOST_WINDOW_DAYS):
        raise ValueError(f"it must be from 0 to {MOST_WINDOW_DAYS}, or null")
    return raw


STRICT_DATES = flag(
    "museum.strict_dates",
    False,
    "refuse tickets for past and closed days, and event tickets for a day that the event does not have",
)
STRICT_EVENTS = flag("museum.strict_events", False, "refuse special events with a negative price or without dates")
OPEN = flag(
    "museum.open", False, "accept any password for the world's museum user; in world default, any credentials or none"
)
EMAIL_REQUIRED = flag("museum.email_required", True, "refuse ticket purchases without an email address")
DEFAULT_WINDOW_DAYS: Setting[int | None] = Setting(
    "museum.default_window_days",
    7,
    _days_or_none,
    "a whole number of days, or null for no bound",
    "how many days after startDate the list of special events ends if there is no endDate",
)

ALL: tuple[Setting[Any], ...] = (STRICT_DATES, STRICT_EVENTS, OPEN, EMAIL_REQUIRED, DEFAULT_WINDOW_DAYS)


PASSWORD = "museum-pass"
_DEFAULT = "default"
_USER = "museum"


def user_name(world_id: str) -> str:
    """The user name of a world: `museum` in world default, `museum.{w}` elsewhere."""
    return _USER if world_id == _DEFAULT else f"{_USER}.{world_id}"


def authorization_header(world_id: str) -> str:
    """The Authorization header for the museum of a world."""
    return "Basic " + base64.b64encode(f"{user_name(world_id)}:{PASSWORD}".encode()).decode()


def world_id_of(name: str) -> str | None:
    """The world id in a user name, or None if it is not a museum's; the world may not exist."""
    if name == _USER:
        return _DEFAULT
    head, dot, world_id = name.partition(".")
    return world_id if head == _USER and dot and world_id else None
