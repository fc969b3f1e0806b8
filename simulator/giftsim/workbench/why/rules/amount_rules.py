"""Why amounts differ: what the app says, and what the service answered, refunded or replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from giftsim.workbench.why.asked import READS, answer_of, call_succeeded, is_about_app, name_call
from giftsim.workbench.why.facts import Entry, Facts, mark
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import Verdict

_NUMBER: Final = re.compile(r"(?<![\w.-])\d+(?![\w.-]*\d)", re.ASCII)
MOST_CALLS = 500  # whose answers are looked at, the newest ones
_LEAST: Final = 100  # cents; smaller numbers are counts
APP_ONLY: Final = "no line outside the app helps: it is the app's own record that differs"


def other_amount(facts: Facts) -> Verdict | None:
    """The app names an amount that the service did not: a cent less or more, or the whole where a part was refunded."""
    if not is_about_app(facts):
        return None
    named = [number for text in _NUMBER.findall(facts.failure.message) if (number := int(text)) >= _LEAST]
    amounts = list(_amounts(facts, named)) if len(named) > 1 else []
    told = {amount.cents: amount for amount in amounts}
    for theirs in named:
        for own in named:
            if theirs not in told or own == theirs:
                continue
            if own not in told and abs(own - theirs) == 1:
                return _one_cent(told[theirs], own)
            if own in told and (found := _whole_refund(amounts, theirs, own)) is not None:
                return found
    return None


class Amount(NamedTuple):
    """An amount that a call was answered with, and the member that has it."""

    entry: Entry
    member: str
    cents: int


def _amounts(facts: Facts, named: Sequence[int]) -> Iterator[Amount]:
    """The amounts of the answers with one of the numbers."""
    for entry in facts.calls[-MOST_CALLS:]:
        body = (entry["call"]["response"] or {}).get("body", "")
        if call_succeeded(entry) and any(f'_cents":{number}' in body for number in named):
            yield from (Amount(entry, *each) for each in _cents(answer_of(entry)))


def _cents(value: Any) -> Iterator[tuple[str, int]]:
    if isinstance(value, Mapping):
        for member, each in value.items():
            if isinstance(each, int) and str(member).endswith("_cents"):
                yield member, each
            else:
                yield from _cents(each)
    elif isinstance(value, list):
        for each in value:
            yield from _cents(each)


def _one_cent(amount: Amount, own: int) -> Verdict:
    less = "less" if own < amount.cents else "more"
    return Verdict(
        kind="other_amount",
        sentence=(
            f"{name_call(amount.entry)} (entry {amount.entry['n']}) answered {amount.member} {amount.cents}, and"
            f" the app"
            f" says"
            f" {own}, one cent {less}: a whole number of cents stays as it is, and a fraction of dollars is rounded"
        ),
        marks=(mark(amount.entry, f"answered {amount.member} {amount.cents}"),),
        why_not=APP_ONLY,
    )


def _whole_refund(amounts: Sequence[Amount], theirs: int, own: int) -> Verdict | None:
    refunds = [each for each in amounts if each.member == "refunded_cents" and each.cents == theirs]
    charges = [each for each in amounts if each.member == "charged_cents" and each.cents == own]
    canceled = [each for each in refunds if each.entry["call"]["request"]["method"] not in READS]
    if not canceled or not charges or theirs >= own:
        return None
    refund, charge = canceled[0], charges[0]
    return Verdict(
        kind="other_amount",
        sentence=(
            f"{name_call(refund.entry)} (entry {refund.entry['n']}) refunded {theirs}, a part of what was charged, and"
            f" the app"
            f" counts {own}, the whole that {name_call(charge.entry)} charged (entry {charge.entry['n']})"
        ),
        marks=(mark(charge.entry, f"charged {own}"), mark(refund.entry, f"refunded {theirs}")),
        why_not=APP_ONLY,
    )


def outdated_amount(facts: Facts) -> Verdict | None:
    """The app names the amount of an approval that another one has replaced."""
    if not is_about_app(facts):
        return None
    named = {int(text) for text in _NUMBER.findall(facts.failure.message)}
    approvals = [(key, facts.final[key]) for key in facts.keys("approval")]
    for key, row in approvals:
        change = facts.became(key, "status", "superseded")
        newer = [other for other, each in approvals if each.get("amount_cents") in named - {row.get("amount_cents")}]
        if row.get("status") != "superseded" or row.get("amount_cents") not in named or change is None or not newer:
            continue
        ids = facts.records[key]["id"], facts.records[newer[-1]]["id"]
        amounts = row["amount_cents"], facts.final[newer[-1]]["amount_cents"]
        return Verdict(
            kind="superseded",
            sentence=(
                f"approval {ids[0]} of {amounts[0]} was superseded (entry {change['n']}) by approval {ids[1]} of"
                f" {amounts[1]}, and the app counts {amounts[0]}"
            ),
            marks=(mark(change, f"superseded the approval of {amounts[0]}"),),
            why_not=APP_ONLY,
        )
    return None


RULES: Final = (Rule("superseded", outdated_amount), Rule("other_amount", other_amount))
