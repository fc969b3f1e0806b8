"""Findings of an exam: rules that are broken in one way are one finding, which the rule that says it best begins."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from giftsim.workbench.app.reasons import kind_of
from giftsim.workbench.exam.receiver.probes import BY_NAME, RULE_OF
from giftsim.workbench.exam.service_books import STAGES

Row: TypeAlias = Mapping[str, Any]

# What differs from rule to rule within one kind of reason, beside numbers and ids: what is quoted, emails, event types.
_VARYING: Final = re.compile(r"'[^']*'|\"[^\"]*\"|[\w.+-]+@[\w.-]+|\b[a-z_]+\.[a-z_]+\b")
_STAGE: Final = re.compile(rf"\b({'|'.join(STAGES)})\b")
_NOT_BOOKED: Final = re.compile("booked (it )?0( times)?\\b")
# Whichever rule shows it, and with whichever webhook: the app did not accept what is genuine.
_REFUSED: Final = re.compile(
    r"a genuine webhook (of type .* )?was answered|, where 2xx is right|the server at \S+ answered [45]\d\d to",
    re.IGNORECASE,
)
_CAUSE: Final = re.compile(" (?:is that|and) (?:they|their JSON) ")  # see told_apart
_SENT: Final = re.compile(r"\(sent: (.*?)\)")
_WORD: Final = re.compile("[a-z]{4,}")
_RULE_BY_SENT: Final = {probe.sends: RULE_OF[name] for name, probe in BY_NAME.items()}


def findings(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The findings of an exam's rules: the ids of the rules that each broke, the one that says it best first.

    What breaks most rules comes first.
    """
    kinds: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row["outcome"] == "failed":
            kinds[_kind(row)].append(row)
    return [
        {"rules": [row["id"] for row in _best_first(same)]} for same in sorted(kinds.values(), key=len, reverse=True)
    ]


def _kind(row: Row) -> str:
    """What all rules share that are broken in one way: the reason without names, numbers and ids."""
    if _REFUSED.search(f"{row['reason']} {row['why']}"):
        return "refused"
    if _NOT_BOOKED.search(row["reason"]):
        return "not booked"
    return kind_of(_STAGE.sub("#", _VARYING.sub("#", row["reason"])))


def _best_first(rows: Sequence[Row]) -> list[Row]:
    best = max(rows, key=_says)  # of several the first
    return [best, *(row for row in rows if row is not best)]


def _says(row: Row) -> int:
    """How much the reason is about the rule: it names one cause, is shown by the rule's own probe, or has its words."""
    sent = _SENT.search(row["reason"])
    is_own = sent is not None and _RULE_BY_SENT.get(sent[1]) == row["id"]
    shared = _words(row["reason"]) & _words(f"{row['id']} {row['rule']}")
    causes = len(_CAUSE.findall(row["reason"]))
    return (causes and 20 // causes) + 3 * is_own + len(shared)


def _words(text: str) -> set[str]:
    """The words of a text, without what plurals add."""
    return {word.rstrip("s") for word in _WORD.findall(text.lower())}
