"""Changes of a world, as JSON and as server-sent events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from giftsim.control.labels import event_label, shipment_label
from giftsim.control.redaction import redact_text
from giftsim.control.subjects import Subject, event_subject, recipient_subject, subject, timer_subject
from giftsim.domain.fulfilment.mail import MAILS
from giftsim.domain.fulfilment.recipient import RECIPIENTS
from giftsim.gateway.faults.table import FAULTS
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.kernel.timer import Timer
from giftsim.webhooks.attempt import ATTEMPT
from giftsim.webhooks.endpoint import ENDPOINT
from giftsim.webhooks.event import EVENT
from giftsim.webhooks.fan_out import HOURLY_RUN_TIMER
from giftsim.worlds import changes
from giftsim.worlds.advance_report import subject_label
from giftsim.worlds.changes import Change
from giftsim.worlds.world import World

Described = tuple[Subject | None, str]
NOT_KEPT = "it is not kept any more"


def change_view(world: World, state: State, change: Change) -> dict[str, Any]:
    """A change. What it is about is described as it is now; `to` is the number to which a rewind went back."""
    try:
        about, summary = _DESCRIBE[change.kind](world, state, change.about)
    except LookupError:  # a bounded list of the state dropped it
        about, summary = None, NOT_KEPT
    view = {"n": change.n, "at": format_instant(change.at_ms), "kind": change.kind, "subject": about}
    to = {"to": change.about[0]} if change.kind == changes.REWOUND else {}
    return {**view, "summary": summary, **to}


def server_sent(view: Mapping[str, Any]) -> bytes:
    """A change as a server-sent event."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (view["n"], view["kind"].encode(), msgspec.json.encode(view))


def _call(world: World, _state: State, seq: int) -> Described:
    entry = world.call_log.entry(seq)
    status = "no response" if entry.status is None else entry.status
    return subject("call", seq), f"{entry.method} {redact_text(entry.path)}: {status}"


def _claim(_world: World, state: State, n: int) -> Described:
    recipient = state[RECIPIENTS].get(n)
    return recipient_subject(state, n), f"{recipient.name}: {shipment_label(state, recipient.shipment)}"


def _event(_world: World, state: State, n: int) -> Described:
    event = state[EVENT].get(n)
    return event_subject(state, n), f"{event.kind}: {event_label(state, event)}"


def _delivery(_world: World, state: State, n: int) -> Described:
    attempt = state[ATTEMPT].get(n)
    url = state[ENDPOINT].get(attempt.endpoint).url
    status = "" if attempt.status is None else f" {attempt.status}"
    outcome = "under way" if attempt.outcome is None else f"{attempt.outcome}{status}"
    words = f"{attempt.kind}, attempt {attempt.number} to {url}: {outcome}"
    return subject("delivery", attempt.seq), redact_text(words)


def _mail(_world: World, state: State, n: int) -> Described:
    mail = state[MAILS].get(n)
    return subject("mail", n + 1), f"{mail.kind} to {mail.to}: {mail.subject}"


def _fault(_world: World, state: State, name: str) -> Described:
    is_listed = state[FAULTS].find("id", name) is not None
    return subject("fault", name) if is_listed else None, f"{name} acted"


def _hold(_world: World, state: State, name: str) -> Described:
    return _fault(_world, state, name)[0], f"{name} holds a call"


def _timer(_world: World, state: State, timer: Timer) -> Described:
    label = "webhooks" if timer.kind == HOURLY_RUN_TIMER else subject_label(state, timer)
    return timer_subject(state, timer.owner, timer.subject), f"{timer.kind}: {label}, {timer.because}"


def _snapshot(_world: World, _state: State, about: tuple[str, str]) -> Described:
    name, what = about
    return subject("snapshot", name), f"the snapshot {name} was {what}"


def _rewound(_world: World, _state: State, about: tuple[int, str]) -> Described:
    return None, about[1]


def _in_words(_world: World, _state: State, about: str) -> Described:
    return None, about


_DESCRIBE: Mapping[str, Callable[[World, State, Any], Described]] = MappingProxyType(
    {
        changes.CALL: _call,
        changes.CLAIM: _claim,
        changes.CONTROL: _in_words,
        changes.EVENT_KIND: _event,
        changes.DELIVERY: _delivery,
        changes.MAIL: _mail,
        changes.FAULT: _fault,
        changes.HOLD: _hold,
        changes.TIMER: _timer,
        changes.CLOCK: _in_words,
        changes.SNAPSHOT: _snapshot,
        changes.REWOUND: _rewound,
        changes.DROPPED: _in_words,
    }
)
