"""One entry for each statement and each decision: what it says, how sure it is, and the tests that show it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from giftsim.engine.kernel.setting import Setting
from giftsim.services.statements.decision import DOCUMENTED, IN_PART, INFERRED, Decision, load_decisions
from giftsim.services.statements.statement import (
    NONE,
    PASSED,
    Outcomes,
    Statement,
    load_statements,
    showing_tests,
    statement_texts,
    worst,
)

Settings = Mapping[str, Setting[Any]]
DECISION = "decision"
WHOLE = "the whole statement"
_CODE = re.compile(r"`([a-z][\w.{}*]+)(?:: [^`]*)?`")
_PLACEHOLDER = re.compile(r"\\\{(?!w\\)\w+\\\}|\\\*")  # not `{w}`, which is the id of a world


class NamedSetting(msgspec.Struct, frozen=True):
    """A setting that changes what was decided, with its default."""

    name: str
    default: Any


class ShowingTest(msgspec.Struct, frozen=True):
    """A test that names a statement; `outcome` is None if no run of it is known here."""

    test: str
    outcome: str | None


class Entry(msgspec.Struct, frozen=True):
    """A statement or a decision. `kind` is `decision` for decisions; `inferred` is the part that no document says.

    `outcome` is None for decisions, which are not statements of the documents, and where no run of a test is known.
    """

    id: str
    family: str
    kind: str
    basis: str
    text: str
    inferred: str | None
    check: str | None
    settings: tuple[NamedSetting, ...]
    tests: tuple[ShowingTest, ...]
    outcome: str | None

    @property
    def is_statement(self) -> bool:
        """Whether it is a statement of the documents."""
        return self.kind != DECISION


class Summary(msgspec.Struct, frozen=True):
    """How many statements there are, how many of them have a test that passed, and how many decisions there are."""

    statements: int
    shown: int
    decisions: int
    outcomes_known: bool

    def __str__(self) -> str:
        if not self.statements:
            return f"{self.decisions} decision{'s' if self.decisions != 1 else ''}"
        if self.outcomes_known:
            return f"{self.shown} of {self.statements} statements shown by passing tests"
        plural = "s" if self.statements != 1 else ""
        return f"{self.statements} statement{plural}; no test was run here, so no outcome is known"


def all_entries(settings: Settings, outcomes: Outcomes = NONE) -> list[Entry]:
    """All statements, then all decisions, in the order of their files."""
    return [
        *statement_entries(outcomes),
        *(_decision_entry(decision, settings) for decision in load_decisions().values()),
    ]


def statement_entries(outcomes: Outcomes = NONE) -> list[Entry]:
    """All statements in the order of their file."""
    tests = showing_tests()
    return [_statement_entry(said, tests.get(said.id, ()), outcomes) for said in load_statements().values()]


def source_texts(ids: Sequence[str]) -> dict[str, str]:
    """What the statements and decisions with these ids say, in their order; other ids are left out."""
    statements = statement_texts(ids)
    decisions = load_decisions() if len(statements) < len(set(ids)) else {}
    texts = ((name, statements.get(name) or (decisions[name].text if name in decisions else "")) for name in ids)
    return {name: text for name, text in texts if text}


def summarize(entries: Sequence[Entry]) -> Summary:
    """Count entries."""
    statements = [entry for entry in entries if entry.is_statement]
    shown = sum(entry.outcome == PASSED for entry in statements)
    known = any(entry.outcome for entry in statements)
    return Summary(len(statements), shown, len(entries) - len(statements), known)


FORMER_NAME = "claims"  # of the command, the path and the members; still answered to, and gone in the next release


def with_former_names(listing: Mapping[str, Any]) -> dict[str, Any]:
    """A listing of statements, with the members that were called `claims` under this name as well."""
    summary = {**listing["summary"], FORMER_NAME: listing["summary"]["statements"]}
    return {**listing, FORMER_NAME: listing["statements"], "summary": summary}


def _statement_entry(said: Statement, tests: Sequence[str], outcomes: Outcomes) -> Entry:
    rows = tuple(ShowingTest(test, outcomes.get(test, {}).get(said.id)) for test in tests)
    basis = {None: DOCUMENTED, WHOLE: INFERRED}.get(said.inferred, IN_PART)
    outcome = worst(row.outcome for row in rows)
    return Entry(said.id, said.family, said.kind, basis, said.text, said.inferred, said.check, (), rows, outcome)


def _decision_entry(decision: Decision, settings: Settings) -> Entry:
    named = tuple(NamedSetting(name, settings[name].default) for name in _settings_in(decision.text, settings))
    return Entry(decision.id, decision.family, DECISION, decision.basis, decision.text, None, None, named, (), None)


def _settings_in(text: str, settings: Settings) -> Iterator[str]:
    """The settings that a text names; `rate_limits.{plan}` and `partner.lead_times.*` name several."""
    patterns = {_PLACEHOLDER.sub(".+", re.escape(word)) for word in _CODE.findall(text)}
    named = re.compile("|".join(sorted(patterns)) or "(?!)")
    return (name for name in settings if named.fullmatch(name))


NOT_RUN = "not_run"


class Selection(msgspec.Struct, frozen=True):
    """Conditions that an entry must meet, all of them. An empty one is met by every entry.

    `ids` are ids or beginnings of them: `P-6` selects P-6.1, P-6.2 and so on. `decided` None selects statements and
    decisions alike. `without_test` selects the statements that no test names. `text` is looked for in any letter case.
    """

    ids: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    decided: bool | None = None
    without_test: bool = False
    text: str = ""

    def of(self, entries: Iterable[Entry]) -> list[Entry]:
        """The entries that meet all conditions."""
        return [entry for entry in entries if self._meets(entry)]

    def _meets(self, entry: Entry) -> bool:
        return (
            (not self.ids or any(_is_under(entry.id, wanted) for wanted in self.ids))
            and _one_of(entry.family, self.families)
            and _one_of(entry.kind, self.kinds)
            and _one_of(entry.basis, self.bases)
            and (self.decided is None or self.decided is not entry.is_statement)
            and (not self.outcomes or (entry.is_statement and (entry.outcome or NOT_RUN) in self.outcomes))
            and not (self.without_test and (entry.tests or not entry.is_statement))
            and self.text.casefold() in entry.text.casefold()
        )


def _one_of(value: str, wanted: tuple[str, ...]) -> bool:
    return not wanted or value in wanted


def _is_under(entry_id: str, wanted: str) -> bool:
    return entry_id == wanted or entry_id.startswith(f"{wanted}.")
