"""The kinds of records of a service: what people call one, how it is found, and how answers refer to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import Machine
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem

R = TypeVar("R", bound=Record)
Id = int | str
# What follows from a world's id, from its seed or from the time of a machine, and what a tester must not see.
LEFT_OUT = frozenset(
    {"n", "token", "share_token", "secret", "fingerprint", "links", "data", "headers", "body", "mark", "serial"}
)


class Ref(msgspec.Struct, frozen=True):
    """A record as answers refer to it: `{kind, id}`."""

    kind: str
    id: Id


class Kind(msgspec.Struct, Generic[R], frozen=True):
    """The records of one table. Functions take the state and a record.

    - `name` is the word for such a record, `id` its public id, `label` its text if name and id are not enough, `title`
      what people call it.
    - `ref` is the record under which operations show it: itself, or what it belongs to, whose title is `ref_title`.
    - `machine` has its states. `timers` are the owners of further timers about such records.
    - `missing` is raised for an unknown id; its message names the record as `noun`.
    - `status` and `statuses` are how lists filter by a status.
    - `hidden` are columns that people do not see. `same` is what makes two rows of a table that only grows the same.
    - `used` is the text of an output, such as the token of a link, with which a change of a record was made, or None.
    - With `by_ref` a record has the id of its `ref`.
    """

    name: str
    table: TableSpec[R]
    machine: Machine[R] | None = None
    id: Callable[[R], Id] = lambda record: getattr(record, "id", record.n + 1)
    label: Callable[[State, R], str] | None = None
    title: Callable[[State, R], str] | None = None
    ref: Callable[[State, R], Ref | None] = lambda _, __: None
    ref_title: Callable[[State, R], str] | None = None
    timers: tuple[str, ...] = ()
    missing: type[Problem] = Problem
    noun: str = ""
    status: Callable[[State, Any], str] = lambda _, record: record.status
    statuses: Sequence[str] = ()
    hidden: frozenset[str] = frozenset()
    same: Callable[[R], object] | None = None
    used: Callable[[R, R], str | None] | None = None
    by_ref: bool = False

    def itself(self, record: R) -> Ref:
        """The record by its own kind and id."""
        return Ref(self.name, self.id(record))

    def label_of(self, state: State, n: int) -> str:
        """The record in a slot as text, such as `event 7`."""
        record = state[self.table].get(n)
        return self.label(state, record) if self.label else f"{self.name} {self.id(record)}"

    def ref_of(self, state: State, n: int) -> Ref | None:
        """The record under which operations show the record in a slot; None if none does."""
        return self.ref(state, state[self.table].get(n))

    @property
    def timer_owners(self) -> tuple[str, ...]:
        """The owners of all timers about such records."""
        return (self.machine.name, *self.timers) if self.machine else self.timers


def shown_as(kind: str) -> Callable[[State, Any], Ref]:
    """The `ref` of records that are shown as `kind` under their own id."""
    return lambda _, record: Ref(kind, record.id)
