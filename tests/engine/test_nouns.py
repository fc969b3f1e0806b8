"""The engine knows no service: none of its names and texts has a noun of gifting or of the museum."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from giftsim import engine

NOUN = re.compile(
    r"(?<![a-z])(?:gift(?!sim)|recipient|parcel|shipment|campaign|invoice|wallet|claim|museum|ticket|team|partner)"
    r"|Gift(?!sim)|Recipient|Parcel|Shipment|Campaign|Invoice|Wallet|Claim|Museum|Ticket|Team|Partner"
    r"|GIFT(?!SIM)|RECIPIENT|PARCEL|SHIPMENT|CAMPAIGN|INVOICE|WALLET|CLAIM|MUSEUM|TICKET|TEAM|PARTNER"
)
EXAMPLE_HOST = "hooks.partner.example"  # in messages, a name that is reserved for examples
OWN_PAGE = "/how-to/run-for-a-team.md"  # of the documentation: that team works with giftsim


def _files() -> Iterator[tuple[str, str]]:
    root = Path(engine.__path__[0])
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8").replace(EXAMPLE_HOST, "").replace(OWN_PAGE, "")
        yield path.relative_to(root).as_posix(), text


def nouns() -> dict[str, list[str]]:
    """The lines with nouns, by file."""
    found: dict[str, list[str]] = {}
    for place, text in _files():
        lines = [f"{number}: {line.strip()}" for number, line in enumerate(text.splitlines(), 1) if NOUN.search(line)]
        if lines:
            found[place] = lines
    return found


def test_no_name_or_text_of_the_engine_has_a_noun_of_a_service() -> None:
    assert nouns() == {}
