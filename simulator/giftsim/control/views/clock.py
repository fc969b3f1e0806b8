"""Timers and results of advances, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.kernel.timer import Timer
from giftsim.webhooks.attempt import Attempt
from giftsim.webhooks.endpoint import ENDPOINT
from giftsim.webhooks.event import EVENT
from giftsim.webhooks.fan_out import HOURLY_RUN_TIMER
from giftsim.worlds.advance import next_due
from giftsim.worlds.advance_report import MAX_LISTED, AdvanceReport, subject_label


def timer(state: State, timer: Timer) -> dict[str, Any]:
    """A timer: when it is due, its kind, its subject and why it exists."""
    subject = "webhooks" if timer.kind == HOURLY_RUN_TIMER else subject_label(state, timer)
    return {"due": format_instant(timer.due_ms), "kind": timer.kind, "subject": subject, "because": timer.because}


def advance(
    state: State, report: AdvanceReport, attempts: Sequence[Attempt], *, dry_run: bool, fired: bool
) -> dict[str, Any]:
    """The result of an advance, with the list of timers if `fired`. Lists are cut, counts are not."""
    return {
        "from": format_instant(report.from_ms),
        "to": format_instant(report.to_ms),
        **({"fired": report.listed} if fired else {}),
        "fired_count": report.count,
        "fired_by_kind": dict(sorted(report.count_by_kind.items())),
        "hourly_runs": report.hourly_runs,
        "changed": list(report.changed.values()),
        "deliveries": [attempt_summary(state, row) for row in attempts[:MAX_LISTED]],
        "delivery_count": len(attempts),
        "next_due": format_instant(next_due(state)),
        "slow": [
            {"host": host, "cost_s": round(cost_s, 3)}
            for host, cost_s in sorted(report.cost_s.items(), key=lambda item: (-item[1], item[0]))
        ],
        "dry_run": dry_run,
    }


def attempt_summary(state: State, attempt: Attempt) -> dict[str, Any]:
    """An attempt without its request."""
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
