"""A scenario file read, refused where it is wrong, and turned into steps."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from simulator.scenario import actor, meaning, shape
from simulator.scenario.continuity import Continuity
from simulator.scenario.draft import Draft
from simulator.scenario.kind import KINDS
from simulator.scenario.source import Source, read
from simulator.scenario.step import NOTHING, Scenario, Step

UNNAMED = "scenario.yaml"


def load(source: str | bytes | os.PathLike[str], file: str | None = None, *, app: str | None = None) -> Scenario:
    """Reads a scenario from its text, or from the file at a path; InvalidScenario before anything runs.

    `file` is what a refusal or a failed step calls it; OSError where the path cannot be read. `app` is the address of
    the downstream app in place of the one that the file names; ValueError for one that is not on this machine.
    """
    if not isinstance(source, os.PathLike):
        return compiled(read(source, file or UNNAMED), app)
    return compiled(read(Path(source).read_bytes(), file or os.fspath(source)), app)


def compiled(source: Source, app: str | None = None) -> Scenario:
    """The scenario that a file's data says; InvalidScenario where it says none."""
    shape.check(source)
    head = meaning.check_head(source, app)
    data = source.data
    return Scenario(
        name=data["scenario"],
        file=source.file,
        seed=int(data.get("seed", 1)),
        now=data.get("now"),
        fixture=data.get("fixture", "empty"),
        settings=data.get("settings", NOTHING),
        app=head.app,
        actors=tuple(actor.actors(source, head)),
        steps=tuple(_steps(source, head)),
    )


def _steps(source: Source, head: meaning.Head) -> Iterator[Step]:
    known, continuity = head.names, Continuity()
    for index, data in enumerate(source.data["steps"]):
        draft = Draft(source, ("steps", index), shape.kind_of(data), index + 1)
        meaning.check_step(draft, head, known)
        continuity.check(draft)
        yield KINDS[draft.kind].read(draft)
        known |= data.get("save", {}).keys()
