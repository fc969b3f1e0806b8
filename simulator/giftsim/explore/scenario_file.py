"""Scenario files that explore writes, named for the failure they show."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from giftsim.recording.yaml_writer import scenario_text

MAX_NAME = 60


def document_text(document: dict[str, Any], comments: Sequence[str] = ()) -> str:
    """The YAML text of a scenario, with comment lines above it."""
    head = {name: value for name, value in document.items() if name != "steps"}
    return scenario_text(head, document["steps"], comments)


def write_file(folder: Path, reason: str, content: str, taken: Container[Path] = (), *, force: bool = False) -> Path:
    """Write a scenario to a folder, which is created if needed; its path.

    A number makes the name unique if a file of that name has other content, or is in `taken`. With `force` a file that
    is not in `taken` is replaced.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = (folder / f"{_name(reason)}{suffix}.yaml" for suffix in chain([""], (f"-{n}" for n in count(2))))
    path = next(path for path in paths if path not in taken and not _is_in_the_way(path, content, force))
    path.write_text(content, encoding="utf-8")
    return path


def _is_in_the_way(path: Path, content: str, force: bool) -> bool:
    return os.path.lexists(path) and not (path.is_file() and (force or path.read_bytes() in (b"", content.encode())))


def _name(reason: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", reason.lower())[:MAX_NAME].strip("-") or "failure"
