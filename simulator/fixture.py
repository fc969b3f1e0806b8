"""Fixtures: starting worlds, as YAML files; a fixture may extend another."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from simulator.worlds.problem import InvalidWorld

HOME = Path(__file__).parent
FOLDERS = (HOME / "_data" / "fixtures", HOME.parent / "fixtures")


def read_fixture(fixture: str | dict[str, Any]) -> dict[str, Any]:
    """The fixture's data with everything it extends; InvalidWorld names a fixture that is not there."""
    data = _file(fixture) if isinstance(fixture, str) else fixture
    base = data.get("extends")
    return data if base is None else merged(read_fixture(base), data)


def merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """`over` upon `base`: lists are joined, objects merged, all else replaced."""
    result = dict(base)
    for name, value in over.items():
        was = result.get(name)
        if isinstance(was, dict) and isinstance(value, dict):
            result[name] = merged(was, value)
        elif isinstance(was, list) and isinstance(value, list):
            result[name] = was + value
        else:
            result[name] = value
    result.pop("extends", None)
    return result


def names() -> list[str]:
    """The fixtures that come with the simulator."""
    return sorted({path.stem for folder in FOLDERS if folder.is_dir() for path in folder.glob("*.yaml")})


@lru_cache(maxsize=32)
def _file(name: str) -> dict[str, Any]:
    for path in (*(folder / f"{name}.yaml" for folder in FOLDERS), Path(name)):
        if path.suffix in (".yaml", ".yml", ".json") and path.is_file():
            data = yaml.load(path.read_bytes(), yaml.CSafeLoader)
            if not isinstance(data, dict):
                raise InvalidWorld(f"the fixture {name} is no object")
            return data
    raise InvalidWorld(f"there is no fixture {name[:60]!r}; there are {', '.join(names())}")
