"""Compiles a scenario file: reads it, checks it, and parses its steps."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from giftsim.workbench.scenario.actors import parse_actors
from giftsim.workbench.scenario.compiled_scenario import EMPTY, Scenario, Step
from giftsim.workbench.scenario.schema import check_schema
from giftsim.workbench.scenario.semantic_checks import Head, References, check_head, check_step
from giftsim.workbench.scenario.steps.advance import with_entries
from giftsim.workbench.scenario.steps.expansion import StepExpansion, load_items
from giftsim.workbench.scenario.steps.step_kinds import KINDS
from giftsim.workbench.scenario.steps.step_source import TOP_LEVEL, Nesting
from giftsim.workbench.scenario.variables import (
    RESERVED_NAMES,
    UNKNOWN,
    check_expressions,
    check_names,
    resolve_variables,
)
from giftsim.workbench.scenario.yaml_source import DEFAULT_LIMITS, Limits, Source, YamlPath, read_document, read_path

DEFAULT_NAME = "scenario.yaml"


def load_scenario(
    source: str | bytes | os.PathLike[str],
    file: str | None = None,
    *,
    app: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    path: Path | None = None,
) -> Scenario:
    """Compile a scenario from its text or from a file; InvalidScenario if anything in it is wrong.

    `file` is its name in messages. `app` is the address of the downstream app in place of the one in the file;
    ValueError if it is not on this machine. A path that cannot be read raises OSError. Text can include files only
    if `path` says where it lies.
    """
    if not isinstance(source, os.PathLike):
        return compile_scenario(read_document(source, file or DEFAULT_NAME, path and path.resolve(), limits), app)
    return compile_scenario(read_path(Path(source), file or os.fspath(source), limits), app)


def compile_scenario(source: Source, app: str | None = None) -> Scenario:
    """Compile the data of a file."""
    check_schema(source, "scenario")
    head = check_head(source, app)
    root = source.file_path.parent if source.file_path else None
    data, values = source.data, _head_variables(source, head, root)
    compiler = _StepCompiler(head, StepExpansion(root, values))
    return Scenario(
        name=data["scenario"],
        file=source.file,
        source=source,
        seed=int(data.get("seed", 1)),
        now=data.get("now"),
        fixture=data.get("fixture", "empty"),
        settings=data.get("settings", EMPTY),
        app=head.app,
        sandbox=data.get("sandbox"),
        sources=tuple(data.get("sources", ())),
        actors=tuple(parse_actors(source, {**_built_in(head), **values}, head.start_ms)),
        values=values,
        steps=tuple(compiler.compile_steps(source, ("steps",))),
    )


def _head_variables(source: Source, head: Head, root: Path | None) -> Mapping[str, Any]:
    """The variables that the head defines: `vars`, each of which may use those before it, and `data`."""
    values: dict[str, Any] = {}
    resolved: dict[str, Any] = {**dict.fromkeys(RESERVED_NAMES, ""), "start": head.start_ms}
    for name, value in source.data.get("vars", {}).items():
        check_names(source, ("vars",), (name,))
        check_expressions(source, ("vars", name), value, {**_built_in(head), **values}, head.start_ms)
        values[name] = value
        with source.checking(("vars", name)):
            resolved[name] = resolve_variables(value, resolved)
    for name, items in source.data.get("data", {}).items():
        check_names(source, ("data",), (name,))
        if name in values:
            raise source.error(("data", name), f'"{name}" is already defined in "vars"', name=True)
        values[name] = load_items(source, ("data", name), items, {}, root)
        if isinstance(items, list):
            check_expressions(source, ("data", name), items, {**_built_in(head), **values}, head.start_ms)
    return values


def _built_in(head: Head) -> dict[str, Any]:
    """The variables that every scenario has."""
    names = ("world", "origin", "run", "start", "start_date", *(("app",) if head.app else ()))
    return dict.fromkeys(names, UNKNOWN)


class _StepCompiler:
    """Compiles the steps of one scenario in order, with the variables that are known by then."""

    def __init__(self, head: Head, expansion: StepExpansion) -> None:
        self.head, self.expansion = head, expansion
        self.known: dict[str, Any] = {**_built_in(head), **expansion.variables}
        self.references = References()

    def compile_steps(
        self, source: Source, path: YamlPath, nesting: Nesting = TOP_LEVEL, extra: Mapping[str, Any] = EMPTY
    ) -> Iterator[Step]:
        """Compile the list of steps at `path`, which may use `extra` variables."""
        for step_source in self.expansion.expand(source, path, nesting):
            known = {**self.known, **extra} if extra else self.known
            check_step(step_source, self.head, known)
            self.references.check(step_source)
            step = KINDS[step_source.kind].parse(step_source)
            if "on_delivery" in step_source.data:
                step = with_entries(step, step_source, known, self.head.start_ms, self.compile_steps)
            yield step
            self.known |= dict.fromkeys(step_source.data.get("save", ()), UNKNOWN)
