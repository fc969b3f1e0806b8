"""The state machines of the documentation: a diagram, what each trigger does, and what falls due by itself when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from giftsim.build import MACHINES, make_definitions
from giftsim.claims.machine_texts import TriggerText, load_texts
from giftsim.docgen.markdown import anchor, table, written
from giftsim.docgen.source_counts import linked_sources
from giftsim.kernel.instants import format_duration
from giftsim.kernel.state_machine import Machine
from giftsim.webhooks.delivery import LADDER_MS


def machine_list() -> str:
    """Every machine with what it is the life of, in one line each."""
    rows = []
    for machine in MACHINES:
        text = load_texts().machines[machine.name]
        name = f"[{machine.name}](state-machines.md#{anchor(machine.name)})"
        rows.append((name, text.about, str(len(machine.states)), str(len(machine.rows)), linked_sources(text.source)))
    return table(("machine", "is", "states", "transitions", "source"), rows)


def machines() -> str:
    """Every machine: what it is, its diagram, its triggers, and its timetable."""
    return "\n\n".join(part for machine in MACHINES for part in _machine(machine))


def timers() -> str:
    """What falls due by itself beside the rows of machines."""
    rows = (_timer_row(kind, text) for kind, text in load_texts().timers.items())
    return table(("timer", "does", "when", "setting (default)", "source"), rows)


def _machine(machine: Machine[Any]) -> Iterator[str]:
    text = load_texts().machines[machine.name]
    yield f"## {machine.name}"
    yield f"{text.about} ({linked_sources(text.source)})"
    yield f"![The states of a {machine.name.replace('_', ' ')}](machines/{machine.name}.svg)"
    rows = (
        (f"`{name}`", _moves(machine, name), trigger.does, linked_sources(trigger.source))
        for name, trigger in text.triggers.items()
    )
    yield table(("trigger", "from and to", "means", "source"), rows)
    if timed := [(name, trigger) for name, trigger in text.triggers.items() if trigger.after]:
        yield "By itself:"
        yield _timetable(machine, timed)


def _timetable(machine: Machine[Any], timed: Iterable[tuple[str, TriggerText]]) -> str:
    rows = []
    for name, trigger in timed:
        states = [row.state for row in machine.rows if row.trigger == name and row.after]
        label, _, *when = _timer_row(name, trigger)
        rows.append((_named(states or [row.state for row in machine.rows if row.trigger == name]), label, *when))
    return table(("in state", "trigger", "when", "setting (default)", "source"), rows)


def _moves(machine: Machine[Any], trigger: str) -> str:
    """The states that a trigger leaves and those that it leads to: `paused` to `stopped`."""
    targets: dict[str, list[str]] = {}
    for row in machine.rows:
        if row.trigger == trigger:
            targets.setdefault(row.target, []).append(row.state)
    return "; ".join(f"{_named(states)} to `{target}`" for target, states in targets.items())


def _named(states: Iterable[str]) -> str:
    return ", ".join(f"`{state}`" for state in states)


def _timer_row(name: str, text: TriggerText) -> tuple[str, ...]:
    settings = make_definitions().settings
    named = ", ".join(f"`{setting}` ({written(settings[setting].default)})" for setting in text.settings)
    ladder = ", ".join(format_duration(gap) for gap in LADDER_MS)
    return f"`{name}`", text.does, text.after.replace("{ladder}", ladder), named, linked_sources(text.source)
