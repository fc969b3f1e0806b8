"""A step as it is written in a file, and the loops and includes around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from giftsim.workbench.scenario.compiled_scenario import EMPTY
from giftsim.workbench.scenario.scenario_error import InvalidScenario
from giftsim.workbench.scenario.yaml_source import Source, YamlPath


class Layer(NamedTuple):
    """The variables that one loop iteration or include defines for its steps.

    `paths` says where in `source` each is written. `label` names the item of the loop.
    """

    source: Source
    values: Mapping[str, Any]
    paths: Mapping[str, YamlPath]
    label: str = ""


class Nesting(NamedTuple):
    """The loops and includes around a step, outermost first, and the included files that lead to it."""

    layers: tuple[Layer, ...] = ()
    files: tuple[str, ...] = ()

    def enter(self, layer: Layer) -> Nesting:
        """The same with one more layer inside."""
        return self._replace(layers=(*self.layers, layer))

    @property
    def variables(self) -> dict[str, Any]:
        """The variables of all layers; an inner one hides an outer one of the same name."""
        return {name: value for layer in self.layers for name, value in layer.values.items()}

    @property
    def label(self) -> str:
        """The items of the loops."""
        return ", ".join(layer.label for layer in self.layers if layer.label)


TOP_LEVEL = Nesting()


class StepSource(NamedTuple):
    """A step before it is parsed: its file, its path in the file, and its number in the whole scenario, from 1."""

    source: Source
    path: YamlPath
    kind: str
    number: int
    nesting: Nesting = TOP_LEVEL

    @property
    def data(self) -> Mapping[str, Any]:
        """The members of the step."""
        members: Mapping[str, Any] = self.source.value_at(self.path)
        return members

    @property
    def common(self) -> dict[str, Any]:
        """The attributes that every kind of step has, but for its title."""
        return {
            "kind": self.kind,
            "number": self.number,
            "file": self.source.file,
            "line": self.source.position(self.path).line,
            "source": self.source,
            "place": self.path,
            "iteration": self.nesting.label,
            "scope": tuple(layer.values for layer in self.nesting.layers),
            "world": self.data.get("in"),
            "expect": self.data.get("expect", EMPTY),
        }

    def error(self, path: YamlPath, message: str, *, name: bool = False) -> InvalidScenario:
        """The error to raise for the value (or for the name) at a path below the step."""
        return self.source.error((*self.path, *path), message, name=name)
