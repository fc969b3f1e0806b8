"""Every kind of step that is taken: how it is read out of a file, and what it does; the schema has each `NAME_step`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from giftsim.scenario import act, draft, exchange
from giftsim.scenario.draft import Draft
from giftsim.scenario.run import Done, Run
from giftsim.scenario.step import Step


class Kind(NamedTuple):
    """`read` makes the step of what stands in the file, `act` takes it."""

    read: Callable[[Draft], Step]
    act: Callable[[Run, Any], Done]


KINDS: Mapping[str, Kind] = {
    "call": Kind(draft.call, exchange.call),
    "app": Kind(draft.app, exchange.app),
    "control": Kind(draft.control, exchange.control),
    "await": Kind(draft.awaited, exchange.awaited),
    "simulate": Kind(draft.simulate, exchange.simulate),
    "advance": Kind(draft.advance, act.advance),
    "receiver": Kind(draft.receiver, act.receiver),
    "fault": Kind(draft.fault, act.fault),
    "settings": Kind(draft.settings, act.settings),
    "snapshot": Kind(draft.snapshot, act.snapshot),
    "restore": Kind(draft.restore, act.restore),
    "undo": Kind(draft.undo, act.undo),
    "fork": Kind(draft.fork, act.fork),
    "expect": Kind(draft.expect, act.expect),
}
