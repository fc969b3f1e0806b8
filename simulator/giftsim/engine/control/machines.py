"""The sources of something: statements of the documents and decisions, with how sure each is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from giftsim.engine.control.pagination import numbered, page
from giftsim.engine.control.services import services_of
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.sources import OWN
from giftsim.engine.kernel.state_machine import Machine, Row
from giftsim.services.statements.decision import load_decisions
from giftsim.services.statements.entry import statement_entries
from giftsim.services.statements.machine_texts import MachineText, TriggerText, load_texts


def source_views(ids: Sequence[str]) -> list[dict[str, str]]:
    """The sources with these ids. What no document and no decision says is giftsim's own."""
    return [{"id": each, "basis": bases().get(each, OWN)} for each in ids]


@cache
def bases() -> Mapping[str, str]:
    """How sure each statement and each decision is, by id. The first call reads the files."""
    statements = {entry.id: entry.basis for entry in statement_entries()}
    return {**statements, **{decision.id: decision.basis for decision in load_decisions().values()}}


def list_machines(call: Call) -> Response:
    """List the machines. The first call reads their texts."""
    return page(call, "machines", numbered(services_of(call).machines), machine_view)


def machine_view(machine: Machine[Any]) -> dict[str, Any]:
    """A machine: its states, its transitions and its sources."""
    text = load_texts().machines.get(machine.name) or _without_text(machine)
    states = [
        {"state": state, "initial": state in machine.initial, "final": state in machine.final}
        for state in machine.states
    ]
    return {
        "name": machine.name,
        "about": text.about,
        "states": states,
        "transitions": [_transition(row, text.triggers[row.trigger]) for row in machine.rows],
        "sources": source_views(text.source),
    }


def _without_text(machine: Machine[Any]) -> MachineText:
    """What to say of a machine that has no text."""
    triggers = {row.trigger: TriggerText(source=(), does=row.trigger) for row in machine.rows}
    return MachineText("", (), triggers)


def _transition(row: Row, text: TriggerText) -> dict[str, Any]:
    timing = text.timing(row.state)
    return {
        "from": row.state,
        "trigger": row.trigger,
        "to": row.target,
        "by_itself": row.after is not None,
        "because": row.after.because if row.after else None,
        "conditional": row.guard is not None,
        "does": text.does,
        "after": timing.after or None,
        "settings": list(timing.settings),
        "sources": source_views(text.source),
    }
