"""Stories: the calls and acts, in order, that lead a new world to the point where a gap of the coverage is met.

A story is written once, as steps of a table, and printed as a test in Python or TypeScript.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.workbench.recording.as_test.acts import Act

FOLDER: Final = Path(__file__).parent
ACTS: Final = ("verb", "advance", "fault", "settings", "subscribe", "receiver", "control", "scenario")
Row = Mapping[str, Any]


class AppCall(msgspec.Struct, frozen=True):
    """A call of the service, by the app that is tested or (`is_apps` is false) before it.

    `save` names the variable of its answer. A lost call gets no answer, and a repeated one has the earlier key.
    """

    interface: str
    operation: Operation
    credential: str
    path: Row
    query: Row
    headers: Row
    body: Any
    save: str | None
    is_apps: bool
    is_lost: bool
    is_again: bool
    status: int | None


Story = Sequence[AppCall | Act]


class Teller:
    """Makes stories of the steps of a table: each call brings those that it needs, unless their answers are there.

    `before` are the acts between the calls that a call needs and the call itself.
    """

    def __init__(self, contracts: Mapping[str, Contract]) -> None:
        self._contracts = contracts
        known = read_table("obvious_calls.yaml")
        self._calls = {name: obvious_calls(name, contract) for name, contract in contracts.items() if name in known}

    def tell(self, interface: str, steps: Sequence[Row]) -> Story:
        """The story of the steps, whose calls are of one interface."""
        story: list[AppCall | Act] = []
        for step in steps:
            if "call" in step:
                self._add_call(story, interface, step, is_apps=True)
            else:
                story.append(_act(step))
        return story

    def _add_call(self, story: list[AppCall | Act], interface: str, step: Row, *, is_apps: bool) -> None:
        row = {**self._calls[interface][step["call"]], **step}
        for name in row.get("needs", ()):
            saved = self._calls[interface][name].get("save", name)
            if not any(isinstance(each, AppCall) and each.save == saved for each in story):
                self._add_call(story, interface, {"call": name, "save": saved}, is_apps=False)
        story += [_act(each) for each in row.get("before", ())]
        operation = self._contracts[interface].operations[row["operation"]]
        is_again = row.get("repeat", False)
        number = sum(isinstance(each, AppCall) and each.operation is operation for each in story) + (not is_again)
        headers = {"Idempotency-Key": f"{operation.id}-{number}"} if operation.idempotency == "required" else {}
        story.append(
            AppCall(
                interface, operation, row["as"], row.get("path", {}), row.get("query", {}), headers, row.get("body"),
                row.get("save"), is_apps, row.get("lost", False), is_again, row.get("status"),
            )
        )  # fmt: skip


def _act(step: Row) -> Act:
    kind = next(name for name in ACTS if name in step)
    return Act(kind, step[kind], {name: value for name, value in step.items() if name != kind})


@cache
def obvious_calls(interface: str, contract: Contract) -> Mapping[str, Row]:
    """The obvious call of every operation of an interface, and further calls, each with its credential and operation.

    What the table does not have is made of the contract.
    """
    entry = read_table("obvious_calls.yaml")[interface]
    known = {
        name: {"as": entry["as"], "operation": name, **row}
        for name, row in {**entry["calls"], **entry.get("others", {})}.items()
    }
    others = [operation for name, operation in contract.operations.items() if name not in known]
    return known | {each.id: {"as": entry["as"], **_made_call(each, contract, known)} for each in others}


def _made_call(operation: Operation, contract: Contract, known: Mapping[str, Row]) -> Row:
    """A call with the first example of its body, about the record of a known call whose path begins in the same way."""
    record = operation.template[: operation.template.rfind("}") + 1]
    paths = {name: contract.operations[row["operation"]].template for name, row in known.items() if "path" in row}
    near = next((known[name] for name, path in paths.items() if record and path.startswith(record)), {})
    row = {member: near[member] for member in ("as", "needs", "path") if member in near}
    media = operation.node.get("requestBody", {}).get("content", {}).get("application/json", {})
    examples = [example["value"] for example in media.get("examples", {}).values()]
    return {"operation": operation.id, **row, **({"body": examples[0]} if examples else {})}


@cache
def read_table(name: str) -> Mapping[str, Any]:
    """A table beside this module."""
    import yaml

    table: Mapping[str, Any] = yaml.load((FOLDER / name).read_bytes(), yaml.CSafeLoader)
    return table
