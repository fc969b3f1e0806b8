"""No sentence stands twice in the documentation: a fact has one place, and other pages lead there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from tests.docs.pages import DOCS, FENCE, ROOT, Page, pages

LEAST_WORDS = 8  # of a sentence that may stand on one page alone
GENERATED = re.compile(r"^<!-- (?:generated|measured): .*?^<!-- end(?: of measured)? -->$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
TARGET = re.compile(r"\]\([^)]*\)")
END = re.compile(r"(?<=[.!?:])\s+|\n\n|\n(?=[-*|#>] |\d+\. )|\s\|\s")
WORD = re.compile(r"[\w'’-]+")


def sentences(page: Page) -> Iterator[str]:
    """The sentences that people wrote on a page, as their words alone."""
    text = page.text
    for left_out in (GENERATED, FENCE, COMMENT):
        text = left_out.sub("\n\n", text)
    for sentence in END.split(TARGET.sub("]", text)):
        words = WORD.findall(sentence.lower())
        if len(words) >= LEAST_WORDS:
            yield " ".join(words)


def twice(shown: list[Page]) -> dict[str, list[str]]:
    """The sentences that stand on a page more than once, or on several, with these pages."""
    places = defaultdict(list)
    for page in shown:
        for sentence in sentences(page):
            places[sentence].append(page.name)
    return {sentence: names for sentence, names in places.items() if len(names) > 1}


def readers_pages() -> list[Page]:
    """The README and the pages of the documentation."""
    return [page for page in pages() if page.path == ROOT / "README.md" or page.path.is_relative_to(DOCS)]


def test_a_sentence_that_stands_twice_is_found() -> None:
    said = "# A\n\nA world that nobody uses is deleted after *one* hour."
    again = "# B\n\nIt is so. A world that nobody [uses](x.md) is deleted\nafter one hour. It is so."
    code = "# C\n\n```sh\nA world that nobody uses is deleted after one hour.\n```\n"
    made = f"<!-- generated: x -->\n{again}\n<!-- end -->\n"
    shown = [Page(DOCS / f"{name}.md", text) for name, text in zip("abcd", (said, again, code, made), strict=True)]
    assert list(twice(shown).values()) == [["docs/a.md", "docs/b.md"]]


def test_no_sentence_stands_twice() -> None:
    assert twice(readers_pages()) == {}
