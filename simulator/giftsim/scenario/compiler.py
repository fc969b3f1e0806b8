"""A scenario file read, refused where it is wrong, and turned into steps."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from giftsim.scenario import actor, on_delivery, schema, semantics
from giftsim.scenario.draft import NOWHERE, Around
from giftsim.scenario.expansion import Expansion
from giftsim.scenario.kind import KINDS
from giftsim.scenario.names import check_holes, check_names
from giftsim.scenario.reference_checks import Continuity
from giftsim.scenario.step import NOTHING, Advance, Scenario, Step
from giftsim.scenario.variables import UNKNOWN
from giftsim.scenario.yaml_source import USUAL, Bounds, Source, Trail, read

UNNAMED = "scenario.yaml"


def load(
    source: str | bytes | os.PathLike[str], file: str | None = None, *, app: str | None = None, bounds: Bounds = USUAL
) -> Scenario:
    """Reads a scenario from its text, or from the file at a path; InvalidScenario before anything runs.

    `file` is what a refusal or a failed step calls it; OSError where the path cannot be read. `app` is the address of
    the downstream app in place of the one that the file names; ValueError for one that is not on this machine.
    A text has no folder, and so includes nothing.
    """
    if not isinstance(source, os.PathLike):
        return compiled(read(source, file or UNNAMED, bounds=bounds), app)
    path = Path(source)
    return compiled(read(path.read_bytes(), file or os.fspath(source), path.resolve(), bounds), app)


def compiled(source: Source, app: str | None = None) -> Scenario:
    """The scenario that a file's data says; InvalidScenario where it says none."""
    schema.check(source, "scenario")
    head = semantics.check_head(source, app)
    root = source.path.parent if source.path else None
    data, values = source.data, _values(source, head, root)
    return Scenario(
        name=data["scenario"],
        file=source.file,
        seed=int(data.get("seed", 1)),
        now=data.get("now"),
        fixture=data.get("fixture", "empty"),
        settings=data.get("settings", NOTHING),
        app=head.app,
        actors=tuple(actor.actors(source, {**_everywhere(head), **values}, head.start_ms)),
        values=values,
        steps=tuple(_Story(head, Expansion(root, values)).steps(source, ("steps",))),
    )


def _values(source: Source, head: semantics.Head, root: Path | None) -> Mapping[str, Any]:
    """The values that the file names: `vars`, each of which may use those before it, and `data`."""
    values: dict[str, Any] = {}
    for name, value in source.data.get("vars", {}).items():
        check_names(source, ("vars",), (name,))
        check_holes(source, ("vars", name), value, {**_everywhere(head), **values}, head.start_ms)
        values[name] = value
    for name, told in source.data.get("data", {}).items():
        check_names(source, ("data",), (name,))
        if name in values:
            raise source.refuse(("data", name), f'"{name}" stands in "vars" already', name=True)
        values[name] = Expansion(root, {}).listed(source, ("data", name), told, {})
        if isinstance(told, list):
            check_holes(source, ("data", name), told, {**_everywhere(head), **values}, head.start_ms)
    return values


def _everywhere(head: semantics.Head) -> dict[str, Any]:
    """The names that every story has."""
    names = ("world", "origin", "start", "start_date", *(("app",) if head.app else ()))
    return dict.fromkeys(names, UNKNOWN)


class _Story:
    """The steps of one story as they are read, and the names that are known by then."""

    def __init__(self, head: semantics.Head, expansion: Expansion) -> None:
        self.head, self.expansion = head, expansion
        self.known: dict[str, Any] = {**_everywhere(head), **expansion.names}
        self.continuity = Continuity()

    def steps(
        self, source: Source, trail: Trail, around: Around = NOWHERE, more: Mapping[str, Any] = NOTHING
    ) -> Iterator[Step]:  # fmt: skip
        """The steps of the list at `trail`, in which there are `more` names."""
        for draft in self.expansion.steps(source, trail, around):
            names = {**self.known, **more} if more else self.known
            semantics.check_step(draft, self.head, names)
            self.continuity.check(draft)
            step = KINDS[draft.kind].read(draft)
            if isinstance(step, Advance) and "on_delivery" in draft.data:
                found = on_delivery.entries(draft, names, self.head.start_ms, self.steps)
                step = msgspec.structs.replace(step, entries=tuple(found))
            yield step
            self.known |= dict.fromkeys(draft.data.get("save", ()), UNKNOWN)
