"""What tells webhooks that an app refused from those that it accepted: how they are spelled, or whom they name."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

IN_COMMON: Final = "what these have in common is that"


def _is_spelled_otherwise(body: str) -> bool:
    return body != json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False)


def _has_letters(body: str) -> bool:
    """Whether it names a recipient in letters that English does not have."""
    recipient = (json.loads(body).get("data") or {}).get("recipient") or {}
    return not str(recipient.get("name", "")).isascii()


TRAITS: Final[Mapping[str, Callable[[str], bool]]] = {
    "their JSON is not spelled as JSON.stringify would write it": _is_spelled_otherwise,
    "they name a recipient in letters outside ASCII": _has_letters,
}


def told_apart(refused: Sequence[str], accepted: Sequence[str], foreign: Collection[str] = ()) -> str:
    """A clause that says what all bodies have that were refused, and none that was accepted; empty if nothing is so.

    Every app was admitted with a plain order, of whose webhooks it accepted some.
    `foreign` are the references of orders that the app did not place.
    """

    def is_foreign(body: str) -> bool:
        order = (json.loads(body).get("data") or {}).get("team_order") or {}
        return order.get("reference") in foreign

    traits = {**TRAITS, "they are about an order that somebody else placed": is_foreign}
    return " and ".join(
        words for words, has in traits.items() if all(map(has, refused)) and not any(map(has, accepted))
    )
