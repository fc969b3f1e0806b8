"""The next step of every gap: why it matters, what produces it, and a test to paste for pytest and for Vitest.

Most of it is made from the contracts, the state machines and their texts; `next_steps.yaml` has what they do not say.
An event that it does not have happens as in a scenario of the library.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from giftsim.engine.kernel.state_machine import Machine
from giftsim.services.statements.statement import load_statements
from giftsim.workbench.coverage.items import INTERFACES, Items
from giftsim.workbench.coverage.skeletons import Gap, pytest_skeleton, vitest_skeleton
from giftsim.workbench.coverage.stories import Row, Story, Teller, read_table
from giftsim.workbench.recording.as_test.acts import Act
from giftsim.workbench.scenario.library import Library

Steps = Sequence[Row]


class Way(NamedTuple):
    """How a gap is met: by calls of an interface, in these steps, and why that matters."""

    interface: str
    steps: Steps
    why: str


class NoWay(LookupError):
    """The tables do not say how an item is met, which is of a service that they do not know."""


class NextSteps:
    """Finds the next steps of gaps."""

    def __init__(self, items: Items) -> None:
        self._contracts = items.contracts
        self._machines = {machine.name: machine for machine in items.machines}
        self._operations = {item.name: key for key, item in items.operations.items()}
        self._errors = {
            name: (key, error) for key, item in items.operations.items() for error, name in item.errors.items()
        }
        self._events = {name: key for key, name in items.events.items()}
        self._teller = Teller(items.contracts)
        self._table = read_table("next_steps.yaml")
        self._texts = items.service.documents.machines()
        self._verbs = {about: verb for each in items.service.coverage for about, verb in each.verbs().items()}
        self._scenarios = {item: name for name, items in self._table["scenarios"].items() for item in items}

    def of(self, missing: Mapping[str, Iterable[str]], interfaces: Iterable[str]) -> list[dict[str, str]]:
        """The next steps of all that is missing, by area, for an app that calls these interfaces."""
        called = tuple(interfaces)
        found = []
        for area, items in missing.items():
            for item in items:
                with suppress(NoWay):
                    found.append(self.step(area, item, called))
        return found

    def step(self, area: str, item: str, interfaces: Iterable[str] = INTERFACES) -> dict[str, str]:
        """The next step of an item that was not met, for an app that calls these interfaces. NoWay."""
        way = self._way(area, item, tuple(interfaces))
        story = self._teller.tell(way.interface, list(self._parts(way.interface, way.steps)))
        gap = Gap(area, item, way.why)
        return {
            "gap": item, "why": way.why, **_cause(story, self._scenarios.get(item)),
            "pytest": pytest_skeleton(gap, story), "vitest": vitest_skeleton(gap, story),
        }  # fmt: skip

    def _way(self, area: str, item: str, interfaces: Sequence[str]) -> Way:
        known = self._operations.get(item) or self._events.get(item) or self._errors.get(item, [None])[0]
        if known is not None and known[0] not in read_table("obvious_calls.yaml"):
            raise NoWay(item)
        match area:
            case "operations":
                return self._operation(item)
            case "errors":
                return self._error(item)
            case "events":
                return self._event(item)
            case "transitions":
                return self._transition(item, interfaces)
        return self._situation(area, item, interfaces)

    def _parts(self, interface: str, steps: Steps) -> Iterator[Row]:
        """The steps, with those of parts in place of their names and lists of steps flattened."""
        for step in steps:
            if isinstance(step, list):
                yield from self._parts(interface, step)
            elif "do" in step:
                more = {name: value for name, value in step.items() if name != "do"}
                part = self._parts(interface, self._table["parts"][interface][step["do"]])
                yield from ({**each, **more} for each in part)
            else:
                yield step

    def _operation(self, item: str) -> Way:
        interface, name = self._operations[item]
        node = self._contracts[interface].operations[name].node
        return Way(interface, [{"call": name}], _sentence(node["summary"], node["x-source"]))

    def _error(self, item: str) -> Way:
        (interface, name), (status, code) = self._errors[item]
        entries = self._contracts[interface].document["x-errors"]
        entry = max((each for each in entries if each["code"] == code), key=lambda each: each["status"] == status)
        causes = self._table["errors"].get(interface, {})
        cause = causes.get(f"{code} {status}") or causes.get(code)
        if cause is None or name not in cause.get("for", [name]):
            match = {"interface": interface, "operation": name}
            cause = {"before": [{"fault": {"status": status, "code": code}, "match": match}]}
        call = {**cause, "call": name}
        return Way(
            interface, [call], f"{_sentence(entry['meaning'], entry['x-source'])} {self._table['statuses'][status]}"
        )

    def _event(self, item: str) -> Way:
        interface, kind = self._events[item]
        node = self._contracts[interface].document["webhooks"][kind]["post"]
        steps = self._table["events"][interface].get(kind) or [{"scenario": name} for name in scenarios_of_event(kind)]
        subscribe: Row = {"subscribe": [kind]}
        if interface == "team":
            subscribe = {**subscribe, "url": "https://hooks.team.example/gifts", "credential": "team.live_approver"}
        first = () if any(str(step.get("call")).endswith("Webhook") for step in steps) else (subscribe,)
        return Way(interface, [*first, *steps], _sentence(node["summary"], node.get("x-source", ())))

    def _transition(self, item: str, interfaces: Sequence[str]) -> Way:
        name, state, trigger, _ = split_transition(item)
        tables = self._table["machines"].get(name, {})
        interface = self._of_these(item, tables, interfaces)
        text = self._texts[name].triggers[trigger]
        table, row = tables[interface], item.partition(": ")[2]
        steps = table.get("rows", {}).get(row)
        if steps is None:
            way = table.get("ways", {}).get(row) or shortest_way(self._machines[name], state)
            triggers = [self._trigger(name, table, each) for each in (*way, trigger)]
            steps = [*table["start"], *(step for each in triggers for step in each)]
        return Way(interface, steps, _sentence(text.does, text.source))

    def _situation(self, area: str, item: str, interfaces: Sequence[str]) -> Way:
        row = self._table[area][item]
        interface = self._of_these(item, row["interfaces"], interfaces)
        return Way(interface, row.get(interface, row.get("steps")), _sentence(row["why"], row["source"]))

    def _of_these(self, item: str, possible: Iterable[str], wanted: Iterable[str]) -> str:
        """The first of the interfaces by which an item can be met that the app calls, or the first that there is."""
        here = [each for each in possible if each in self._contracts]
        if not here:
            raise NoWay(item)
        return next((each for each in here if each in wanted), here[0])

    def _trigger(self, machine: str, table: Mapping[str, Any], trigger: str) -> Steps:
        """The steps that make a trigger happen."""
        step = table.get("triggers", {}).get(trigger)
        if isinstance(step, list):
            return step
        if step is None:
            verb = self._verbs[machine, trigger]
            step = {"verb": verb.name, **verb.members}
        return [{**table.get("record", {}), **step} if "verb" in step else step]


@cache
def scenarios_of_event(kind: str) -> tuple[str, ...]:
    """The first scenario of the library that names a type of event, if one does."""
    word = re.compile(rf"(?<![\w.]){re.escape(kind)}(?![\w.])")
    found = (entry for entry in Library().entries() if word.search(entry.file.read_text(encoding="utf-8")))
    return tuple(entry.path.removesuffix(".yaml") for entry in islice(found, 1))


def split_transition(item: str) -> tuple[str, str, str, str]:
    """The machine, state, trigger and target in the name of a transition."""
    machine, state, arrow, target = item.replace(": ", " ", 1).split(" ")
    return machine, state, arrow.removeprefix("--").removesuffix("-->"), target


def shortest_way(machine: Machine[Any], goal: str) -> tuple[str, ...]:
    """The triggers that lead from the first state of a machine to another."""
    first = machine.rows[0].state
    ways: dict[str, tuple[str, ...]] = {first: ()}
    waiting = deque([first])
    while waiting:
        state = waiting.popleft()
        for row in machine.rows:
            if row.state == state and row.target not in ways:
                ways[row.target] = (*ways[state], row.trigger)
                waiting.append(row.target)
    return ways[goal]


def _sentence(text: str, source: Iterable[str]) -> str:
    """Why a gap matters: a text as a sentence, and what the documents say, with the ids of statements and decisions."""
    statements, ids = load_statements(), [str(each) for each in source]
    said = next((f' {each}: "{statements[each].text}"' for each in ids if each in statements), "")
    sentence = f"{text[:1].upper()}{text[1:].rstrip('.')}."
    return f"{sentence}{said}" if said else f"{sentence} ({', '.join(ids)})" if ids else sentence


def _cause(story: Story, scenario: str | None) -> dict[str, str]:
    """The way to meet a gap: a fault, a verb of the control API with its body, or a scenario of the library.

    In a body, `$order.id` stands for a member of an answer before it.
    """
    acts = {step.kind: step for step in story if isinstance(step, Act)}  # the last of each kind
    if (fault := acts.get("fault")) is not None:
        return {"fault": json.dumps({"effect": fault.target, **fault.members})}
    if (control := acts.get("control")) is not None:
        return {"verb": control.target.partition(" ")[2].removeprefix("/")}
    if (receiver := acts.get("receiver")) is not None:
        return {"verb": f"receivers/{receiver.target} {json.dumps({'mode': 'capture', **receiver.members})}"}
    if (verb := acts.get("verb")) is not None:
        members = {
            name: value.rstrip("!~") if str(value).startswith("$") else value for name, value in verb.members.items()
        }
        return {"verb": f"simulate/{verb.target} {json.dumps(members)}"}
    if (advance := acts.get("advance")) is not None:
        goal = advance.target if isinstance(advance.target, Mapping) else {"by": advance.target}
        return {"verb": f"clock/advance {json.dumps(goal)}"}
    if (played := acts.get("scenario")) is not None:
        return {"scenario": played.target}
    return {} if scenario is None else {"scenario": scenario}
