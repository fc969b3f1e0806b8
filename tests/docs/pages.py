"""The documentation's pages: where they are, and the code blocks in them that run as tests.

The info string of a fence says how its code is tested:

    sh test               a part of the page's shell session
    text output           lines that the session prints; `…` stands for any text
    python save           a file that the session saves, named by a comment in its first line; also `toml save`
    sh install            commands that install the package, run by tests/ecosystem/test_install.py
    sh installers         commands of uvx and pipx, run by tests/ecosystem/test_installers.py
    sh ecosystem          a recipe with tools of others, run by tests/ecosystem
    sh container          commands of podman, also `sh compose`, `python testcontainers` and `js testcontainers`:
                          run by tests/ecosystem/test_container.py
    python test           a program of its own
    python pytest         a test file, and `js test` one for Node: both run by the commands of the page with `yaml job`
    yaml workflow         a workflow of GitHub Actions, checked by its schema as that with `yaml job` is
    sh haproxy            a part of a session with HAProxy, which prints `text haproxy`: tests/ecosystem/test_haproxy.py
    sh client             commands of the page about Node, `js client` and `ts client` files that a reader saves, and
                          `text client` a part of what a command prints: see tests/ecosystem/test_node_page.py
    sh example            commands that run the suite of an example; `go example`, `java example` and `ruby example`
                          are parts of its files, run and compared by tests/ecosystem/test_examples.py
    yaml scenario         a whole scenario, and `yaml steps` some of its steps: both are compiled

Comments say what a reader need not see: `<!-- continues: other.md -->` runs another page's session first, and
`<!-- expect-status: 402 000 -->` names the failures that the page's calls are meant to have (000: without a response).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"^<!-- (continues|expect-status): (.*?) -->$", re.MULTILINE)


class Block(NamedTuple):
    """One fenced code block: its info string and its code."""

    info: str
    code: str


class Page(NamedTuple):
    """One Markdown file."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        """The path from the root of the project."""
        return self.path.relative_to(ROOT).as_posix()

    def blocks(self, *infos: str) -> list[Block]:
        """The blocks with one of these info strings, in order."""
        found = (Block(match[1].strip(), match[2]) for match in FENCE.finditer(self.text))
        return [block for block in found if block.info in infos]

    def comments(self, kind: str) -> list[str]:
        """What the comments of a kind name, word by word."""
        return [word for match in COMMENT.finditer(self.text) if match[1] == kind for word in match[2].split()]


@cache
def pages() -> tuple[Page, ...]:
    """Every Markdown page for readers: those at the root, all under docs/, that of each client, and the figures."""
    figures = ROOT / "benchmarks" / "results" / "README.md"
    paths = [
        *sorted(ROOT.glob("*.md")),
        *sorted(DOCS.rglob("*.md")),
        *sorted(ROOT.glob("clients/*/README.md")),
        figures,
    ]
    return tuple(Page(path, path.read_text(encoding="utf-8")) for path in paths)


def page(path: Path) -> Page:
    """The page at a path."""
    return next(each for each in pages() if each.path == path)


def pages_with(*infos: str) -> list[Page]:
    """The pages that have a block with one of these info strings."""
    return [each for each in pages() if each.blocks(*infos)]
