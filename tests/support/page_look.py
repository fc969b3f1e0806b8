"""What is wrong with how a page of the console looks: found by its boxes, at the size that the window has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES: Final = {"phone": (390, 844), "tablet": (768, 1024), "laptop": (1280, 720), "desktop": (1440, 900)}
SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
FAULTS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").partition("\n")[2]
WEIGHT = "performance.getEntries().reduce((sum, {encodedBodySize}) => sum + (encodedBodySize ?? 0), 0)"
SHIFT = """() => {
  const observer = new PerformanceObserver(() => {});
  observer.observe({type: "layout-shift", buffered: true});
  return observer.takeRecords().reduce((sum, {value}) => sum + value, 0);
}"""


def look_faults(page: Page) -> list[str]:
    """What is wrong with a page once it has settled: scroll, empty ends, targets, covered or broken words."""
    page.evaluate(SETTLED)
    return list(page.evaluate(FAULTS))


def shift(page: Page) -> float:
    """How far the page has shifted by itself since it was opened, as browsers count it."""
    return float(page.evaluate(SHIFT))


def weight(page: Page) -> int:
    """How many bytes the page and its files have, as they were sent."""
    return int(page.evaluate(WEIGHT))
