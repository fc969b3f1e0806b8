"""Why an order, gift or campaign is not where it was expected: what its life still waits for, and how it ended."""

from __future__ import annotations

from typing import Final

from giftsim.engine.kernel.instants import format_instant, format_wait
from giftsim.engine.webhooks.fan_out import SENT_AT_ONCE, next_run
from giftsim.workbench.why import mends
from giftsim.workbench.why.about import STATUS
from giftsim.workbench.why.facts import WORDS, Entry, Facts, Subject, mark, newest_entry
from giftsim.workbench.why.forecast import Forecast, forecast, status_of
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import Verdict


def not_due(facts: Facts) -> Verdict | None:
    """What was expected comes by itself, and the clock has not reached it."""
    if facts.expected is None:
        return None
    for subject in facts.subjects:
        if has_come(facts, subject) or not facts.timers_of(subject):
            continue
        found = forecast(facts.state, subject, facts.expected)
        if found is not None:
            return _not_due_verdict(facts, subject, found)
    return None


def has_come(facts: Facts, subject: Subject) -> bool:
    """Whether what is expected of a subject is so already, or was at some time."""
    assert facts.expected is not None
    if facts.expected.kind == "event":
        return bool(facts.events_of(subject, facts.expected.value))
    return status_of(facts.state, subject, facts.expected.value) == facts.expected.value


def _not_due_verdict(facts: Facts, subject: Subject, found: Forecast) -> Verdict:
    timer = facts.timers_of(subject)[0]
    due_ms, how = found.at_ms, ""
    if found.event is not None and not facts.state.handler(SENT_AT_ONCE)(found.event.kind, found.event.owner):
        due_ms = next_run(facts.state, found.at_ms, inclusive=True)
        how = f", and sent by the hourly run at {format_instant(due_ms)}" if due_ms > found.at_ms else ""
    by = format_wait(due_ms - facts.state.now_ms)
    now, when, wanted = facts.now, format_instant(found.at_ms), facts.expected and facts.expected.value
    last = newest_entry((*facts.of_kind("advance"), *facts.of_kind("clock")))
    return Verdict(
        kind="not_due",
        sentence=f"{wanted} of {subject} is due at {when}{how}, and the clock is at {now}: advance {by} more",
        marks=(
            mark(facts.entry(timer["by"]), f"since then, {timer['because']} at {timer['due']}"),
            *((mark(last, "the clock stopped before"),) if last is not None and last["n"] != timer["by"] else ()),
        ),
        mend=mends.advance(by),
    )


def gone_past(facts: Facts) -> Verdict | None:
    """What was asked for had the expected status before, and went on from it."""
    if facts.expected is None or facts.expected.kind != STATUS:
        return None
    expected, seen = facts.expected.value, facts.failure.actual
    for subject in facts.subjects:
        for key in subject.keys:
            now = facts.final.get(key, {}).get("status")
            if seen not in (now, None) or (facts.names_none and seen is None):
                continue
            if (step := _step_from(facts, key, expected)) is not None and now != expected:
                return _gone_past(facts, key, subject, step)
    return None


def _step_from(facts: Facts, key: str, status: str) -> Entry | None:
    """The last entry with which a record went on from a status."""
    for entry in reversed(facts.changing(key)):
        change = facts.change(entry, key)
        if change is not None and change["what"] == "changed" and change["members"].get("status", (None,))[0] == status:
            return entry
    return None


def _gone_past(facts: Facts, key: str, subject: Subject, step: Entry) -> Verdict:
    change, record, now = facts.change(step, key), facts.records[key], facts.final[key]["status"]
    assert change is not None
    was, then = change["members"]["status"]
    what = str(subject) if record["kind"] in (subject.ref, WORDS[subject.ref]) else f"the {record['kind']} of {subject}"
    return Verdict(
        kind="gone_past",
        sentence=f"{what} was {was} until {step['at']}, when it became {then} ({step['title']}, entry {step['n']})"
        + ("" if now == then else f", and it is {now} now"),
        marks=(mark(step, f"took it from {was} to {then}"),),
        why_not=f"nothing takes it back: ask before {step['at']}, or leave entry {step['n']} out",
    )


RULES: Final = (Rule("gone_past", gone_past), Rule("not_due", not_due))
