"""One word, one meaning: modules and classes have a word of the glossary only where it means what the glossary says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.docs.pages import ROOT

CLASS = re.compile(r"^ *class (\w+)", re.MULTILINE)
PACKAGE = ROOT / "simulator/giftsim"
GLOSSARY = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")

# For each word of the glossary, beginnings of the modules whose own names, or whose classes' names, may have it.
HOMES = {
    "claim": (
        "services.gifting.records.claim_links",
        "services.gifting.domain.fulfilment",
        "engine.gateway.faults.page_faults",
        "services.gifting.interfaces.claim",
        "services.gifting.claim_tokens",
        "services.gifting.interfaces.partner",
        "testing",
    ),
    "inbox": ("console",),
    "journal": ("engine.log.journal", "cli.journal", "cli.serve_journals"),
    "ledger": ("services.gifting.domain.money", "engine.control", "engine.gateway.simulated_service", "testing"),
    "statement": (
        "services.statements",
        "cli.statements",
        "services.gifting.domain.team.billing.statement",
    ),
}


def words(name: str) -> Iterator[str]:
    """The words of a name in snake case or camel case, each in the singular."""
    return (word.lower().removesuffix("s") for word in re.findall(r"[A-Z]?[a-z]+", name))


@cache
def named() -> tuple[tuple[str, str], ...]:
    """Every module and class of the simulator: its module, and its own name."""
    return tuple(_named())


def _named() -> Iterator[tuple[str, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        yield module, path.stem
        for name in CLASS.findall(path.read_text(encoding="utf-8")):
            yield module, name


@pytest.mark.parametrize("word", HOMES)
def test_a_word_names_modules_and_classes_of_one_meaning(word: str) -> None:
    strangers = [
        f"{module} {name}" for module, name in named() if word in words(name) and not module.startswith(HOMES[word])
    ]
    assert strangers == [], f"docs/glossary.md gives {word!r} one meaning; name these by another word"


@pytest.mark.parametrize("word", [word for word, homes in HOMES.items() if homes])
def test_the_words_are_those_of_the_glossary(word: str) -> None:
    assert re.search(rf"^- \*\*{word}\*\*", GLOSSARY, re.MULTILINE)


# Phrases that a native editor strikes out, also in the names of tests ("is no longer", "there is no", are English).
STRUCK = re.compile(
    r"(?<!here[ _])(?:\b|(?<=_))(?:is|are|was|were|to be)(?-i: no |_no_)(?!(?:longer|more|less|one)(?:\b|_))[a-z]+"
    r"|\bto who\b|\bled in\b|\bpresent end\b|, in words\b",
    re.IGNORECASE,
)
TEXTS = ("*.py", "*.md", "*.yaml", "*.html", "*.js", "*.ts")


def texts() -> Iterator[str]:
    """The files whose English is the project's own."""
    for folder in ("simulator", "docs", "tests", "tools", "clients/typescript/src", "examples", "scenarios"):
        for pattern in TEXTS:
            yield from (str(path.relative_to(ROOT)) for path in sorted((ROOT / folder).rglob(pattern)))
    yield from ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")


def test_phrases_are_english() -> None:
    struck = [
        f"{path}:{n}: {found[0]!r}"
        for path in texts()
        if path != "tests/docs/test_words.py"
        for n, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), start=1)
        if (found := STRUCK.search(line))
    ]
    assert struck == []
