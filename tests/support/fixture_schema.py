"""The JSON Schema of fixtures as it follows from the types that fixtures are read into."""

from __future__ import annotations

import inspect
import json
import sys
from typing import Any

import msgspec

from giftsim.services.gifting.domain import seed, seed_history
from giftsim.services.gifting.domain.team.orders.seed_sends import SendEntry
from giftsim.services.gifting.domain.team.people.seed_people import CrmEntry, RosterEntry
from giftsim.services.gifting.domain.team.seed_teams import CollectionEntry, DealEntry, TeamEntry, WalletEntry
from giftsim.services.museum.museum_definitions import MuseumSection

SECTIONS: dict[str, tuple[Any, str]] = {
    "settings": (dict[str, Any], "Settings by their dotted names."),
    "accounts": (dict[str, seed.AccountEntry], "Accounts of the partner interface by label."),
    "teams": (dict[str, TeamEntry], "Teams by label."),
    "products": (tuple[seed.ProductEntry, ...], "The catalogue."),
    "keys": (dict[str, seed.KeyEntry], "API keys by their names in the table of credentials, like partner.prepaid."),
    "orders": (tuple[seed_history.OrderHistory, ...], "Past orders of the partner interface."),
    "billing": (dict[str, WalletEntry], "The money with which teams start, by label."),
    "collections": (tuple[CollectionEntry, ...], "Sets of items."),
    "people": (tuple[RosterEntry, ...], "Rosters of teams."),
    "crm": (tuple[CrmEntry, ...], "Providers that teams have connected, with their contacts."),
    "sends": (tuple[SendEntry, ...], "Past orders and gifts of teams."),
    "deals": (tuple[DealEntry, ...], "Deal events of contacts."),
    "museum": (MuseumSection, "Hours and special events of the museum."),
}
GENERATED = {
    "generated": {
        "type": "integer", "minimum": 0, "maximum": 10_000,
        "description": "Adds this number of invented rows after `rows`.",
    },
    "seed": {"type": "integer", "default": 1, "description": "Another seed selects other invented rows."},
}  # fmt: skip


def fixture_schema() -> dict[str, Any]:
    """The schema, built from the types."""
    schemas, components = msgspec.json.schema_components(
        [kind for kind, _ in SECTIONS.values()], ref_template="#/$defs/{name}"
    )
    for name in ("RosterEntry", "CrmEntry"):
        components[name]["properties"] |= GENERATED
    sections = zip(SECTIONS.items(), schemas, strict=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "a fixture",
        "description": "The initial data of a world. Every section may be left out.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "extends": {"type": "string", "description": "The name or file of a fixture that this one extends."},
            **{name: {**_plain(schema), "description": text} for (name, (_, text)), schema in sections},
        },
        "$defs": {name: _plain(each) for name, each in components.items()},
    }


def _plain(node: Any) -> Any:
    """The node without titles, and with one type or condition in place of a choice between something and null.

    Its texts are without the indentation that Python keeps in docstrings up to 3.12.
    """
    if isinstance(node, str):
        return inspect.cleandoc(node)
    if isinstance(node, list):
        return [_plain(each) for each in node]
    if not isinstance(node, dict):
        return node
    members = {name: _plain(each) for name, each in node.items() if not (name == "title" and isinstance(each, str))}
    members = {name: each for name, each in members.items() if not (name == "required" and not each)}
    choices = members.pop("anyOf", [])
    some = [each for each in choices if each != {"type": "null"}]
    if len(some) == 1 and "$ref" in some[0]:
        members |= {"if": {"not": {"type": "null"}}, "then": some[0]}
    elif len(some) == 1 and "enum" in some[0]:
        members["enum"] = [*some[0]["enum"], None]
    elif choices:
        members |= some[0] | {"type": [each["type"] for each in choices]}
    return members


if __name__ == "__main__":
    sys.stdout.write(json.dumps(fixture_schema(), indent=2, ensure_ascii=False) + "\n")
