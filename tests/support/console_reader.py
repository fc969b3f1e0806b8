"""Somebody who follows the page *Use the console* in a browser, section by section."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.api_clients import PartnerClient
from tests.support.browser import wait_until_patched
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

DOCUMENT = Path(__file__).parents[2] / "docs" / "how-to" / "use-the-console.md"
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)


def sections() -> dict[str, list[str]]:
    """The words in bold of each section of the page, by its heading."""
    parts = DOCUMENT.read_text(encoding="utf-8").split("\n## ")[1:]
    return {
        part.partition("\n")[0]: list(dict.fromkeys(" ".join(each.split()) for each in BOLD.findall(part)))
        for part in parts
    }


class Reader:
    """Somebody who follows a section in a world, and knows which of its words are still to be met."""

    def __init__(self, page: Page, world: World, partner: PartnerClient, heading: str) -> None:
        self.page, self.world, self.partner = page, world, partner
        self._words = sections()[heading]
        self.unmet = list(self._words)

    @property
    def main(self) -> Locator:
        """The content of the page."""
        return self.page.get_by_role("main")

    def open(self, path: str = "") -> None:
        """Open a page of the world."""
        self.page.goto(f"/w/{self.world.id}/{path}")

    def meet(self, word: str) -> str:
        """Take a word of the section as met."""
        assert word in self._words, f"the page does not say {word!r} in bold"
        self.unmet = [each for each in self.unmet if each != word]
        return word

    def click(self, word: str, where: Locator | None = None) -> None:
        """Click what the page calls so: a button, a link or a heading that opens something."""
        begins = re.compile(rf"^\s*{re.escape(self.meet(word))}(?!\w)")
        clickable = (where or self.page.locator("body")).locator("button:visible, a:visible, summary:visible")
        clickable.filter(has_text=begins).first.click()
        wait_until_patched(self.page)

    def go(self, word: str) -> None:
        """Open a page by the navigation."""
        link = self.page.get_by_role("navigation", name="Pages").get_by_role("link", name=self.meet(word), exact=True)
        link.first.click()
        self.page.get_by_role("heading", level=1).first.wait_for()

    def see(self, word: str) -> None:
        """Look for a word among the texts of the page."""
        self.page.get_by_text(self.meet(word)).first.wait_for()

    def says(self, text: str) -> None:
        """Wait until the page says something."""
        self.page.get_by_text(text).first.wait_for()
