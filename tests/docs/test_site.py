"""The built documentation site: its start page, the Markdown beside each page, and what others show of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from tests.docs.pages import DOCS, FENCE, ROOT
from tests.support.html_page import parse_html

SITE = ROOT / "build" / "docs"
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)")
LISTED = re.compile(r"^- \[([^\]]+)\]\(([\w/-]+\.md)\): (\S.*)$", re.MULTILINE)
OWN = ("genindex", "search")  # pages that Sphinx makes
built = pytest.mark.skipif(not (SITE / "llms.txt").is_file(), reason="the site is not built: run `make docs`")


def html_pages() -> list[Path]:
    """The built pages that have a source."""
    paths = [path for path in sorted(SITE.rglob("*.html")) if path.stem not in OWN]
    return [path for path in paths if 'http-equiv="refresh"' not in path.read_text(encoding="utf-8")]


@built
def test_every_page_has_its_markdown_beside_it_and_leads_to_it() -> None:
    assert len(html_pages()) > 40
    for page in html_pages():
        html = page.read_text(encoding="utf-8")
        assert page.with_suffix(".md").is_file()
        assert (
            f'<link rel="alternate" type="text/markdown" title="This page as Markdown" href="{page.stem}.md">' in html
        )
        assert f'<a class="muted-link" href="{page.stem}.md" title="View this page as Markdown">' in html


@built
def test_the_markdown_is_that_of_the_source_and_its_links_lead_to_files_of_the_site() -> None:
    copy = (SITE / "how-to" / "move-time.md").read_text(encoding="utf-8")
    head, _, text = copy.partition("\n\n")
    assert head == "> All pages of this documentation: ../llms.txt"
    assert text == (DOCS / "how-to" / "move-time.md").read_text(encoding="utf-8")
    broken = [
        f"{page.relative_to(SITE)}: {link}"
        for page in sorted(SITE.rglob("*.md"))
        if "_downloads" not in page.parts
        for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
        if not (page.parent / link).exists()
    ]
    assert broken == []


@built
def test_llms_txt_lists_every_page_with_its_address_and_what_it_says() -> None:
    text = (SITE / "llms.txt").read_text(encoding="utf-8")
    assert text.startswith(
        "# giftsim\n\n> giftsim is an offline sandbox of a corporate-gifting service, for your tests."
    )
    listed = [address for _, address, _ in LISTED.findall(text)]
    assert sorted(listed) == sorted(page.with_suffix(".md").relative_to(SITE).as_posix() for page in html_pages())
    assert text.index("## Tutorials") < text.index("## How-to guides") < text.index("## Reference")
    assert "- [Move time](how-to/move-time.md): Every world has its own clock." in text


@built
def test_the_address_of_a_page_that_moved_leads_to_where_it_is() -> None:
    page = (SITE / "how-to" / "undo.html").read_text(encoding="utf-8")
    assert '<meta http-equiv="refresh" content="0; url=worlds-and-undo.html#undo">' in page


@built
def test_a_link_to_a_page_shows_what_it_says_and_a_picture() -> None:
    html = (SITE / "how-to" / "move-time.html").read_text(encoding="utf-8")
    for tag in (
        '<meta property="og:title" content="Move time">',
        '<meta property="og:description" content="Every world has its own clock.',
        '<meta name="description" content="Every world has its own clock.',
        '<meta property="og:image" content="../_static/social.png">',
        '<link rel="shortcut icon" href="../_static/favicon.svg">',
    ):
        assert tag in html
    with Image.open(SITE / "_static" / "social.png") as card:
        assert card.size == (1200, 630)
    assert (SITE / "_static" / "favicon.svg").is_file()


@built
def test_every_page_names_its_version_and_leads_to_the_others() -> None:
    for page in html_pages():
        html = page.read_text(encoding="utf-8")
        assert re.search(
            r'Version <span>0\.[\d.]+</span> · <a href="[^"]*#released-versions">all versions</a>', html
        ), page


def test_the_list_of_versions_has_every_version_of_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    text = (DOCS / "reference" / "versioning.md").read_text(encoding="utf-8")
    section = text.partition("## Released versions")[2].partition("\n## ")[0]
    assert re.findall(r"^\| (\d[\d.]+)", section, re.MULTILINE) == re.findall(
        r"^## \[(\d[\d.]+)\]", changelog, re.MULTILINE
    )


def test_the_start_page_shows_an_example_of_ten_lines_a_picture_and_cards() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    top, _, rest = text.partition("## I want to …\n\n<!-- cards -->\n\n")
    [example] = FENCE.findall(top)
    assert len(example[1].splitlines()) == 10
    assert "](pictures/home.png)" in top
    cards = rest.partition("\n## ")[0]
    assert len(re.findall(r"^- \*\*\[[^\]]+\]\([\w/-]+\.md\)\*\* \S", cards, re.MULTILINE)) == 12


@built
def test_the_list_under_the_comment_is_shown_as_cards() -> None:
    page = parse_html((SITE / "index.html").read_text(encoding="utf-8"))
    assert [named["class"] for tag, named in page.elements if tag == "ul" and "cards" in named.get("class", "")] == [
        "cards simple"
    ]


def test_every_guide_says_in_other_words_what_it_answers() -> None:
    """The search finds a page by the words in it; these are the words that somebody has who does not know ours."""
    guides = [path for path in (DOCS / "how-to").glob("*.md") if path.stem != "index"]
    assert [path.name for path in guides if "\n<!-- questions: " not in path.read_text(encoding="utf-8")] == []
