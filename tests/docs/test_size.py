"""The documentation stays short enough to be read: its words and pages are bounded."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from hatch_build import PAPERS
from tests.docs.pages import DOCS, ROOT

MOST_WORDS, MOST_PAGES = 70_000, 60  # of the Markdown that the wheel carries
MOST_OF_README = 700
MOST_OF_GUIDES, MOST_GUIDES = 23_000, 30


def carried() -> list[Path]:
    """The Markdown that the wheel carries: what its configuration includes, and what its build adds."""
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    left_out = [ROOT / name for name in hatch["exclude"]]
    inside = {path for name in hatch["targets"]["wheel"]["only-include"] for path in (ROOT / name).rglob("*.md")}
    kept = {path for path in inside if not any(path.is_relative_to(each) for each in left_out)}
    return sorted(kept | {ROOT / name for name in PAPERS})


def words(path: Path) -> int:
    """What `wc -w` counts."""
    return len(path.read_text(encoding="utf-8").split())


def longest(paths: Iterable[Path]) -> list[str]:
    """The longest files, with their words."""
    by_size = sorted(((words(path), path.relative_to(ROOT).as_posix()) for path in paths), reverse=True)
    return [f"{name}: {count}" for count, name in by_size[:8]]


def test_the_wheel_carries_a_bounded_number_of_words_and_pages() -> None:
    found = carried()
    names = {path.relative_to(ROOT).as_posix() for path in found}
    assert {"docs/index.md", "SECURITY.md", "simulator/giftsim/.agents/skills/giftsim/SKILL.md"} <= names
    assert not {"docs/security.md", "docs/architecture.md", "docs/internals/design.md", "README.md"} & names
    assert sum(map(words, found)) <= MOST_WORDS, longest(found)
    assert len(found) <= MOST_PAGES


def test_the_readme_is_short() -> None:
    assert words(ROOT / "README.md") <= MOST_OF_README


def test_guides_and_tutorials_are_few_and_short() -> None:
    guides = [*(DOCS / "how-to").glob("*.md"), *(DOCS / "tutorials").glob("*.md"), DOCS / "index.md"]
    assert len(guides) <= MOST_GUIDES
    assert sum(map(words, guides)) <= MOST_OF_GUIDES, longest(guides)
