"""The sources of something: statements of the documents and decisions, with how sure each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from giftsim.engine.control.pagination import number_rows, respond_with_page
from giftsim.engine.control.services import services_of
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.documents import Documents, MachineText, TriggerText
from giftsim.engine.gateway.sources import OWN
from giftsim.engine.kernel.state_machine import Machine, Row


def source_views(documents: Documents, ids: Sequence[str]) -> list[dict[str, Any]]:
    """The sources with these ids. What no document and no decision says is giftsim's own."""
    bases, observed = documents.bases(), documents.observed
    return [
        {"id": each, "basis": bases.get(each, OWN)}
        | ({"observed": to_builtins(observed[each])} if each in observed else {})
        for each in ids
    ]


def list_machines(call: Call) -> Response:
    """List the machines. The first call reads their texts."""
    service = services_of(call).service
    documents = service.documents
    return respond_with_page(
        call, "machines", number_rows(service.definitions.machines), lambda row: machine_view(documents, row)
    )


def machine_view(documents: Documents, machine: Machine[Any]) -> dict[str, Any]:
    """A machine: its states, its transitions and its sources."""
    text = documents.machines().get(machine.name) or _without_text(machine)
    states = [
        {"state": state, "initial": state in machine.initial, "final": state in machine.final}
        for state in machine.states
    ]
    return {
        "name": machine.name,
        "about": text.about,
        "states": states,
        "transitions": [_transition(documents, row, text.triggers[row.trigger]) for row in machine.rows],
        "sources": source_views(documents, text.source),
    }


def _without_text(machine: Machine[Any]) -> MachineText:
    """What to say of a machine that has no text."""
    triggers = {row.trigger: TriggerText(source=(), does=row.trigger) for row in machine.rows}
    return MachineText("", (), triggers)


def _transition(documents: Documents, row: Row, text: TriggerText) -> dict[str, Any]:
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
        "sources": source_views(documents, text.source),
    }
