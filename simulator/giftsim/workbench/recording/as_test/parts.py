"""What a test of a recording does, one after the other; each language prints these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.workbench.recording.as_test.acts import Act
from giftsim.workbench.recording.as_test.literals import Path


class Call(msgspec.Struct, frozen=True):
    """A call of the service. `name` is the variable of its answer; `status` is None if the answer was lost.

    `members` are what its answer must have.
    """

    name: str
    method: str
    path: Any
    credential: Any
    headers: Mapping[str, Any]
    body: Any
    status: int | None
    members: Mapping[Path, Any]


class ControlCall(msgspec.Struct, frozen=True):
    """A call of the test-control API, which may be refused."""

    name: str
    method: str
    path: Any
    body: Any
    is_refused: bool


class Webhooks(msgspec.Struct, frozen=True):
    """All attempts to deliver webhooks of a type so far, by their outcomes; `data` is of the only one."""

    kind: str
    outcomes: tuple[str, ...]
    data: Mapping[str, Any]


Part = Call | ControlCall | Webhooks | Act


class RecordedTest(msgspec.Struct, frozen=True):
    """A test: its title on one line, its world, what it does, and the values that it uses later.

    `used` has, by variable, the paths of the members that later parts use, each with a value that it had.
    """

    title: str
    world: Mapping[str, Any]
    parts: tuple[Part, ...]
    used: Mapping[str, Mapping[Path, Any]]
