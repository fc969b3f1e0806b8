"""Findings of an exam: rules that are broken in one way are one finding, which the rule that says it best begins."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from giftsim.workbench.app.reasons import kind_of
from giftsim.workbench.exam.exam import GUESSES
from giftsim.workbench.exam.receiver.probes import BY_NAME, RULE_OF
from giftsim.workbench.exam.service_books import STAGES
from giftsim.workbench.exam.told_apart import IN_COMMON
from giftsim.workbench.exam.without_start import KEPT

Row: TypeAlias = Mapping[str, Any]

# What differs from rule to rule within one kind of reason, beside numbers and ids: what is quoted, emails, event types.
_VARYING: Final = re.compile(r"'[^']*'|\"[^\"]*\"|[\w.+-]+@[\w.-]+|\b[a-z_]+\.[a-z_]+\b")
_STAGE: Final = re.compile(rf"\b({'|'.join(STAGES)})\b")
_ORDERED: Final = re.compile(r"was ordered \d+ times$|ordered it anew: \d+ times")
# The kinds of reasons that have a rule which says more than the words of the reason: from the cause to what follows.
_LEAD: Final[Mapping[str, tuple[str, ...]]] = {
    "ordered": (
        "orders_once", "pays_once", "waits_out_unknown_outcomes", "retries_server_errors",
        "pays_declined_orders_later", "corrects_refused_orders",
    ),
    "refused": ("verifies_raw_bytes",),
    "started": ("survives_restarts", "shares_work"),
}  # fmt: skip
_NOT_BOOKED: Final = re.compile("booked (it )?0( times)?\\b")
# Whichever rule shows it, and with whichever webhook: the app did not accept what is genuine.
_REFUSED: Final = re.compile(
    r"a genuine webhook (of type .* )?was answered|, where 2xx is right|the server at \S+ answered [45]\d\d to",
    re.IGNORECASE,
)
_CAUSES: Final = re.compile(f"{IN_COMMON} (.*)")
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
        {"rules": [row["id"] for row in _best_first(kind, same)]}
        for kind, same in sorted(kinds.items(), key=lambda item: len(item[1]), reverse=True)
    ]


def _kind(row: Row) -> str:
    """What all rules share that are broken in one way: the reason without names, numbers and ids."""
    if KEPT in row["reason"]:
        return "started"
    if _REFUSED.search(f"{row['reason']} {row['why']}"):
        return "refused"
    if _NOT_BOOKED.search(row["reason"]):
        return "not booked"
    if _ORDERED.search(row["reason"]):
        return "ordered"
    return kind_of(_STAGE.sub("#", _VARYING.sub("#", row["reason"])))


def _best_first(kind: str, rows: Sequence[Row]) -> list[Row]:
    """The rules of a finding, first the one that says it best.

    Guesses never lead: that the app leans on one is told alone. Otherwise the rule leads that is about what all refused
    webhooks have in common, then the one that is nearest to the cause, then the one whose reason is most about it.
    """
    causes, lead = _causes(rows), _LEAD.get(kind, ())

    def says(row: Row) -> tuple[bool, int, int, int]:
        place = lead.index(row["id"]) if row["id"] in lead else len(lead)
        return row["id"] != GUESSES, len(causes & _words(f"{row['id']} {row['rule']}")), -place, _says(row)

    best = max(rows, key=says)  # of several the first
    return [best, *(row for row in rows if row is not best)]


def _causes(rows: Sequence[Row]) -> set[str]:
    """The words of what refused webhooks have in common, as far as a rule showed one such thing alone."""
    found = [match[1].split(" and ") for row in rows if (match := _CAUSES.search(row["reason"]))]
    return {word for causes in found if len(causes) == 1 for word in _words(causes[0])}


def _says(row: Row) -> int:
    """How much the reason is about the rule: it is shown by the rule's own probe, or has its words."""
    sent = _SENT.search(row["reason"])
    is_own = sent is not None and _RULE_BY_SENT.get(sent[1]) == row["id"]
    return 3 * is_own + len(_words(row["reason"]) & _words(f"{row['id']} {row['rule']}"))


def _words(text: str) -> set[str]:
    """The words of a text, without what plurals add."""
    return {word.rstrip("s") for word in _WORD.findall(text.lower())}
