"""Scenario files in a folder, and the files beside one: included parts and data, never from outside its folder.

Other tools keep YAML in the same folders, so a file is a scenario only if it says so by its title and its steps.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from giftsim.workbench.scenario.scenario_error import suggest_known
from giftsim.workbench.scenario.yaml_source import DEFAULT_LIMITS, Source, YamlPath, is_text

# Folders of this name hold what scenarios share; their files are not played by themselves.
PARTS = "parts"

SUFFIXES = (".yaml", ".yml")
TITLE, STEPS = "scenario", "steps"
_STEPS_LINE = re.compile(rb"^steps[ \t]*:", re.MULTILINE)


class SiblingFile(NamedTuple):
    """A file that a scenario names: its content, its name in messages, and its path."""

    raw: bytes
    file: str
    path: Path


def find_scenarios(folder: Path) -> list[Path]:
    """The scenario files in a folder and its subfolders, sorted; none of hidden folders and of those called `parts`."""
    return sorted(file for file in yaml_files(folder) if read_title(file) is not None)


def read_title(path: Path) -> str | None:
    """The title of the scenario in a YAML file; None if the file has no text `scenario` or no `steps` at its top.

    A scenario whose YAML is broken below its title is one too, so that whoever plays it gets to know.
    """
    raw = read_beginning(path)
    if TITLE.encode() not in raw or STEPS.encode() not in raw:
        return None
    title, has_steps = None, False
    try:
        for name, value in _members(raw):
            if name == TITLE and isinstance(value, yaml.ScalarEvent) and is_text(value):
                title = str(value.value)
            has_steps = has_steps or name == STEPS
            if title is not None and has_steps:
                return title
    except yaml.YAMLError:
        return title if _STEPS_LINE.search(raw) else None
    return None


def read_beginning(path: Path) -> bytes:
    """The content of a file, up to the size that a scenario can have."""
    with path.open("rb") as file:
        return file.read(DEFAULT_LIMITS.max_bytes)


def yaml_files(folder: Path) -> Iterator[Path]:
    """The YAML files in a folder and its subfolders; none of hidden folders and of those called `parts`."""
    for path in folder.rglob("*"):
        folders = path.relative_to(folder).parts[:-1]
        skipped = any(name == PARTS or name.startswith(".") for name in folders)
        if path.suffix.lower() in SUFFIXES and not skipped and path.is_file():
            yield path


def _members(raw: bytes) -> Iterator[tuple[str, Any]]:
    """The members at the top of a YAML file: the name of each, and the event that its value begins with."""
    depth, name = 0, None
    for event in yaml.parse(raw, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.NodeEvent) and depth == 1:
            if name is None:
                name = str(getattr(event, "value", ""))
            else:
                yield name, event
                name = None
        if isinstance(event, yaml.SequenceStartEvent) and depth == 0:
            return
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)


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
    return suggest_known(path.name, files) if files else ""
