"""The engine knows no service: none of its names and texts has a noun of gifting or of the museum."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from giftsim.engine.client import control as client
from giftsim.engine.control import worlds as control
from giftsim.engine.courier import courier
from giftsim.engine.gateway import simulated_service
from giftsim.engine.kernel import state
from giftsim.engine.log import log
from giftsim.engine.replay import apply
from giftsim.engine.server import server
from giftsim.engine.webhooks import event
from giftsim.engine.worlds import world

PACKAGES = [Path(str(module.__file__)).parent for module in (
    state, log, apply, event, courier, world, simulated_service, server, client, control,
)]  # fmt: skip
NOUN = re.compile(
    r"(?<![a-z])(?:gift(?!sim)|recipient|parcel|shipment|campaign|invoice|wallet|claim|museum|ticket|team|partner)"
    r"|Gift(?!sim)|Recipient|Parcel|Shipment|Campaign|Invoice|Wallet|Claim|Museum|Ticket|Team|Partner"
    r"|GIFT(?!SIM)|RECIPIENT|PARCEL|SHIPMENT|CAMPAIGN|INVOICE|WALLET|CLAIM|MUSEUM|TICKET|TEAM|PARTNER"
)
EXAMPLE_HOST = "hooks.partner.example"  # in messages, a name that is reserved for examples
# What still has nouns. A file may only leave this list.
LEFT = frozenset({"gateway/faults/effects.py"})  # the effects `charge` and `crash`, and what they act on


def _files() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            text = path.read_text(encoding="utf-8").replace(EXAMPLE_HOST, "")
            yield path.relative_to(package.parent).as_posix(), text


def nouns() -> dict[str, list[str]]:
    """The lines with nouns, by file."""
    found: dict[str, list[str]] = {}
    for place, text in _files():
        lines = [f"{number}: {line.strip()}" for number, line in enumerate(text.splitlines(), 1) if NOUN.search(line)]
        if lines:
            found[place] = lines
    return found


def test_no_name_or_text_of_the_engine_has_a_noun_of_a_service() -> None:
    found = nouns()
    assert {place: lines for place, lines in found.items() if place not in LEFT} == {}
    assert sorted(LEFT - found.keys()) == [], "these have none any more: take them from LEFT"
