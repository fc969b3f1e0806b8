"""Timers and what an advance did, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.kernel.timer import Timer
from giftsim.webhooks.attempt import Attempt
from giftsim.webhooks.endpoint import ENDPOINT
from giftsim.webhooks.event import EVENT
from giftsim.webhooks.sourcing import SOURCE_TIMER
from giftsim.worlds.advance import next_due
from giftsim.worlds.advance_result import MOST_LISTED, Trace, named


def timer(state: State, timer: Timer) -> dict[str, Any]:
    """What is due, when, for what and why."""
    subject = "webhooks" if timer.kind == SOURCE_TIMER else named(state, timer)
    return {"due": format_instant(timer.due_ms), "kind": timer.kind, "subject": subject, "because": timer.because}


def advance(state: State, trace: Trace, attempts: Sequence[Attempt], *, dry_run: bool) -> dict[str, Any]:
    """What happened on the way; lists are cut at 1,000 entries, counts are not."""
    return {
        "from": format_instant(trace.from_ms),
        "to": format_instant(trace.to_ms),
        "fired": trace.listed,
        "fired_count": trace.count,
        "deliveries": [attempted(state, row) for row in attempts[:MOST_LISTED]],
        "delivery_count": len(attempts),
        "next_due": format_instant(next_due(state)),
        "slow": [
            {"host": host, "cost_s": round(cost_s, 3)}
            for host, cost_s in sorted(trace.cost_s.items(), key=lambda item: (-item[1], item[0]))
        ],
        "dry_run": dry_run,
    }


def attempted(state: State, attempt: Attempt) -> dict[str, Any]:
    """One attempt in short."""
    return {
        "seq": attempt.seq,
        "at": format_instant(attempt.at_ms),
        "event_id": state[EVENT].get(attempt.event).id,
        "type": attempt.kind,
        "url": state[ENDPOINT].get(attempt.endpoint).url,
        "attempt": attempt.number,
        "outcome": attempt.outcome,
        "status": attempt.status,
    }
