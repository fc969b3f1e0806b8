"""A scenario as text: one line for each step where it fits, and above them where it comes from."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

import yaml

WIDTH = 118
LONGEST_NAME = 60


class Plain(yaml.CSafeDumper):
    """Writes what stands in two places twice."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


def text(document: dict[str, Any], remarks: Sequence[str] = ()) -> str:
    """The YAML of a scenario, with remarks above it."""
    return "\n".join([*(f"# {remark}" for remark in remarks), *_lines(document), ""])


def name(reason: str) -> str:
    """The name of a file for a reason, without its ending."""
    words = re.sub(r"[^a-z0-9]+", "-", reason.lower())[:LONGEST_NAME].strip("-")
    return words or "wrong"


def put(folder: Path, reason: str, content: str, taken: Container[Path] = ()) -> Path:
    """Write a scenario to a folder, which is made if need be; what an earlier run wrote by the same name gives way."""
    folder.mkdir(parents=True, exist_ok=True)
    endings = chain([""], (f"-{n}" for n in count(2)))
    path = next(path for end in endings if (path := folder / f"{name(reason)}{end}.yaml") not in taken)
    path.write_text(content, encoding="utf-8")
    return path


def _lines(document: dict[str, Any]) -> Iterator[str]:
    for member, value in document.items():
        if member in ("steps", "actors"):
            yield f"{member}:"
            for item in value:
                yield from _item(item) if member == "steps" else [f"  - {_flow(item)}"]
        elif isinstance(value, dict):
            yield f"{member}:"
            yield from (f"  {key}: {_flow(inner)}" for key, inner in value.items())
        else:
            yield f"{member}: {_flow(value)}"


def _item(step: dict[str, Any]) -> Iterator[str]:
    mark = "-"
    for member, value in step.items():
        line = f"  {mark} {member}: {_flow(value)}"
        if len(line) > WIDTH and isinstance(value, dict):
            yield f"  {mark} {member}:"
            yield from (f"      {key}: {_flow(inner)}" for key, inner in value.items())
        else:
            yield line
        mark = " "


def _flow(value: Any) -> str:
    """A value in one line."""
    told = yaml.dump(value, Dumper=Plain, default_flow_style=True, sort_keys=False, width=10_000, allow_unicode=True)
    return told.removesuffix("\n").removesuffix("...").rstrip()
