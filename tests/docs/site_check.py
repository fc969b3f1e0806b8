"""Checks the built documentation site: every local link leads somewhere, and no page loads anything from another host.

python -m tests.docs.site_check build/docs
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
CSS_URL = re.compile(r"""(?:url\(\s*['"]?|@import\s+['"])((?:https?:)?//[^'")]+)""")


class _Page(HTMLParser):
    """What one page defines, links to and loads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the ids, links and loaded files of one element."""
        named = {name: value or "" for name, value in attrs}
        self.ids.update(value for name, value in named.items() if name in ("id", "name"))
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        elif (
            tag in LOADING and LOADING[tag] in named and named.get("rel") != "canonical"
        ):  # which names the page itself
            self.loads.append(named[LOADING[tag]])


def problems(site: Path) -> Iterator[str]:
    """Each broken local link and each file loaded from another host, as a line that names the page."""
    site = site.resolve()
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site}: there is no page"
    for path, page in pages.items():
        name = path.relative_to(site)
        yield from (f"{name}: loads {url}" for url in page.loads if urlsplit(url).netloc)
        for url in (*page.links, *page.loads):
            if not urlsplit(url).scheme + urlsplit(url).netloc and (reason := _broken(url, path, pages)):
                yield f"{name}: {url}: {reason}"
    for path in sorted(site.rglob("*.css")):
        for url in CSS_URL.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(site)}: loads {url}"


def _broken(url: str, path: Path, pages: dict[Path, _Page]) -> str:
    parts = urlsplit(url)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return "there is no such file"
    fragment = unquote(parts.fragment)
    missing = fragment and target in pages and fragment not in pages[target].ids
    return f"there is no #{fragment}" if missing else ""


def main(site: Path) -> None:
    """Exit with the problems of a site, or silently."""
    found = list(problems(site))
    if found:
        sys.exit("\n".join([*found, "docs/index.md is the site's first page; CONTRIBUTING.md says how it is built"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
