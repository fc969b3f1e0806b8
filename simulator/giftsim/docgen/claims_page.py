"""The page of the claims and decisions: one heading for each id, so that other pages can link to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from types import MappingProxyType

from giftsim.build import make_definitions
from giftsim.claims.decision import load_decisions
from giftsim.claims.entry import Entry, all_entries
from giftsim.docgen.markdown import anchor, written

SECTIONS = MappingProxyType(
    {
        "1": "what the service does",
        "2": "resources and their fields",
        "3": "states",
        "4": "endpoints",
        "5": "authentication",
        "6": "events",
        "7": "errors",
        "8": "limits",
        "9": "versioning",
    }
)


def claims() -> str:
    """Every claim, by interface and section, with the tests that name it."""
    found = [entry for entry in all_entries(make_definitions().settings) if entry.is_claim]
    return "\n\n".join(part for _, group in groupby(found, _section) for part in _claims_of(list(group)))


def decisions() -> str:
    """Every decision by its title, with how sure it is and its settings; the pages of decisions have the texts."""
    found = [entry for entry in all_entries(make_definitions().settings) if not entry.is_claim]
    groups = groupby(found, lambda entry: (load_decisions()[entry.id].page, load_decisions()[entry.id].section))
    return "\n\n".join(part for (page, section), group in groups for part in _decisions_of(page, section, group))


def _section(entry: Entry) -> tuple[str, str]:
    return entry.family, entry.id.partition("-")[2].partition(".")[0]


def _claims_of(entries: list[Entry]) -> Iterator[str]:
    family, section = _section(entries[0])
    yield f"### {family.capitalize()} API: {SECTIONS[section]}"
    for entry in entries:
        yield f"#### {entry.id}"
        yield entry.text + (f" (Inferred: {entry.inferred}.)" if entry.inferred else "")
        yield f"{entry.kind}, {entry.basis}. {_shown_by(entry)}"


def _shown_by(entry: Entry) -> str:
    """The tests by their names, with links to their files."""
    names = (test.test.split("::") for test in entry.tests)
    files = groupby(names, lambda parts: parts[0])
    shown = (f"{', '.join(f'`{parts[-1]}`' for parts in group)} in [{file}](../../{file})" for file, group in files)
    return f"Shown by {'; '.join(shown)}." if entry.tests else "No test names it."


def _decisions_of(page: str, section: str, entries: Iterable[Entry]) -> Iterator[str]:
    link = f"../explanation/{page}.md#{anchor(section)}"
    yield f"### {section}"
    for entry in entries:
        title = load_decisions()[entry.id].title or entry.text
        yield f"#### {entry.id}"
        yield f"{title.rstrip('.:')} ([text]({link})). Basis: {entry.basis}.{_settings(entry)}"


def _settings(entry: Entry) -> str:
    named = ", ".join(f"`{setting.name}` ({written(setting.default)})" for setting in entry.settings)
    return f" Settings, with their defaults: {named}." if named else ""
