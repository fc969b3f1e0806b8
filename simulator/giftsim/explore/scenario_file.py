"""Scenario files that explore writes, named for the failure they show."""

from __future__ import annotations

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


def write_file(folder: Path, reason: str, content: str, taken: Container[Path] = ()) -> Path:
    """Write a scenario to a folder, which is created if needed; its path.

    A file of an earlier run with the same name is replaced. The paths in `taken` are not: a number makes the name
    unique.
    """
    folder.mkdir(parents=True, exist_ok=True)
    suffixes = chain([""], (f"-{n}" for n in count(2)))
    path = next(path for suffix in suffixes if (path := folder / f"{_name(reason)}{suffix}.yaml") not in taken)
    path.write_text(content, encoding="utf-8")
    return path


def _name(reason: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", reason.lower())[:MAX_NAME].strip("-") or "failure"
