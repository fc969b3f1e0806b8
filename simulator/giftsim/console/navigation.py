"""The map of the console: its pages in groups, each with the key that opens it after `g`."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A page of the navigation. `endpoint` is its Flask endpoint, `key` opens it after `g`.

    It is the present place also on pages whose path in the world begins with `below`, which is its own if empty.
    """

    title: str
    endpoint: str
    key: str
    below: str = ""


class Group(NamedTuple):
    """Pages that belong together."""

    title: str
    places: tuple[Place, ...]


GROUPS = (
    Group("", (Place("Home", "home.show", "h"),)),
    Group(
        "Gifting",
        (
            Place("Orders", "orders.orders", "o", "orders/order/"),
            Place("Gifts", "orders.gifts", "g", "orders/gift/"),
            Place("Campaigns", "orders.campaigns", "c", "orders/campaign/"),
            Place("Inbox", "inbox.show", "i"),
            Place("Money", "money.show", "m"),
        ),
    ),
    Group(
        "Integration",
        (
            Place("Webhooks", "webhooks.show", "w"),
            Place("Calls", "calls.show", "l"),
            Place("Faults", "faults.show", "f"),
        ),
    ),
    Group(
        "World",
        (
            Place("People", "people.show", "p"),
            Place("Catalogue", "catalogue.show", "a"),
            Place("Museum", "museum.show", "u"),
        ),
    ),
    Group(
        "Tools",
        (
            Place("Scenarios", "scenarios.library", "s"),
            Place("Compare", "compare.show", "d"),
            Place("Moments", "moments.show", "t"),
            Place("Reference", "reference.show", "r"),
        ),
    ),
)
