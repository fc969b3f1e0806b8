"""Timers and results of advances, as JSON."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any, NamedTuple

from giftsim.domain.fulfilment.mail import MAILS, Mail
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.kernel.timer import Timer
from giftsim.webhooks.attempt import ATTEMPT, Attempt
from giftsim.webhooks.endpoint import ENDPOINT
from giftsim.webhooks.event import EVENT, iter_events
from giftsim.webhooks.fan_out import HOURLY_RUN_TIMER
from giftsim.worlds.advance import next_due
from giftsim.worlds.advance_report import MAX_LISTED, AdvanceReport, subject_label

MAX_MAILS = 100


def timer(state: State, timer: Timer) -> dict[str, Any]:
    """A timer: when it is due, its kind, its subject and why it exists."""
    subject = "webhooks" if timer.kind == HOURLY_RUN_TIMER else subject_label(state, timer)
    return {"due": format_instant(timer.due_ms), "kind": timer.kind, "subject": subject, "because": timer.because}


class Start(NamedTuple):
    """The slots of the first attempt, event and mail of an advance."""

    attempt: int = 0
    event: int = 0
    mail: int = 0

    @classmethod
    def of(cls, state: State) -> Start:
        """The slots that come next."""
        return cls(state[ATTEMPT].next_n, state[EVENT].next_n, state[MAILS].next_n)


def advance(state: State, report: AdvanceReport, start: Start, *, dry_run: bool, fired: bool) -> dict[str, Any]:
    """The result of an advance, with the list of timers if `fired`. Lists are cut, counts are not."""
    to_ms = report.to_ms
    attempts = [row for row in state[ATTEMPT].rows[start.attempt :] if row and row.at_ms <= to_ms]
    events = Counter(event.kind for event in iter_events(state, start.event) if event.occurred_ms <= to_ms)
    mails = [mail for mail in state[MAILS].rows[start.mail :] if mail is None or mail.at_ms <= to_ms]
    return {
        "from": format_instant(report.from_ms),
        "to": format_instant(report.to_ms),
        **({"fired": report.listed} if fired else {}),
        "fired_count": report.count,
        "fired_by_kind": dict(sorted(report.count_by_kind.items())),
        "hourly_runs": report.hourly_runs,
        "changed": list(report.changed.values()),
        "events_by_type": dict(sorted(events.items())),
        "deliveries": [attempt_summary(state, row) for row in attempts[:MAX_LISTED]],
        "delivery_count": len(attempts),
        "mail": [mail_summary(mail) for mail in islice(filter(None, mails), MAX_MAILS)],
        "mail_count": len(mails),
        "next_due": format_instant(next_due(state)),
        "slow": [
            {"host": host, "cost_s": round(cost_s, 3)}
            for host, cost_s in sorted(report.cost_s.items(), key=lambda item: (-item[1], item[0]))
        ],
        "canceled": report.canceled,
        "dry_run": dry_run,
    }


def mail_summary(mail: Mail) -> dict[str, Any]:
    """A mail without its links, which differ on the copy that a dry run advances."""
    return {
        "seq": mail.n + 1, "at": format_instant(mail.at_ms), "to": mail.to, "kind": mail.kind, "subject": mail.subject,
    }  # fmt: skip


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
