"""One entry for each statement and each decision: what it says, how sure it is, and the tests that show it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from giftsim.engine.gateway.documents import DECISION, Documents, Entry, NamedSetting, Settings, ShowingTest
from giftsim.services.statements.decision import DOCUMENTED, IN_PART, INFERRED, Decision, load_decisions
from giftsim.services.statements.machine_texts import load_texts
from giftsim.services.statements.statement import (
    NONE,
    Outcomes,
    Statement,
    UnreadableOutcomes,
    load_statements,
    outcomes_path,
    read_outcomes,
    showing_tests,
    statement_texts,
    worst,
)

WHOLE = "the whole statement"
FORMER_NAME: Final = "claims"  # of the command, the path and the members; gone in the next release
_CODE = re.compile(r"`([a-z][\w.{}*]+)(?:: [^`]*)?`")
_PLACEHOLDER = re.compile(r"\\\{(?!w\\)\w+\\\}|\\\*")  # not `{w}`, which is the id of a world


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


# ---- What the engine reads


def _entries(settings: Settings) -> Sequence[Entry]:
    """All entries, with the outcomes of the checkout's test runs if the file has any."""
    try:
        return all_entries(settings, read_outcomes(outcomes_path()))
    except UnreadableOutcomes:
        return all_entries(settings)


@cache
def _bases() -> Mapping[str, str]:
    statements = {entry.id: entry.basis for entry in statement_entries()}
    return {**statements, **{decision.id: decision.basis for decision in load_decisions().values()}}


DOCUMENTS: Final = Documents(_entries, _bases, lambda: load_texts().machines, FORMER_NAME)
