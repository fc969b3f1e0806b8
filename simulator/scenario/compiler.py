"""A scenario file read, refused where it is wrong, and turned into steps."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from simulator.scenario import meaning, shape
from simulator.scenario.saving import Saving, saving
from simulator.scenario.source import Source, Trail, read
from simulator.scenario.step import (
    NOTHING,
    Advance,
    Call,
    Clear,
    Expect,
    Fault,
    Receiver,
    Scenario,
    Settings,
    Simulate,
    Step,
)

UNNAMED = "scenario.yaml"


def load(source: str | bytes | os.PathLike[str], file: str | None = None) -> Scenario:
    """Reads a scenario from its text, or from the file at a path; InvalidScenario before anything runs.

    `file` is what a refusal or a failed step calls it; OSError where the path cannot be read.
    """
    if not isinstance(source, os.PathLike):
        return compiled(read(source, file or UNNAMED))
    return compiled(read(Path(source).read_bytes(), file or os.fspath(source)))


def compiled(source: Source) -> Scenario:
    """The scenario that a file's data says; InvalidScenario where it says none."""
    shape.check(source)
    meaning.check(source)
    data = source.data
    return Scenario(
        name=data["scenario"],
        file=source.file,
        seed=int(data.get("seed", 1)),
        now=data.get("now"),
        fixture=data.get("fixture", "empty"),
        settings=data.get("settings", NOTHING),
        steps=tuple(_step(source, index, step) for index, step in enumerate(data["steps"])),
    )


class _Draft(NamedTuple):
    """One step as the file has it, and what it has in common with every other."""

    source: Source
    trail: Trail
    data: Mapping[str, Any]
    place: Mapping[str, Any]


def _step(source: Source, index: int, data: Mapping[str, Any]) -> Step:
    kind = next(kind for kind in shape.KINDS if kind in data)
    trail: Trail = ("steps", index)
    place = {"number": index + 1, "line": source.mark(trail).line, "expect": data.get("expect", NOTHING)}
    return _COMPILE[kind](_Draft(source, trail, data, place))


def _call(draft: _Draft) -> Step:
    data = draft.data
    method, _, path = data["call"].partition(" ")
    credential = data.get("as")
    return Call(
        **draft.place,
        title=f"{data['call']} as {credential}" if credential else data["call"],
        method=method,
        path=path,
        credential=credential,
        headers=data.get("headers", NOTHING),
        body=data.get("body"),
        repeat=int(data.get("repeat", 1)),
        saves=_saves(draft),
    )


def _simulate(draft: _Draft) -> Step:
    verb, members = draft.data["simulate"], draft.data.get("with", NOTHING)
    return Simulate(**draft.place, title=f"simulate {verb}", verb=verb, members=members, saves=_saves(draft))


def _saves(draft: _Draft) -> tuple[Saving, ...]:
    saves: Mapping[str, str] = draft.data.get("save", {})
    return tuple(_saving(draft, name, text) for name, text in saves.items())


def _saving(draft: _Draft, name: str, text: str) -> Saving:
    try:
        return saving(name, text)
    except ValueError as error:
        raise draft.source.refuse((*draft.trail, "save", name), str(error)) from None


def _advance(draft: _Draft) -> Step:
    advance = draft.data["advance"]
    if isinstance(advance, str):
        return Advance(**draft.place, title=f"advance {advance}", how="by", value=advance)
    [(how, value)] = advance.items()
    return Advance(**draft.place, title=f"advance {how} {value}", how=how, value=value)


def _receiver(draft: _Draft) -> Step:
    receiver = draft.data["receiver"]
    members = {"mode": "forward" if "to" in receiver else "capture", **receiver}
    host = members.pop("host")
    return Receiver(**draft.place, title=f"receiver {host}", host=host, members=members)


def _fault(draft: _Draft) -> Step:
    fault = draft.data["fault"]
    if "clear" in fault:
        name = None if fault["clear"] == "all" else fault["clear"]
        return Clear(**draft.place, title=f"clear fault {fault['clear']}", fault=name)
    return Fault(**draft.place, title=f"fault {fault.get('id', ', '.join(fault['effect']))}", members=fault)


def _settings(draft: _Draft) -> Step:
    settings = draft.data["settings"]
    return Settings(**draft.place, title=f"settings {', '.join(settings)}", members=settings)


def _expect(draft: _Draft) -> Step:
    return Expect(**draft.place, title=f"expect {', '.join(draft.data['expect'])}")


_COMPILE: Mapping[str, Callable[[_Draft], Step]] = {
    "call": _call,
    "simulate": _simulate,
    "advance": _advance,
    "receiver": _receiver,
    "fault": _fault,
    "settings": _settings,
    "expect": _expect,
}
