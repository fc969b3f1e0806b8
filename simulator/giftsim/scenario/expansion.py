"""Expands the steps of a scenario: loops are unrolled, and included files take the place of their `include`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from giftsim.scenario.schema import kind_of
from giftsim.scenario.steps.for_each import iterations
from giftsim.scenario.steps.include import IncludedFiles
from giftsim.scenario.steps.step_source import TOP_LEVEL, Nesting, StepSource
from giftsim.scenario.yaml_source import Source, YamlPath

MAX_STEPS = 10_000  # a step counts once for each time that it is repeated
MAX_DEPTH = 40


class StepExpansion:
    """Expands the steps of one scenario; `variables` are those of its head, as far as they are known."""

    def __init__(self, root: Path | None, variables: Mapping[str, Any]) -> None:
        self.variables = variables
        self._root = root
        self._included = IncludedFiles(root)
        self._count = self._calls = 0

    def expand(self, source: Source, path: YamlPath, nesting: Nesting = TOP_LEVEL) -> Iterator[StepSource]:
        """The steps of the list at `path`, in the order in which they run; InvalidScenario as it goes."""
        if len(nesting.layers) > MAX_DEPTH:
            raise source.error(path, f"loops and includes are nested more than {MAX_DEPTH} levels deep")
        for index, step in enumerate(source.value_at(path)):
            step_path, kind = (*path, index), kind_of(step)
            if kind == "include":
                part, inner = self._included.expand(source, step_path, step, nesting)
                yield from self.expand(part, ("steps",), inner)
            elif kind == "for_each":
                for inner in iterations(source, step_path, step, nesting, self.variables, self._root):
                    yield from self.expand(source, (*step_path, "steps"), inner)
            else:
                yield self._step(source, step_path, kind, nesting)

    def _step(self, source: Source, path: YamlPath, kind: str, nesting: Nesting) -> StepSource:
        self._count += 1
        self._calls += source.value_at(path).get("repeat", 1)
        if self._calls > MAX_STEPS:
            how = "with its loops unrolled" if self._count > MAX_STEPS else "with its calls repeated"
            raise source.error(path, f"{how} the scenario has more than {MAX_STEPS:,} steps")
        return StepSource(source, path, kind, self._count, nesting)
