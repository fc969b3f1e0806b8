"""What is said when no rule holds: what happened last and what is due next, marked as no cause."""

from __future__ import annotations

from giftsim.workbench.why.facts import Facts, mark, newest_entry
from giftsim.workbench.why.verdict import Verdict


def describe_last_and_next(facts: Facts) -> Verdict:
    """No rule holds: what happened last, and what is due next, of what the question is about."""
    changed = [facts.changing(*each.keys) for each in facts.subjects]
    happened = next(entry for entry in reversed(facts.entries) if entry["kind"] != "failure")
    last = facts.called or newest_entry(entry for entries in changed for entry in entries) or happened
    due = sorted((timer for each in facts.subjects for timer in facts.timers_of(each)), key=lambda timer: timer["due"])
    then = f"next is {due[0]['because']!r} at {due[0]['due']}" if due else "nothing is due next"
    return Verdict(
        kind="unknown",
        sentence=f"no cause is known; last was {last['title']!r} at {last['at']}, and {then}, neither of them a cause",
        marks=(mark(last, "happened last, and is not the cause"),),
        why_not="no cause is known, so no line is known to change it",
    )
