"""The files beside a scenario: parts and data, never from outside the folder of the file that is played."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from giftsim.scenario.scenario_error import meant
from giftsim.scenario.yaml_source import USUAL, Source, Trail

# Folders of this name hold what stories share; nothing in them is played by itself.
PARTS = "parts"


class Found(NamedTuple):
    """A file that was asked for: its content, what to call it, and where it is."""

    raw: bytes
    file: str
    path: Path


def beside(source: Source, trail: Trail, name: str, root: Path | None) -> Found:
    """The file that `source` names at `trail`, relative to itself; InvalidScenario where there is none to be had."""
    if root is None or source.path is None:
        raise source.refuse(trail, f'"{name}" cannot be read: a scenario that is sent as text has no folder')
    path = (source.path.parent / name).resolve()
    if not path.is_relative_to(root):
        raise source.refuse(trail, f'"{name}" leads out of the folder of the scenario')
    if not path.is_file():
        raise source.refuse(trail, f'there is no file "{name}"{_near(source.path.parent / name)}')
    if path.stat().st_size > USUAL.most_bytes:
        raise source.refuse(trail, f'"{name}" has more than {USUAL.most_bytes:,} bytes')
    return Found(path.read_bytes(), os.path.normpath(Path(source.file).parent / name), path)


def stories(folder: Path) -> list[Path]:
    """The scenario files in a folder and those below, in order of their names; what they share is left out."""
    return sorted(file for file in folder.rglob("*.yaml") if PARTS not in file.relative_to(folder).parts)


def _near(path: Path) -> str:
    there = sorted(entry.name for entry in path.parent.iterdir() if entry.is_file()) if path.parent.is_dir() else []
    return meant(path.name, there) if there else ""
