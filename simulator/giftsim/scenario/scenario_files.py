"""Scenario files in a folder, and the files beside one: included parts and data, never from outside its folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from giftsim.scenario.scenario_error import suggestion
from giftsim.scenario.yaml_source import DEFAULT_LIMITS, Source, YamlPath

# Folders of this name hold what scenarios share; their files are not played by themselves.
PARTS = "parts"


class SiblingFile(NamedTuple):
    """A file that a scenario names: its content, its name in messages, and its path."""

    raw: bytes
    file: str
    path: Path


def find_scenarios(folder: Path) -> list[Path]:
    """The scenario files in a folder and its subfolders, sorted, without those in folders called `parts`."""
    return sorted(file for file in folder.rglob("*.yaml") if PARTS not in file.relative_to(folder).parts)


def read_sibling(source: Source, path: YamlPath, name: str, root: Path | None) -> SiblingFile:
    """Read the file that `source` names at `path`, relative to itself; InvalidScenario if it cannot be read."""
    if root is None or source.file_path is None:
        raise source.error(path, f'"{name}" cannot be read: a scenario that is sent as text has no folder')
    file_path = (source.file_path.parent / name).resolve()
    if not file_path.is_relative_to(root):
        raise source.error(path, f'"{name}" is outside the folder of the scenario')
    if not file_path.is_file():
        raise source.error(path, f'there is no file "{name}"{_suggestion(source.file_path.parent / name)}')
    if file_path.stat().st_size > DEFAULT_LIMITS.max_bytes:
        raise source.error(path, f'"{name}" has more than {DEFAULT_LIMITS.max_bytes:,} bytes')
    return SiblingFile(file_path.read_bytes(), os.path.normpath(Path(source.file).parent / name), file_path)


def _suggestion(path: Path) -> str:
    files = sorted(entry.name for entry in path.parent.iterdir() if entry.is_file()) if path.parent.is_dir() else []
    return suggestion(path.name, files) if files else ""
