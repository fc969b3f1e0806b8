"""The pages of decisions can be read: each entry has its id, its text, and how sure it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from giftsim.services.known import make_definitions
from giftsim.services.statements.decision import (
    BASES,
    PAGES,
    UnreadableEntry,
    load_decisions,
    read_page,
    read_pages,
)
from giftsim.services.statements.entry import all_entries
from tests.docs.pages import DOCS

ENTRY = """## Claims

- **G1 A gift's yes that cannot be paid** changes nothing,
  see the [settings](../reference/settings.md). Basis: guess.
- **D4.** Enforced as written. Basis: documented.
"""
SETTING = re.compile(r"[Ss]ettings?:? `([\w.]+)")


def test_an_entry_has_its_title_its_text_and_its_basis() -> None:
    first, second = read_page(ENTRY, "decisions-partner")
    assert (first.id, first.title, first.family) == ("G1", "A gift's yes that cannot be paid", "partner")
    assert first.text == "A gift's yes that cannot be paid changes nothing, see the settings."
    assert (first.basis, first.page, first.section) == ("guess", "decisions-partner", "Claims")
    assert (second.id, second.title, second.text, second.basis) == ("D4", "", "Enforced as written.", "documented")


def test_a_list_inside_an_entry_belongs_to_its_text() -> None:
    (entry,) = read_page("- **G3 Logs.**\n  - One is shown.\n  - The other\n    is not.\n\n  Basis: giftsim.\n", "x")
    assert (entry.text, entry.basis) == ("Logs. One is shown. The other is not.", "giftsim")


def test_an_entry_may_have_several_ids() -> None:
    general, second = read_page("- **0.9, G47 Which** one. Basis: guess.\n", "decisions")
    assert (general.id, second.id, general.family) == ("0.9", "G47", "general")
    assert general.text == second.text == "Which one."


def test_an_entry_about_giftsim_itself_needs_no_basis() -> None:
    own, guess = read_page("- **G1 Views** None.\n- **G2 Bodies** Kept. Basis: guess.\n", "decisions-giftsim")
    assert (own.text, own.basis, guess.text, guess.basis) == ("Views None.", "giftsim", "Bodies Kept.", "guess")
    with pytest.raises(UnreadableEntry, match="G1 Views"):
        list(read_page("- **G1 Views** None. Basis: hope.", "decisions-giftsim"))


@pytest.mark.parametrize(
    "entry",
    [
        "- **G1 Views** None.",
        "- **G1 Views** None. Basis: hope.",
        "- Views. Basis: guess.",
        "- **G1, x** No. Basis: guess.",
    ],
)
def test_an_entry_without_id_or_basis_is_refused(entry: str) -> None:
    with pytest.raises(UnreadableEntry, match=r"ends with one of 'Basis: documented\.'"):
        list(read_page(entry, "decisions"))


def test_every_entry_of_the_pages_is_read() -> None:
    texts = [(DOCS / "explanation" / f"{page}.md").read_text(encoding="utf-8") for page in PAGES]
    first = r"^- \*\*((?:[\w.]*\d, )*\w[\d.]*\d)"
    ids = [each for text in texts for found in re.findall(first, text, re.MULTILINE) for each in found.split(", ")]
    assert list(load_decisions()) == ids
    assert sorted(path.stem for path in (DOCS / "explanation").glob("decisions*.md")) == sorted(PAGES)


def test_each_basis_is_explained_and_used() -> None:
    page = (DOCS / "explanation" / "decisions.md").read_text(encoding="utf-8")
    assert [basis for basis in BASES if f"\n| {basis} | " not in page] == []
    assert {decision.basis for decision in load_decisions().values()} == set(BASES)


def test_every_setting_belongs_to_a_decision() -> None:
    settings = make_definitions().settings
    named = {setting.name for entry in all_entries(settings) for setting in entry.settings}
    assert sorted(settings.keys() - named) == ["magic_values"]


def test_the_settings_that_the_pages_name_exist() -> None:
    names = make_definitions().settings
    cited = {name for decision in load_decisions().values() for name in SETTING.findall(decision.text)}
    assert (
        sorted(name for name in cited if name not in names and not any(known.startswith(name) for known in names)) == []
    )


def test_an_id_that_is_defined_twice_is_refused(tmp_path: Path) -> None:
    for page in PAGES:
        (tmp_path / f"{page}.md").write_text(ENTRY, encoding="utf-8")
    with pytest.raises(UnreadableEntry, match=r"decisions-team\.md: G1 is defined twice"):
        read_pages(tmp_path)
