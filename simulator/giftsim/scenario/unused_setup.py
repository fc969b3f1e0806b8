"""What must have happened by the end of a story: faults that were to strike, answers that were to be used up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from giftsim.scenario.step import Step
from giftsim.scenario.world_client import Sandbox

# Steps that may take away what tells whether a duty was done.
LOSING: Final = frozenset({"receiver", "fault", "control", "restore", "undo"})

Row = Mapping[str, Any]


class Owed(NamedTuple):
    """A step that did not come to what it was there for, and what is to be said of it."""

    step: Step
    fault: str


class _Kind(NamedTuple):
    """Where a duty is looked up, by which member, and what is lacking of one that stands there (or no longer)."""

    listed: str
    member: str
    lacking: Callable[[Row | None], str | None]


class _Duty(NamedTuple):
    """What a step made, and the worlds in which it may act: its own and those that were forked off."""

    step: Step
    kind: str
    name: str
    sandboxes: list[Sandbox]


def _unstruck(row: Row | None) -> str | None:
    return None if row and row["hits"] else "expected that it strikes, actual never"


def _unused(row: Row | None) -> str | None:
    if row is None:
        return "expected that its script is used up, actual taken away before"
    left = len(row["script"]) - row["used"]
    return f"expected that its script is used up, actual {left} of {len(row['script'])} answers left" if left else None


KINDS: Final[Mapping[str, _Kind]] = {
    "fault": _Kind("faults", "id", _unstruck),
    "receiver": _Kind("receivers", "host", _unused),
}


class Duties:
    """All that is still owed by the steps taken so far."""

    def __init__(self) -> None:
        self._open: list[_Duty] = []

    def owe(self, step: Step, kind: str, name: str, sandbox: Sandbox) -> None:
        """From now on a step owes that its fault strikes, or that its receiver uses its script up."""
        self.replaced(kind, name, sandbox)
        self._open.append(_Duty(step, kind, name, [sandbox]))

    def replaced(self, kind: str, name: str, sandbox: Sandbox) -> None:
        """What a step made under a name is gone from a world: another has taken its place."""
        for duty in self._open:
            if (duty.kind, duty.name) == (kind, name) and sandbox in duty.sandboxes:
                duty.sandboxes.remove(sandbox)

    def forked(self, sandbox: Sandbox, twin: Sandbox) -> None:
        """What may act in a world may act in its fork as well."""
        for duty in self._open:
            if sandbox in duty.sandboxes:
                duty.sandboxes.append(twin)

    def look(self) -> list[Owed]:
        """See what has been done by now and strike it off; what is left, in the order of the steps."""
        if not self._open:
            return []
        look_up = _Lists()
        owed = [(duty, _lacking(duty, look_up)) for duty in self._open]
        self._open = [duty for duty, fault in owed if fault is not None]
        return [Owed(duty.step, f"{fault}; `optional: true` allows that") for duty, fault in owed if fault is not None]


class _Lists:
    """Lists of the control plane, each read once."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, str], Mapping[str, Row]] = {}

    def row(self, sandbox: Sandbox, kind: str, name: str) -> Row | None:
        """The entry of a name, if there is one."""
        listed, member, _ = KINDS[kind]
        key = (sandbox.id, listed)
        if key not in self._read:
            rows = sandbox.control("GET", f"/{listed}?limit=1000")[listed]
            self._read[key] = {row[member]: row for row in rows}
        return self._read[key].get(name)


def _lacking(duty: _Duty, lists: _Lists) -> str | None:
    """None once the duty is done in any of its worlds."""
    judge = KINDS[duty.kind].lacking
    rows = [lists.row(sandbox, duty.kind, duty.name) for sandbox in duty.sandboxes]
    faults = [judge(row) for row in rows or [None]]
    return None if None in faults else faults[0]
