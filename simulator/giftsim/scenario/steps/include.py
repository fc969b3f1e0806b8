"""The `include` step: replaced by the steps of another file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from giftsim.scenario.scenario_files import read_sibling
from giftsim.scenario.schema import check_schema
from giftsim.scenario.steps.step_source import Layer, Nesting
from giftsim.scenario.yaml_source import Source, YamlPath, read


class IncludedFiles:
    """Reads included files, each once; `root` is the folder of the scenario, None if it has none."""

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._parts: dict[Path, Source] = {}

    def expand(
        self, source: Source, path: YamlPath, step: Mapping[str, Any], nesting: Nesting
    ) -> tuple[Source, Nesting]:
        """The included file, and the nesting of its steps; InvalidScenario if it cannot be included."""
        part = self._read(source, (*path, "include"), step["include"], nesting)
        values = step.get("with", {})
        layer = Layer(source, values, {name: (*path, "with", name) for name in values})
        return part, nesting.enter(layer)._replace(files=(*nesting.files, part.file))

    def _read(self, source: Source, path: YamlPath, name: str, nesting: Nesting) -> Source:
        file = read_sibling(source, path, name, self._root)
        if file.path == source.file_path or file.file in nesting.files:
            chain = ", ".join((*nesting.files, file.file))
            raise source.error(path, f'"{name}" includes itself: {chain}')
        if file.path not in self._parts:
            part = read(file.raw, file.file, file.path)
            check_schema(part, "part")
            self._parts[file.path] = part
        return self._parts[file.path]
