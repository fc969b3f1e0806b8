"""What axe-core finds on a page that keeps people from using it."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

FILE = Path(__file__).parents[1] / "ecosystem" / "browser" / "axe" / "axe.min.js.gz"
SERIOUS = ("serious", "critical")
LIGHT, DARK = "light", "dark"
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}  # all that a color scheme changes


def serious_findings(page: Page, options: dict[str, Any] | None = None) -> list[str]:
    """What axe finds that is serious or critical: the rule, what it asks for, and where it is broken."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe_source())
    wanted = {"resultTypes": ["violations"], **(options or {})}
    violations = page.evaluate("options => axe.run(document, options).then(found => found.violations)", wanted)
    return [_text(violation) for violation in violations if violation["impact"] in SERIOUS]


def findings_in_both_schemes(page: Page) -> list[str]:
    """The serious findings of a page as it is, and those of contrast in the dark."""
    page.emulate_media(color_scheme="light")
    found = serious_findings(page)
    page.emulate_media(color_scheme="dark")
    found += [f"in the dark: {each}" for each in serious_findings(page, CONTRAST)]
    page.emulate_media(color_scheme="light")
    return found


@cache
def axe_source() -> str:
    """The program, which defines `axe`."""
    return gzip.decompress(FILE.read_bytes()).decode()


def _text(violation: dict[str, Any]) -> str:
    nodes = violation["nodes"]
    places = "; ".join(f"{node['target'][0]} ({node['html'][:120]})" for node in nodes[:4])
    return f"{violation['id']}: {violation['help']}, {len(nodes)} times: {places}"
